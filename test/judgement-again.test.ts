import { describe, expect, test } from 'vitest';
import { ingestOf } from '../faults/replay/desk.ts';
import { MemoryStore } from '../faults/replay/memory-store.ts';
import { StoreBusy } from '../src/core/app/failures.ts';
import { type IngestOptions, MAX_JUDGED_QUOTES } from '../src/core/app/ingest/batch.ts';
import { recordsIn } from '../src/core/app/ingest/ndjson.ts';
import type { IngestStore } from '../src/core/app/ports/ingest-store.ts';
import { MINUTE_MS } from '../src/core/domain/time.ts';
import { iso, official, quote } from './harness/make.ts';
import { START } from './harness/service.ts';

/* Batches beside another process that stores records (contract §8). */

const judgeOf = (store: IngestStore) => ingestOf(store, () => START);

const reading = (minutes: number, mid: number, market = 'parallel') => {
  const at = iso(START + minutes * MINUTE_MS);
  return JSON.stringify(quote(market, mid, { captured_at: at, updated_at: at }));
};

/** A store in which another process stores something each time that a batch has read what there is. */
class BusyStore extends MemoryStore {
  readonly #other = judgeOf(this);
  #isOther = false;
  /** Times that the other one may still store. */
  left = 0;
  begun = 0;
  isLocked = false;
  /** Writes that the database repeats after a conflict. */
  conflicts = 0;

  override async appendBatch(...given: Parameters<MemoryStore['appendBatch']>) {
    if (!this.isLocked || this.conflicts === 0) return super.appendBatch(...given);
    this.conflicts -= 1;
    for await (const _entry of given[1]);
    throw new Error('a conflict');
  }

  override async currentRecords() {
    const current = await super.currentRecords();
    if (this.#isOther) return current;
    this.begun += 1;
    if (this.left === 0 || this.isLocked) return current;
    this.left -= 1;
    this.#isOther = true;
    const next = reading(-60 + this.begun, 1_000 + this.begun, 'binance');
    await this.#other.ingest(recordsIn([next]), { source: 'others' });
    this.#isOther = false;
    return current;
  }

  override async writeTogether<T>(
    _lease: unknown,
    work: (store: IngestStore) => Promise<T>,
  ): Promise<T> {
    this.isLocked = true;
    while (this.conflicts > 0) await work(this).catch(() => undefined);
    return work(this).finally(() => {
      this.isLocked = false;
    });
  }
}

async function besideAnother(left: number) {
  const store = new BusyStore();
  const judge = judgeOf(store);
  const trusted = { source: 'operator', trust: true };
  const rate = official('2026-11-20', { USD: 800, EUR: 920 }, { captured_at: iso(START - 1e9) });
  const first = [JSON.stringify(rate), reading(-61, 1_000)];
  await judge.ingest(recordsIn(first), trusted);
  Object.assign(store, { left, begun: 0 });
  const told: string[] = [];
  const push = (lines: Iterable<string>, options: Partial<IngestOptions> = {}) =>
    judge.ingest(recordsIn(lines), {
      source: 'operator',
      tell: ({ held, bad }) => told.push(held?.[0]?.reason ?? bad?.reason ?? ''),
      ...options,
    });
  return { store, push, told };
}

/** Too many quotes to be judged together. */
function* large(from: number) {
  for (let place = 0; place <= MAX_JUDGED_QUOTES; place += 1) yield reading(from + place, 1_000);
}

const ALL = MAX_JUDGED_QUOTES + 1;

describe('a batch while another process stores records (contract §8)', () => {
  test.each([
    [0, 1],
    [1, 2],
    [2, 2],
  ])('that does so %s times: it is judged %s times, stored, and told once', async (left, times) => {
    const { store, push, told } = await besideAnother(left);
    const counts = await push([reading(-1, 1_900), reading(0, 1_010)]);
    expect(counts).toEqual({ accepted: 1, held: 1, refused: 0, duplicate: 0 });
    expect(store.begun).toBe(times);
    expect(told).toEqual(['moved']);
    expect(store.captures.get('parallel')?.at(-1)?.mid).toBe(1_010);
    expect(store.captures.get('binance') ?? []).toHaveLength(Math.min(left, 1));
  });

  test('of which the database repeats the write after a conflict: it is told once', async () => {
    const { store, push, told } = await besideAnother(1);
    store.conflicts = 2;
    const counts = await push([reading(-1, 1_900), reading(0, 1_010)]);
    expect(counts).toEqual({ accepted: 1, held: 1, refused: 0, duplicate: 0 });
    expect([store.conflicts, told]).toEqual([0, ['moved']]);
  });

  test('with a refused line: it is told once, and nothing is stored', async () => {
    const { push, told, store } = await besideAnother(2);
    expect(await push([reading(0, 1_010), '{'])).toMatchObject({ accepted: 0, refused: 1 });
    expect(told).toHaveLength(1);
    expect(store.captures.get('parallel')).toHaveLength(1);
  });

  test('a file of more quotes than are judged together, all of the past, is stored, and changes nothing of now', async () => {
    const { store, push } = await besideAnother(1);
    expect(await push(large(-30_000))).toMatchObject({ accepted: ALL });
    expect(store.memories.get('binance')?.published?.mid).toBe(1_001);
    expect(store.captures.get('parallel')?.at(-1)?.mid).toBe(1_000);
  });

  test('such a file with --trust is stored, and what was known is known after it', async () => {
    const { store, push } = await besideAnother(1);
    const counts = { accepted: ALL - 1, duplicate: 1 };
    expect(await push(large(-ALL), { trust: true })).toMatchObject(counts);
    expect(await push([reading(0, 1_900)])).toMatchObject({ held: 1 });
    expect(store.memories.get('binance')?.published?.mid).toBe(1_001);
  });

  test('such a file of news is refused as while the database is busy, and nothing of it is stored', async () => {
    const { store, push } = await besideAnother(1);
    const seconds = function* () {
      for (let place = 0; place <= MAX_JUDGED_QUOTES; place += 1) {
        const at = iso(START - 50 * MINUTE_MS + place * 100);
        yield JSON.stringify(quote('parallel', 1_000, { captured_at: at, updated_at: at }));
      }
    };
    const refused = push(seconds());
    await expect(refused).rejects.toThrow(StoreBusy);
    await expect(refused).rejects.toThrow('nothing of this file was stored');
    expect(store.captures.get('parallel')).toHaveLength(1);
  });
});
