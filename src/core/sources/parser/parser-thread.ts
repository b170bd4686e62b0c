import { parentPort } from 'node:worker_threads';
import { SourceFailure } from '../../app/failures.ts';
import type { ParseCall, ParseMessage } from './parser-pool.ts';
import { yieldToAnswers } from './priority.ts';

yieldToAnswers();

/** The code of the thread. Only `ParserPool` starts this file, and sends one call at a time. */
const post = (message: ParseMessage) => parentPort?.postMessage(message);

parentPort?.on('message', async (call: ParseCall) => {
  try {
    const exported: Readonly<Record<string, unknown>> = await import(call.module);
    const work = exported[call.name];
    if (typeof work !== 'function') throw new Error(`${call.module} has no ${call.name}.`);
    post({ kind: 'loaded' });
    post({ kind: 'result', value: work(...call.args) });
  } catch (error) {
    if (error instanceof SourceFailure) post({ kind: 'failure', message: error.message });
    else post({ kind: 'fault', error });
  }
});
