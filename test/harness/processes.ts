import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import { openToolbox, type Toolbox } from '../../src/core/compose.ts';
import { readConfig } from '../../src/core/config.ts';
import type { KeyGrant } from '../../src/core/domain/keys.ts';
import { type Ended, LAUNCHER, ownVariables, VesfxProcess } from '../../testkit/vesfx-process.ts';
import { catalogueWith, limitsOf } from './catalogue.ts';
import { temporaryDir } from './service.ts';

/** vesfx as an operator runs it: real processes on their own folder. */

/** What is tried: the sources, or the program of one file that `VESFX_TEST_PROGRAM` names. */
const PROGRAM = process.env['VESFX_TEST_PROGRAM'];
const COMMAND = PROGRAM === undefined ? [process.execPath, LAUNCHER] : [resolve(PROGRAM)];

/** Longest time until a process is ready. */
const MAX_READY_MS = 100_000;

export interface RunningProcess {
  readonly child: ChildProcess;
  /** Its ready line, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: commands print documents of every shape.
  readonly ready: any;
  /** Log lines so far, and all other output on stderr. */
  readonly log: () => string;
  readonly out: () => string;
  /** Its code and signal. */
  readonly ended: Promise<Pick<Ended, 'code' | 'signal'>>;
}

export interface Installation {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs a command until it ends. */
  vesfx(args: readonly string[], input?: string): Promise<Ended>;
  /** The same with `--json`; it must succeed. @returns its output. */
  // biome-ignore lint/suspicious/noExplicitAny: commands print documents of every shape.
  json(args: readonly string[], input?: string): Promise<any>;
  /** Starts a long-running command with `--json`, and waits until it is ready. */
  start(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<RunningProcess>;
  /** Starts a command with `--json`, and waits for nothing. */
  begin(args: readonly string[], env?: NodeJS.ProcessEnv): VesfxProcess;
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
  const env = {
    ...ownVariables(),
    VESFX_DATA: join(folder, 'data'),
    VESFX_DRAIN_SEC: '0',
    TMPDIR: folder,
    ...given,
  };
  const started = (args: readonly string[], more: NodeJS.ProcessEnv = {}, input = '') => {
    const line = [...COMMAND, ...args];
    // Node raises a soft limit to the hard one as it starts; `ulimit -n` sets both.
    const limited = ['/bin/sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, ...line];
    const [program, ...rest] = descriptors === undefined ? line : limited;
    const running = new VesfxProcess(rest, {
      env: { ...env, ...more },
      cwd: folder,
      input,
      program,
    });
    onTestFinished(async () => {
      await running.kill();
    });
    return running;
  };
  /** Does the work of a command in this process, because starting one takes longer. */
  const beside = async <T>(work: (toolbox: Toolbox) => Promise<T>): Promise<T> => {
    const toolbox = await openToolbox(readConfig({}, env));
    return work(toolbox).finally(() => toolbox.store.close());
  };
  const installation: Installation = {
    folder,
    env,
    vesfx: (args, input) => started(args, {}, input).ended,
    async json(args, input) {
      const { code, out, err } = await installation.vesfx([...args, '--json'], input);
      if (code !== 0) throw new Error(`vesfx ${args.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
    begin: (args, more) => started([...args, '--json'], more),
    async start(args, more) {
      const running = installation.begin(args, more);
      const line = await running.readyLine(MAX_READY_MS);
      const ended = running.ended.then(({ code, signal }) => ({ code, signal }));
      if (line === undefined) throw new Error(`ended with ${(await ended).code}: ${running.err}`);
      return {
        child: running.child,
        ready: JSON.parse(line),
        log: () => running.err,
        out: () => running.out,
        ended,
      };
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
