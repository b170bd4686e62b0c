import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import { SourceFailure } from '../../app/failures.ts';
import type { Sheet } from './workbook.ts';

/** Longest that reading a workbook may take; a quarter takes a fifth of a second. */
export const WORKBOOK_TIMEOUT_MS = 15_000;
/** Most megabytes of objects that it may need meanwhile; a quarter needs about thirty. */
export const MAX_WORKBOOK_HEAP_MB = 512;

/** A file of its own: only the thread loads the library, which takes 15 MB. */
const WORKER = new URL(import.meta.url.replace('workbook-thread', 'workbook-worker'));

/** What the thread is given. */
export interface Task {
  readonly bytes: Uint8Array;
  /** Woken when the answer is in the port. */
  readonly gate: Int32Array<SharedArrayBuffer>;
  readonly port: MessagePort;
}

/** What it answers. */
export type Answer =
  | { readonly sheets: readonly Sheet[] }
  | { readonly failure: string }
  | { readonly fault: unknown };

/** Kept for the next workbook: to start it takes as long as to read one. */
let thread: Worker | undefined;

function startThread(): Worker {
  const started = new Worker(WORKER, {
    resourceLimits: { maxOldGenerationSizeMb: MAX_WORKBOOK_HEAP_MB },
    // Not shown: what the library remarks about a damaged file.
    stdout: true,
    stderr: true,
  });
  // Told by the missing answer; without a listener it would end the process.
  started.on('error', () => undefined);
  started.on('exit', () => {
    if (thread === started) thread = undefined;
  });
  started.unref();
  return started;
}

/**
 * `sheetsOf` in a thread of its own, awaited here: of the damaged files that the library is given,
 * one in some thousands keeps it busy for ever or fills the memory, and only a thread can be stopped.
 * @throws SourceFailure `content` as `sheetsOf` does, and when time or memory are used up.
 */
export function readSheets(bytes: Uint8Array, timeoutMs = WORKBOOK_TIMEOUT_MS): readonly Sheet[] {
  const { port1, port2 } = new MessageChannel();
  const gate = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  thread ??= startThread();
  thread.postMessage({ bytes, gate, port: port2 } satisfies Task, [port2]);
  Atomics.wait(gate, 0, 0, timeoutMs);
  const answer = answerIn(port1);
  port1.close();
  if (answer === undefined) {
    thread.terminate().catch(() => undefined);
    thread = undefined;
    throw new SourceFailure('content', `expected a workbook that is read in ${timeoutMs} ms`);
  }
  if ('failure' in answer) throw new SourceFailure('content', answer.failure);
  if ('fault' in answer) throw answer.fault;
  return answer.sheets;
}

/** Why the cast is safe: only `workbook-worker.ts` has the other end of the port. */
function answerIn(port: MessagePort): Answer | undefined {
  return receiveMessageOnPort(port)?.message as Answer | undefined;
}
