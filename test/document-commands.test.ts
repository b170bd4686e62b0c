import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { demoKey } from '../src/core/app/access/keys.ts';
import { DAY_MS, utcDayOf } from '../src/core/domain/time.ts';
import { runHere } from './harness/commands.ts';
import { filesUnder, read } from './harness/repository.ts';
import { temporaryDir } from './harness/service.ts';

/** The shell lines of the documents can be pasted. */

const PAGES = [
  'README.md',
  'README.es.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...filesUnder('docs', '.md'),
];

const GUIDES = filesUnder('src/capabilities', '.md');

/** Commands after which other figures are published. A dry run changes nothing. */
const PUBLISHES = [
  /(?<!from )\bvesfx(?:\.js)? (?:import|rate set|backfill|restore|source run|held release)\b(?!.*--dry-run)/,
  /\/v1\/admin\/records/,
  /--trust\b|--accept-corrections\b|[?&]trust=true/,
];

/** What the line above such a block says. */
const SAYS_SO = /changes? published figures|cambian? las cifras publicadas/i;

interface Block {
  /** The last line of text above it. */
  readonly above: string;
  readonly text: string;
}

/** The blocks of code of a page. Of a shown dialogue only what is typed counts, after `$ `. */
function blocksOf(page: string): readonly Block[] {
  const blocks = [...read(page).matchAll(/^ *```(\w*).*\n([\s\S]*?)^ *```$/gm)];
  return blocks.map(({ 1: language = '', 2: all = '', index }) => {
    const above = read(page).slice(0, index).trimEnd().split('\n').at(-1) ?? '';
    const isDialogue = language === '' || language === 'text';
    const lines = all.replaceAll(/\\\n\s*/g, '').split('\n');
    const typed = isDialogue ? lines.filter((line) => /^ *\$ /.test(line)) : lines;
    return { above, text: typed.map((line) => line.replace(/(^| +)#.*$/, '')).join('\n') };
  });
}

/** Lines of the blocks for a shell, without their comments; a line that goes on is one line. */
function shellLines(page: string): readonly string[] {
  return [...read(page).matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, text = '']) =>
    text
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/(^| +)#.*$/, '').trim())
      .filter((line) => line !== ''),
  );
}

const VESFX = /^(?:[A-Z_]+='[^']*' )?(?:npx )?(?:node bin\/vesfx\.js|vesfx) /;

/** The words of a `vesfx` line, as a shell parts them; what is sent to a file is left out. */
function wordsOf(line: string): readonly string[] {
  const own = line.replace(VESFX, '').replace(/ > .*$/, '');
  return [...own.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

const commands = PAGES.flatMap((page) =>
  shellLines(page)
    .filter((line) => VESFX.test(line))
    .map((line) => ({ page, line })),
);

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .sort();

/** The shown output of a command, sorted, because two streams have no common order. */
function printedAfter(page: string, line: string): readonly string[] {
  const [, after = ''] = read(page).split(`\n$ vesfx ${line}\n`);
  return linesOf(after.split(/^(?:\$|```)/m)[0] ?? '');
}

/** The records that a page shows, an empty folder, and the hour at which they are new. */
async function beforeTheRecords(page: string) {
  const [, records = ''] = /```json\n([\s\S]*?)```/.exec(read(page)) ?? [];
  const folder = await temporaryDir();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T03:05:00Z') });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return { records, folder, env: { ...process.env, VESFX_DATA: join(folder, 'data') } };
}

describe('the shell lines of the documents', () => {
  test('of vesfx name existing commands and flags, without characters special to a shell', async () => {
    expect(commands.length).toBeGreaterThan(60);
    for (const { page, line } of commands) {
      const words = wordsOf(line);
      expect([
        page,
        line,
        /[|<&;]|\bID\b|\bACCOUNT\b(?<!\$ACCOUNT)/.test(line.replaceAll(/'[^']*'/g, '')),
      ]).toEqual([page, line, false]);
      const isGroup = (await runHere([words[0] ?? '', '--help'])).out.includes('\nCommands:');
      const name = words.slice(0, isGroup ? 2 : 1);
      const { code, out } = await runHere([...name, '--help']);
      expect([line, code]).toEqual([line, 0]);
      expect(out, line).toContain(`Usage: vesfx ${name.join(' ')}`);
      for (const flag of words.filter((word) => word.startsWith('--'))) {
        expect(out, line).toContain(flag);
      }
    }
  });

  test('change published figures only in blocks that are headed so', () => {
    const blocks = [
      ...PAGES,
      ...GUIDES,
      ...filesUnder('examples', '.md'),
      'bench/README.md',
    ].flatMap((page) => blocksOf(page).map((block) => ({ page, ...block })));
    const publishing = blocks.filter(({ text }) => PUBLISHES.some((one) => one.test(text)));
    expect(publishing.length).toBeGreaterThan(20);
    expect(publishing.filter(({ above }) => !SAYS_SO.test(above))).toEqual([]);
    const others = blocks.filter((block) => !publishing.includes(block));
    expect(others.filter(({ above }) => SAYS_SO.test(above))).toEqual([]);
  });

  test.each(['docs/operating.md', 'docs/operating.es.md'])(
    '%s: the lines on accounts, keys and rules work in their order',
    async (page) => {
      const lines = commands
        .filter((one) => one.page === page)
        .map(({ line }) => line)
        .filter((line) => /^vesfx (account|key|markup) /.test(line));
      expect(lines.length).toBeGreaterThan(15);
      const env = { ...process.env, VESFX_DATA: join(await temporaryDir(), 'data') };
      const known: Record<string, string> = {};
      const tomorrow = utcDayOf(Date.now() + DAY_MS);
      for (const line of lines) {
        const args = wordsOf(line).map((word) =>
          word
            .replace(/^\$(\w+)$/, (_, name: string) => known[name] ?? '')
            // A future day at any time of the run.
            .replace('2027-06-30', tomorrow),
        );
        const { code, out, err } = await runHere(args, env);
        expect([line, code, err]).toEqual([line, 0, '']);
        known['ACCOUNT'] ??= /acc_\w+/.exec(out)?.[0] ?? '';
        const key = /key_\w+/.exec(out)?.[0];
        if (key !== undefined) known['KEY_ID'] ??= key;
      }
      expect((await runHere(['account', 'list', '--json'], env)).out).not.toContain('acc_');
    },
  );

  test.each(['docs/operating.md', 'docs/operating.es.md'])(
    '%s: importing the records prints the shown output',
    async (page) => {
      const { records, folder, env } = await beforeTheRecords(page);
      await writeFile(join(folder, 'quotes.ndjson'), records);
      const bad = [
        '{"kind":"quote","market":"x","mid":1}',
        '{"kind":"quote","market":"cash","mid":""}',
      ];
      await writeFile(join(folder, 'bad.ndjson'), [...bad, '{'].join('\n'));
      for (const name of ['quotes.ndjson', 'bad.ndjson']) {
        const { out, err } = await runHere(['import', join(folder, name)], env);
        expect([name, linesOf(err + out)]).toEqual([name, printedAfter(page, `import ${name}`)]);
      }
    },
  );

  test.each(['docs/operating.md', 'docs/operating.es.md'])(
    '%s: the command prints the shown list of publications',
    async (page) => {
      const { folder, env } = await beforeTheRecords(page);
      const file = join(folder, 'publications.ndjson');
      const published = (valueDate: string, at: string, USD: number, EUR: number) =>
        JSON.stringify({
          ...{ kind: 'official', value_date: valueDate, value_date_text: valueDate },
          ...{ rates: { USD, EUR }, captured_at: at },
        });
      const lines = [
        published('2026-11-20', '2026-11-19T20:10:00Z', 480.2572, 553.102),
        published('2026-11-24', '2026-11-20T20:10:00Z', 481.0135, 554.0871),
        published('2026-11-25', '2026-11-20T21:40:00Z', 481.0135, 554.0871),
      ];
      for (const line of lines) {
        await writeFile(file, line);
        expect((await runHere(['import', file, '--trust'], env)).out).toContain('accepted 1');
      }
      const line = 'publications --from 2026-11-20';
      const { out } = await runHere(line.split(' '), env);
      expect(linesOf(out)).toEqual(printedAfter(page, line));
    },
  );

  test.each(['README.md', 'README.es.md'])('%s: its key is one of the demonstration', (page) => {
    expect(/^KEY=(\S+)/m.exec(read(page))?.[1]).toBe(demoKey('Escala'));
  });

  test.each(['README.md', 'README.es.md'])(
    '%s: a clone is tried by one line, and tested by one',
    (page) => {
      const lines = read(page).split('\n');
      expect(lines).toEqual(
        expect.arrayContaining(['npm ci && npm run demo', 'npm ci && npm test']),
      );
    },
  );

  test('name the package with its current version', () => {
    const { version } = JSON.parse(read('package.json'));
    const named = [...PAGES, 'examples/node.mjs'].flatMap((page) =>
      [...read(page).matchAll(/vesfx-(?:client-)?(\d+\.\d+\.\d+)\.tgz/g)].map(([, one]) => [
        page,
        one,
      ]),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(([, one]) => one !== version)).toEqual([]);
  });
});
