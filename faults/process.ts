import { pathToFileURL } from 'node:url';
import { recordsIn } from '../src/core/app/ingest/ndjson.ts';
import { openToolbox } from '../src/core/compose.ts';
import { type Config, readConfig } from '../src/core/config.ts';
import { LAUNCHER, ownVariables, VesfxProcess } from '../testkit/vesfx-process.ts';
import type { Trial } from './scenario.ts';

/** Starts real processes: the installed command line, and its controls. */

export const ADMIN_TOKEN = 'admin-token-of-the-faults';

/** Ends the wait for a process that hangs; no promise. */
const READY_WITHIN_MS = 100_000;

export interface Setting {
  readonly env?: Readonly<Record<string, string>>;
  /** Modules to load before the program. */
  readonly preload?: string | readonly string[];
  /** The launcher of another version. */
  readonly program?: string;
}

/** Merges two settings. The second one's variables take precedence. */
export function alsoWith(one: Setting, other: Setting): Setting {
  return {
    ...one,
    ...other,
    env: { ...one.env, ...other.env },
    preload: [...preloadsOf(one), ...preloadsOf(other)],
  };
}

const preloadsOf = ({ preload = [] }: Setting) => [preload].flat();

/** The environment of a process: the run's settings, without those of the machine. */
function environment(setting: Setting): NodeJS.ProcessEnv {
  const imports = preloadsOf(setting).map((file) => `--import=${pathToFileURL(file).href}`);
  return {
    ...ownVariables(),
    VESFX_ADMIN_TOKEN: ADMIN_TOKEN,
    ...(imports.length > 0 && { NODE_OPTIONS: imports.join(' ') }),
    ...setting.env,
  };
}

/** Starts a process that ends with the trial. */
function started(
  trial: Trial,
  args: readonly string[],
  setting: Setting = {},
  input = '',
): VesfxProcess {
  const running = new VesfxProcess(args, { env: environment(setting), cwd: trial.dir, input });
  trial.onEnd(() => running.kill());
  return running;
}

export interface Served {
  readonly running: VesfxProcess;
  readonly url: string;
  readonly pid: number;
  /** Time from the start of the process to its ready line. */
  readonly readyMs: number;
}

/** @returns undefined when the process exited instead. */
async function untilReady(running: VesfxProcess): Promise<Served | undefined> {
  const line = await running.readyLine(READY_WITHIN_MS);
  const readyMs = running.ageMs;
  return line === undefined
    ? undefined
    : { running, url: addressIn(line), pid: running.pid, readyMs };
}

function addressIn(line: string): string {
  const said: unknown = JSON.parse(line);
  if (typeof said === 'object' && said !== null && 'listening' in said) {
    return String(said.listening);
  }
  throw new Error(`Not an address: ${line}`);
}

/** The place of the data: a folder, or a database named by the environment. */
export type DataLocation = string | { readonly env: Readonly<Record<string, string>> };

/** The command line arguments for the place. */
export function argsOf(place: DataLocation): readonly string[] {
  return typeof place === 'string' ? ['--data', place] : [];
}

export function withDataAt<S extends Setting>(place: DataLocation, setting: S): S {
  return typeof place === 'string'
    ? setting
    : { ...setting, env: { ...setting.env, ...place.env } };
}

/** The configuration for the place, for code in this process. */
export function configOf(place: DataLocation, setting: Setting = {}): Config {
  const flags = { port: '0', collect: false, ...(typeof place === 'string' && { data: place }) };
  return readConfig(flags, withDataAt(place, setting).env ?? {});
}

/** Starts a program of the scenario, which prints its address like the service. */
export async function serveProgram(trial: Trial, args: readonly string[]): Promise<Served> {
  const running = started(trial, args);
  const served = await untilReady(running);
  if (served === undefined) throw new Error(`The program did not start: ${running.err}`);
  return served;
}

export interface ServeOptions extends Setting {
  readonly args?: readonly string[];
}

/** Starts `vesfx serve`. `served` is undefined when it refuses to start. */
export async function tryServe(
  trial: Trial,
  place: DataLocation,
  { args = ['--no-collect'], ...setting }: ServeOptions = {},
): Promise<{ readonly running: VesfxProcess; readonly served: Served | undefined }> {
  const line = [
    setting.program ?? LAUNCHER,
    'serve',
    ...args,
    ...argsOf(place),
    '--port',
    '0',
    '--json',
  ];
  const running = started(trial, line, withDataAt(place, setting));
  return { running, served: await untilReady(running) };
}

export async function serve(
  trial: Trial,
  place: DataLocation,
  options?: ServeOptions,
): Promise<Served> {
  const { running, served } = await tryServe(trial, place, options);
  if (served === undefined) throw new Error(`vesfx did not start: ${running.err}`);
  return served;
}

/** Starts a command without waiting for it. */
export function begin(
  trial: Trial,
  args: readonly string[],
  { input = '', ...setting }: Setting & { readonly input?: string } = {},
): VesfxProcess {
  return started(trial, [setting.program ?? LAUNCHER, ...args], setting, input);
}

/**
 * Runs a command to its end.
 * @returns its JSON.
 * @throws when it fails.
 */
export async function vesfx(
  trial: Trial,
  args: readonly string[],
  setting: Setting & { readonly input?: string } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { code, out, err } = await begin(trial, [...args, '--json'], setting).ended;
  if (code !== 0) throw new Error(`vesfx ${args.join(' ')} ended with ${code}: ${err}`);
  const said: unknown = JSON.parse(out);
  if (typeof said !== 'object' || said === null) throw new Error(`Not an object: ${out}`);
  return { ...said };
}

/** Creates an account on a plan and a key, in this process, before any fault. */
export async function accountWithKey(
  place: DataLocation,
  plan: string,
  setting: Setting = {},
): Promise<{ readonly account: string; readonly key: string; readonly keyId: string }> {
  const { accounts, store } = await openToolbox(configOf(place, setting));
  try {
    const { id } = await accounts.create('faults', plan);
    const { id: keyId, key } = await accounts.createKey(id);
    return { account: id, key, keyId };
  } finally {
    await store.close();
  }
}

/** Creates another key of an account, in this process. @returns the key. */
export async function anotherKey(
  place: DataLocation,
  account: string,
  setting: Setting = {},
): Promise<string> {
  const { accounts, store } = await openToolbox(configOf(place, setting));
  try {
    return (await accounts.createKey(account)).key;
  } finally {
    await store.close();
  }
}

/** Ingests records, in this process. */
export async function load(
  place: DataLocation,
  records: readonly object[],
  setting: Setting = {},
): Promise<void> {
  const { ingest, store } = await openToolbox(configOf(place, setting));
  try {
    const lines = recordsIn(records.map((record) => JSON.stringify(record)));
    const { accepted } = await ingest.ingest(lines, { source: 'faults', trust: true });
    if (accepted !== records.length) throw new Error('Not every record was taken.');
  } finally {
    await store.close();
  }
}
