import { workerData } from 'node:worker_threads';
import { SourceFailure } from '../app/ports.ts';
import { sheetsOf } from './workbook.ts';
import type { Answer, Task } from './workbook-thread.ts';

/** The other side of `readSheets`, which is the only one that starts this file. */
const { bytes, gate, port } = workerData as Task;

function answer(): Answer {
  try {
    return { sheets: sheetsOf(bytes) };
  } catch (error) {
    return error instanceof SourceFailure ? { failure: error.message } : { fault: error };
  }
}

port.postMessage(answer());
Atomics.store(gate, 0, 1);
Atomics.notify(gate, 0);
