import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { recordsIn } from '../../src/app/ingest/ndjson.ts';
import { openToolbox, type Toolbox } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import type { KeyGrant } from '../../src/domain/keys.ts';
import { catalogueWith, limitsOf } from './catalogue.ts';
import { temporaryDir } from './service.ts';

/** vesfx as an operator runs it: real processes on their own folder. */

const LAUNCHER = fileURLToPath(new URL('../../bin/vesfx.js', import.meta.url));
/** Longest time until a process is ready. */
const MAX_READY_MS = 60_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  /** Its ready line, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: commands print documents of every shape.
  readonly ready: any;
  /** Log lines so far, and all other output on stderr. */
  readonly log: () => string;
  readonly out: () => string;
  readonly ended: Promise<Ended>;
}

export interface Outcome extends Ended {
  readonly out: string;
  readonly err: string;
}

export interface Installation {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs a command until it ends. */
  vesfx(args: readonly string[], input?: string): Promise<Outcome>;
  /** The same with `--json`; it must succeed. @returns its output. */
  // biome-ignore lint/suspicious/noExplicitAny: commands print documents of every shape.
  json(args: readonly string[], input?: string): Promise<any>;
  /** Starts a long-running command with `--json`, and waits until it is ready. */
  start(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<RunningProcess>;
  /** Loads records, given as objects. */
  load(records: Iterable<object>): Promise<void>;
  /** A key of a new account, secret unless `grant` says otherwise. */
  keyFor(plan: string, grant?: KeyGrant): Promise<string>;
}

export interface InstallOptions {
  /** Descriptors that each of its processes may open. */
  readonly descriptors?: number;
}

/** An installation on an empty folder. Its processes end with the test. */
export async function install(
  given: NodeJS.ProcessEnv = {},
  { descriptors }: InstallOptions = {},
): Promise<Installation> {
  const folder = await temporaryDir();
  // Settings of the machine that runs the tests must not reach the processes.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VESFX_'));
  const env = {
    ...Object.fromEntries(own),
    VESFX_DATA: join(folder, 'data'),
    VESFX_DRAIN_SEC: '0',
    TMPDIR: folder,
    ...given,
  };
  const spawned = (args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const line = [process.execPath, LAUNCHER, ...args];
    // Node raises a soft limit to the hard one as it starts; `ulimit -n` sets both.
    const limited = ['/bin/sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, ...line];
    const [program = '', ...rest] = descriptors === undefined ? line : limited;
    const child = spawn(program, rest, {
      env: { ...env, ...more },
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
    const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }));
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    // A command that fails early does not read its input.
    child.stdin.on('error', () => undefined);
    return { child, out, err, ended };
  };
  /** Does the work of a command in this process, because starting one takes longer. */
  const beside = async <T>(work: (toolbox: Toolbox) => Promise<T>): Promise<T> => {
    const toolbox = await openToolbox(readConfig({}, env));
    return work(toolbox).finally(() => toolbox.store.close());
  };
  const installation: Installation = {
    folder,
    env,
    async vesfx(args, input = '') {
      const { child, out, err, ended } = spawned(args);
      child.stdin.end(input);
      return { ...(await ended), out: out(), err: err() };
    },
    async json(args, input) {
      const { code, out, err } = await installation.vesfx([...args, '--json'], input);
      if (code !== 0) throw new Error(`vesfx ${args.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
    async start(args, more) {
      const { child, out, err, ended } = spawned([...args, '--json'], more);
      const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
      child.stdout.on('data', () => out().includes('\n') && resolve());
      const timer = setTimeout(() => reject(new Error(`not ready: ${err()}`)), MAX_READY_MS);
      void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${err()}`)));
      await ready.finally(() => clearTimeout(timer));
      return { child, ready: JSON.parse(out()), log: err, out, ended };
    },
    load: (records) =>
      beside(async ({ ingest }) => {
        const lines = recordsIn([...records].map((one) => JSON.stringify(one)));
        const { refused } = await ingest.ingest(lines, { source: 'operator', trust: true });
        if (refused > 0) throw new Error(`${refused} records were refused.`);
      }),
    keyFor: (plan, grant = { kind: 'full' }) =>
      beside(async ({ accounts }) => {
        const { id } = await accounts.create('An account of a test', plan);
        return (await accounts.createKey(id, { grant })).key;
      }),
  };
  return installation;
}

/** A catalogue whose cheapest plan has that many units a month; removed after the test. */
export async function smallPlan(units: number): Promise<string> {
  return catalogueWith({ plans: limitsOf({ Gratis: { units_per_month: units } }) });
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more) => {
    text += more;
  });
  return () => text;
}
