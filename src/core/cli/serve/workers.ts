import cluster, { type ClusterSettings, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import type { DatabaseWait, ProcessCounts } from '../../app/peers.ts';
import type { Log } from '../../app/ports/log.ts';
import { waitLog } from '../../app/throttled-log.ts';
import { within } from '../../app/within.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { IS_PROGRAM } from '../../product-files.ts';
import { FAILED, UsageError } from '../output.ts';
import type { FromWorker, ToWorker } from './worker.ts';

/** Most worker processes. Long before this number, the database is the limit. */
// limit: Workers | 64 | refused
const MAX_WORKERS = 64;
/** Pause before the first restart of a worker. Each further restart doubles it. */
const RESTART_MS = 100;
// limit: Pause before a worker is restarted | 30 s
const MAX_RESTART_MS = 30 * SECOND_MS;
/** A worker that ran for this long did start: its exit resets the pause. */
const STEADY_MS = MINUTE_MS;
// limit: `/metrics` waits for the workers | 2 s | 503
const COUNTS_WAIT_MS = 2 * SECOND_MS;
/** Longest wait for the other workers, once the first one is ready. */
// limit: Wait for the other workers | 30 s | they join later
const OTHERS_WAIT_MS = 30 * SECOND_MS;

/**
 * Whether workers listen with SO_REUSEPORT: on Linux the kernel then distributes connections, and
 * each worker closes its own queue when it is empty. Elsewhere this process passes them on, which
 * loses some when all processes stop at once.
 */
export const REUSES_PORT = process.platform === 'linux';

/** A worker needs half of it, and its parsers the rest while they read a large page. */
const WORKER_MEMORY_BYTES = 400 * 2 ** 20;

/** A worker for each core, as many as the memory that this process may use has room for. */
export function workersFor(
  cores = availableParallelism(),
  // Of a unit or a container; far more than there is where nothing limits it.
  memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
): number {
  return Math.max(1, Math.min(cores, Math.floor(memory / WORKER_MEMORY_BYTES), MAX_WORKERS));
}

/** @throws UsageError */
export function readWorkers(text: string): number {
  const count = text === 'auto' ? workersFor() : Number(text);
  if ((text === 'auto' || /^\d{1,9}$/.test(text)) && count >= 1 && count <= MAX_WORKERS) {
    return count;
  }
  throw new UsageError(`--workers takes a number from 1 to ${MAX_WORKERS}, or auto.`);
}

/** The first worker exited before it was ready, and has reported the reason. */
export class NotStarted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('A worker did not start.');
    this.exitCode = exitCode;
  }
}

interface WorkerSlot {
  worker: Worker;
  startedAt: number;
  isReady: boolean;
  /** Whether it has answered since it was asked whether it is alive. */
  hasAnswered: boolean;
  /** Number of consecutive early exits. */
  failures: number;
  restart?: NodeJS.Timeout;
}

/** The workers of one port. The primary process restarts them and forwards their messages. */
export class Workers {
  readonly #log: Log;
  readonly #count: number;
  readonly #tellWait: (wait: DatabaseWait) => void;
  readonly #slots: WorkerSlot[] = [];
  /** What waits for the metrics of a worker, by the id of the question. */
  readonly #counting = new Map<number, (counts: ProcessCounts) => void>();
  readonly #portsClosed = new Set<Worker>();
  #nextId = 1;
  #stopping = false;
  #allClean = true;
  #reloadedAt = 0;

  constructor({ count, log }: { readonly count: number; readonly log: Log }) {
    this.#count = count;
    this.#log = log;
    this.#tellWait = waitLog(log);
  }

