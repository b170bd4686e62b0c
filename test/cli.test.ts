import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_LISTED_ERRORS } from '../src/core/app/ingest/ingest.ts';
import { openToolbox } from '../src/core/compose.ts';
import { readConfig } from '../src/core/config.ts';
import { SCOPES } from '../src/core/domain/keys.ts';
import { addCaracasDays, caracasDayOf, DAY_MS } from '../src/core/domain/time.ts';
import { LAUNCHER } from '../testkit/vesfx-process.ts';
import { type Outcome, runHere } from './harness/commands.ts';

/* Commands as an operator runs them, on a folder of their own. */

const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url));
const CATALOGUE = fileURLToPath(new URL('../catalog/', import.meta.url));
const WEEK_MS = 7 * 86_400_000;
/** Longest time of a command. */
const MAX_COMMAND_MS = 100_000;

let folder: string;
let data: string;
const running = new Set<ChildProcess>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vesfx-cli-'));
  data = join(folder, 'data');
});

afterEach(async () => {
  for (const child of running) {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await ended;
    }
  }
  running.clear();
  rmSync(folder, { recursive: true, force: true });
});

/** Settings of the machine that runs the tests must not reach the commands. */
function environment(extra: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VESFX_'));
  return {
    ...Object.fromEntries(own),
    VESFX_DATA: data,
    VESFX_DRAIN_SEC: '0',
    TMPDIR: folder,
    ...extra,
  };
}

interface RunOptions {
  readonly input?: string | Buffer;
  readonly env?: NodeJS.ProcessEnv;
  /** Flags of Node itself. */
  readonly node?: readonly string[];
  readonly launcher?: string;
  /** Wrong usage ends even a command that would go on, before it begins anything. */
  readonly isRefused?: boolean;
}

/** Commands that go on until their process is told to end. */
const OF_THEIR_OWN: readonly (string | undefined)[] = ['serve', 'demo'];

/**
 * Runs a command to its end. Without input and flags of Node it runs in this process. All the others
 * show that the launcher passes arguments, output and exit codes on.
 */
function vesfx(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const isPlain = Object.keys(options).every((name) => ['env', 'isRefused'].includes(name));
  const ends = args.includes('--help') || (options.isRefused && !args.includes('--workers'));
  const isHarmless = ends || !OF_THEIR_OWN.includes(args[0]);
  if (isPlain && isHarmless) return runHere(args, environment(options.env ?? {}));
  const { input = '', env = {}, node = [], launcher = LAUNCHER } = options;
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const child = execFile(
    process.execPath,
    [...node, launcher, ...args],
    {
      env: environment(env),
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
      timeout: MAX_COMMAND_MS,
      killSignal: 'SIGKILL',
    },
    (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, out, err });
    },
  );
  // A command that fails early does not read its input.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return promise;
}

async function json(args: readonly string[], options?: RunOptions) {
  const { code, out, err } = await vesfx([...args, '--json'], options);
  expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
  // One document and nothing else.
  return JSON.parse(out);
}

async function fails(args: readonly string[], code: number, options?: RunOptions): Promise<string> {
  const outcome = await vesfx(args, { ...options, isRefused: code === 2 });
  expect(outcome).toMatchObject({ code });
  expect(outcome.err).not.toMatch(/\n\s+at /);
  return outcome.err;
}

/** Settings with a catalogue of the one plan Unica. */
function onlyOnePlan(): NodeJS.ProcessEnv {
  const catalogue = join(folder, 'catalog');
  mkdirSync(catalogue);
  const plans = JSON.parse(readFileSync(join(CATALOGUE, 'plans.json'), 'utf8'));
  writeFileSync(join(catalogue, 'plans.json'), JSON.stringify({ Unica: plans.Escala }));
  writeFileSync(
    join(catalogue, 'markets.json'),
    readFileSync(join(CATALOGUE, 'markets.json'), 'utf8').replace(/"(Es|Pr)\w+al?"/g, 'null'),
  );
  return { VESFX_CATALOG: catalogue };
}

async function newAccount(plan = 'escala'): Promise<string> {
  return (await json(['account', 'create', '--name', 'Acme', '--plan', plan])).id;
}

/** A file of records. */
function fileOf(lines: string | Buffer): string {
  const file = join(folder, 'records.ndjson');
  writeFileSync(file, lines);
  return file;
}

function quote(fields: object = {}): string {
  return JSON.stringify({
    kind: 'quote',
    market: 'binance',
    mid: 640.5,
    captured_at: new Date(Date.now() - 1_000).toISOString(),
    ...fields,
  });
}

interface Running {
  readonly child: ChildProcess;
  readonly first: string;
  /** The text written to stderr so far. */
  err(): string;
}

