import { describe, expect, test } from 'vitest';
import { type CapturedRate, type HistoryOptions, VesfxError } from '../../src/client/vesfx.ts';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { iso, quote } from '../harness/make.ts';
import { START, startTestService } from '../harness/service.ts';
import { watchedClient } from './watched.ts';

/** Midnight of the day on which the clock stands. */
const TODAY = START - 12 * 3_600_000;

/** Captures of `parallel`, a second apart, on a day counted back from today. */
function captures(daysAgo: number, count: number): object[] {
  const first = TODAY - daysAgo * DAY_MS;
  return Array.from({ length: count }, (_, position) => {
    const at = iso(first + position * 1_000);
    return quote('parallel', (10_000 + position) / 10_000, { updated_at: at, captured_at: at });
  });
}

async function serving(records: readonly object[], plan = 'Inicio') {
  const service = await startTestService();
  for (let from = 0; from < records.length; from += 10_000) {
    await service.push(...records.slice(from, from + 10_000));
  }
  const key = await service.keyFor(plan);
  const { vesfx, seen } = watchedClient({ baseUrl: service.url, key });
  return {
    vesfx,
    seen,
    all: (options?: HistoryOptions) => Array.fromAsync(vesfx.history('parallel', options)),
  };
}

/** The service's history of the records, as points. */
function pointsOf(records: readonly object[]): CapturedRate[] {
  return records.map((record) => {
    const { mid, captured_at } = record as { mid: number; captured_at: string };
    return { date: captured_at.slice(0, 10), rate: mid, updated_at: captured_at, captured_at };
  });
}

describe('iteration over history', () => {
  test('reads a daily series in one request, oldest first', async () => {
    const records = [...captures(3, 2), ...captures(1, 2)];
    const { all, seen } = await serving(records);
    expect(await all()).toEqual(pointsOf(records.filter((_, position) => position % 2 === 1)));
    expect(seen).toHaveLength(1);
  });

  test('reads 5,000 raw points in one request and 5,001 in windows, all of them', async () => {
    const records = [...captures(4, 1), ...captures(2, 2_500), ...captures(1, 2_500)];
    const whole = await serving(records.slice(1));
    expect(await whole.all({ granularity: 'raw' })).toEqual(pointsOf(records.slice(1)));
    expect(whole.seen).toHaveLength(1);
    const cut = await serving(records);
    expect(await cut.all({ granularity: 'raw' })).toEqual(pointsOf(records));
    expect(cut.seen.length).toBeGreaterThan(1);
  });

  test('reads a long series whole, in order, each point once, through gaps and busy days', async () => {
    // Captures at one instant stay apart: they are of different rates.
    const twins = captures(3, 200).map((record) => ({ ...record, mid: 7 }));
    const records = [
      ...captures(29, 3),
      ...captures(15, 4_999),
      ...captures(14, 5_000),
      ...captures(13, 10),
      ...captures(3, 200),
      ...twins,
      ...captures(2, 4_800),
      ...captures(0, 3_000),
    ];
    const { all, seen } = await serving(records);
    const points = await all({ granularity: 'raw' });
    const key = ({ captured_at, rate }: CapturedRate) => `${captured_at} ${rate}`;
    expect(points.map(key).sort()).toEqual(pointsOf(records).map(key).sort());
    const times = points.map((point) => point.captured_at);
    expect(times).toEqual([...times].sort());
    // Each costs a unit: two to find the length, and about ten windows for 18,000 points.
    expect(seen.length).toBeLessThan(15);
  });

  test('stays within from and to', async () => {
    const records = [...captures(6, 3_000), ...captures(5, 3_000), ...captures(4, 3_000)];
    const { all } = await serving(records);
    const range = { from: '2026-11-16', to: '2026-11-17', granularity: 'raw' } as const;
    expect(await all(range)).toEqual(pointsOf(records.slice(3_000)));
  });

  test('ends with an error, not a gap, at a day with more points than an answer can have', async () => {
    const { vesfx } = await serving([...captures(2, 5), ...captures(1, 5_001)]);
    const points: CapturedRate[] = [];
    const failing = (async () => {
      for await (const point of vesfx.history('parallel', { granularity: 'raw' })) {
        points.push(point);
      }
    })();
    await expect(failing).rejects.toMatchObject({
      code: 'history_incomplete',
      details: { date: '2026-11-20', max: 5_000 },
    });
    expect(points).toHaveLength(5);
  });

  test('requests nothing before the first point is read, nor after the last one', async () => {
    const { vesfx, seen } = await serving([...captures(2, 3_000), ...captures(1, 3_000)]);
    const series = vesfx.history('parallel', { granularity: 'raw' });
    expect(seen).toHaveLength(0);
    for await (const _ of series) break;
    const asked = seen.length;
    expect(await series.next()).toEqual({ done: true, value: undefined });
    expect(seen).toHaveLength(asked);
  });

  test('throws the error of the service, and an empty series is no error', async () => {
    const { all } = await serving([], 'Gratis');
    expect(await all({ granularity: 'raw' })).toEqual([]);
    const refused = await all({ from: '2026-01-01' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(VesfxError);
    expect(refused).toMatchObject({ code: 'history_out_of_retention' });
  });
});
