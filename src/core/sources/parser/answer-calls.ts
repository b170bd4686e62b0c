import { parentPort } from 'node:worker_threads';
import { SourceFailure } from '../../app/failures.ts';
import type { ParseCall, ParseMessage } from './parser-pool.ts';
import { yieldToAnswers } from './priority.ts';

type Functions = Readonly<Record<string, unknown>>;

/** Makes this thread one of a `ParserPool`, which sends one call at a time. */
export function answerCalls(load: () => Promise<Functions>): void {
  yieldToAnswers();
  const post = (message: ParseMessage) => parentPort?.postMessage(message);
  parentPort?.on('message', async (call: ParseCall) => {
    try {
      const work = (await load())[call.name];
      if (typeof work !== 'function') throw new Error(`The thread has no ${call.name}.`);
      post({ kind: 'loaded' });
      post({ kind: 'result', value: work(...call.args) });
    } catch (error) {
      if (error instanceof SourceFailure) post({ kind: 'failure', message: error.message });
      else post({ kind: 'fault', error });
    }
  });
}