async function start(
  args: readonly string[],
  { node = [], env = {} }: Pick<RunOptions, 'node' | 'env'> = {},
): Promise<Running> {
  const child = spawn(process.execPath, [...node, LAUNCHER, ...args], {
    env: environment(env),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let out = '';
  let err = '';
  child.stderr?.on('data', (text) => {
    err += String(text);
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stdout?.on('data', (text) => {
    out += String(text);
    if (out.includes('\n')) resolve(out);
  });
  child.once('exit', (code) => reject(new Error(`ended with ${code}: ${err}`)));
  const first = await promise;
  return { child, first, err: () => err };
}

describe('the launcher', () => {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8'));

  function pretendNode(pretended: string): readonly string[] {
    const file = join(folder, 'pretend.cjs');
    writeFileSync(
      file,
      `if (process.argv[1] === ${JSON.stringify(LAUNCHER)} || process.argv[1].includes('alone'))
        Object.defineProperty(process, 'version', { value: '${pretended}' });`,
    );
    return ['--require', file];
  }

  test('runs directly on a Node that is new enough, and prints nothing of its own', async () => {
    const outcome = await vesfx(['--version'], { input: '' });
    expect(outcome).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  test('prints no warning that what it needs of Node is experimental, and every other warning', async () => {
    const preload = join(folder, 'warns.cjs');
    writeFileSync(
      preload,
      `process.emitWarning = (text) => process.stderr.write(text + '\\n');
      process.on('exit', () => {
        for (const name of ['SQLite', 'Type Stripping', 'WASI'])
          process.emitWarning(name + ' is an experimental feature and might change at any time');
      });`,
    );
    const { code, err } = await vesfx(['--version'], { node: ['--require', preload] });
    expect({ code, err }).toEqual({
      code: 0,
      err: 'WASI is an experimental feature and might change at any time\n',
    });
  });

  test('on an older Node it runs the packaged Node, with its exit code and output', async () => {
    const node = pretendNode('v18.20.0');
    expect(await vesfx(['--version'], { node })).toEqual({
      code: 0,
      out: `${version}\n`,
      err: '',
    });
    expect(await vesfx(['account', 'show', 'nobody'], { node })).toMatchObject({ code: 1 });
    expect(await vesfx(['--nonsense'], { node })).toMatchObject({ code: 2 });
    const counts = await json(['import', '-', '--dry-run', '--trust'], { node, input: quote() });
    expect(counts).toMatchObject({ accepted: 1 });
  });

  test('without a suitable Node it says in one line which one is needed', async () => {
    const alone = join(folder, 'alone', 'bin');
    mkdirSync(alone, { recursive: true });
    copyFileSync(LAUNCHER, join(alone, 'vesfx.js'));
    writeFileSync(join(folder, 'alone', 'package.json'), '{"type":"module"}');
    const { code, out, err } = await vesfx(['--version'], {
      node: pretendNode('v20.11.1'),
      launcher: join(alone, 'vesfx.js'),
    });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^vesfx: needs Node 24 or later, and this is v20\.11\.1: .*\n$/);
  });

  test('passes signals on, and the service ends with it', async () => {
    const node = pretendNode('v20.11.1');
    const served = await start(['serve', '--no-collect', '--port', '0', '--json'], { node });
    const { pid } = JSON.parse(served.first);
    expect(pid).not.toBe(served.child.pid);
    const ended = once(served.child, 'exit');
    served.child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);

    const killed = await start(['serve', '--no-collect', '--port', '0', '--json'], { node });
    const { listening } = JSON.parse(killed.first);
    killed.child.kill('SIGKILL');
    await expect
      .poll(
        () =>
          fetch(`${listening}/healthz`).then(
            () => 'answers',
            () => 'gone',
          ),
        { timeout: 10_000 },
      )
      .toBe('gone');
  });
});

describe('help and usage', () => {
  test('every command explains itself', async () => {
    const groups = {
      account: ['create', 'list', 'show', 'set-plan', 'suspend', 'resume', 'delete'],
      key: ['create', 'list', 'revoke', 'rotate'],
      markup: ['set', 'list', 'remove'],
    };
    const single = ['serve', 'demo', 'import', 'backup', 'restore', 'migrate', 'doctor'];
    const commands = [
      ...single.map((name) => [name]),
      ...Object.entries(groups).flatMap(([group, names]) => names.map((name) => [group, name])),
    ];
    await Promise.all(
      commands.map(async (command) => {
        const { code, out, err } = await vesfx([...command, '--help']);
        expect({ command, code, err }).toEqual({ command, code: 0, err: '' });
        expect(out).toMatch(`Usage: vesfx ${command.join(' ')} `);
        expect(out).toMatch(/--json/);
        expect(out).toMatch(/--data <dir>/);
      }),
    );
    expect(existsSync(data)).toBe(false);
  });

  test('the variables of the service stand apart from their defaults', async () => {
    const { out } = await vesfx(['serve', '--help']);
    const lines = out.split('\n').filter((line) => /^ {2}VESFX_\w+ /.test(line));
    expect(lines.length).toBeGreaterThan(20);
    const isGlued = (line: string) => /[a-z)](?:none|\d+)(?: \(.*\))?$|^ {2}\w+ \S/.test(line);
    expect(lines.filter(isGlued)).toEqual([]);
  });

  test.each([
    [[], /Usage: vesfx .*error: A command is missing\./s],
    [['account'], /Usage: vesfx account .*error: A command is missing\./s],
    [['acount', 'list'], /^error: Unknown command 'acount' \(Did you mean account\?\)\n$/],
    [['account', 'list', '--colour'], /^error: Unknown option '--colour'\.\n$/],
    [['account', 'list', 'extra'], /^error: Too many arguments/],
    [['account', 'show'], /^error: Missing required argument 'id'\.\n$/],
    [
      ['account', 'create', '--name', 'x'],
      /^error: Pass --name and --plan, or a file with --from\.\n$/,
    ],
    [['key', 'rotate', 'k', '--grace', '5x'], /^error: "5x" is not a duration: write 90s/],
    [['markup', 'set', 'a', 't'], /^error: Pass either --percent or --fixed\.\n$/],
    [['markup', 'set', 'a', 't', '--fixed', '1', '--percent', '1'], /^error: Pass either/],
    [['markup', 'set', 'a', 't', '--percent', '0x10'], /^error: --percent takes a number/],
    [['serve', '--port', '65536'], /^error: The port must be a number from 0 to 65535/],
    [['serve', '--port'], /^error: Option '--port <port>' argument missing\.\n$/],
  ])('wrong usage is exit code 2 and one sentence: %j', async (args, message) => {
    expect(await fails(args, 2)).toMatch(message);
    expect(existsSync(data)).toBe(false);
  });

  describe('a value that could never be right is exit code 2', () => {
    const cases: readonly string[] = [
      'account create --name= --plan Gratis',
      'account create --name x --plan Zzz',
      'account set-plan ACCOUNT Zzz',
      'key create ACCOUNT --kind x',
      'key create ACCOUNT --kind restricted',
      'key create ACCOUNT --kind restricted --scope x',
      'key create ACCOUNT --kind publishable --scope account.read',
      'key create ACCOUNT --kind publishable --origin shop.example',
      'key create ACCOUNT --kind publishable --per-minute 61',
      'key create ACCOUNT --kind publishable --per-minute x',
      'key create ACCOUNT --label=',
      'key create ACCOUNT --expires tomorrow',
      'key create ACCOUNT --expires 2020-01-01',
      'key list ACCOUNT --limit 0',
      'key rotate KEY --grace 5x',
      'key rotate KEY --grace 721h',
      'markup set ACCOUNT VIP --fixed 1',
      'markup set ACCOUNT a --percent -99.1',
      'markup set ACCOUNT a --percent 1 --markets Binance',
      'rate set gold 800 --date 2026-11-20',
      'rate set reference abc --date 2026-11-20',
      'rate set reference 0 --date 2026-11-20',
      'rate set reference 800.0000000000001 --date 2026-11-20',
      'rate set reference 800 --date 2026-13-20',
      'backfill --from x',
      'backfill --to x',
      'backfill --from 2026-01-02 --to 2026-01-01',
      'source body feed --part 0',
      'source body feed --at x',
      'source replay feed --since x',
      'evidence reference --at x',
      'convert abc USD VES',
      'convert 1 XXX VES',
      'convert 1 USD EUR',
      'convert 1 USD VES --via Binance',
      'convert 1 USD VES --date 2026-02-30',
      'convert 1 USD VES --date 2026-11-20 --rule x',
      'move --to x',
      'serve --workers 0',
      'demo --port x',
    ];

    test.each(cases)('%s', async (line) => {
      const account = await newAccount();
      const id = line.includes('KEY') ? (await json(['key', 'create', account])).id : '';
      const args = line.replace('ACCOUNT', account).replace('KEY', id).split(' ');
      expect(await fails(args, 2)).toMatch(/^error: [^\n]+\n$/);
    });
  });

  test.each([
    'account show nobody',
    'account set-plan nobody Gratis',
    'key create nobody',
    'key revoke nothing',
    'markup list nobody',
    'source check nothing',
    'held release nothing',
    'evidence nothing',
    'import nothing.ndjson',
    'restore nothing.db',
  ])('a missing object is exit code 1: %s', async (line) => {
    await newAccount();
    expect(await fails(line.split(' '), 1)).toMatch(/^error: [^\n]+\n$/);
  });

  test('with --json an error is a JSON document on stderr, and stdout stays empty', async () => {
    await newAccount();
    const usage = await vesfx(['account', 'list', '--colour', '--json']);
    expect({ code: usage.code, out: usage.out }).toEqual({ code: 2, out: '' });
    expect(JSON.parse(usage.err)).toEqual({
      error: { code: 'usage', message: "Unknown option '--colour'." },
    });
    const failed = await vesfx(['--json', 'account', 'show', 'nobody']);
    expect({ code: failed.code, out: failed.out }).toEqual({ code: 1, out: '' });
    expect(JSON.parse(failed.err)).toEqual({
      error: { code: 'resource_not_found', message: 'There is no account nobody.' },
    });
  });

  test('--data works before and after the arguments, and wins over the environment', async () => {
    const other = join(folder, 'other');
    await json(['--data', other, 'account', 'create', '--name', 'A', '--plan', 'Gratis']);
    await json(['account', '--data', other, 'create', '--name', 'B', '--plan', 'Gratis']);
    expect(await json(['account', 'list', '--data', other])).toHaveLength(2);
    expect(await fails(['account', 'list'], 1)).toContain(`no vesfx database in ${data}:`);
  });

  test('a reader that closes the pipe ends the command quietly', async () => {
    await newAccount();
    const child = spawn(process.execPath, [LAUNCHER, 'account', 'list'], {
      env: environment({}),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    child.stdout?.destroy();
    let err = '';
    child.stderr?.on('data', (text) => {
      err += String(text);
    });
    const [code] = await once(child, 'close');
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

describe('account', () => {
  test('creates, lists, shows, moves, suspends, resumes and deletes accounts', async () => {
    const created = await json(['account', 'create', '--name', 'Acme C.A.', '--plan', 'eSCALA']);
    expect(created).toEqual({
      id: expect.stringMatching(/^acc_\w{16}$/),
      name: 'Acme C.A.',
      plan: 'Escala',
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const { id } = created;
    expect(await json(['account', 'list'])).toEqual([created]);
    expect(await json(['account', 'show', id])).toMatchObject(created);
    expect(await json(['account', 'set-plan', id, 'GRATIS'])).toMatchObject({ plan: 'Gratis' });
    expect(await json(['account', 'suspend', id])).toMatchObject({ id, status: 'suspended' });
    expect(await json(['account', 'resume', id])).toMatchObject({ id, status: 'active' });
    const { out } = await vesfx(['account', 'list']);
    expect(out).toMatch(
      /^ID +PLAN +STATUS +CREATED +NAME\nacc_\w{16} +Gratis +active +\S+ +Acme C/,
    );
    expect(await json(['account', 'delete', id])).toEqual({ id, deleted: true });
    expect(await json(['account', 'list'])).toEqual([]);
    expect((await vesfx(['account', 'list'])).out).toBe('There are no accounts yet.\n');
  });

  test('a missing account is exit code 1, and an invalid plan or name 2, with one sentence', async () => {
    const id = await newAccount();
    const cases: [string[], number, string][] = [
      [['show', 'acc_x'], 1, 'There is no account acc_x.'],
      [['suspend', 'acc_x'], 1, 'There is no account acc_x.'],
      [['delete', 'acc_x'], 1, 'There is no account acc_x.'],
      [['set-plan', 'acc_x', 'Gratis'], 1, 'There is no account acc_x.'],
      [
        ['set-plan', id, 'Oro'],
        2,
        'There is no plan Oro; the plans are Gratis, Inicio, Esencial, Profesional, Escala.',
      ],
      [
        ['create', '--name', 'a\u001b[31mred', '--plan', 'Gratis'],
        2,
        'The name must have 1 to 200 characters, none of them control characters.',
      ],
    ];
    await Promise.all(
      cases.map(async ([args, code, message]) => {
        expect(await fails(['account', ...args], code)).toBe(`error: ${message}\n`);
      }),
    );
  });

  test('escapes characters of a name that could control the terminal', async () => {
    await json(['account', 'create', '--name', 'red\u202e', '--plan', 'Gratis']);
    const { out } = await vesfx(['account', 'list']);
    expect(out).toMatch('red\\u{202e}\n');
  });
});

describe('key', () => {
  test('a key is shown once; lists have no secret', async () => {
    const account = await newAccount('Inicio');
    const created = await json(['key', 'create', account]);
    expect(created).toEqual({
      id: expect.stringMatching(/^key_\w{16}$/),
      key: expect.stringMatching(/^vfx_live_[0-9A-Za-z]{38}$/),
    });
    const listed = await vesfx(['key', 'list', account, '--json']);
    expect(JSON.parse(listed.out)).toEqual([
      {
        id: created.id,
        kind: 'full',
        label: null,
        scopes: [...SCOPES],
        origins: [],
        allow_no_origin: false,
        requests_per_minute: null,
        created_at: expect.any(String),
        expires_at: null,
        hint: expect.stringMatching(/^vfx_live_…\w{4}$/),
        last_used_at: null,
        revoked_at: null,
      },
    ]);
    expect(listed.out).not.toMatch(created.key.slice(10, 30));
    await json(['key', 'create', account]);
    expect(await fails(['key', 'create', account], 1)).toMatch('at most 2 live keys');
  });

  test('keys of other kinds are created and listed with their rights (contract §11)', async () => {
    const account = await newAccount('Inicio');
    const publishable = ['--kind', 'publishable', '--origin', 'https://a.example', '--scope'];
    const page = [...publishable, 'rates', 'history', '--allow-no-origin', '--label', 'Page'];
    const { key } = await json(['key', 'create', account, ...page]);
    expect(key).toMatch(/^vfx_pub_/);
    const restricted = ['--kind', 'restricted', '--scope', 'rates,history', '--expires', '+1d'];
    expect(await fails(['key', 'create', account, ...restricted], 2)).toContain('--expires');
    await json(['key', 'create', account, ...restricted.slice(0, 4)]);
    const { out } = await vesfx(['key', 'list', account]);
    expect(out).toMatch(/publishable .*rates history from https:\/\/a\.example, no origin +Page/);
    expect(out).toMatch(/restricted .*rates history/);
  });

  test('rotate keeps the old key for its grace period, revoke ends it', async () => {
    const account = await newAccount('gratis');
    const { id } = await json(['key', 'create', account]);
    const before = Date.now();
    const next = await json(['key', 'rotate', id, '--grace', '24h']);
    expect(next).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^vfx_live_/),
      replaces: id,
    });
    const keys: { id: string; expires_at: string | null }[] = await json(['key', 'list', account]);
    const expiry = Date.parse(keys.find((key) => key.id === id)?.expires_at ?? '');
    expect(expiry).toBeGreaterThanOrEqual(before + 86_400_000);
    expect(expiry).toBeLessThan(before + 86_400_000 + 60_000);
    expect(await fails(['key', 'rotate', id], 1)).toMatch(
      'A key that was rotated before still works',
    );
    const revoked = await json(['key', 'revoke', next.id]);
    expect(revoked).toMatchObject({ id: next.id, revoked_at: expect.any(String) });
    expect(await fails(['key', 'rotate', next.id], 1)).toMatch('is revoked or expired');
    expect(await fails(['key', 'rotate', id, '--grace', '31d'], 2)).toMatch('at most 720h');
    expect(await fails(['key', 'revoke', 'key_x'], 1)).toBe('error: There is no key key_x.\n');
    expect((await vesfx(['key', 'list', account])).out).toMatch(/live until .*\n.*revoked/s);
  });
});

describe('markup', () => {
  test('sets, replaces, lists and removes rules', async () => {
    const account = await newAccount();
    const set = (...args: string[]) => json(['markup', 'set', account, ...args]);
    expect(await set('vip', '--percent', '3.5', '--markets', 'bcv, paralelo,reference')).toEqual({
      tag: 'vip',
      kind: 'percent',
      value: 3.5,
      markets: ['reference', 'parallel'],
      active: true,
    });
    const rule = { tag: 'vip', kind: 'fixed', value: -10, markets: [], active: true };
    expect(await set('vip', '--fixed', '-10')).toEqual(rule);
    expect(await json(['markup', 'list', account])).toEqual([rule]);
    expect((await vesfx(['markup', 'list', account])).out).toMatch(/vip +-10 VES +all +yes/);
    expect(await json(['markup', 'remove', account, 'vip'])).toEqual({ tag: 'vip', removed: true });
    expect(await fails(['markup', 'remove', account, 'vip'], 1)).toMatch('has no rule vip');
  });

  test('contract §6: a value out of bounds is exit code 2 and one sentence', async () => {
    const account = await newAccount();
    const cases: [string[], string][] = [
      [['a', '--percent', '-99.1'], 'The value must be -99 to 1000 percent.'],
      [['VIP', '--fixed', '1'], 'The tag must be 1 to 32 of a-z, 0-9, _ and -.'],
      [
        ['a', '--fixed', '1', '--markets', 'bcv,gold'],
        'The market "gold" is not in the catalogue.',
      ],
    ];
    await Promise.all(
      cases.map(async ([args, message]) => {
        expect(await fails(['markup', 'set', account, ...args], 2)).toBe(`error: ${message}\n`);
      }),
    );
  });

  test('contract §3: a plan limits the number of rules', async () => {
    const [free, starter] = await Promise.all([newAccount('gratis'), newAccount('inicio')]);
    const args = (account: string, tag: string) => ['markup', 'set', account, tag, '--fixed', '1'];
    expect(await fails(args(free, 'a'), 1)).toMatch('Gratis does not include markup.');
    await json(args(starter, 'a'));
    await json(args(starter, 'a'));
    expect(await fails(args(starter, 'b'), 1)).toMatch('Inicio has at most 1 markup rule:');
    expect(await fails(args('acc_x', 'b'), 1)).toMatch('There is no account acc_x.');
  });
});

describe('import', () => {
  test('contract §7: records of a good file are counted, and again they are duplicates', async () => {
    const file = fileOf(`\uFEFF${quote()}\r\n\r\n${quote({ market: 'paralelo', mid: 641 })}\r\n`);
    const { code, out, err } = await vesfx(['import', file, '--trust']);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'accepted 2, held 0, refused 0, duplicate 0\n',
      err: '',
    });
    expect(await json(['import', file, '--trust'])).toEqual({
      accepted: 0,
      held: 0,
      refused: 0,
      duplicate: 2,
    });
    expect(await json(['import', '-', '--trust'], { input: quote({ mid: 7 }) })).toMatchObject({
      accepted: 1,
    });
  });

  test('contract §8: publications are listed with their states', async () => {
    expect(await fails(['publications', '--from', '2026-02-30'], 2)).toMatch('--from must be');
    expect(await fails(['publications', '--from', '2026-11-25', '--to', '2026-11-24'], 2)).toMatch(
      '--from must not be after --to',
    );
    expect(await fails(['publications', '--limit', '0'], 2)).toMatch('--limit must be');
    const published = (date: string, time: string, EUR: number) =>
      JSON.stringify({
        kind: 'official',
        value_date: date,
        rates: { USD: 804, EUR },
        captured_at: `${time}:00Z`,
      });
    const load = async (...lines: string[]) =>
      json(['import', fileOf(lines.join('\n')), '--trust']);
    await load(published('2026-11-19', '2026-11-18T20:10', 918));
    // Another figure before it takes effect, then another date for the same figures.
    await load(published('2026-11-20', '2026-11-19T20:10', 926));
    await load(published('2026-11-20', '2026-11-19T20:40', 925));
    await load(published('2026-11-21', '2026-11-19T21:10', 925));
    const text = (await vesfx(['publications', '--from', '2026-11-20'])).out;
    expect(text.split('\n').map((line) => line.split(/ {2,}/).slice(0, 6))).toEqual([
      ['VALUE DATE', 'STATE', 'READ (CARACAS)', 'SOURCE', 'USD', 'EUR'],
      ['2026-11-21', 'published', '2026-11-19 17:10', 'operator', '804', '925'],
      ['2026-11-20', 'withdrawn', '2026-11-19 16:40', 'operator', '804', '925'],
      ['2026-11-20', 'replaced', '2026-11-19 16:10', 'operator', '804', '926'],
      [''],
    ]);
    expect(await json(['publications', '--to', '2026-11-19'])).toEqual([
      {
        value_date: '2026-11-19',
        state: 'published',
        captured_at: '2026-11-18T20:10:00.000Z',
        source: 'operator',
        rates: { USD: 804, EUR: 918 },
      },
    ]);
    const cut = await vesfx(['publications', '--limit', '1']);
    expect(cut.out.split('\n')).toHaveLength(3);
    expect(cut.err).toBe('The newest 1 are shown.\n');
    expect((await vesfx(['publications', '--from', '2026-11-22'])).out).toBe(
      'There is no publication.\n',
    );
  });

  test('contract §7: doubtful records are held until the operator decides', async () => {
    await json(['import', fileOf(quote({ mid: 640 })), '--trust']);
    const jumps = [quote({ mid: 6_400 }), quote({ mid: 64_000 })].join('\n');
    const why = (before: number) =>
      `Why they are held: moved, such as: mid 6400 is over a ratio of 1.3 to the last accepted one, ${before}.\n`;
    expect(await vesfx(['import', fileOf(jumps)])).toEqual({
      code: 3,
      out: 'accepted 0, held 2, refused 0, duplicate 0\n',
      err: `Nothing was published. Held records are not published: see "vesfx held list".\n${why(640)}`,
    });
    const half = [quote({ mid: 641 }), quote({ mid: 6_400 })].join('\n');
    expect(await vesfx(['import', fileOf(half), '--dry-run'])).toMatchObject({
      code: 0,
      err: why(641),
    });
    expect(await json(['import', fileOf(half), '--dry-run'])).toMatchObject({
      held_reasons: [
        { reason: 'moved', example: expect.stringMatching(/^mid 6400 is over a ratio/) },
      ],
    });
    const held: { id: string; record: { mid: number } }[] = await json(['held', 'list']);
    const [lower, higher] = held.sort((a, b) => a.record.mid - b.record.mid);
    expect((await vesfx(['held', 'list'])).out).toMatch(
      'mid 6400 is over a ratio of 1.3 to the last accepted one, 640',
    );
    expect(await json(['held', 'release', lower?.id ?? ''])).toMatchObject({ status: 'released' });
    expect(await json(['held', 'reject', higher?.id ?? ''])).toMatchObject({ status: 'rejected' });
    expect((await vesfx(['held', 'list'])).out).toBe('Nothing is held.\n');
    expect(await fails(['held', 'release', higher?.id ?? ''], 1)).toMatch('was rejected already');
    expect(await fails(['held', 'reject', 'nope'], 1)).toMatch('There is no held record nope.');
    // Later records are compared with the released one.
    const after = quote({ mid: 6_500, captured_at: new Date().toISOString() });
    expect(await json(['import', fileOf(after)])).toMatchObject({ accepted: 1 });
  });

  test('contract §7: a bad line stores nothing, and each bad line is named with its reason', async () => {
    const input = [quote(), '{', quote({ mid: -1 }), '', quote({ market: 'gold' })].join('\n');
    const bad = await vesfx(['import', fileOf(input)]);
    expect(bad).toMatchObject({ code: 1, out: 'accepted 0, held 0, refused 3, duplicate 0\n' });
    expect(bad.err.split('\n')).toEqual([
      'line 2: not JSON',
      'line 3: mid: must be greater than 0, and at least 1e-15',
      'line 5: market: not in the catalogue',
      'Nothing was stored. Correct the lines above and import the file again.',
      '',
    ]);
    const told = await vesfx(['import', fileOf(input), '--json']);
    expect(JSON.parse(told.out)).toEqual({
      accepted: 0,
      held: 0,
      refused: 3,
      duplicate: 0,
      errors: [
        { line: 2, reason: 'not JSON' },
        { line: 3, reason: 'mid: must be greater than 0, and at least 1e-15' },
        { line: 5, reason: 'market: not in the catalogue' },
      ],
    });
    const near = await vesfx(['import', fileOf(quote({ market: 'Binance' }))]);
    expect(near.err).toMatch(/^line 1: market: not in the catalogue \(near: binance\)\n/);
    expect(await json(['import', fileOf(quote()), '--trust'])).toMatchObject({ accepted: 1 });
  });

  test('a dry run counts and stores nothing', async () => {
    const file = fileOf(quote());
    for (const _ of [1, 2]) {
      expect(await json(['import', file, '--dry-run', '--trust'])).toEqual({
        accepted: 1,
        held: 0,
        refused: 0,
        duplicate: 0,
        dry_run: true,
      });
    }
    expect((await vesfx(['import', file, '--dry-run', '--trust'])).out).toBe(
      'accepted 1, held 0, refused 0, duplicate 0 (dry run: nothing was stored)\n',
    );
  });

  test.each([MAX_LISTED_ERRORS, MAX_LISTED_ERRORS + 1])(
    'of %i bad lines the JSON lists at most MAX_LISTED_ERRORS and stderr all',
    async (count) => {
      const { code, out, err } = await vesfx(['import', fileOf('x\n'.repeat(count)), '--json']);
      expect(code).toBe(1);
      const told = JSON.parse(out);
      expect(told.refused).toBe(count);
      expect(told.errors).toHaveLength(MAX_LISTED_ERRORS);
      expect(err.trimEnd().split('\n')).toHaveLength(count);
    },
  );

  test('lines that are not records are each refused', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfd, 0x0a]), Buffer.from(quote())]);
    const { code, err } = await vesfx(['import', fileOf(bytes)]);
    expect({ code, err: err.split('\n')[0] }).toEqual({ code: 1, err: 'line 1: not JSON' });
  });

  test.each(['', '\uFEFF\r\n \n'])(
    'contract §7: a file without records is exit code 3 and a sentence: %j',
    async (text) => {
      const none = 'accepted 0, held 0, refused 0, duplicate 0';
      const err = 'There are no records in it: nothing was imported.\n';
      expect(await vesfx(['import', fileOf(text)])).toEqual({ code: 3, out: `${none}\n`, err });
      expect(await vesfx(['import', fileOf(text), '--dry-run'])).toMatchObject({ code: 3, err });
      expect(await vesfx(['import', fileOf(gzipSync(text))])).toMatchObject({ code: 3, err });
    },
  );

  test('contract §7: a file that is compressed with gzip is read', async () => {
    const packed = gzipSync(`${quote()}\n${quote({ market: 'paralelo', mid: 641 })}\n`);
    const file = fileOf(packed);
    expect(await json(['import', file, '--trust'])).toMatchObject({ accepted: 2 });
    expect(await json(['import', file, '--trust'])).toMatchObject({ duplicate: 2 });
    const cut = fileOf(gzipSync(`${quote({ mid: 7 })}\n`).subarray(0, -5));
    expect(await fails(['import', cut, '--trust'], 1)).toBe(
      'error: The gzip file is damaged or cut off.\n',
    );
    expect(await json(['import', fileOf(quote({ mid: 7 })), '--trust'])).toMatchObject({
      accepted: 1,
    });
  });

  test('contract §7: a file in another format is named for what it is', async () => {
    const said = async (bytes: string | Buffer) => fails(['import', fileOf(bytes)], 1);
    const utf16 = Buffer.from(`\uFEFF${quote()}\n`, 'utf16le');
    expect(await said(utf16)).toMatch('This is UTF-16; import takes UTF-8.');
    expect(await said(Buffer.from(utf16).swap16())).toMatch('This is UTF-16');
    expect(await said(gzipSync(utf16))).toMatch('This is UTF-16');
    expect(await said(utf16.subarray(2))).toMatch('This is UTF-16');
    const workbook = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(9_000, 10),
    ]);
    for (const file of [workbook, gzipSync(workbook)]) {
      expect(await said(file)).toBe(
        'error: This is a workbook; import takes NDJSON, one JSON object per line. One of the central bank: vesfx source parse bcv-archive FILE | vesfx import -, and "vesfx backfill" loads those on its site. Another one: save it as CSV, and import that.\n',
      );
    }
    for (const csv of ['market,mid\nbinance,640\n', '"market";"mid"\n', '\uFEFFmarket\tmid']) {
      const args = ['import', fileOf(csv), '--data', data];
      expect(await runHere(args, process.env, [])).toMatchObject({
        code: 1,
        err: 'error: This is a CSV; import takes NDJSON, one JSON object per line.\n',
      });
    }
    for (const array of [`[${quote()}]`, `\n[\n${quote()},\n${quote()}\n]`]) {
      expect(await said(array)).toMatch('This is a JSON array; import takes NDJSON');
    }
    expect(await said(JSON.stringify(JSON.parse(quote()), null, 2))).toMatch(
      'This is JSON over several lines; import takes NDJSON',
    );
  });

  test('a missing file, or a folder, is reported before a database is created', async () => {
    const missing = join(folder, 'nothing.ndjson');
    expect(await fails(['import', missing], 1)).toBe(`error: There is no file ${missing}.\n`);
    expect(existsSync(data)).toBe(false);
    expect(await fails(['import', folder], 1)).toMatch('is a folder, not a file.');
  });
});

