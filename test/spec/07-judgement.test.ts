import { describe, expect, test } from 'vitest';
import type { IngestCounts, IngestOptions } from '../../src/app/ingest/ingest.ts';
import { MAX_HELD_PER_BATCH } from '../../src/app/ingest/judge.ts';
import { bankTable, iso, official, quote } from '../harness/make.ts';
import { START, startTestService } from '../harness/service.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const ACCEPTED = { accepted: 1, held: 0, refused: 0, duplicate: 0 };
const HELD = { accepted: 0, held: 1, refused: 0, duplicate: 0 };

/** A service with one good quote, read when it started, and readings to follow. */
async function reading() {
  const service = await startTestService();
  const key = await service.keyFor('Escala');
  const { ingest, store, changePoller } = service.service;
  await service.push(quote('parallel', 1_000));

  async function ingestAll(
    records: readonly object[],
    options: Partial<IngestOptions> = {},
  ): Promise<IngestCounts> {
    const bad: string[] = [];
    const lines = records.map((record) => JSON.stringify(record));
    const counts = await ingest.ingest(lines, {
      source: 'yadio',
      onBadLine: ({ reason }) => bad.push(reason),
      ...options,
    });
    if (bad.length > 0) throw new Error(bad.join('; '));
    await changePoller.poll();
    return counts;
  }

  return {
    service,
    store,
    ingest,
    ingestAll,
    /** Reads `mid` of the market at so many minutes after the start. */
    async read(mid: number, minutes = 0, { market = 'parallel', source = 'yadio' } = {}) {
      const at = START + minutes * MINUTE;
      service.clock.set(at);
      const record = { kind: 'quote', market, mid, updated_at: iso(at), captured_at: iso(at) };
      return ingestAll([record], { source });
    },
    mid: async (market = 'parallel') =>
      (await service.call(`/v1/fx/rates/${market}`, { key })).json.mid,
    get: async (path: string) => (await service.call(`/v1/fx/${path}`, { key })).json,
    held: async () => store.listHeld('held', 100),
  };
}

