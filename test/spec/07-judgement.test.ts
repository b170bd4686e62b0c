import { describe, expect, test } from 'vitest';
import type { IngestOptions } from '../../src/core/app/ingest/batch.ts';
import { MAX_HELD_PER_BATCH } from '../../src/core/app/ingest/publications/judged-publications.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/domain/time.ts';
import { ACCEPTED, HELD, judgingMarket } from '../harness/judging.ts';
import { iso, quote } from '../harness/make.ts';
import { START } from '../harness/service.ts';

describe('the last quote', () => {
  test.each([
    ['up', 1_300, 1_300.00000001],
    ['down', 769.23076924, 769.23076922],
  ])(
    'contract §8: a ratio of exactly 1.3 to the last quote passes %s, and a larger one is held',
    async (_, within, beyond) => {
      const first = await judgingMarket();
      expect(await first.read(within, 1)).toEqual(ACCEPTED);
      expect(await first.mid()).toBe(within);
      const second = await judgingMarket();
      expect(await second.read(beyond, 1)).toEqual(HELD);
      expect(await second.mid()).toBe(1_000);
      expect(await second.held()).toMatchObject([
        { source: 'yadio', subject: 'parallel', reason: 'moved', record: { mid: beyond } },
      ]);
    },
  );

  test('a held quote changes neither the snapshot nor its time, and the last good quote ages', async () => {
    const { service, read, get } = await judgingMarket();
    const before = await get('rates');
    expect(await read(5_000, 121)).toEqual(HELD);
    service.clock.set(START + 121 * MINUTE_MS);
    const after = await get('rates');
    expect([after.fetched_at, after.rates]).toEqual([before.fetched_at, before.rates]);
    const converted = await get('convert?from=USD&to=VES&amount=1&via=parallel');
    expect(converted).toMatchObject({ stale: true, rate: 1_000, staleness_sec: 121 * 60 });
  });

  test('trust accepts records that judgement would hold', async () => {
    const { ingestAll, mid } = await judgingMarket();
    const record = quote('parallel', 5_000, { captured_at: iso(START + 1) });
    expect(await ingestAll([record], { trust: true })).toEqual(ACCEPTED);
    expect(await mid()).toBe(5_000);
  });

  test('a dry run counts the records that it would hold and holds none', async () => {
    const { ingestAll, held } = await judgingMarket();
    expect(await ingestAll([quote('parallel', 5_000)], { dryRun: true })).toEqual(HELD);
    expect(await held()).toEqual([]);
  });

  test('three consecutive readings over ten minutes that agree are all published', async () => {
    const { read, mid, held, pastRates } = await judgingMarket();
    expect(await read(2_000, 1)).toEqual(HELD);
    expect(await read(2_010, 6)).toEqual(HELD);
    expect(await read(2_020, 10.99)).toEqual(HELD);
    expect(await mid()).toBe(1_000);
    expect(await read(2_030, 11)).toEqual(ACCEPTED);
    expect(await mid()).toBe(2_030);
    expect(await held()).toEqual([]);
    expect(await pastRates()).toEqual([1_000, 2_000, 2_010, 2_020, 2_030]);
  });

  test('a quote without source time is as old as its first reading, even a held one', async () => {
    const { service, ingestAll, get } = await judgingMarket();
    const seen = (minutes: number, mid: number, options: Partial<IngestOptions> = {}) => {
      service.clock.set(START + minutes * MINUTE_MS);
      const captured_at = iso(START + minutes * MINUTE_MS);
      return ingestAll([{ kind: 'quote', market: 'parallel', mid, captured_at }], options);
    };
    await seen(1, 2_000);
    for (const minutes of [2, 7, 12, 13]) await seen(minutes, 2_100);
    expect(await get('rates/parallel')).toMatchObject({
      mid: 2_100,
      updated_at: iso(START + 2 * MINUTE_MS),
    });
    // A bad reading between two equal good ones is not published and does not make them newer.
    await seen(14, 9_000);
    await seen(15, 2_100, { source: 'other' });
    expect((await get('rates/parallel')).updated_at).toBe(iso(START + 2 * MINUTE_MS));
    // Readings held before the last good one do not count for later readings.
    await seen(16, 9_000, { source: 'other', trust: true });
    expect((await get('rates/parallel')).updated_at).toBe(iso(START + 16 * MINUTE_MS));
  });

  test('a feed read every second is released after ten minutes too', async () => {
    const { ingestAll, mid, service } = await judgingMarket();
    service.clock.set(START + 11 * MINUTE_MS);
    const times = (second: number) => {
      const at = iso(START + MINUTE_MS + second * 1_000);
      return { updated_at: at, captured_at: at };
    };
    const feed = Array.from({ length: 600 }, (_, second) =>
      quote('parallel', 2_000 + (second % 5), times(second)),
    );
    expect(await ingestAll(feed)).toMatchObject({ accepted: 0, held: 600 });
    expect(await ingestAll([quote('parallel', 2_001, times(600))])).toEqual(ACCEPTED);
    expect(await mid()).toBe(2_001);
  });

  test('two readings over ten minutes do not release a quote', async () => {
    const { read, mid } = await judgingMarket();
    expect(await read(2_000, 1)).toEqual(HELD);
    expect(await read(2_000, 15)).toEqual(HELD);
    expect(await mid()).toBe(1_000);
  });

  test('a good reading in between restarts the count, and earlier held readings stay held', async () => {
    const { read, mid, held } = await judgingMarket();
    for (const minute of [1, 11, 21, 31]) {
      expect(await read(2_000, minute)).toEqual(HELD);
      expect(await read(1_001, minute + 5)).toEqual(ACCEPTED);
    }
    expect(await mid()).toBe(1_001);
    expect(await held()).toHaveLength(4);
  });

  test('a second source that agrees within 10 percent releases both readings', async () => {
    const { read, mid, held } = await judgingMarket();
    expect(await read(2_000, 1)).toEqual(HELD);
    expect(await read(2_201, 2, { source: 'dolarapi' })).toEqual(HELD);
    expect(await read(2_199, 3, { source: 'dolarapi' })).toEqual(ACCEPTED);
    expect(await mid()).toBe(2_199);
    expect((await held()).map(({ record }) => record['mid'])).not.toContain(2_000);
  });

  test(`a batch of more than ${MAX_HELD_PER_BATCH} doubtful records is refused`, async () => {
    const { ingestAll, held } = await judgingMarket();
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        quote('parallel', 5_000 + index, { captured_at: iso(START + index) }),
      );
    await expect(ingestAll(many(MAX_HELD_PER_BATCH + 1))).rejects.toThrow('1000 records');
    expect(await held()).toEqual([]);
    expect(await ingestAll(many(MAX_HELD_PER_BATCH))).toMatchObject({ held: MAX_HELD_PER_BATCH });
  });
});

describe('decisions of the operator', () => {
  test('a released record is published with the time it was read, and only once', async () => {
    const { ingest, read, held, mid, store, service } = await judgingMarket();
    await read(3_900, 3);
    service.clock.set(START + 9 * MINUTE_MS);
    const [record] = await held();
    expect(await ingest.release(record?.id ?? '')).toBe('held');
    await service.service.changePoller.poll();
    expect(await mid()).toBe(3_900);
    const captured = await store.lastCaptureBefore('parallel', START + DAY_MS);
    expect(captured?.capturedAt).toBe(START + 3 * MINUTE_MS);
    expect(await ingest.release(record?.id ?? '')).toBe('released');
    expect(await ingest.release('unknown')).toBeUndefined();
    // Later records are compared with the released one.
    expect(await read(3_910, 10)).toEqual(ACCEPTED);
  });
});
