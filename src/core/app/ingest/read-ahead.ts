import type { IncomingRecords, IngestOptions } from './batch.ts';
import type { IncomingRecord } from './record.ts';

/** Records of a batch: all of them, or the first ones and all of them once more with the rest. */
export interface ReadAhead {
  readonly kept: readonly IncomingRecord[];
  /** All records, of which those that are not kept are read only once; undefined if all are kept. */
  readonly all: AsyncIterable<IncomingRecord> | undefined;
}

/** Reads up to `limit` records, and one more to see whether it is the last. */
export async function readAhead(records: IncomingRecords, limit: number): Promise<ReadAhead> {
  const reading = toAsync(records);
  const kept: IncomingRecord[] = [];
  for (;;) {
    const { value, done = false } = await reading.next();
    if (done) return { kept, all: undefined };
    kept.push(value);
    if (kept.length > limit) return { kept, all: joined(kept, reading) };
  }
}

async function* toAsync(records: IncomingRecords): AsyncGenerator<IncomingRecord, undefined> {
  yield* records;
}

async function* joined(kept: readonly IncomingRecord[], rest: AsyncIterable<IncomingRecord>) {
  yield* kept;
  yield* rest;
}

/** The same options, whose calls are made by `tell`: what is judged again is told once. */
export function toldOnce(options: IngestOptions): {
  readonly options: IngestOptions;
  tell(): void;
} {
  const calls: (() => void)[] = [];
  const later =
    <Told>(call: ((told: Told) => void) | undefined) =>
    (told: Told) =>
      void calls.push(() => call?.(told));
  return {
    options: {
      ...options,
      onBadLine: later(options.onBadLine),
      onContradiction: later(options.onContradiction),
      onHeld: later(options.onHeld),
      onPassedOver: later(options.onPassedOver),
    },
    tell: () => {
      for (const call of calls) call();
    },
  };
}