  /**
   * One starts first, so that a common startup error is reported once. What keeps another one from
   * starting, such as a database that went away, ends only that one, and it is restarted.
   * @returns The address, once each is ready, has failed, or took long.
   * @throws NotStarted, or the error of listening on that address.
   */
  async start(address: { readonly host: string; readonly port: number }): Promise<string> {
    const args = process.argv.slice(2);
    cluster.setupPrimary({ serialization: 'advanced', ...startedWith(args) });
    if (REUSES_PORT) await requireFree(address);
    const url = await this.#startFirst();
    // Later workers listen on the port of the first.
    const port = ['--port', new URL(url).port];
    if (REUSES_PORT) cluster.setupPrimary(startedWith([...args, ...port]));
    const others = Array.from({ length: this.#count - 1 }, () => this.#startAnother());
    await within(Promise.all(others), OTHERS_WAIT_MS);
    return url;
  }

  /** Stops all workers, and returns whether all exited normally. */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    for (const { restart } of this.#slots) clearTimeout(restart);
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        if (worker === undefined || worker.isDead()) return;
        const { promise, resolve } = Promise.withResolvers<boolean>();
        // A worker that was just started is killed by the signal, and has nothing to clean up.
        worker.once('exit', (code, signal) => resolve(code === 0 || signal === 'SIGTERM'));
        worker.process.kill('SIGTERM');
        if (!(await promise)) this.#allClean = false;
      }),
    );
    return this.#allClean;
  }

  /** Makes every worker read the catalogue again. */
  reload(): void {
    this.#reloadedAt = performance.now();
    for (const worker of this.#ready()) worker.process.kill('SIGHUP');
  }

  /**
   * Asks the workers for the next time. One that starts is none: it may wait for the database.
   * @returns whether each has answered since the last time.
   */
  async areAlive(): Promise<boolean> {
    const ready = this.#slots.filter(({ isReady }) => isReady);
    const alive = ready.every(({ hasAnswered }) => hasAnswered);
    for (const slot of ready) {
      slot.hasAnswered = false;
      send(slot.worker, { kind: 'are_you_alive' });
    }
    return alive;
  }

  async #startFirst(): Promise<string> {
    const slot = this.#fork();
    const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
    const ended = (code: number | null) => reject(new NotStarted(code ?? FAILED));
    slot.worker.once('exit', ended);
    this.#listen(slot, resolve);
    const url = await ready;
    slot.worker.off('exit', ended);
    this.#watch(slot);
    return url;
  }

  /** Resolves when it is ready, or has ended. */
  async #startAnother(): Promise<void> {
    const slot = this.#fork();
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    slot.worker.once('exit', () => resolve());
    this.#listen(slot, () => resolve());
    this.#watch(slot);
    await settled;
  }

  #fork(): WorkerSlot {
    const worker = cluster.fork();
    const slot = {
      ...{ worker, startedAt: performance.now(), failures: 0 },
      ...{ isReady: false, hasAnswered: true },
    };
    this.#slots.push(slot);
    return slot;
  }

  #listen(slot: WorkerSlot, onReady: (url: string) => void): void {
    const { worker } = slot;
    worker.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'ready':
          slot.isReady = true;
          slot.hasAnswered = true;
          // It may have read the catalogue before. The signal would have ended it while it started.
          if (slot.startedAt < this.#reloadedAt) worker.process.kill('SIGHUP');
          return onReady(message.url);
        case 'waits':
          return this.#tellWait(message.wait);
        case 'alive':
          slot.hasAnswered = true;
          return;
        case 'bad_key':
        case 'admitted':
        case 'told':
          for (const other of this.#ready()) if (other !== worker) send(other, message);
          return;
        case 'count_all':
          void this.#gather(worker, message.id);
          return;
        case 'counts':
          return this.#counting.get(message.id)?.(message.counts);
        case 'port_closed':
          return this.#portClosed(worker);
        default:
          message satisfies never;
      }
    });
  }

  /** Workers that are starting or have exited accept no connections. */
  #portClosed(worker: Worker): void {
    this.#portsClosed.add(worker);
    const open = this.#ready().filter((other) => !other.isDead() && !this.#portsClosed.has(other));
    if (open.length > 0) return;
    for (const closed of this.#portsClosed) send(closed, { kind: 'all_ports_closed' });
  }

  #watch(slot: WorkerSlot): void {
    slot.worker.once('exit', (code, signal) => {
      if (this.#stopping) return;
      slot.isReady = false;
      const lived = performance.now() - slot.startedAt;
      slot.failures = lived < STEADY_MS ? slot.failures + 1 : 1;
      const pauseMs = Math.min(MAX_RESTART_MS, RESTART_MS * 2 ** (slot.failures - 1));
      const worker = slot.worker.process.pid;
      this.#log.error({ worker, code, signal, pauseMs }, 'a worker ended; starting another one');
      slot.restart = setTimeout(() => {
        slot.worker = cluster.fork();
        slot.startedAt = performance.now();
        this.#listen(slot, () => {
          this.#log.info({ worker: slot.worker.process.pid }, 'a worker is ready');
        });
        this.#watch(slot);
      }, pauseMs);
    });
  }

  #ready(): Worker[] {
    return this.#slots.filter(({ isReady }) => isReady).map(({ worker }) => worker);
  }

  async #gather(asker: Worker, askerId: number): Promise<void> {
    const ids: number[] = [];
    const answers = this.#ready().map((worker) => {
      const { promise, resolve } = Promise.withResolvers<ProcessCounts>();
      const id = this.#nextId++;
      ids.push(id);
      this.#counting.set(id, resolve);
      send(worker, { kind: 'count', id });
      return promise;
    });
    const counts = await within(Promise.all(answers), COUNTS_WAIT_MS);
    for (const id of ids) this.#counting.delete(id);
    const all = counts === 'late' ? undefined : counts;
    send(asker, { kind: 'all_counts', id: askerId, counts: all });
  }
}

/** The settings of `cluster`, which puts the name of a script first; the program of one file has none. */
function startedWith(args: readonly string[]): ClusterSettings {
  if (!IS_PROGRAM) return { args: [...args] };
  const [first = '', ...others] = args;
  return { exec: first, args: others, execArgv: [] };
}

/** Workers with SO_REUSEPORT could listen together with another service of the same user. */
async function requireFree({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer().listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** A worker that is exiting receives no more messages. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
