import { describe, expect, test } from 'vitest';
import { LeaseLost } from '../../src/core/app/failures.ts';
import type { SourceState } from '../../src/core/app/ports/collecting.ts';
import type { Settlement, Suspect } from '../../src/core/app/ports/held.ts';
import type { Entry } from '../../src/core/app/ports/records.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { day } from '../../testkit/day.ts';
import { append, ENGINES, quoteEntry, type Site, storeForEachTest } from './engines.ts';

const BYTES = new TextEncoder().encode('<html>Bs. 889,57540000</html>');

function suspect(given: Partial<Suspect> = {}): Suspect {
  return {
    subject: 'parallel',
    record: { kind: 'quote', market: 'parallel', mid: 2_000 },
    capturedAt: 5_000,
    reason: 'moved',
    message: 'mid moved',
    counts: true,
    ...given,
  };
}

describe.each(ENGINES)('collecting on $name', ({ create }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ site, store } = opened);
  });

  /** Stores entries in one batch, and settles what is held with it. */
  function settle(
    settlement: Settlement,
    {
      entries = [],
      receivedAt = 10_000,
      source = 'criptoya',
    }: { entries?: readonly Entry[]; receivedAt?: number; source?: string } = {},
  ) {
    return store.appendBatch({ source, receivedAt }, entries, () => settlement);
  }

  test('one process holds the lease until it expires or is released', async () => {
    const other = await site.open();
    const first = await store.takeLease('a', 1_000, 31_000);
    expect(first).toEqual({ holder: 'a', token: 1 });
    expect(await other.takeLease('b', 30_999, 60_999)).toBeUndefined();
    expect(await store.takeLease('a', 20_000, 50_000)).toEqual(first);
    expect(await other.takeLease('b', 49_999, 80_000)).toBeUndefined();
    const second = await other.takeLease('b', 50_000, 80_000);
    expect(second).toEqual({ holder: 'b', token: 2 });
    expect(await store.leaseEnd()).toBe(80_000);
    if (second !== undefined) await other.dropLease(second, 50_002);
    expect(await store.leaseEnd()).toBe(50_002);
    // The clock of the next holder may be behind.
    expect(await store.takeLease('a', 50_001, 80_001)).toEqual({ holder: 'a', token: 3 });
  });

  test('a lease taken with a clock far ahead does not stop other collectors', async () => {
    await store.takeLease('ahead', 1_000_000, 1_030_000);
    expect(await store.takeLease('b', 970_000, 1_000_000)).toBeUndefined();
    expect(await store.takeLease('b', 969_999, 999_999)).toEqual({ holder: 'b', token: 2 });
  });

  test('releasing a lease that another process has taken changes nothing', async () => {
    const lost = await store.takeLease('a', 1_000, 2_000);
    await store.takeLease('b', 2_000, 9_000);
    if (lost !== undefined) await store.dropLease(lost, 2_500);
    expect(await store.takeLease('a', 3_000, 9_000)).toBeUndefined();
  });

  test('a process that lost the lease cannot write a reading', async () => {
    const lost = await store.takeLease('a', 1_000, 2_000);
    if (lost === undefined) throw new Error('The lease was free.');
    const origin = { source: 'criptoya', receivedAt: 1_500, lease: lost };
    const state = { source: 'criptoya', consecutiveFailures: 0 };
    await store.appendBatch(origin, [quoteEntry()], () => ({}));
    await store.saveSourceState(state, lost);
    await store.takeLease('b', 2_000, 9_000);
    const late = store.appendBatch(origin, [quoteEntry({ mid: 2 })], () => ({}));
    await expect(late).rejects.toThrow(LeaseLost);
    await expect(store.saveSourceState(state, lost)).rejects.toThrow(LeaseLost);
    const reading = { source: 'criptoya', readAt: 1_500, bodies: [] };
    await expect(store.keepReading(reading, lost)).rejects.toThrow(LeaseLost);
    await expect(
      store.forgetBefore(1, { firstDay: day('1970-01-01'), lease: lost }),
    ).rejects.toThrow(LeaseLost);
    const onlyHeld = { hold: [suspect()] };
    await expect(store.appendBatch(origin, [], () => onlyHeld)).rejects.toThrow(LeaseLost);
    expect(await store.listHeld('held', 1)).toEqual([]);
    expect((await store.currentRecords(day('2026-11-20'))).version).toBe(1);
  });

  test('the state of a source is the last one saved', async () => {
    const state = {
      source: 'criptoya',
      lastAttemptAt: 1,
      consecutiveFailures: 2,
      failure: { reason: 'status', message: 'The answer was 500.' },
    } as const;
    await store.saveSourceState({ source: 'bcv-official', consecutiveFailures: 0 });
    await store.saveSourceState({ ...state, consecutiveFailures: 1 });
    await store.saveSourceState(state);
    const states = [...(await store.sourceStates())].sort((a, b) => (a.source < b.source ? 1 : -1));
    expect(states).toEqual([state, { source: 'bcv-official', consecutiveFailures: 0 }]);
  });

  test('each reading counts in its day in Caracas, until that day is deleted', async () => {
    const at = (text: string, given: Partial<SourceState> = {}): SourceState => {
      const lastAttemptAt = Date.parse(text);
      const times = { lastAttemptAt, lastSuccessAt: lastAttemptAt, lastChangeAt: lastAttemptAt };
      return { source: 'criptoya', consecutiveFailures: 0, ...times, ...given };
    };
    const failure = { reason: 'status', message: 'The answer was 500.' } as const;
    await store.saveSourceState(at('2026-11-21T03:59:59.999Z'));
    await store.saveSourceState(at('2026-11-21T04:00:00Z', { lastChangeAt: 1 }));
    await store.saveSourceState(at('2026-11-21T05:00:00Z'));
    await store.saveSourceState(at('2026-11-21T06:00:00Z', { failure }));
    await store.saveSourceState(at('2026-11-21T06:00:00Z', { source: 'yadio', failure }));
    await store.saveSourceState({ source: 'bcv-banks', consecutiveFailures: 0 });
    const first = { source: 'criptoya', day: '2026-11-20', successes: 1, failures: 0, changes: 1 };
    const second = { source: 'criptoya', day: '2026-11-21', successes: 2, failures: 1, changes: 1 };
    const other = { source: 'yadio', day: '2026-11-21', successes: 0, failures: 1, changes: 0 };
    expect(await store.sourceDays(day('2026-11-20'))).toEqual([first, second, other]);
    expect(await store.sourceDays(day('2026-11-21'))).toEqual([second, other]);
    await store.forgetBefore(0, { firstDay: day('2026-11-20') });
    expect(await store.sourceDays(day('2026-11-20'))).toEqual([first, second, other]);
    await store.forgetBefore(0, { firstDay: day('2026-11-21') });
    expect(await store.sourceDays(day('2026-11-20'))).toEqual([second, other]);
  });

  test('a reading without the lease is not counted', async () => {
    const lost = await store.takeLease('a', 1_000, 2_000);
    await store.takeLease('b', 2_000, 9_000);
    const state = { source: 'criptoya', lastAttemptAt: 1_500, consecutiveFailures: 0 };
    await expect(store.saveSourceState(state, lost)).rejects.toThrow(LeaseLost);
    expect(await store.sourceDays(day('1969-12-31'))).toEqual([]);
  });

  test('the official rates of a market are listed by value date, both ends included, or from a day on', async () => {
    const rate = (date: string, mid: number, market = 'reference') =>
      quoteEntry({ market, mid, effectiveDate: day(date) });
    const inside = [rate('2026-11-23', 810), rate('2026-11-19', 800)];
    const outside = [rate('2026-11-18', 795), rate('2026-11-24', 812)];
    await append(store, [...inside, ...outside, rate('2026-11-20', 920, 'eur_reference')]);
    const range = { from: day('2026-11-19'), to: day('2026-11-23') };
    const listed = await store.officialRates('reference', range);
    expect(listed.map(({ effectiveDate, mid }) => [effectiveDate, mid])).toEqual([
      ['2026-11-19', 800],
      ['2026-11-23', 810],
    ]);
    expect(await store.officialRates('parallel', range)).toEqual([]);
    expect(await store.officialRates('reference', { from: range.to })).toHaveLength(2);
  });

  test('the official rates around some days are those of several markets, with one more before and after', async () => {
    const rate = (date: string, market = 'reference') =>
      quoteEntry({ market, effectiveDate: day(date) });
    const dates = ['11-16', '11-17', '11-19', '11-23', '11-24', '11-25'];
    await append(store, [
      ...dates.map((date) => rate(`2026-${date}`)),
      rate('2026-11-20', 'eur_reference'),
      rate('2026-11-19', 'CNY'),
    ]);
    const markets = ['reference', 'eur_reference', 'parallel'];
    const range = { from: day('2026-11-18'), to: day('2026-11-23') };
    const around = async (span: typeof range) =>
      (await store.officialRatesAround(markets, span)).map(({ market, effectiveDate }) => [
        market,
        effectiveDate,
      ]);
    expect(await around(range)).toEqual([
      ...['11-17', '11-19', '11-23', '11-24'].map((date) => ['reference', `2026-${date}`]),
      ['eur_reference', '2026-11-20'],
    ]);
    expect(await around({ from: day('2027-01-01'), to: day('2027-01-01') })).toEqual([
      ['reference', '2026-11-25'],
      ['eur_reference', '2026-11-20'],
    ]);
    expect(await around({ from: day('2026-01-01'), to: day('2026-01-01') })).toEqual([
      ['reference', '2026-11-16'],
      ['eur_reference', '2026-11-20'],
    ]);
  });

  test('stored bodies are read back byte for byte, in order, and deleted after their time', async () => {
    const bodies = [
      { url: 'https://bcv.example/?page=0', bytes: BYTES, contentType: 'text/html' },
      { url: 'https://bcv.example/?page=1', bytes: Uint8Array.of(0, 255, 128) },
    ];
    await store.keepReading({ source: 'bcv-banks', readAt: 1_000, bodies });
    await store.keepReading({ source: 'bcv-banks', readAt: 2_000, bodies: bodies.slice(0, 1) });
    expect(await store.keptReadingTimes('bcv-banks')).toEqual([1_000, 2_000]);
    expect(await store.keptReadingTimes('criptoya')).toEqual([]);
    const kept = await store.keptReading('bcv-banks', 1_000);
    expect(kept?.bodies.map(({ bytes }) => [...bytes])).toEqual([[...BYTES], [0, 255, 128]]);
    expect(kept?.bodies.map(({ url, contentType }) => [url, contentType])).toEqual([
      ['https://bcv.example/?page=0', 'text/html'],
      ['https://bcv.example/?page=1', undefined],
    ]);
    await store.forgetBefore(2_000, { firstDay: day('1970-01-01') });
    expect(await store.keptReadingTimes('bcv-banks')).toEqual([2_000]);
    expect(await store.keptReading('bcv-banks', 1_000)).toBeUndefined();
    // A body shared with a later reading is kept.
    expect((await store.keptReading('bcv-banks', 2_000))?.bodies).toHaveLength(1);
  });

  test('a batch with only held records changes neither version nor time', async () => {
    await append(store, [quoteEntry()]);
    expect(await settle({ hold: [suspect()] })).toMatchObject({ stored: 0, duplicate: 0 });
    const { version, fetchedAt } = await store.currentRecords(day('2026-11-20'));
    expect({ version, fetchedAt }).toEqual({ version: 1, fetchedAt: 10_000 });
    expect(await store.listHeld('held', 10)).toMatchObject([
      { ...suspect(), source: 'criptoya', heldAt: 10_000, status: 'held' },
    ]);
  });

  test('the same record of the same source is held once', async () => {
    await settle({ hold: [suspect(), suspect({ capturedAt: 5_000 })] });
    await settle({ hold: [suspect()] }, { receivedAt: 20_000 });
    await settle({ hold: [suspect()] }, { source: 'yadio' });
    expect(await store.listHeld('held', 10)).toHaveLength(2);
    expect(await store.countHeld()).toEqual(
      new Map([
        ['criptoya', 1],
        ['yadio', 1],
      ]),
    );
  });

  test('a rolled-back batch holds, releases and discounts nothing', async () => {
    await settle({ hold: [suspect()] });
    const [held] = await store.listHeld('held', 10);
    const refuse = () => {
      throw new Error('no');
    };
    const origin = { source: 'criptoya', receivedAt: 11_000 };
    await expect(store.appendBatch(origin, [quoteEntry()], refuse)).rejects.toThrow('no');
    expect(await store.listHeld('held', 10)).toEqual([held]);
  });

  test('released and rejected records are no longer held, and a good reading ends a count', async () => {
    const records = [1, 2, 3, 4].map((mid) =>
      suspect({ record: { kind: 'quote', mid }, capturedAt: mid }),
    );
    await settle({ hold: records });
    const held = [...(await store.listHeld('held', 10))].sort(
      (a, b) => a.capturedAt - b.capturedAt,
    );
    const ids = held.map(({ id }) => id);
    expect((await store.countingHeld()).map(({ id }) => id)).toEqual(ids);
    const [first = '', second = '', third = ''] = ids;
    const settled = [{ id: first, status: 'released' as const }, { id: second }];
    await settle({ settle: settled }, { entries: [quoteEntry()] });
    expect(await store.rejectHeld(third)).toBe(true);
    expect(await store.rejectHeld(third)).toBe(false);
    expect(await store.rejectHeld('unknown')).toBe(false);
    expect((await store.countingHeld()).map(({ capturedAt }) => capturedAt)).toEqual([4]);
    expect((await store.findHeld(first))?.status).toBe('released');
    expect((await store.findHeld(second))?.status).toBe('held');
    expect((await store.findHeld(third))?.status).toBe('rejected');
    expect((await store.listHeld('held', 10)).map(({ capturedAt }) => capturedAt)).toEqual([4, 2]);
    await store.forgetBefore(10_000, { firstDay: day('1970-01-01') });
    expect((await store.findHeld(first))?.status).toBe('released');
    await store.forgetBefore(10_001, { firstDay: day('1970-01-01') });
    expect(await store.findHeld(first)).toBeUndefined();
    expect(await store.listHeld('held', 10)).toEqual([]);
  });

  test('a list is limited to the newest', async () => {
    for (const at of [1, 2, 3]) {
      await settle({ hold: [suspect({ record: { kind: 'quote', at } })] }, { receivedAt: at });
    }
    expect((await store.listHeld('held', 2)).map(({ heldAt }) => heldAt)).toEqual([3, 2]);
  });

  test('the newest batch of a source is known', async () => {
    await append(store, [quoteEntry()], 7_000);
    await append(store, [quoteEntry({ mid: 2 })], 8_000);
    expect(await store.lastBatchOf('test')).toBe(8_000);
    expect(await store.lastBatchOf('operator')).toBeUndefined();
  });

  test('the unchanged quotes of a source are listed with their last change', async () => {
    const at = (capturedAt: number, mid: number, market = 'parallel') =>
      quoteEntry({ market, mid, capturedAt, updatedAt: capturedAt });
    await append(store, [at(1, 5), at(2, 6), at(3, 5), at(4, 5), at(5, 5), at(9, 7, 'cash')]);
    await store.appendBatch({ source: 'yadio', receivedAt: 1 }, [at(8, 1, 'cucuta')], () => ({}));
    expect(await store.standingQuotes('test')).toEqual([
      { market: 'parallel', updatedAt: 5, unchangedSince: 3 },
      { market: 'cash', updatedAt: 9, unchangedSince: 9 },
    ]);
    expect(await store.standingQuotes('yadio')).toEqual([
      { market: 'cucuta', updatedAt: 8, unchangedSince: 8 },
    ]);
  });

  test('an official rate read again before its effect is one capture of the later reading', async () => {
    const market = 'reference';
    const effectiveDate = day('2026-11-23');
    const rate = (mid: number, observedAt: number) =>
      quoteEntry({ market, effectiveDate, mid, capturedAt: 9_000, updatedAt: 9_000, observedAt });
    await append(store, [rate(810, 1_000)]);
    await append(store, [rate(811, 2_000)]);
    expect((await store.officialRateUpTo(market, effectiveDate))?.mid).toBe(811);
    expect(await append(store, [rate(810, 3_000)])).toEqual({ stored: 1, duplicate: 0 });
    expect(await append(store, [rate(810, 3_000)])).toEqual({ stored: 0, duplicate: 1 });
    expect((await store.officialRateUpTo(market, effectiveDate))?.mid).toBe(810);
    const captures = await store.latestCaptures(market, { start: 0, end: 10_000 }, 10);
    expect(captures.map(({ mid }) => mid)).toEqual([811, 810]);
    expect((await store.lastCaptureBefore(market, 10_000))?.mid).toBe(810);
  });

  test('the official rate up to a day is that of the newest value date', async () => {
    const rate = (date: string, mid: number) =>
      quoteEntry({ market: 'CNY', effectiveDate: day(date), mid });
    await append(store, [rate('2026-11-19', 1), rate('2026-11-23', 2)]);
    const upTo = async (date: string) => (await store.officialRateUpTo('CNY', day(date)))?.mid;
    expect([await upTo('2026-11-18'), await upTo('2026-11-22'), await upTo('2026-11-23')]).toEqual([
      undefined,
      1,
      2,
    ]);
  });
});