test('contract §10: publications of before a reform are in the bolívar of their value date, and the list says so', async () => {
  const records = ['2018-08-17', '2020-03-30', '2021-10-04'].map((value_date) => ({
    ...{ kind: 'official', value_date, unit: 'day', captured_at: `${value_date}T04:00:00Z` },
    rates: { USD: value_date < '2021-10-01' ? 77_893.4605 : 4.18123457 },
  }));
  const file = fileOf(records.map((record) => JSON.stringify(record)).join('\n'));
  await json(['import', file, '--trust']);
  const remarks = [
    'From 2018-08-20 on, one new bolívar is 100000 old ones.\n',
    'From 2021-10-01 on, one new bolívar is 1000000 old ones.\n',
  ];
  const listed = await vesfx(['publications', '--to', '2020-12-31', '--json']);
  const usd = JSON.parse(listed.out).map(({ rates }: { rates: { USD: number } }) => rates.USD);
  expect(usd).toEqual([77_893.4605, 77_893.4605]);
  expect(listed.err).toBe(remarks.join(''));
  expect((await vesfx(['publications', '--from', '2020-03-30'])).err).toBe(remarks[1]);
  expect((await vesfx(['publications', '--from', '2021-10-01'])).err).toBe('');
});

describe('rate set', () => {
  const set = (...args: readonly string[]) => ['rate', 'set', ...args];

  test('contract §7: sets the dollar and the euro by hand, through the normal ingestion', async () => {
    expect(await json(set('reference', '889.5754', '--date', '2026-08-20'))).toEqual({
      market: 'reference',
      rate: 889.5754,
      value_date: '2026-08-20',
      accepted: 1,
      held: 0,
      refused: 0,
      duplicate: 0,
    });
    const euro = await vesfx(set('euro', '1012.34', '--date', '2026-08-20'));
    expect(euro).toMatchObject({ code: 0, out: 'Set eur_reference to 1012.34 for 2026-08-20.\n' });
    const { first } = await start(['serve', '--no-collect', '--port', '0', '--json']);
    const account = await newAccount();
    const { key } = await json(['key', 'create', account]);
    const ask = async (market: string) => {
      const url = `${JSON.parse(first).listening}/v1/fx/rates/${market}`;
      return (await fetch(url, { headers: { 'X-API-Key': key } })).json();
    };
    expect(await ask('reference')).toMatchObject({
      mid: 889.5754,
      effective_date: '2026-08-20',
      updated_at: '2026-08-20T04:00:00.000Z',
    });
    expect(await ask('eur_reference')).toMatchObject({ mid: 1012.34 });
  });

  test('contract §1: sets the rate of a future value date', async () => {
    const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);
    // Banks may be closed tomorrow.
    const dated = ['--date', tomorrow, '--force'] as const;
    expect(await json(set('reference', '889.5754', ...dated))).toMatchObject({ accepted: 1 });
    const again = await json(set('reference', '889.5754', ...dated));
    expect(again).toMatchObject({ accepted: 0, duplicate: 1 });
  });

  test('contract §8: a doubtful rate is held, with exit code 3 and the reasons; --force publishes it', async () => {
    await json(set('reference', '750', '--date', '2026-08-20'));
    const held = (rate: string, date: string, why: string) => ({
      code: 3,
      out: `reference ${rate} for ${date} is held, not published.\n`,
      err: `In doubt: ${why}.\nIf you have checked it, set it with --force.\n`,
    });
    const moved = 'USD 7.5 is over a ratio of 1.1 to the last one, 750';
    const closed = 'banks are closed on the value date 2026-08-22';
    const replaced =
      'USD 751 differs from 750, which is stored for 2026-08-20: that date is in force or past';
    const { out, ...dry } = await vesfx(
      set('reference', '7.5', '--date', '2026-08-21', '--dry-run'),
    );
    expect(dry).toEqual({
      code: 3,
      err: held('7.5', '2026-08-21', moved).err,
    });
    expect(out).toMatch(/is held, not published \(dry run: nothing was stored\)\.$/m);
    expect(await vesfx(['held', 'list'])).toMatchObject({ out: 'Nothing is held.\n' });
    for (const [rate, date, why] of [
      ['7.5', '2026-08-21', moved],
      ['751', '2026-08-22', closed],
      ['7.5', '2026-08-22', `${moved}; ${closed}`],
      ['751', '2026-08-20', replaced],
    ] as const) {
      expect(await vesfx(set('reference', rate, '--date', date))).toEqual(held(rate, date, why));
    }
    const told = await vesfx(set('reference', '7.5', '--date', '2026-08-21', '--json'));
    expect({ code: told.code, ...JSON.parse(told.out) }).toMatchObject({
      ...{ code: 3, accepted: 0, held: 1, doubts: [moved] },
    });
    expect(await json(['evidence', 'reference'])).toMatchObject({ mid: 750 });
    expect(await vesfx(set('reference', '751', '--date', '2026-08-20', '--force'))).toEqual({
      code: 0,
      out: 'Set reference to 751 for 2026-08-20.\n',
      err: '',
    });
    expect(await json(['evidence', 'reference'])).toMatchObject({ mid: 751 });
    const left: readonly { record: { mid: number } }[] = await json(['held', 'list']);
    expect(left.map(({ record }) => record.mid).sort()).toEqual([7.5, 7.5, 7.5, 751]);
  });

  test('contract §1: --unit day sets the rate of a day of before a reform as it was published', async () => {
    const dated = ['--date', '2020-03-30'] as const;
    const published = ['reference', '77893.4605', ...dated] as const;
    const held = await vesfx(set(...published));
    expect(held.code).toBe(3);
    expect(held.err).toContain('looks like the bolívar of its day');
    expect(held.err).toContain('set it with --unit day');
    expect(held.err).not.toContain('--force');
    const dry = await vesfx(set(...published, '--unit', 'day', '--dry-run'));
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(await json(set(...published, '--unit', 'day'))).toMatchObject({
      ...{ rate: 77_893.4605, unit: 'day', value_date: '2020-03-30', accepted: 1, held: 0 },
    });
    expect(await json(set(...published, '--unit', 'day'))).toMatchObject({ duplicate: 1 });
    // The same rate as the archives give it.
    const stored = ['reference', '0.0778934605', ...dated] as const;
    const same = await json(set(...stored));
    expect(same).toMatchObject({ accepted: 0, duplicate: 1 });
    expect(same).not.toHaveProperty('unit');
    const range = ['--from', '2020-03-30', '--to', '2020-03-30'];
    const listed = await vesfx(['official', 'history', ...range, '--json']);
    expect(JSON.parse(listed.out).rows).toMatchObject([{ date: '2020-03-30', rate: 77_893.4605 }]);
    expect(listed.err).toBe('From 2021-10-01 on, one new bolívar is 1000000 old ones.\n');
    const wrong = await vesfx(set(...stored, '--unit', 'day'));
    expect(wrong.code).toBe(3);
    expect(wrong.err).toContain('Leave out --unit day');
    // From October 2021 on both are one.
    const later = ['euro', '1012.34', '--date', '2026-08-20'] as const;
    expect(await json(set(...later, '--unit', 'day'))).toMatchObject({ accepted: 1 });
    expect(await json(set(...later))).toMatchObject({ duplicate: 1 });
  });

  test('creates no publication: /bcv/currencies keeps the last complete one, and the command says so', async () => {
    const rates = { USD: 300, EUR: 350, CNY: 42 };
    const whole = { kind: 'official', value_date: '2026-08-19', rates };
    await json(['import', fileOf(JSON.stringify(whole)), '--trust']);
    const later = await vesfx(set('eur_reference', '351', '--date', '2026-08-20'));
    expect(later.err).toContain(
      '/v1/fx/bcv/currencies goes on showing the publication of 2026-08-19',
    );
    const same = await vesfx(set('reference', '301', '--date', '2026-08-19'));
    expect(same.err).not.toContain('/v1/fx/bcv/currencies');
    const { store } = await openToolbox(readConfig({ data }, {}));
    const { publication } = await store.currentRecords(caracasDayOf(Date.now()));
    await store.close();
    expect(publication).toMatchObject({ valueDate: '2026-08-19', rates });
  });

  test('skips no validity check, and a dry run stores nothing', async () => {
    const dry = await vesfx(set('bcv', '889.5754', '--date', '2026-08-20', '--dry-run'));
    expect(dry.out).toMatch(/^reference 889\.5754 for 2026-08-20 can be set \(dry run/);
    expect(existsSync(data)).toBe(false);
    expect(await fails(set('reference', '0', '--date', '2026-08-20'), 2)).toMatch(/refused: mid/);
    const digits = '889.57541234567891234';
    expect(await fails(set('reference', digits, '--date', '2026-08-20'), 2)).toMatch(
      /refused: mid/,
    );
  });

  test.each([
    [['parallel', '900', '--date', '2026-08-20'], /Only official rates are set by hand/],
    [['gold', '900', '--date', '2026-08-20'], /Only official rates are set by hand/],
    [['reference', '889,57', '--date', '2026-08-20'], /"889,57" is not a rate/],
    [['reference', '1e3', '--date', '2026-08-20'], /"1e3" is not a rate/],
    [['reference', '900', '--date', '2026-02-30'], /--date must be a date that exists/],
    [['reference', '900', '--date', '2020-03-30', '--unit', 'today'], /--unit must be day/],
    [['reference', '900', '--date', '2020-03-30', '--unit', ''], /--unit must be day/],
    [['reference', '900'], /Required option '--date/],
  ])('wrong usage is exit code 2: %j', async (args, message) => {
    expect(await fails(set(...args), 2)).toMatch(message);
    expect(existsSync(data)).toBe(false);
  });
});

describe('convert', () => {
  const set = (market: string, rate: string, date: string) =>
    json(['rate', 'set', market, rate, '--date', date]);

  test('contract §9: converts by the rate in force on a past day, or of the next business day', async () => {
    await set('reference', '300', '2026-04-30');
    await set('reference', '305', '2026-05-04');
    // The 1st of May is a bank holiday, and a Friday.
    const held = await json(['convert', '100', 'USD', 'VES', '--date', '2026-05-01']);
    expect(held).toMatchObject({
      from: { currency: 'USD', amount: 100 },
      to: { currency: 'VES', amount: 30_000 },
      rate: 300,
      market: 'reference',
      effective_date: '2026-04-30',
      as_of: { date: '2026-05-01', rule: 'value_date', business_day: false, carried_days: 1 },
    });
    const args = ['convert', '100', 'usd', 'ves', '--date', '2026-05-01', '--rule'];
    expect(await vesfx([...args, 'next_banking_day'])).toMatchObject({
      code: 0,
      out: '100 USD = 30500 VES\nby 305 of reference (value date 2026-05-04, rule next_banking_day, for 2026-05-01)\n',
    });
    expect(await fails(['convert', '1', 'USD', 'VES', '--date', '2026-05-05'], 1)).toMatch(
      /No rate of reference is stored for the value date 2026-05-05/,
    );
    expect(await fails(['convert', '1', 'USD', 'VES', '--date', '2026-04-01'], 1)).toMatch(
      /Nothing is stored up to that day/,
    );
  });

  test('contract §9: the official history has the figures of both rules on each day', async () => {
    await set('reference', '300', '2026-04-30');
    await set('reference', '305', '2026-05-04');
    const from = ['official', 'history', '--from', '2026-04-30', '--to', '2026-05-01'];
    const { out } = await vesfx([...from, '--days', 'all']);
    const lines = out.trim().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).map((cell) => cell.trim()))).toEqual([
      ['DATE', 'RATE', 'VALUE DATE', 'DAYS CARRIED', 'NEXT BANKING DAY', 'ITS RATE'],
      ['2026-04-30', '300', '2026-04-30', '-', '2026-04-30', '300'],
      ['2026-05-01', '300', '2026-04-30', '1', '2026-05-04', '305'],
    ]);
    expect((await vesfx(from)).out).not.toContain('NEXT');
  });

  test('contract §9: converts by the published rate of a day to come, and names the days', async () => {
    const ahead = caracasDayOf(Date.now() + 3 * DAY_MS);
    await json(['rate', 'set', 'reference', '310', '--date', ahead, '--force']);
    const convert = ['convert', '100', 'USD', 'VES'];
    expect(await json([...convert, '--date', ahead])).toMatchObject({
      to: { amount: 31_000 },
      effective_date: ahead,
      as_of: { date: ahead, value_date: ahead },
    });
    expect(await fails(convert, 1)).toMatch(/reference has no quote now/);
    const later = addCaracasDays(ahead, 1);
    const today = caracasDayOf(Date.now());
    expect(await fails([...convert, '--date', later], 2)).toContain(
      `date must not be after ${ahead}, the newest value date. Today is ${today} in Caracas.`,
    );
    expect(await fails([...convert, '--via', 'parallel', '--date', ahead], 2)).toContain(
      `date must not be in the future. Today is ${today} in Caracas.`,
    );
    expect(await fails([...convert, '--date', '2026-04-01'], 1)).toMatch(
      new RegExp(`Nothing is stored up to that day\\. The first day is ${ahead}\\.`),
    );
  });

  test('§4.5 converts by the current rate without --date', async () => {
    await set('euro', '400', '2026-05-04');
    const now = await json(['convert', '1000', 'VES', 'EUR']);
    expect(now).toMatchObject({ to: { amount: 2.5 }, market: 'eur_reference', stale: true });
    expect(now.as_of).toBeUndefined();
    expect(await fails(['convert', '1', 'USD', 'VES'], 1)).toMatch(/reference has no quote now/);
  });

  test.each([
    [['1,5', 'USD', 'VES'], /is not an amount/],
    [['0', 'USD', 'VES'], /is not an amount/],
    [['1', 'USD', 'EUR'], /One side must be VES/],
    [['1', 'USD', 'VES', '--date', '2026-02-30'], /--date must be a date that exists/],
    [['1', 'USD', 'VES', '--date', ''], /--date must be a date that exists/],
    [['1', 'USD', 'VES', '--date', '2026-05-01', '--rule', ''], /--rule must be/],
    [['1', 'USD', 'VES', '--date', '2999-01-01'], /date must not be in the future/],
    [['1', 'USD', 'VES', '--rule', 'value_date'], /--rule requires --date/],
    [['1', 'USD', 'VES', '--date', '2026-05-01', '--rule', 'friday'], /--rule must be/],
    [['1'], /Missing required argument/],
  ])('wrong usage is exit code 2: %j', async (args, message) => {
    expect(await fails(['convert', ...args], 2)).toMatch(message);
  });

  test('wrong markets are exit code 2 too', async () => {
    await set('reference', '300', '2026-04-30');
    const past = ['--date', '2026-04-30'];
    const convert = ['convert', '1', 'USD', 'VES', '--via'];
    expect(await fails([...convert, 'gold'], 2)).toMatch(/There is no market "gold"/);
    expect(await fails([...convert, 'BCV'], 2)).toMatch(/"BCV"\. Did you mean reference\?/);
    expect(await fails([...convert, 'euro'], 2)).toMatch(/quotes EUR, not USD/);
    const ruled = [...convert, 'parallel', ...past, '--rule', 'value_date'];
    expect(await fails(ruled, 2)).toMatch(/--rule is only for official markets/);
  });
});