describe('judgement of quotes', () => {
  test.each([
    ['up', 1_300, 1_300.00000001],
    ['down', 700, 699.99999999],
  ])('a quote may move by 30 percent %s, not by more', async (_, within, beyond) => {
    const first = await reading();
    expect(await first.read(within, 1)).toEqual(ACCEPTED);
    expect(await first.mid()).toBe(within);
    const second = await reading();
    expect(await second.read(beyond, 1)).toEqual(HELD);
    expect(await second.mid()).toBe(1_000);
    expect(await second.held()).toMatchObject([
      { source: 'yadio', subject: 'parallel', reason: 'moved', record: { mid: beyond } },
    ]);
  });

  test.each([
    ['up', 880, 880.00000001],
    ['down', 720, 719.99999999],
  ])('an official rate may move by 10 percent %s, not by more', async (_, within, beyond) => {
    const next = (USD: number) => official('2026-11-23', { USD }, { captured_at: iso(START + 1) });
    const { service, ingestAll } = await reading();
    service.clock.advance(1);
    await service.push(official('2026-11-20', { USD: 800 }));
    expect(await ingestAll([next(beyond)])).toEqual(HELD);
    expect(await ingestAll([next(within)])).toEqual(ACCEPTED);
  });

  test('the first quote of a market has nothing to be compared with', async () => {
    const { read } = await reading();
    expect(await read(1e-7, 0, { market: 'cash' })).toEqual(ACCEPTED);
    expect(await read(1e7, 1, { market: 'cash' })).toEqual(HELD);
  });

  test('a held quote changes neither the snapshot nor its time; the last good one ages', async () => {
    const { service, read, get } = await reading();
    const before = await get('rates');
    expect(await read(5_000, 121)).toEqual(HELD);
    service.clock.set(START + 121 * MINUTE);
    const after = await get('rates');
    expect([after.fetched_at, after.rates]).toEqual([before.fetched_at, before.rates]);
    const converted = await get('convert?from=USD&to=VES&amount=1&via=parallel');
    expect(converted).toMatchObject({ stale: true, rate: 1_000, staleness_sec: 121 * 60 });
  });

  test('the operator has looked: trust accepts what would be held', async () => {
    const { ingestAll, mid } = await reading();
    const record = quote('parallel', 5_000, { captured_at: iso(START + 1) });
    expect(await ingestAll([record], { trust: true })).toEqual(ACCEPTED);
    expect(await mid()).toBe(5_000);
  });

  test('a dry run counts what it would hold and holds nothing', async () => {
    const { ingestAll, held } = await reading();
    expect(await ingestAll([quote('parallel', 5_000)], { dryRun: true })).toEqual(HELD);
    expect(await held()).toEqual([]);
  });

  test('three consecutive readings over ten minutes that agree are published, all of them', async () => {
    const { read, mid, held, get } = await reading();
    expect(await read(2_000, 1)).toEqual(HELD);
    expect(await read(2_010, 6)).toEqual(HELD);
    expect(await read(2_020, 10.99)).toEqual(HELD);
    expect(await mid()).toBe(1_000);
    expect(await read(2_030, 11)).toEqual(ACCEPTED);
    expect(await mid()).toBe(2_030);
    expect(await held()).toEqual([]);
    const { points } = await get('rates/parallel/history?granularity=raw');
    expect(points.map(({ rate }: { rate: number }) => rate)).toEqual([
      1_000, 2_000, 2_010, 2_020, 2_030,
    ]);
  });

  test('a quote without a time of its own is as old as the first reading of it, held or not', async () => {
    const { service, ingestAll, get } = await reading();
    const seen = (minutes: number, mid: number, options: Partial<IngestOptions> = {}) => {
      service.clock.set(START + minutes * MINUTE);
      const captured_at = iso(START + minutes * MINUTE);
      return ingestAll([{ kind: 'quote', market: 'parallel', mid, captured_at }], options);
    };
    await seen(1, 2_000);
    for (const minutes of [2, 7, 12, 13]) await seen(minutes, 2_100);
    expect(await get('rates/parallel')).toMatchObject({
      mid: 2_100,
      updated_at: iso(START + 2 * MINUTE),
    });
    // What stands between two readings of the last good one is not published, and makes it no newer.
    await seen(14, 9_000);
    await seen(15, 2_100, { source: 'other' });
    expect((await get('rates/parallel')).updated_at).toBe(iso(START + 2 * MINUTE));
    // Nor is what was held before the last good one of account for what follows it.
    await seen(16, 9_000, { source: 'other', trust: true });
    expect((await get('rates/parallel')).updated_at).toBe(iso(START + 16 * MINUTE));
  });

  test('two readings over ten minutes are not enough', async () => {
    const { read, mid } = await reading();
    expect(await read(2_000, 1)).toEqual(HELD);
    expect(await read(2_000, 15)).toEqual(HELD);
    expect(await mid()).toBe(1_000);
  });

  test('a good reading in between starts the count anew, and what was held stays held', async () => {
    const { read, mid, held } = await reading();
    for (const minute of [1, 11, 21, 31]) {
      expect(await read(2_000, minute)).toEqual(HELD);
      expect(await read(1_001, minute + 5)).toEqual(ACCEPTED);
    }
    expect(await mid()).toBe(1_001);
    expect(await held()).toHaveLength(4);
  });

  test('a second source that agrees within 10 percent lets both pass', async () => {
    const { read, mid, held } = await reading();
    expect(await read(2_000, 1)).toEqual(HELD);
    expect(await read(2_201, 2, { source: 'dolarapi' })).toEqual(HELD);
    expect(await read(2_199, 3, { source: 'dolarapi' })).toEqual(ACCEPTED);
    expect(await mid()).toBe(2_199);
    expect((await held()).map(({ record }) => record['mid'])).not.toContain(2_000);
  });

  test('readings of one file confirm each other as they would one by one', async () => {
    const { ingestAll, mid } = await reading();
    const at = (minutes: number, rate: number) =>
      quote('parallel', rate, { captured_at: iso(START + (minutes - 30) * MINUTE) });
    const jump = [at(0, 2_000), at(5, 2_000), at(10, 2_000)];
    const { service } = await reading();
    await service.push(quote('cash', 1));
    expect(await ingestAll(jump)).toEqual({ accepted: 3, held: 0, refused: 0, duplicate: 0 });
    // The newest capture is still the one that was there.
    expect(await mid()).toBe(1_000);
  });

  test('a record from before is compared with what was known at its time', async () => {
    const { service, ingestAll } = await reading();
    const at = (days: number, rate: number) =>
      quote('cash', rate, { captured_at: iso(START - days * DAY) });
    await service.push(at(30, 100), at(10, 500));
    expect(await ingestAll([at(20, 120)])).toEqual(ACCEPTED);
    expect(await ingestAll([at(9, 120)])).toEqual(HELD);
  });

  test('a file that goes back in time is judged from line to line', async () => {
    const { ingestAll } = await reading();
    const at = (days: number, rate: number) =>
      quote('cash', rate, { captured_at: iso(START - days * DAY) });
    const file = [at(1, 500), at(2, 400), at(3, 4_000), at(4, 320)];
    expect(await ingestAll(file)).toEqual({ accepted: 3, held: 1, refused: 0, duplicate: 0 });
  });

  test(`a batch of more than ${MAX_HELD_PER_BATCH} records in doubt is refused`, async () => {
    const { ingestAll, held } = await reading();
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        quote('parallel', 5_000 + index, { captured_at: iso(START + index) }),
      );
    await expect(ingestAll(many(MAX_HELD_PER_BATCH + 1))).rejects.toThrow('1000 records');
    expect(await held()).toEqual([]);
    expect(await ingestAll(many(MAX_HELD_PER_BATCH))).toMatchObject({ held: MAX_HELD_PER_BATCH });
  });
});

