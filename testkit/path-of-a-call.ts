import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { request } from 'undici';

/**
 * Counts the files of `src/` that a call passes, and how often it moves from one to another:
 *
 *   node testkit/path-of-a-call.ts [--files]
 *
 * Each function of the program notes its file when it begins. A move is a function that begins in
 * another file than the one before it.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SOURCES = join(ROOT, 'src/');
/** A call is measured so often; the shortest way is told, because timers run in between. */
const TURNS = 20;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: Node;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

function functionsIn(node: Node, found: Node[] = []): readonly Node[] {
  if (/Function/.test(node.type) && isNode(node.body)) found.push(node);
  for (const child of Object.values(node).flat()) if (isNode(child)) functionsIn(child, found);
  return found;
}

/** The source in which every function first tells its file. */
function telling(path: string): string {
  const source = stripTypeScriptTypes(readFileSync(path, 'utf8'));
  const added: (readonly [at: number, text: string])[] = [];
  const tell = `globalThis.tellFile(${JSON.stringify(relative(ROOT, path))})`;
  for (const { body } of functionsIn(parseAst(source) as unknown as Node)) {
    if (body === undefined) continue;
    if (body.type === 'BlockStatement') added.push([body.start + 1, `${tell};`]);
    else added.push([body.start, `(${tell},(`], [body.end, '))']);
  }
  // From the end, so that the places before stay where they are.
  return added
    .toSorted(([one], [other]) => other - one)
    .reduce((text, [at, more]) => text.slice(0, at) + more + text.slice(at), source);
}

let files: string[] | undefined;
Object.assign(globalThis, {
  tellFile: (file: string) => {
    files?.push(file);
  },
});

registerHooks({
  load(url, context, nextLoad) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    if (!path.startsWith(SOURCES) || !path.endsWith('.ts')) return nextLoad(url, context);
    return { format: 'module', source: telling(path), shortCircuit: true };
  },
});

/** @returns the files that begin functions during the work, in their order. */
async function passedBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  let shortest: readonly string[] | undefined;
  for (let turn = 0; turn < TURNS; turn += 1) {
    files = [];
    await work();
    const passed = files;
    files = undefined;
    if (shortest === undefined || passed.length < shortest.length) shortest = passed;
  }
  return shortest ?? [];
}

function tell(name: string, passed: readonly string[]): void {
  const moves = passed.filter((file, at) => at > 0 && file !== passed[at - 1]).length;
  const distinct = new Set(passed);
  process.stdout.write(`${name}: ${distinct.size} files, ${moves} moves\n`);
  if (process.argv.includes('--files')) process.stdout.write(`  ${[...distinct].join('\n  ')}\n`);
}

const { startService } = await import('../src/core/compose.ts');
const { readConfig } = await import('../src/core/config.ts');
const { Quota } = await import('../src/core/app/quota/quota.ts');
const { openStore } = await import('../src/core/storage/store.ts');

const dataDir = await mkdtemp(join(tmpdir(), 'vesfx-path-'));
const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };
const clock = { now: () => Date.now() };
const config = readConfig({ data: dataDir, port: '0', collect: false }, {});
const service = await startService(config, { clock, log, capabilities: [] });
const at = new Date(clock.now()).toISOString();
const quote = {
  kind: 'quote' as const,
  market: 'parallel',
  mid: 900,
  updated_at: at,
  captured_at: at,
};
const sent = { source: 'test', trust: true };
await service.ingest.ingest([quote], sent);
await service.changePoller.poll();
const account = await service.accounts.create('A shop', 'Escala');
const { key } = await service.accounts.createKey(account.id);

let amount = 0;
const convert = async () => {
  amount += 1;
  const address = `${service.url}/v1/fx/convert?from=USD&to=VES&via=parallel&amount=${amount}`;
  const { statusCode, body } = await request(address, { headers: { 'X-API-Key': key } });
  const said = await body.text();
  if (statusCode !== 200) throw new Error(said);
};
await convert();
tell('a conversion with a known key', await passedBy(convert));
await service.close();

const store = await openStore({ dataDir });
const limits = { minute: undefined, hour: undefined, month: 1_000_000 };
const quota = new Quota({ store, clock, log });
let accounts = 0;
tell(
  'the first unit of an account',
  await passedBy(async () => {
    accounts += 1;
    await quota.reserve(`account-${accounts}`, limits);
  }),
);
await quota.close();
await store.close();
await rm(dataDir, { recursive: true });
