import type { IncomingRecords } from './batch.ts';
import type { IncomingRecord } from './record.ts';

/** All records as a list; of more than `limit` all of them too, of which the rest is read only once. */
export async function readAhead(
  records: IncomingRecords,
  limit: number,
): Promise<readonly IncomingRecord[] | AsyncIterable<IncomingRecord>> {
  const reading = toAsync(records);
  const kept: IncomingRecord[] = [];
  for (;;) {
    const { value, done = false } = await reading.next();
    if (done) return kept;
    kept.push(value);
    if (kept.length > limit) return joined(kept, reading);
  }
}

async function* toAsync(records: IncomingRecords): AsyncGenerator<IncomingRecord, undefined> {
  yield* records;
}

async function* joined(kept: readonly IncomingRecord[], rest: AsyncIterable<IncomingRecord>) {
  yield* kept;
  yield* rest;
}