describe('judgement of the central bank', () => {
  async function published() {
    const found = await reading();
    await found.service.push(
      official('2026-11-23', { USD: 800, EUR: 920, CNY: 110 }),
      bankTable(
        '2026-11-20',
        [1, 2, 3, 4].map((bank) => ({ bank: `B${bank}`, buy: 1, sell: 2 })),
      ),
    );
    found.service.clock.advance(MINUTE);
    return found;
  }
  const next = (valueDate: string, rates: object) =>
    official(valueDate, rates, { captured_at: iso(START + MINUTE) });
  const whole = { USD: 801, EUR: 921, CNY: 111 };

  test('a value date that goes back is held, the same one is not', async () => {
    const { ingestAll, held } = await published();
    expect(await ingestAll([next('2026-11-20', whole)])).toEqual(HELD);
    expect(await ingestAll([next('2026-11-23', whole)])).toEqual(ACCEPTED);
    expect((await held()).map(({ reason }) => reason)).toEqual(['date_back']);
  });

  test('of two publications read at once neither goes back', async () => {
    const { ingestAll } = await published();
    const both = [next('2026-11-24', whole), next('2026-11-23', whole)];
    expect(await ingestAll(both)).toEqual({ ...ACCEPTED, accepted: 2 });
  });

  test('a value date 10 days ahead is accepted, 11 days ahead is held', async () => {
    const { ingestAll } = await published();
    expect(await ingestAll([next('2026-12-02', whole)])).toEqual(HELD);
    expect(await ingestAll([next('2026-12-01', whole)])).toEqual(ACCEPTED);
  });

  test('a currency that vanished is held, until three readings say so', async () => {
    const { service, ingestAll, get } = await published();
    const without = (minutes: number) => {
      service.clock.set(START + minutes * MINUTE);
      const captured_at = iso(START + minutes * MINUTE);
      return ingestAll([official('2026-11-24', { USD: 801, EUR: 921 }, { captured_at })]);
    };
    expect(await without(1)).toEqual(HELD);
    expect(await without(6)).toEqual(HELD);
    expect((await get('bcv/currencies')).rates).toHaveProperty('CNY');
    expect(await without(11)).toEqual(ACCEPTED);
    expect((await get('bcv/currencies')).rates).not.toHaveProperty('CNY');
    expect(await without(16)).toEqual(ACCEPTED);
  });

  test('a currency that comes back is compared with its last rate, however long it was away', async () => {
    const { service, ingestAll } = await published();
    const read = (minutes: number, rates: object) => {
      service.clock.set(START + minutes * MINUTE);
      return ingestAll([
        official('2026-11-24', rates, { captured_at: iso(START + minutes * MINUTE) }),
      ]);
    };
    for (const minutes of [1, 6, 11]) await read(minutes, { USD: 801, EUR: 921 });
    expect(await read(16, { ...whole, CNY: 110_000 })).toEqual(HELD);
    expect(await read(17, { ...whole, CNY: 121 })).toEqual(ACCEPTED);
  });

  test('a publication is compared with newer rates that came as quotes, also of one batch', async () => {
    const { ingestAll } = await published();
    const newer = quote('reference', 8_000, {
      effective_date: '2026-11-24',
      captured_at: iso(START + MINUTE),
    });
    expect(await ingestAll([newer], { trust: true })).toEqual(ACCEPTED);
    expect(await ingestAll([next('2026-11-24', whole)])).toEqual(HELD);
    const publication = next('2026-11-25', { ...whole, USD: 8_001 });
    const slip = quote('reference', 801, {
      effective_date: '2026-11-25',
      captured_at: iso(START + MINUTE),
    });
    const both = await ingestAll([publication, slip]);
    expect(both).toEqual({ ...ACCEPTED, held: 1 });
  });

  test('half the rows of the last bank table are accepted, fewer are held', async () => {
    const { ingestAll } = await published();
    const rows = (count: number) =>
      bankTable(
        '2026-11-20',
        Array.from({ length: count }, (_, bank) => ({ bank: `B${bank}`, buy: 1, sell: 2 })),
        { captured_at: iso(START + MINUTE) },
      );
    expect(await ingestAll([rows(1)])).toEqual(HELD);
    expect(await ingestAll([rows(2)])).toEqual(ACCEPTED);
  });

  test('a quote of an official market is judged like a publication', async () => {
    const { ingestAll } = await published();
    const rate = (mid: number) =>
      quote('reference', mid, {
        effective_date: '2026-11-24',
        captured_at: iso(START + MINUTE),
      });
    expect(await ingestAll([rate(881)])).toEqual(HELD);
    expect(await ingestAll([rate(880)])).toEqual(ACCEPTED);
  });

  test('only new value dates: a rate that is there is never overwritten', async () => {
    const { ingestAll, get } = await published();
    const archive = { source: 'bcv-archive', onlyNewValueDates: true };
    const known = next('2026-11-23', whole);
    expect(await ingestAll([known], archive)).toEqual({ ...ACCEPTED, accepted: 0, duplicate: 1 });
    const more = next('2026-11-23', { ...whole, RUB: 11 });
    expect(await ingestAll([more], archive)).toEqual(ACCEPTED);
    const { rates } = await get('official');
    expect([rates.USD.next.rate, rates.RUB.next.rate]).toEqual([800, 11]);
  });
});

