import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { referenceDocument } from '../../../../../scripts/reference.ts';
import { listening } from '../../../../../test/harness/listening.ts';
import { official, quote } from '../../../../../test/harness/make.ts';
import { ROOT } from '../../../../../test/harness/repository.ts';
import {
  startTestService,
  type TestService,
  temporaryDir,
} from '../../../../../test/harness/service.ts';
import { LAUNCHER } from '../../../../../testkit/vesfx-process.ts';
import { CAPABILITIES } from '../../../../capabilities.ts';
import { loadCatalogue } from '../../../../core/catalogue/catalogue.ts';
import { demonstrationTexts } from '../../../../core/cli/added.ts';
import { PACKAGED_CATALOGUE } from '../../../../core/config.ts';
import { LANGUAGES, type Language } from '../../../../core/domain/words/language.ts';
import { guideText } from '../../docs/markdown-page.ts';
import { GUIDE_NAMES, type GuideName } from '../../guides/guides.ts';

/** Runs what the guides show, in every language, and compares what comes with what they say. */

const run = promisify(execFile);
const { plans, markets } = loadCatalogue(PACKAGED_CATALOGUE);

/** What fills the guides of a service at that address. */
const factsAt = (publicUrl: string) => ({
  ...{ publicUrl, plans, markets: markets.list },
  ...{ document: referenceDocument(publicUrl), handedOut: [], hasBoard: true, endpoints: [] },
});

/** A Friday at 23:00 in Caracas, when Tuesday's rate is published and Monday is a holiday. */
const NOW = Date.parse('2026-11-21T03:00:00.000Z');

/** The plan that a guide is about; all others go by the cheapest. */
const PLAN_OF: Readonly<Partial<Record<GuideName, string>>> = {
  history: 'Inicio',
  limits: 'Esencial',
  markets: 'Esencial',
  markups: 'Inicio',
  pandas: 'Inicio',
  client: 'Inicio',
};

/** What other tests run: a service of one's own, and what Google, Excel, Odoo, WordPress, webhooks and streams run. */
const TRIED_ELSEWHERE: readonly GuideName[] = [
  ...([
    // Configurations of other programs.
    'assistants',
    'webhooks',
    'stream',
    'self-hosting',
    'google-sheets',
    'excel',
    'month-end',
    'odoo',
    'woocommerce',
    'website',
  ] as const),
];

interface Block {
  readonly kind: string;
  readonly text: string;
}

function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^```(.*)\n([\s\S]*?)\n```$/gm)].map(([, kind = '', text = '']) => ({
    kind,
    text,
  }));
}

function found(command: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return existsSync(command) || folders.some((folder) => existsSync(join(folder, command)));
}

/** The program that runs a block of this language; undefined if it is no program. */
function commandFor(kind: string, file: string): readonly [string, ...string[]] | undefined {
  switch (kind) {
    case 'sh':
      return ['bash', '-euo', 'pipefail', file];
    case 'js':
      return [process.execPath, file];
    case 'python':
      return ['python3', file];
    case 'php':
      return ['php', file];
    default:
      return undefined;
  }
}

const ENDINGS: Readonly<Record<string, string>> = { sh: 'sh', js: 'mjs', python: 'py', php: 'php' };

async function startGuideService(): Promise<TestService> {
  const service = await startTestService({
    start: NOW,
    config: { added: demonstrationTexts(CAPABILITIES) },
  });
  const published = (valueDate: string, capturedAt: string, dollar: number, euro: number) =>
    official(valueDate, { USD: dollar, EUR: euro }, { captured_at: `${capturedAt}T21:10:00.000Z` });
  const at = (time: string) => ({ updated_at: time, captured_at: time });
  await service.push(
    published('2026-11-13', '2026-11-12', 756.7083, 871.89443742),
    published('2026-11-16', '2026-11-13', 757.5406, 875.2169568),
    published('2026-11-17', '2026-11-16', 761.2167, 879.34991967),
    published('2026-11-18', '2026-11-17', 764.3486, 882.29523246),
    published('2026-11-19', '2026-11-18', 766.8603, 885.07948384),
    published('2026-11-20', '2026-11-19', 771.0714, 889.45399204),
    published('2026-11-24', '2026-11-20', 772.5441, 894.49018618),
    quote('parallel', 867.15, at('2026-11-21T02:45:00.000Z')),
    quote('binance', 882.34, at('2026-11-21T02:58:00.000Z')),
    quote('bingx', 880.79, { ask: 881.04, bid: 880.54, ...at('2026-11-21T02:58:00.000Z') }),
  );
  return service;
}

