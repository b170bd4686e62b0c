import { describe, expect, test } from 'vitest';
import type { StoredMemory } from '../../src/core/app/ports/quotes.ts';
import type { Entry } from '../../src/core/app/ports/records.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { type CaracasDay, DAY_MS, HOUR_MS, startOfCaracasDay } from '../../src/core/domain/time.ts';
import { MAX_GATHERED_ENTRIES } from '../../src/core/storage/gathered-entries.ts';
import { day } from '../../testkit/day.ts';
import {
  append,
  bankTable,
  ENGINES,
  publication,
  quote,
  quoteEntry,
  type Site,
  storeForEachTest,
  yes,
} from './engines.ts';

const TODAY = day('2026-11-20');

/** Enough old captures of a market of their own that a batch goes by the stage. */
function filler(count: number): Entry[] {
  return Array.from({ length: count }, (_, index) =>
    quoteEntry({ market: 'filler', mid: index + 1, capturedAt: 1 + index }),
  );
}

function official(valueDate: string, given: Parameters<typeof quote>[0] = {}): Entry {
  return quoteEntry({ market: 'reference', effectiveDate: day(valueDate), ...given });
}

describe.each(ENGINES)('records on $name', ({ create }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ site, store } = opened);
  });

  async function currentMid(market: string): Promise<number | undefined> {
    const { quotes } = await store.currentRecords(TODAY);
    return quotes.find((one) => one.market === market)?.mid;
  }

  test('an empty store has version 0 and no records', async () => {
    expect(await store.currentRecords(TODAY)).toEqual({
      version: 0,
      judged: 0,
      fetchedAt: undefined,
      quotes: [],
      publication: undefined,
      bankTable: undefined,
      memories: [],
      days: [],
    });
    expect(await store.versions()).toEqual({ records: 0, access: 0 });
  });

  test('contract §8: of each witness the newest reading of ten value dates is kept', async () => {
    const rates = { USD: 800, EUR: 920.12345678 };
    const read = (source: string, date: number, capturedAt: number, usd = 800) =>
      store.keepWitnessReading({
        source,
        valueDate: day(`2026-11-${date}`),
        rates: { ...rates, USD: usd },
        capturedAt,
      });
    const kept = async () => {
      const [date] = await store.witnessedDates(day('2026-11-10'), day('2026-11-10'));
      return date?.words ?? [];
    };
    await read('relay', 10, 1_000);
    await read('relay', 10, 2_000, 801);
    await read('other', 10, 1_500);
    expect(await kept()).toEqual([
      { source: 'other', valueDate: '2026-11-10', rates, capturedAt: 1_500 },
      {
        source: 'relay',
        valueDate: '2026-11-10',
        rates: { ...rates, USD: 801 },
        capturedAt: 2_000,
      },
    ]);
    for (let date = 11; date < 20; date += 1) await read('relay', date, 3_000 + date);
    expect(await kept()).toHaveLength(2);
    await read('relay', 20, 4_000);
    expect((await kept()).map(({ source }) => source)).toEqual(['other']);
    expect(await store.versions()).toEqual({ records: 0, access: 0 });
  });

  test("a capture leads to its batch and that batch's provenance", async () => {
    const provenance = { parserVersion: 3, bodies: [{ url: 'https://a.example/', digest: 'ab' }] };
    const one = quote({ market: 'cash', mid: 900, capturedAt: 5_000 });
    const other = quote({ market: 'cash', mid: 901, capturedAt: 5_000 });
    const entries = [{ captures: [one] }, { captures: [other] }];
    const origin = { source: 'feed', receivedAt: 6_000, provenance };
    await store.appendBatch(origin, entries, yes);
    expect(await store.capturesAt('cash', 5_000)).toEqual([
      { quote: one, batch: 1, line: 1, origin },
      { quote: other, batch: 1, line: 2, origin },
    ]);
    expect(await store.capturesAt('cash', 5_001)).toEqual([]);
    expect(await store.capturesAt('parallel', 5_000)).toEqual([]);
  });

  test('a pushed capture has no provenance', async () => {
    const pushed = quote({ market: 'cash', mid: 900, capturedAt: 5_000 });
    const origin = { source: 'operator', receivedAt: 6_000 };
    await store.appendBatch(origin, [{ captures: [pushed] }], yes);
    expect(await store.capturesAt('cash', 5_000)).toEqual([
      { quote: pushed, batch: 1, line: 1, origin },
    ]);
  });

  test('a stored record is read back to the last field', async () => {
    const full = quote({ market: 'cash', mid: 0.1 + 0.2, ask: 1e-7, bid: 123456789012345 });
    const dated = quote({ market: 'reference', mid: 889.5754, effectiveDate: TODAY });
    const published = publication({ valueDateText: 'Viernes, 20 Noviembre 2026' });
    const banks = bankTable({
      rows: [
        { bank: 'Banco "Ñ"', sell: 889.9, date: day('2026-11-19') },
        { bank: 'Mercantil', date: TODAY },
      ],
    });
    await append(store, [{ captures: [full, dated], publication: published }], 7_000);
    await append(store, [{ captures: [], bankTable: banks }], 8_000);
    const current = await store.currentRecords(TODAY);
    expect(current).toEqual({
      version: 2,
      judged: 2,
      fetchedAt: 8_000,
      quotes: expect.arrayContaining([{ ...full, source: 'test' }, dated]),
      publication: published,
      bankTable: banks,
      memories: [],
      days: [],
    });
    expect(current.quotes).toHaveLength(2);
  });

  test('of the days of a week before today come the extremes and the close, but for official rates (contract §8)', async () => {
    const start = startOfCaracasDay(TODAY) - 4 * HOUR_MS;
    const at = (days: number, mid: number, hours = 0) => {
      const capturedAt = start + days * DAY_MS + hours * HOUR_MS;
      return { captures: [quote({ market: 'cash', mid, capturedAt, updatedAt: capturedAt })] };
    };
    const early = [at(-9, 1), at(-8, 2), at(-7, 3)];
    const today = [at(0, 7), at(0, 9, 1), at(0, 5, 2), at(0, 6, 3)];
    await append(store, [...early, ...today, official('2026-11-20')]);
    const { days } = await store.currentRecords(TODAY);
    const one = (place: number, low: number, high = low, close = low) => ({
      ...{ market: 'cash', start: start + place * DAY_MS, low, high, close },
    });
    expect(days).toEqual([one(-7, 3), one(0, 5, 9, 6)]);
  });

  test('what is remembered of a market is stored with its batch, and replaced by the next (contract §8)', async () => {
    const full: StoredMemory = {
      ...{ market: 'cash', at: 6_500, unchangedSince: 5_000, driftedAt: 6_000 },
      ...{ replaced: 700.5, replacedAt: 2_500 },
      published: {
        ...{ mid: 1, at: 6_500, updatedAt: 6_400, isDated: true, source: 'test', origin: 'cash' },
      },
      past: [{ mid: 0.1 + 0.2, at: 3_000 }],
      insisted: [{ mid: 1_900, at: 2_000 }],
      supported: { mid: 0.1 + 0.2, at: 4_000 },
      step: { since: 6_000, from: 800.5, to: 900.25, others: { parallel: 810 } },
    };
    const settle = (entry: Entry, receivedAt: number, memory: StoredMemory) =>
      store.appendBatch({ source: 'test', receivedAt }, [entry], () => ({
        memories: [memory],
      }));
    await settle({ captures: [quote({ market: 'cash', mid: 1 })] }, 7_000, full);
    expect((await store.currentRecords(TODAY)).memories).toEqual([full]);
    const bare = { market: 'cash', at: 8_000, unchangedSince: 8_000, past: [], insisted: [] };
    const next = quote({ market: 'cash', mid: 2, capturedAt: 8_000, updatedAt: 8_000 });
    await settle({ captures: [next] }, 9_000, bare);
    expect((await store.currentRecords(TODAY)).memories).toEqual([bare]);
  });

  // A batch is stored from memory or through temporary tables.
  describe.each([
    { way: 'small', before: [] },
    { way: 'large', before: filler(MAX_GATHERED_ENTRIES + 1) },
  ])('in a $way batch', ({ before }) => {
    const others = before.length;

    test('the same record twice is one record, within a batch and across batches', async () => {
      const entries = [...before, quoteEntry(), quoteEntry(), quoteEntry({ mid: 901 })];
      expect(await append(store, entries)).toEqual({ stored: others + 2, duplicate: 1 });
      expect(await append(store, entries)).toEqual({ stored: 0, duplicate: others + 3 });
    });

    test.each([
      ['the market', { market: 'cash' }],
      ['the middle', { mid: 900.00000001 }],
      ['the ask', { ask: 901 }],
      ['the bid', { bid: 899 }],
      ['the source time', { updatedAt: 1_001 }],
      ['the capture time', { capturedAt: 2_001 }],
      ['the value date', { effectiveDate: TODAY }],
    ])('a record that differs only in %s is a different record', async (_, other) => {
      const counts = await append(store, [...before, quoteEntry(), quoteEntry(other)]);
      expect(counts).toEqual({ stored: others + 2, duplicate: 0 });
    });

    test('a batch without new records changes neither version nor time', async () => {
      await append(store, [...before, quoteEntry()], 10_000);
      await append(store, [...before, quoteEntry()], 20_000);
      const { version, fetchedAt } = await store.currentRecords(TODAY);
      expect({ version, fetchedAt }).toEqual({ version: 1, fetchedAt: 10_000 });
    });

    test('confirm is asked once, after the last entry', async () => {
      const seen: string[] = [];
      function* produce() {
        yield* before;
        yield quoteEntry();
        seen.push('end');
      }
      const confirm = () => {
        seen.push('confirm');
        return {};
      };
      await store.appendBatch({ source: 'test', receivedAt: 1 }, produce(), confirm);
      expect(seen).toEqual(['end', 'confirm']);
    });

    test('a batch that is not confirmed stores nothing but is counted', async () => {
      await append(store, [quoteEntry()]);
      const entries = [...before, quoteEntry(), official('2026-11-20'), quoteEntry({ mid: 2 })];
      const origin = { source: 'test', receivedAt: 20_000 };
      const refused = await store.appendBatch(origin, entries, () => false);
      expect(refused).toEqual({ stored: others + 2, duplicate: 1 });
      const current = await store.currentRecords(TODAY);
      expect(current).toMatchObject({ version: 1, fetchedAt: 10_000, quotes: [quote()] });
      expect(await store.appendBatch(origin, entries, yes)).toEqual(refused);
    });

    test('a batch whose source fails midway stores nothing', async () => {
      async function* produce() {
        yield* before;
        yield quoteEntry();
        throw new Error('torn');
      }
      const origin = { source: 'test', receivedAt: 1 };
      await expect(store.appendBatch(origin, produce(), yes)).rejects.toThrow('torn');
      expect(await store.currentRecords(TODAY)).toMatchObject({ version: 0, quotes: [] });
      expect(await append(store, [quoteEntry()])).toEqual({ stored: 1, duplicate: 0 });
    });

    test('a batch whose confirm throws stores nothing', async () => {
      const refuse = () => {
        throw new Error('no');
      };
      const origin = { source: 'test', receivedAt: 1 };
      const entries = [...before, quoteEntry()];
      await expect(store.appendBatch(origin, entries, refuse)).rejects.toThrow('no');
      expect(await store.currentRecords(TODAY)).toMatchObject({ version: 0, quotes: [] });
    });

    test('an entry of several parts is new if any part is new', async () => {
      const whole: Entry = {
        captures: [
          quote({ market: 'reference', effectiveDate: TODAY }),
          quote({ market: 'eur_reference', effectiveDate: TODAY }),
        ],
        publication: publication(),
      };
      const otherCapture = quote({ market: 'eur_reference', effectiveDate: TODAY, mid: 1 });
      const entries: Entry[] = [
        ...before,
        whole,
        whole,
        { ...whole, publication: publication({ valueDateText: 'Viernes' }) },
        { ...whole, captures: [...whole.captures, otherCapture] },
        { captures: [], bankTable: bankTable() },
        { captures: [], bankTable: bankTable() },
        { captures: [], bankTable: bankTable({ rows: [] }) },
        // The capture of an entry above, alone.
        { captures: [otherCapture] },
      ];
      expect(await append(store, entries)).toEqual({ stored: others + 5, duplicate: 3 });
      expect(await append(store, entries)).toEqual({ stored: 0, duplicate: others + 8 });
    });

    test('the last capture has the latest capture time, then source time, then place in its batch', async () => {
      const market = 'cash';
      await append(store, [
        ...before,
        quoteEntry({ market, mid: 1, capturedAt: 50, updatedAt: 9 }),
        quoteEntry({ market, mid: 9, capturedAt: 60, updatedAt: 8 }),
        quoteEntry({ market, mid: 2, capturedAt: 60, updatedAt: 8 }),
        quoteEntry({ market, mid: 7, capturedAt: 60, updatedAt: 7 }),
      ]);
      expect(await currentMid(market)).toBe(2);
      await append(store, [quoteEntry({ market, mid: 1, capturedAt: 60, updatedAt: 8 })]);
      expect(await currentMid(market)).toBe(1);
    });

    test('of one value date the newest observation counts, and of equal ones the later', async () => {
      await append(store, [
        ...before,
        official('2026-11-20', { mid: 1, capturedAt: 70 }),
        official('2026-11-20', { mid: 2, capturedAt: 90, updatedAt: 5 }),
        official('2026-11-20', { mid: 4, capturedAt: 90, updatedAt: 6 }),
        official('2026-11-20', { mid: 3, capturedAt: 90, updatedAt: 6 }),
        official('2026-11-20', { mid: 5, capturedAt: 80 }),
        // A duplicate is not a later observation.
        official('2026-11-20', { mid: 4, capturedAt: 90, updatedAt: 6 }),
      ]);
      expect(await currentMid('reference')).toBe(3);
      await append(store, [...before, official('2026-11-20', { mid: 6, capturedAt: 89 })]);
      expect(await currentMid('reference')).toBe(3);
      await append(store, [
        ...before,
        official('2026-11-20', { mid: 7, capturedAt: 90, updatedAt: 6 }),
        official('2026-11-20', { mid: 4, capturedAt: 90, updatedAt: 6 }),
      ]);
      expect(await currentMid('reference')).toBe(7);
    });
  });

  test('a batch of exactly the held maximum is stored like any other', async () => {
    const entries = filler(MAX_GATHERED_ENTRIES);
    expect(await append(store, entries)).toEqual({ stored: MAX_GATHERED_ENTRIES, duplicate: 0 });
    expect(await append(store, entries)).toEqual({ stored: 0, duplicate: MAX_GATHERED_ENTRIES });
  });

  test('a large batch may have many captures of one instant and of every market', async () => {
    const entries = Array.from({ length: 30_000 }, (_, index) =>
      quoteEntry({ market: `m${index % 3}`, mid: index + 1, updatedAt: index, capturedAt: 77 }),
    );
    expect(await append(store, entries)).toEqual({ stored: 30_000, duplicate: 0 });
    expect(await currentMid('m2')).toBe(30_000);
    expect(await store.latestCaptures('m1', { start: 0, end: 100 }, 40_000)).toHaveLength(10_000);
  });

  test('an empty batch is confirmed and stores nothing', async () => {
    expect(await append(store, [])).toEqual({ stored: 0, duplicate: 0 });
    expect(await store.versions()).toEqual({ records: 0, access: 0 });
  });

  test('a market with value dates has the rate in force, the previous one and the later ones', async () => {
    const dates = ['2026-11-18', '2026-11-19', '2026-11-21', '2026-11-24'];
    await append(store, [
      ...dates.map((date, index) => official(date, { mid: index + 1, capturedAt: 100 - index })),
      quoteEntry({ market: 'eur_reference', effectiveDate: day('2026-11-24'), mid: 8 }),
      quoteEntry(),
    ]);
    const shown = async (today: string) => {
      const { quotes } = await store.currentRecords(day(today));
      const dated = quotes.filter((one) => one.effectiveDate !== undefined);
      return dated.map((one) => `${one.market} ${one.effectiveDate}`).sort();
    };
    const later = 'eur_reference 2026-11-24';
    const reference = (...days: string[]) => [later, ...days.map((one) => `reference ${one}`)];
    expect(await shown('2026-11-17')).toEqual(reference(...dates));
    expect(await shown('2026-11-18')).toEqual(reference(...dates));
    expect(await shown('2026-11-19')).toEqual(reference(...dates));
    expect(await shown('2026-11-20')).toEqual(reference(...dates));
    expect(await shown('2026-11-21')).toEqual(reference(...dates.slice(1)));
    expect(await shown('2026-12-31')).toEqual(reference(...dates.slice(2)));
    expect(await currentMid('parallel')).toBe(900);
  });

  test('in a market with both kinds of captures, those with value dates count', async () => {
    await append(store, [
      official('2026-11-19', { mid: 1, capturedAt: 5 }),
      quoteEntry({ market: 'reference', mid: 2, capturedAt: 900 }),
    ]);
    expect(await currentMid('reference')).toBe(1);
  });

  test('contract §8: the current publication has the newest value date and a currency besides USD and EUR', async () => {
    const published = (given: Parameters<typeof publication>[0]) => ({
      captures: [],
      publication: publication(given),
    });
    await append(store, [
      published({ valueDate: day('2026-11-25'), capturedAt: 10, rates: { RUB: 11 } }),
      published({ valueDate: day('2026-11-21'), capturedAt: 20, rates: { CNY: 125 } }),
      published({ valueDate: day('2026-11-26'), capturedAt: 30, rates: { USD: 889 } }),
    ]);
    expect((await store.currentRecords(TODAY)).publication?.rates).toEqual({ RUB: 11 });
    await append(store, [
      published({ valueDate: day('2026-11-25'), capturedAt: 20, rates: { TRY: 21 } }),
    ]);
    expect((await store.currentRecords(TODAY)).publication?.rates).toEqual({ TRY: 21 });
  });

  test('contract §8: publications are listed by value date, with their state and source', async () => {
    const of = (valueDate: string, capturedAt: number) => ({
      captures: [],
      publication: publication({ valueDate: day(valueDate), capturedAt }),
    });
    await append(store, [of('2026-11-19', 10), of('2026-11-20', 20)], 1_000, 'bcv-official');
    await append(store, [of('2026-11-20', 30)], 2_000, 'operator');
    const listed = async (given: { from?: CaracasDay; to?: CaracasDay; limit: number }) =>
      (await store.listPublications(given)).map(({ valueDate, capturedAt, state, source }) => [
        ...[valueDate, capturedAt, state, source],
      ]);
    const newest = ['2026-11-20', 30, 'published', 'operator'];
    const oldest = ['2026-11-19', 10, 'published', 'bcv-official'];
    const middle = ['2026-11-20', 20, 'published', 'bcv-official'];
    expect(await listed({ limit: 10 })).toEqual([newest, middle, oldest]);
    expect(await listed({ limit: 1 })).toEqual([newest]);
    expect(await listed({ from: day('2026-11-20'), limit: 10 })).toEqual([newest, middle]);
    expect(await listed({ to: day('2026-11-19'), limit: 10 })).toEqual([oldest]);
  });

  test('a publication with its rates in another order is the same publication', async () => {
    const one = { captures: [], publication: publication({ rates: { USD: 1, EUR: 2 } }) };
    const two = { captures: [], publication: publication({ rates: { EUR: 2, USD: 1 } }) };
    expect(await append(store, [one, two])).toEqual({ stored: 1, duplicate: 1 });
  });

  test('the current bank table is the last captured, then the latest date, then the last stored', async () => {
    const table = (bank: string, given: Parameters<typeof bankTable>[0]) => ({
      captures: [],
      bankTable: bankTable({ rows: [{ bank, date: TODAY }], ...given }),
    });
    const bank = async () => (await store.currentRecords(TODAY)).bankTable?.rows[0]?.bank;
    await append(store, [
      table('a', { capturedAt: 20, indicatorDate: day('2026-11-19') }),
      table('b', { capturedAt: 20, indicatorDate: day('2026-11-18') }),
      table('c', { capturedAt: 10, indicatorDate: day('2026-11-20') }),
    ]);
    expect(await bank()).toBe('a');
    await append(store, [table('d', { capturedAt: 20, indicatorDate: day('2026-11-19') })]);
    expect(await bank()).toBe('d');
  });

  test('a second store on the database sees the records of the first', async () => {
    const second = await site.open();
    await append(store, [quoteEntry({ mid: 1 })]);
    expect(await second.versions()).toEqual({ records: 1, access: 0 });
    await append(second, [quoteEntry({ mid: 2, market: 'cash' })]);
    expect(await store.versions()).toEqual({ records: 2, access: 0 });
    expect((await store.currentRecords(TODAY)).quotes).toHaveLength(2);
  });

  test('simultaneous batches are all stored', async () => {
    const second = await site.open({ waitMs: 60_000 });
    const batch = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => quoteEntry({ mid: 1 + from + index }));
    const counts = await Promise.all([
      append(store, batch(0, 10)),
      append(store, batch(5, 10)),
      append(second, batch(0, 3_000)),
      append(second, batch(3_000, 10)),
    ]);
    const stored = counts.reduce((sum, one) => sum + one.stored, 0);
    expect(stored).toBe(3_010);
    const all = await store.latestCaptures('parallel', { start: 0, end: 9_000 }, 10_000);
    expect(all).toHaveLength(3_010);
  });

  test('the last capture of each source since a time is listed, newest first', async () => {
    const at = (mid: number, capturedAt: number) => [quoteEntry({ mid, capturedAt })];
    await append(store, at(900, 10_000), 10_000, 'criptoya');
    await append(store, at(901, 20_000), 20_000, 'yadio');
    await append(store, at(902, 30_000), 30_000, 'criptoya');
    const told = async (since: number) =>
      (await store.readingsBySource('parallel', since)).map(({ source, quote }) => [
        source,
        quote.mid,
      ]);
    expect(await told(10_000)).toEqual([
      ['criptoya', 902],
      ['yadio', 901],
    ]);
    expect(await told(20_001)).toEqual([['criptoya', 902]]);
    expect(await told(30_001)).toEqual([]);
  });
});