describe('decisions of the operator', () => {
  test('a released record is published with the time it was read, and only once', async () => {
    const { ingest, read, held, mid, store, service } = await reading();
    await read(5_000, 3);
    service.clock.set(START + 9 * MINUTE);
    const [record] = await held();
    expect(await ingest.release(record?.id ?? '')).toBe('held');
    await service.service.changePoller.poll();
    expect(await mid()).toBe(5_000);
    const captured = await store.lastCaptureBefore('parallel', START + DAY);
    expect(captured?.capturedAt).toBe(START + 3 * MINUTE);
    expect(await ingest.release(record?.id ?? '')).toBe('released');
    expect(await ingest.release('unknown')).toBeUndefined();
    // What follows is compared with what was released.
    expect(await read(5_010, 10)).toEqual(ACCEPTED);
  });

  test('a rejected record never counts again', async () => {
    const { read, held, store, mid } = await reading();
    await read(2_000, 1);
    const [record] = await held();
    expect(await store.rejectHeld(record?.id ?? '')).toBe(true);
    expect(await read(2_000, 6)).toEqual(HELD);
    expect(await read(2_000, 11)).toEqual(HELD);
    expect(await mid()).toBe(1_000);
    expect(await read(2_000, 16)).toEqual(ACCEPTED);
  });
});
