import { describe, expect, test } from 'vitest';
import { ingestInMemory } from '../faults/replay/desk.ts';
import { recordsIn } from '../src/core/app/ingest/ndjson.ts';
import { iso, official, quote } from './harness/make.ts';
import { START } from './harness/service.ts';

/* A file of more quotes than are judged together (contract §8). */

const MINUTE = 60_000;
const PART = 20_000;
const COUNT = PART + 2_000;
const FIRST = START - COUNT * MINUTE;

const line = (place: number, mid = 1_000 + (place % 7)) => {
  const at = iso(FIRST + place * MINUTE);
  return JSON.stringify(quote('parallel', mid, { captured_at: at, updated_at: at }));
};

/** The lines of a file, with other figures at some places. */
const file = (others: Readonly<Record<number, number>> = {}) =>
  Array.from({ length: COUNT }, (_, place) => line(place, others[place]));

async function importing() {
  const { store, ingest } = ingestInMemory(() => START);
  const rate = official('2026-01-02', { USD: 800, EUR: 920 }, { captured_at: iso(FIRST) });
  await ingest.ingest(recordsIn([JSON.stringify(rate)]), { source: 'operator', trust: true });
  const bad: string[] = [];
  const push = (lines: readonly string[]) =>
    ingest.ingest(recordsIn(lines), {
      source: 'operator',
      tell: ({ bad: one }) => void (one && bad.push(`${one.line}: ${one.reason}`)),
    });
  const current = () => store.captures.get('parallel')?.at(-1);
  return { push, store, bad, current };
}

describe('a file of more quotes than are judged together (contract §8)', () => {
  test('is judged in parts, as one', async () => {
    const { push, store, current } = await importing();
    const jump = Object.fromEntries(
      Array.from({ length: COUNT - PART + 5 }, (_, place) => [PART - 5 + place, 1_900]),
    );
    expect(await push(file(jump))).toEqual({ accepted: COUNT, held: 0, refused: 0, duplicate: 0 });
    expect(current()?.mid).toBe(1_900);
    // Held in the first part, and released in the second.
    expect(store.captures.get('parallel')).toHaveLength(COUNT);
    expect(await store.listHeld('held', 10)).toEqual([]);
  });

  test('keeps what is held in the first part', async () => {
    const { push, store } = await importing();
    const counts = await push(file({ [PART - 1]: 1_900 }));
    expect(counts).toEqual({ accepted: COUNT - 1, held: 1, refused: 0, duplicate: 0 });
    expect(await store.listHeld('held', 10)).toMatchObject([{ reason: 'moved', counts: false }]);
  });

  test('is refused when a part begins before the end of the last one, and nothing is stored', async () => {
    const { push, bad, current } = await importing();
    const lines = file();
    lines[PART] = line(PART - 3);
    expect(await push(lines)).toEqual({ accepted: 0, held: 0, refused: 1, duplicate: 0 });
    expect(bad.join()).toContain(`${PART + 1}: older than quotes of lines before it`);
    expect(current()).toBeUndefined();
  });
});
