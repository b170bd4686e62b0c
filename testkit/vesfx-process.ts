import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** vesfx as an operator runs it: a real process. Tests, faults and benchmarks start it here. */

export const LAUNCHER = fileURLToPath(new URL('../bin/vesfx.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface ProcessOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
  /** All that it can read. */
  readonly input?: string | undefined;
  /** Node's, unless another program runs it. */
  readonly program?: string | undefined;
}

/** The variables of this process but for settings of vesfx, which must not reach others. */
export function ownVariables(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(?:VESFX_|NODE_OPTIONS|VITEST)/.test(name),
  );
  return Object.fromEntries(others);
}

/** A running process with its output. */
export class VesfxProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  readonly #startedAt = performance.now();
  #out = '';
  #err = '';

  constructor(
    args: readonly string[],
    { env, cwd, input = '', program = process.execPath }: ProcessOptions,
  ) {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env, cwd });
    if (child.pid === undefined) throw new Error('A process could not be started.');
    this.child = child;
    this.pid = child.pid;
    // A command that fails early does not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#err += text;
    });
    this.ended = once(child, 'close').then(([code, signal]) => ({
      code,
      signal,
      out: this.#out,
      err: this.#err,
    }));
  }

  /** Its output so far. */
  get out(): string {
    return this.#out;
  }

  /** Its log so far, and all other output on stderr. */
  get err(): string {
    return this.#err;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Milliseconds since its start. */
  get ageMs(): number {
    return performance.now() - this.#startedAt;
  }

  /**
   * Its ready line, which `--json` makes a document.
   *
   * @returns undefined when it ended without one.
   * @throws {Error} when it is not ready in time.
   */
  async readyLine(withinMs: number): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = () => this.#out.includes('\n') && resolve();
    const timer = setTimeout(() => {
      reject(new Error(`Not ready after ${withinMs} ms: ${this.#err}`));
    }, withinMs);
    this.child.stdout?.on('data', look);
    look();
    void this.ended.then(() => resolve());
    await promise.finally(() => clearTimeout(timer));
    return this.#out.includes('\n') ? this.#out.split('\n')[0] : undefined;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<Ended> {
    if (this.isRunning) {
      this.child.kill('SIGKILL');
      // A paused process must be resumed to die.
      this.child.kill('SIGCONT');
    }
    return this.ended;
  }

  async stop(): Promise<Ended> {
    this.signal('SIGTERM');
    return this.ended;
  }
}