describe('a data folder that cannot be made', () => {
  /**
   * Below /proc a name neither exists nor can be created: Node's recursive option never ends there.
   */
  const impossible = (place: string) => join(place, 'vesfx', 'data');

  test.each([
    ['serve', '--no-collect', '--port', '0'],
    ['demo', '--port', '0'],
    ['migrate'],
    ['import', '-'],
    ['restore', MANIFEST],
  ])('is reported in one sentence: %s', async (...args) => {
    const inTheWay = join(folder, 'file');
    writeFileSync(inTheWay, '');
    for (const place of existsSync('/proc') ? ['/proc', inTheWay] : [inTheWay]) {
      const err = await fails([...args, '--data', impossible(place)], 1);
      expect(err).toMatch(/^error: The folder \S+ cannot be made: E[A-Z]+: .*\n$/);
      expect(err).toMatch(`The folder ${impossible(place)} `);
    }
  });
});

describe('a folder without a database', () => {
  test.each([
    ['account', 'list'],
    ['account', 'show', 'acc_x'],
    ['account', 'delete', 'acc_x'],
    ['key', 'list', 'acc_x'],
    ['key', 'create', 'acc_x'],
    ['markup', 'list', 'acc_x'],
    ['held', 'list'],
    ['held', 'release', 'x'],
    ['prune', '--dry-run'],
    ['source', 'list'],
    ['source', 'replay', 'yadio'],
    ['backup', 'copy.db'],
  ])('is reported and left unchanged by %s %s', async (...args) => {
    const place = join(folder, 'mistyped');
    const err = await fails([...args, '--data', place], 1);
    expect(err).toBe(
      `error: There is no vesfx database in ${place}: name its folder with --data or VESFX_DATA.\n`,
    );
    expect(existsSync(place)).toBe(false);
  });

  test('is left without a database by a dry run, which counts as on an empty one', async () => {
    expect(await json(['import', fileOf(quote()), '--dry-run', '--trust'])).toMatchObject({
      accepted: 1,
    });
    expect(existsSync(data)).toBe(false);
  });
});

