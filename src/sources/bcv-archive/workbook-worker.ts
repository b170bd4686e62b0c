import { parentPort } from 'node:worker_threads';
import { SourceFailure } from '../../app/failures.ts';
import { sheetsOf } from './workbook.ts';
import type { Answer, Task } from './workbook-thread.ts';

/** The other side of `readSheets`, which is the only one that starts this file. */
parentPort?.on('message', ({ bytes, gate, port }: Task) => {
  port.postMessage(answerTo(bytes));
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
});

function answerTo(bytes: Uint8Array): Answer {
  try {
    return { sheets: sheetsOf(bytes) };
  } catch (error) {
    return error instanceof SourceFailure ? { failure: error.message } : { fault: error };
  }
}