/** `{` and all that is shown is there; an answer may be shown shortened, rows of lists too. */
function expectShown(answer: unknown, shown: unknown): void {
  if (Array.isArray(shown)) {
    const rows: readonly unknown[] = Array.isArray(answer) ? answer : [];
    for (const one of shown) expect(rows).toContainEqual(expectation(one));
    return;
  }
  expect(answer).toEqual(expectation(shown));
}

function expectation(shown: unknown): unknown {
  if (Array.isArray(shown)) return expect.arrayContaining(shown.map(expectation));
  if (typeof shown !== 'object' || shown === null) return shown;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(shown).map(([key, one]) => [key, expectation(one)])),
  );
}

/** Answers of which only what the guide speaks of is shown, by the place of their block. */
const SHOWN_IN_PART: Readonly<Partial<Record<GuideName, readonly number[]>>> = {
  'first-request': [1],
  markets: [1],
  'invoice-rate': [3],
  'board-data': [1, 4, 6],
  markups: [3, 8],
  'public-keys': [1, 6, 8],
  'switch-from-hosted': [5],
  // Other currencies may be there.
  'switch-from-er-api': [1],
  'switch-from-fawazahmed0': [1],
};

/** Of the key that such a guide creates, what it speaks of is shown. */
const isSwitchKey = (name: GuideName, position: number) =>
  name.startsWith('switch-from-') && position === 3;

