import { Worker } from 'node:worker_threads';
import { SourceFailure } from '../../app/failures.ts';
import { threadOf } from '../../product-files.ts';
import { afterProcessorTime } from './cpu-deadline.ts';

type Parsers = typeof import('../parsers.ts');

/** Most processor time of one parse, in milliseconds. A quarterly workbook takes 200. */
// limit: Parse: processor time (Node 24.6 or later), time, memory, start of a thread | 5 s, 60 s, 256 MB of objects, 60 s | `content` | PARSE_TIMEOUT_MS, MAX_PARSE_HEAP_MB, PARSER_START_TIMEOUT_MS
const MAX_PARSE_CPU_MS = 5_000;
/** Longest time of one parse, in milliseconds, however busy the machine is. */
const PARSE_TIMEOUT_MS = 60_000;
/** Largest heap of a parser's thread, in megabytes. A quarterly workbook needs about 30. */
const MAX_PARSE_HEAP_MB = 256;
/** Most parser threads. With more than one, a hostile body does not delay other sources. */
// limit: Parser threads | 2 | parses wait
const MAX_PARSER_THREADS = 2;
/** Most waiting parses. Every source of a catalogue may wait once. */
// limit: Bodies waiting for a parser | 200 | `content`
export const MAX_WAITING_PARSES = 200;
/** Longest time for a thread to start and load the parser, in milliseconds. */
const PARSER_START_TIMEOUT_MS = 60_000;

/** A call of one of the functions that the thread has, by its name. */
export interface ParseCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Messages of the thread: `loaded` when the module is loaded, then one of the others. */
export type ParseMessage =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly message: string }
  | { readonly kind: 'fault'; readonly error: unknown };

const LIMITS = {
  cpuMs: MAX_PARSE_CPU_MS,
  timeoutMs: PARSE_TIMEOUT_MS,
  heapMb: MAX_PARSE_HEAP_MB,
  threads: MAX_PARSER_THREADS,
};

/** The file that has the functions: it gives them to `answerCalls`. */
const THREAD = 'src/core/sources/parser/parser-thread.ts';

interface Job {
  readonly call: ParseCall;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs parsers of upstream bodies in threads, because a hostile or damaged body can keep a parser
 * busy forever or fill the memory, and only a thread can be terminated. Threads start on demand and
 * are reused. One that exceeds its time or memory is terminated and replaced. An idle thread does
 * not keep the process alive.
 */
export class ParserPool {
  readonly #options: typeof LIMITS & { readonly thread: string };
  readonly #idle: Worker[] = [];
  readonly #waiting: Job[] = [];
  readonly #threads = new Set<Worker>();

  constructor(options: Partial<typeof LIMITS & { readonly thread: string }> = {}) {
    this.#options = { ...LIMITS, thread: THREAD, ...options };
  }

  /**
   * Calls the function in a thread. Its arguments and its result are copied.
   * @throws SourceFailure `content` when time or memory are exceeded. Errors of the function pass
   *   through.
   */
  run(call: ParseCall): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#waiting.length >= MAX_WAITING_PARSES) {
      return Promise.reject(failure(`${MAX_WAITING_PARSES} bodies wait to be parsed already`));
    }
    this.#waiting.push({ call, resolve, reject });
    this.#startNext();
    return promise;
  }

  /** Number of threads, busy or idle. */
  get threads(): number {
    return this.#threads.size;
  }

  /** Terminates all threads. Running parses fail. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #startNext(): void {
    if (this.#idle.length === 0 && this.#threads.size >= this.#options.threads) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    void this.#work(this.#idle.pop() ?? this.#start(), job).finally(() => this.#startNext());
  }

  #start(): Worker {
    const thread = new Worker(threadOf(this.#options.thread), {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb },
      // Libraries write remarks about damaged files there, which are dropped.
      stdout: true,
      stderr: true,
    });
    this.#threads.add(thread);
    thread.stdout.resume();
    thread.stderr.resume();
    // Without a listener, an error of the thread would terminate the process.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      this.#threads.delete(thread);
      const position = this.#idle.indexOf(thread);
      if (position >= 0) this.#idle.splice(position, 1);
    });
    return thread;
  }

  /** Runs one call in the thread. The thread is reused unless it was terminated. Never rejects. */
  async #work(thread: Worker, { call, resolve, reject }: Job): Promise<void> {
    thread.ref();
    try {
      resolve(await this.#answerOf(thread, call));
    } catch (error) {
      reject(error);
      if (error instanceof ParserStopped) {
        await thread.terminate();
        return;
      }
    }
    thread.unref();
    this.#idle.push(thread);
  }

  #answerOf(thread: Worker, call: ParseCall): Promise<unknown> {
    const { cpuMs, timeoutMs, heapMb } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const stopped = (message: string) => reject(new ParserStopped(message));
    let timer = setTimeout(
      () => stopped(`the parser did not start in ${PARSER_START_TIMEOUT_MS} ms`),
      PARSER_START_TIMEOUT_MS,
    );
    let stopLooking = () => {};
    const onMessage = (message: ParseMessage) => {
      switch (message.kind) {
        case 'loaded':
          clearTimeout(timer);
          timer = setTimeout(
            () => stopped(`the body was not parsed in ${timeoutMs} ms`),
            timeoutMs,
          );
          stopLooking = afterProcessorTime(thread, cpuMs, () =>
            stopped(`expected a body that is parsed in ${cpuMs} ms`),
          );
          return;
        case 'result':
          return resolve(message.value);
        case 'failure':
          return reject(failure(message.message));
        case 'fault':
          return reject(message.error);
        default:
          return message satisfies never;
      }
    };
    const onError = () => stopped(`expected a body that is parsed in ${heapMb} MB`);
    const onExit = () => stopped('the thread of the parser ended');
    thread.on('message', onMessage).once('error', onError).once('exit', onExit);
    thread.postMessage(call);
    return promise.finally(() => {
      clearTimeout(timer);
      stopLooking();
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
    });
  }
}

/** A failure after which the thread cannot be reused. */
class ParserStopped extends SourceFailure {
  constructor(message: string) {
    super('content', message);
  }
}

function failure(message: string): SourceFailure {
  return new SourceFailure('content', message);
}

type Functions<Module> = { readonly [Name in keyof Module]: (...args: never[]) => unknown };

/** The functions of the module that the thread of a pool has, each to be called there by its name. */
export function callsIn<Module extends Functions<Module>>(pool: ParserPool) {
  return <Name extends keyof Module & string>(name: Name) =>
    (...args: Parameters<Module[Name]>) =>
      // The cast is safe: the thread calls this function and returns its result.
      pool.run({ name, args }) as Promise<ReturnType<Module[Name]>>;
}

/** Wraps an export of `parsers.ts` to run in a thread. Arguments and result are copied. */
export const inParserThread = callsIn<Parsers>(new ParserPool());