describe('backup, restore, migrate', () => {
  test('a restored backup has all data', async () => {
    const id = await newAccount();
    await json(['import', fileOf(quote()), '--trust']);
    const file = join(folder, 'copy.db');
    const backup = await json(['backup', file]);
    expect(backup).toEqual({ file, bytes: expect.any(Number) });
    await json(['account', 'delete', id]);
    expect(await json(['restore', file])).toEqual({
      file,
      data,
      accounts: 1,
      markets: 1,
      fetched_at: expect.any(String),
    });
    expect(await json(['account', 'list'])).toMatchObject([{ id }]);
    expect(await json(['migrate'])).toMatchObject({ current: true, accounts: 1, markets: 1 });
    expect((await vesfx(['migrate'])).out).toMatch(/^The database is current \(\S+\)\.\n/);
  });

  test('backup --verify restores the copy elsewhere, compares it, and says so', async () => {
    await newAccount();
    await json(['import', fileOf(quote()), '--trust']);
    const file = join(folder, 'copy.db');
    expect(await json(['backup', file, '--verify'])).toEqual({
      file,
      bytes: expect.any(Number),
      verified: true,
      restored_ms: expect.any(Number),
      accounts: 1,
      markets: 1,
      fetched_at: expect.any(String),
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('copy.db.'))).toEqual([]);
    expect(await fails(['backup', file, '--verify'], 1)).toMatch('exists already');
    const { out } = await vesfx(['backup', '--verify', join(folder, 'other.db')]);
    expect(out).toMatch(/\nVerified: restored in \d+ ms, sound, and as the database: accounts 1, /);
  });

  test('a backup never replaces a file, and needs a database', async () => {
    const file = join(folder, 'copy.db');
    expect(await fails(['backup', file], 1)).toBe(
      `error: There is no vesfx database in ${data}: name its folder with --data or VESFX_DATA.\n`,
    );
    expect(existsSync(data)).toBe(false);
    await newAccount();
    writeFileSync(file, 'mine');
    expect(await fails(['backup', file], 1)).toMatch('exists already');
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('a backup of PostgreSQL is refused before a connection, with what makes one', async () => {
    const env = { VESFX_DATABASE_URL: 'postgres://127.0.0.1:9/none' };
    expect(await fails(['backup', join(folder, 'copy.db')], 1, { env })).toBe(
      'error: A PostgreSQL database is copied with its own tools, such as pg_dump: vesfx-dump.timer does it each night.\n',
    );
  });

  test('a backup into a folder that does not exist says that the backup cannot be written', async () => {
    await newAccount();
    const refusal = await fails(['backup', join(folder, 'none', 'copy.db')], 1);
    expect(refusal).toMatch(/^error: The backup cannot be written: ENOENT/);
  });

  test('restore refuses a file that is not a backup, and a database in use, and replaces nothing', async () => {
    const id = await newAccount();
    const file = join(folder, 'copy.db');
    await json(['backup', file]);
    const missing = join(folder, 'nothing.db');
    expect(await fails(['restore', missing], 1)).toBe(`error: There is no file ${missing}.\n`);
    writeFileSync(join(folder, 'text.db'), 'not a database');
    expect(await fails(['restore', join(folder, 'text.db')], 1)).toMatch(/nothing was replaced/);
    await start(['serve', '--no-collect', '--port', '0']);
    expect(await fails(['restore', file], 1)).toMatch(/in use/);
    expect(await json(['account', 'list'])).toMatchObject([{ id }]);
  });

  test('a damaged database is refused with what to do, and left as it is', async () => {
    await newAccount();
    const path = join(data, 'vesfx.db');
    truncateSync(path, 5_000);
    const before = readFileSync(path);
    for (const args of [
      ['account', 'list'],
      ['serve', '--no-collect', '--port', '0'],
      ['import', fileOf(quote()), '--trust'],
      ['migrate'],
    ]) {
      const err = await fails(args, 1);
      expect(err).toMatch(/^error: The database .* Restore a backup with `vesfx restore FILE`/);
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('doctor', () => {
  test('reports a folder without a database as broken, exits with 1, and creates none', async () => {
    const { code, out } = await vesfx(['doctor', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      healthy: false,
      findings: expect.arrayContaining([
        {
          level: 'broken',
          subject: 'database',
          message: `There is no vesfx database in ${data}.`,
          remedy: expect.stringMatching(/^Name its folder with --data or VESFX_DATA\. /),
        },
      ]),
    });
    expect(existsSync(data)).toBe(false);
  });

  test('names each problem of the figures and its remedy, and exits with 1', async () => {
    const account = await newAccount();
    const old = new Date(Date.now() - WEEK_MS / 2).toISOString();
    const stale = quote({ market: 'parallel', captured_at: old });
    await json(['import', fileOf(`${quote()}\n${stale}`), '--trust']);
    const { code, out } = await vesfx(['doctor']);
    expect(code).toBe(1);
    expect(out).toMatch(/^ok {7}Node 2\d\./);
    expect(out).toMatch('warning  No admin token is set');
    expect(out).toMatch(
      'warning  No account has a live key.\n         -> Create one: vesfx key create',
    );
    expect(out).toMatch('BROKEN   There is no official dollar rate in force.');
    expect(out).toMatch(
      /BROKEN {3}These markets have a stale quote: parallel, since \S+ \d\d:\d\d in Caracas\./,
    );
    expect(out).toMatch('warning  No quote for eur_reference, bingx');
    expect(out).toMatch('ok       1 of 18 markets have a fresh quote.');
    await json(['key', 'create', account]);
    const told = await vesfx(['doctor', '--json']);
    expect(told.code).toBe(1);
    const { healthy, status, findings } = JSON.parse(told.out);
    expect([healthy, status]).toEqual([false, 'degraded']);
    expect(findings).toContainEqual({
      level: 'broken',
      subject: 'figures',
      reason: 'quotes_stale',
      message: expect.stringContaining('parallel'),
      remedy: expect.any(String),
    });
    expect(findings).toContainEqual({
      level: 'ok',
      subject: 'accounts',
      message: 'There is one account.',
    });
  });

  test('has only warnings for a new installation without figures', async () => {
    await newAccount();
    const { code, out } = await vesfx(['doctor']);
    expect([code, out]).toEqual([0, expect.stringContaining('warning  Nothing is published.')]);
  });

  test('names the number of accounts, one of which has a live key', async () => {
    await json(['key', 'create', await newAccount()]);
    await newAccount();
    expect((await vesfx(['doctor'])).out).toContain('There are 2 accounts.');
  });

  test('warns of an account on a plan that the catalogue lacks', async () => {
    const id = await newAccount('Escala');
    const { out } = await vesfx(['doctor'], { env: onlyOnePlan() });
    expect(out).toMatch(
      `warning  The account ${id} is on the plan Escala, which the catalogue lacks. It has the limits of Unica.`,
    );
  });

  test('warns of a publishable key that nobody may use (contract §11)', async () => {
    const account = await newAccount();
    await json(['key', 'create', account]);
    const { id } = await json(['key', 'create', account, '--kind', 'publishable']);
    const { code, out } = await vesfx(['doctor']);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        `warning  Publishable keys that neither pages nor spreadsheets may use: ${id} of ${account}.`,
      ),
    ]);
  });

  test.each([
    ['sources.json', '{}', 'sources.json:1: must be a list of sources'],
    ['judgement.json', '{}', 'judgement.json:1: quote_ratio is missing'],
    ['holidays.json', '{}', 'holidays.json:1: must be an object of holidays'],
  ])('checks %s before there is a database', async (file, text, expected) => {
    const catalogue = join(folder, 'catalog');
    mkdirSync(catalogue);
    writeFileSync(join(catalogue, file), text);
    const { code, out } = await vesfx(['doctor'], { env: { VESFX_CATALOG: catalogue } });
    expect([code, out]).toEqual([1, expect.stringContaining(`BROKEN   ${catalogue}/${expected}`)]);
  });

  test('names the own files that a packaged file does not fit, by their full paths', async () => {
    const catalogue = join(folder, 'catalog');
    mkdirSync(catalogue);
    const own = join(catalogue, 'plans.json');
    const plans = JSON.parse(readFileSync(join(CATALOGUE, 'plans.json'), 'utf8'));
    writeFileSync(own, JSON.stringify({ Unica: plans.Escala }));
    const { out } = await vesfx(['doctor', '--json'], { env: { VESFX_CATALOG: catalogue } });
    const [fault] = JSON.parse(out).findings.filter(
      ({ subject }: { subject: string }) => subject === 'catalogue',
    );
    expect(fault.message).toMatch('catalog/markets.json:');
    expect(fault.remedy).toBe(
      `This is the packaged file. Make ${own} fit it, or put a changed copy of it into ${catalogue}.`,
    );
  });

  test('reports a damaged database and a bad catalogue as broken', async () => {
    await newAccount();
    truncateSync(join(data, 'vesfx.db'), 5_000);
    const catalogue = join(folder, 'catalog');
    mkdirSync(catalogue);
    writeFileSync(join(catalogue, 'plans.json'), '{\n"Gratis": {\n}}');
    const { code, out } = await vesfx(['doctor', '--json'], { env: { VESFX_CATALOG: catalogue } });
    expect(code).toBe(1);
    const { healthy, findings } = JSON.parse(out);
    expect(healthy).toBe(false);
    const broken = findings.filter(({ level }: { level: string }) => level === 'broken');
    expect(broken.map(({ subject }: { subject: string }) => subject)).toEqual([
      'catalogue',
      'database',
    ]);
    expect(broken[0].message).toMatch('catalog/plans.json:2: Gratis.units_per_month is missing');
  });
});

describe('serve', () => {
  test('starts with accounts on a plan that the catalogue lacks, and names the plans in its log', async () => {
    for (const plan of ['Escala', 'Escala', 'Inicio']) await newAccount(plan);
    const { first, err } = await start(['serve', '--no-collect', '--port', '0'], {
      env: onlyOnePlan(),
    });
    expect(first).toMatch('vesfx is listening');
    await expect.poll(err).toContain('["Escala (2 accounts)","Inicio (1 account)"]');
  });

  test('refuses a bad catalogue with the file and the line', async () => {
    const catalogue = join(folder, 'catalog');
    mkdirSync(catalogue);
    const text = readFileSync(join(CATALOGUE, 'plans.json'), 'utf8');
    writeFileSync(
      join(catalogue, 'plans.json'),
      text.replace('"units_per_month": 1500,', '"units_per_month": "1500",'),
    );
    const env = { VESFX_CATALOG: catalogue };
    for (const more of [[], ['--workers', '2']]) {
      const args = ['serve', '--no-collect', '--port', '0', ...more];
      expect(await fails(args, 2, { env })).toContain(
        'catalog/plans.json:3: Gratis.units_per_month must be a whole number or null\n',
      );
    }
    expect(existsSync(data)).toBe(false);
    const account = await newAccount();
    const setPlan = ['account', 'set-plan', account, 'Escala'];
    expect(await fails(setPlan, 2, { env })).toContain('catalog/plans.json:3:');
  });

  test('a bad catalogue stops no command that uses nothing of it, such as revoking a key', async () => {
    const account = await newAccount();
    const { id: key } = await json(['key', 'create', account]);
    const env = { VESFX_CATALOG: join(folder, 'typo') };
    for (const args of [
      ['key', 'list', account],
      ['key', 'revoke', key],
      ['account', 'suspend', account],
      ['account', 'list'],
      ['backup', join(folder, 'copy.db')],
    ]) {
      expect([args, await vesfx(args, { env })]).toMatchObject([args, { code: 0, err: '' }]);
    }
  });

  test('refuses a VESFX_CATALOG that is not a folder with exit code 2', async () => {
    const env = { VESFX_CATALOG: join(folder, 'typo') };
    for (const args of [['serve', '--no-collect', '--port', '0'], ['collect']]) {
      expect(await fails(args, 2, { env })).toMatch(/there is no such folder\n$/);
    }
  });

  test('prints one line with its address, and SIGTERM ends it with exit code 0', async () => {
    const text = await start(['serve', '--no-collect', '--port', '0']);
    expect(text.first).toMatch(/^vesfx is listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    const told = await start(['serve', '--no-collect', '--port', '0', '--json']);
    const ready = JSON.parse(told.first);
    expect(ready).toEqual({ listening: expect.any(String), pid: told.child.pid });
    expect((await fetch(`${ready.listening}/healthz`)).status).toBe(200);
    for (const [{ child }, signal] of [
      [text, 'SIGTERM'],
      [told, 'SIGINT'],
    ] as const) {
      const ended = once(child, 'exit');
      child.kill(signal);
      expect(await ended).toEqual([0, null]);
    }
    for (const line of told.err().trimEnd().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ level: 30, msg: expect.any(String) });
    }
  });

  test('reports a port in use in one sentence', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await fails(['serve', '--port', String(port)], 1)).toBe(
      `error: Something listens on 127.0.0.1 port ${port} already: ` +
        'stop it, or choose another with --port.\n',
    );
    taken.close();
  });
});