/** Fields of the answer that are not shown. Of rows, those that every row has and none shows. */
function fieldsLeftOut(answer: unknown, shown: unknown): readonly string[] {
  if (Array.isArray(shown)) {
    const rows: readonly unknown[] = Array.isArray(answer) ? answer : [];
    const whole = Object.assign({}, ...shown.filter(isObject));
    const leftOut = rows.map((row) => new Set(fieldsLeftOut(row, whole)));
    return [...(leftOut[0] ?? [])].filter((field) => leftOut.every((one) => one.has(field)));
  }
  if (!isObject(shown) || !isObject(answer)) return [];
  return Object.entries(answer).flatMap(([name, value]) =>
    name in shown ? fieldsLeftOut(value, shown[name]) : [name],
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a reader has beside a program: the clients of one file, and the package of the client. */
async function addPrograms(folder: string): Promise<void> {
  for (const file of ['vesfx.py', 'vesfx.php', 'vesfx-invoice.php']) {
    await copyFile(join(ROOT, 'examples', file), join(folder, file));
  }
  await cp(join(ROOT, 'examples', 'till'), join(folder, 'till'), { recursive: true });
  const client = join(folder, 'node_modules', '@vesfx', 'client');
  await mkdir(client, { recursive: true });
  await writeFile(join(client, 'package.json'), '{ "exports": "./client.mjs" }');
  const source = pathToFileURL(join(ROOT, 'src', 'client', 'vesfx.ts'));
  await writeFile(join(client, 'client.mjs'), `export * from '${source}';\n`);
}

/** A Python that has the library which the program imports. */
async function pythonFor(program: string): Promise<string | undefined> {
  if (!program.includes('import pandas')) return found('python3') ? 'python3' : undefined;
  for (const python of ['python3', '/usr/bin/python3']) {
    const hasPandas = await run(python, ['-c', 'import pandas']).then(
      () => true,
      () => false,
    );
    if (hasPandas) return python;
  }
  return undefined;
}

/** Runs the programs of a guide in order; each output is compared with the block after it. */
async function tryGuide(service: TestService, name: GuideName, language: Language) {
  const key = await service.keyFor(PLAN_OF[name] ?? 'Gratis');
  const text = guideText(name, language, factsAt(service.url));
  const folder = await temporaryDir();
  await addPrograms(folder);
  const env: NodeJS.ProcessEnv = { ...process.env, VESFX_KEY: key };
  const counts = { run: 0, compared: 0 };
  let output: string | undefined;
  for (const [position, { kind, text: block }] of blocksOf(text).entries()) {
    const file = join(folder, `sample-${position}.${ENDINGS[kind]}`);
    const command = commandFor(kind, file);
    if (command !== undefined) {
      const [named, ...args] = command;
      const program = named === 'python3' ? await pythonFor(block) : named;
      const isThere = program === process.execPath || (program !== undefined && found(program));
      if (!isThere)
        process.stderr.write(`NOT RUN, for there is no ${program ?? 'pandas'}: ${name}\n`);
      // The key of the guide stands for the reader's own.
      await writeFile(file, block.replace(/VESFX_KEY="[^"]*"/, `VESFX_KEY="${key}"`));
      output = isThere ? (await run(program ?? '', args, { env, cwd: folder })).stdout : undefined;
      counts.run += isThere ? 1 : 0;
    } else if (output !== undefined) {
      const last = output.trimEnd().replaceAll('\r', '');
      if (kind === 'json') {
        const answer = JSON.parse(last);
        expectShown(answer, JSON.parse(block));
        const isInPart =
          isSwitchKey(name, position) || SHOWN_IN_PART[name]?.includes(position) === true;
        const leftOut = isInPart ? [] : fieldsLeftOut(answer, JSON.parse(block));
        expect(leftOut, `${name}.md (${language}), block ${position} lacks`).toEqual([]);
        // A key created by the guide is then the reader's key.
        if (answer.kind === 'publishable' && 'key' in answer) {
          env['VESFX_PUBLISHABLE_KEY'] = answer.key;
          env['VESFX_PUBLISHABLE_KEY_ID'] = answer.id;
        }
      }
      if (kind !== 'json') expect(last).toBe(block);
      counts.compared += 1;
      output = undefined;
    }
  }
  return counts;
}

describe.each(LANGUAGES)('the code of the guides, language %s', (language) => {
  const tried = GUIDE_NAMES.filter((name) => !TRIED_ELSEWHERE.includes(name));

  test.each(tried)('of %s runs unchanged and prints the shown answer', async (name) => {
    const counts = await tryGuide(await startGuideService(), name, language);
    expect(counts.run).toBeGreaterThan(0);
    expect(counts.compared).toBeGreaterThan(0);
  });
});

/** What the program of a language in the guide of errors does, asking a server of ours. */
async function askFrom(address: string, kind: string) {
  const text = guideText('errors', 'en', factsAt(address));
  const [program] = blocksOf(text).filter((block) => block.kind === kind);
  const file = join(await temporaryDir(), `ask.${ENDINGS[kind]}`);
  await writeFile(file, program?.text ?? '');
  const [command, ...args] = commandFor(kind, file) ?? ['false'];
  const env = { ...process.env, VESFX_KEY: 'a key' };
  return run(command, args, { env }).then(
    ({ stdout }) => stdout.trim(),
    () => 'failed',
  );
}

test.each(['js', 'python', 'php'].filter((kind) => found(commandFor(kind, '')?.[0] ?? '')))(
  'the retries of the errors guide go on after a lost connection and the 502 of a proxy, three times at most (%s)',
  async (kind) => {
    const state = { asked: 0, lost: 1 };
    const server = createServer((request, response) => {
      state.asked += 1;
      if (state.asked <= state.lost) request.destroy();
      else if (state.asked === 2) response.writeHead(502).end('<h1>Bad Gateway</h1>');
      else response.end('{ "mid": 8.5, "effective_date": "2026-11-20" }');
    });
    const address = await listening(server);
    expect(await askFrom(address, kind)).toMatch(/^BCV: 8.5, .*2026-11-20$/);
    expect(state.asked).toBe(3);
    Object.assign(state, { asked: 0, lost: 9 });
    expect(await askFrom(address, kind)).toBe('failed');
    expect(state.asked).toBe(3);
  },
);

test.each(LANGUAGES)(
  'the commands of the self-hosting guide work as copied (%s)',
  async (language) => {
    const cwd = await temporaryDir();
    const publicUrl = 'http://127.0.0.1:8080';
    const text = guideText('self-hosting', language, factsAt(publicUrl));
    const commands = async (block = '') => {
      const script = block.replaceAll('npx vesfx', `"${process.execPath}" "${LAUNCHER}"`);
      const env = { ...process.env, VESFX_DATA: join(cwd, 'data') };
      return (await run('bash', ['-euc', script], { env, cwd })).stdout;
    };
    const [block] = blocksOf(text).filter(({ kind }) => kind === 'sh commands');
    expect(await commands(block?.text)).toMatch(/vfx_live_\w{38}/);
    const [backup = '', copy = ''] = /npx vesfx backup (\w+\.db)/.exec(text) ?? [];
    await commands(backup);
    expect(existsSync(join(cwd, copy))).toBe(true);
    expect(await commands('npx vesfx source list')).toContain('bcv-official');
  },
);
