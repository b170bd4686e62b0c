import { describe, expect, test } from 'vitest';
import {
  append,
  bankTable,
  ENGINES,
  publication,
  quote,
  quoteEntry,
  storeForEachTest,
} from '../../../../../test/contracts/engines.ts';
import { day } from '../../../../../testkit/day.ts';
import { DAY_MS } from '../../../../core/domain/time.ts';
import type { OpenedStore } from '../../../../core/storage/store.ts';
import { exportStore } from '../../export-store.ts';
import type {
  ExportedQuote,
  ExportedSpan,
  ExportStore,
  PlaceInCaptures,
} from '../../export-types.ts';

const ALL_DAYS = { from: day('1000-01-01'), to: day('9999-12-31') };
const ALL: ExportedSpan = { market: 'parallel', start: 0, end: 100 * DAY_MS, version: 1_000 };

describe.each(ENGINES)('what an export reads, on $name (contract §22)', ({ create }) => {
  let store: OpenedStore;
  let exported: ExportStore;

  storeForEachTest(create, (opened) => {
    store = opened.store;
    exported = exportStore(store.engine);
  });

  async function read(
    how: 'capturesAfter' | 'closesAfter',
    span: ExportedSpan,
  ): Promise<{ readonly parts: number; readonly quotes: readonly ExportedQuote[] }> {
    const quotes: ExportedQuote[] = [];
    let place: PlaceInCaptures | undefined;
    for (let parts = 1; ; parts += 1) {
      const part = await exported[how](span, place);
      quotes.push(...part.quotes);
      place = part.next;
      if (place === undefined) return { parts, quotes };
    }
  }

  test('captures come once each, oldest first, in parts', async () => {
    const entries = Array.from({ length: 12_000 }, (_, place) =>
      quoteEntry({ mid: 1 + place, updatedAt: 7, capturedAt: 10 + Math.floor(place / 2) }),
    );
    await append(store, entries.toReversed());
    const { parts, quotes } = await read('capturesAfter', ALL);
    expect(parts).toBeGreaterThan(2);
    expect(quotes).toHaveLength(entries.length);
    // Of two at one instant the one that came first stands first.
    const mids = entries.map((_, place) => 1 + (place % 2 === 0 ? place + 1 : place - 1));
    expect(quotes.map(({ mid }) => mid)).toEqual(mids);
  });

  test('more captures of one instant than a part has come too', async () => {
    const entries = Array.from({ length: 6_000 }, (_, place) =>
      quoteEntry({ mid: 6_000 - place, capturedAt: 10 }),
    );
    await append(store, [...entries, quoteEntry({ mid: 9_999, capturedAt: 11 })]);
    const { quotes } = await read('capturesAfter', ALL);
    expect(quotes.map(({ mid }) => mid)).toEqual([
      ...entries.map((_, place) => 6_000 - place),
      9_999,
    ]);
  });

  test('what later batches bring is left out, and the last capture of a day is the one before them', async () => {
    await append(store, [
      quoteEntry({ mid: 1, ask: 2, bid: 0.5, capturedAt: DAY_MS }),
      quoteEntry({ mid: 3, ask: 4, capturedAt: DAY_MS + 5 }),
      quoteEntry({ mid: 5, capturedAt: 2 * DAY_MS }),
    ]);
    const { version } = await exported.officialRecords(ALL_DAYS);
    await append(store, [
      quoteEntry({ mid: 7, capturedAt: DAY_MS + 6 }),
      quoteEntry({ mid: 8, capturedAt: DAY_MS + 1 }),
      quoteEntry({ mid: 9, capturedAt: 3 * DAY_MS }),
    ]);
    const span = { ...ALL, version };
    const { quotes } = await read('capturesAfter', span);
    expect(quotes).toEqual([
      { mid: 1, ask: 2, bid: 0.5, updatedAt: 1_000, capturedAt: DAY_MS },
      { mid: 3, ask: 4, bid: 0, updatedAt: 1_000, capturedAt: DAY_MS + 5 },
      { mid: 5, ask: 0, bid: 0, updatedAt: 1_000, capturedAt: 2 * DAY_MS },
    ]);
    expect((await read('closesAfter', span)).quotes).toEqual(quotes.slice(1));
    expect(await exported.lastCaptureIn(span)).toBe(2 * DAY_MS);
    const ofOneDay = { ...span, start: DAY_MS, end: 2 * DAY_MS };
    expect((await read('closesAfter', ofOneDay)).quotes).toEqual(quotes.slice(1, 2));
    expect((await read('capturesAfter', ofOneDay)).quotes).toEqual(quotes.slice(0, 2));
  });

  test('the last captures of many days come in parts', async () => {
    const entries = Array.from({ length: 1_200 }, (_, place) =>
      quoteEntry({ mid: 1 + place, capturedAt: place * DAY_MS + 7 }),
    );
    await append(store, entries);
    const { parts, quotes } = await read('closesAfter', { ...ALL, end: 2_000 * DAY_MS });
    expect(parts).toBeGreaterThan(1);
    expect(quotes.map(({ mid }) => mid)).toEqual(entries.map((_, place) => 1 + place));
  });

  const EFFECT = Date.parse('2026-11-20T04:00:00Z');

  /** A publication with its captures, read so many milliseconds after its effect. */
  function published(usd: number, eur: number, after: number) {
    const given = publication({ rates: { USD: usd, EUR: eur }, capturedAt: EFFECT + after });
    const captures = [
      ['reference', usd],
      ['eur_reference', eur],
    ].map(([market, mid]) => ({
      ...quote({ market: String(market), mid: Number(mid), updatedAt: EFFECT }),
      capturedAt: Math.max(EFFECT, EFFECT + after),
      observedAt: EFFECT + after,
      effectiveDate: given.valueDate,
    }));
    return { captures, publication: given };
  }

  test('official rates come with every reading, and with the first reading of a figure', async () => {
    await append(store, [published(800, 900, -9), published(800, 901, -5)]);
    await append(store, [quoteEntry()]);
    const { rates, captures, publications } = await exported.officialRecords(ALL_DAYS);
    const of = { valueDate: day('2026-11-20'), ask: 0, bid: 0, updatedAt: EFFECT };
    const dollar = { market: 'reference', mid: 800, ...of };
    const euro = { market: 'eur_reference', ...of };
    expect(rates).toEqual([
      { ...dollar, capturedAt: EFFECT - 5, firstReadAt: EFFECT - 9 },
      { ...euro, mid: 901, capturedAt: EFFECT - 5, firstReadAt: EFFECT - 5 },
    ]);
    expect(captures.map(({ batch: _, line: __, ...rate }) => rate)).toEqual([
      { ...dollar, capturedAt: EFFECT - 5 },
      { ...euro, mid: 900, capturedAt: EFFECT - 9 },
      { ...euro, mid: 901, capturedAt: EFFECT - 5 },
    ]);
    expect(publications.map(({ rates: figures }) => figures.EUR).toSorted()).toEqual([900, 901]);
    const before = { from: day('2026-11-01'), to: day('2026-11-19') };
    expect(await exported.officialRecords(before)).toMatchObject({ rates: [], captures: [] });
  });

  test('bank tables come in the order of their readings', async () => {
    const tables = Array.from({ length: 250 }, (_, place) =>
      bankTable({ capturedAt: 5_000 + place, indicatorDate: day('2026-11-20') }),
    );
    await append(
      store,
      tables.toReversed().map((table) => ({ captures: [], bankTable: table })),
    );
    const { version } = await exported.officialRecords(ALL_DAYS);
    await append(store, [{ captures: [], bankTable: bankTable({ capturedAt: 1 }) }]);
    const found = [];
    for (;;) {
      const part = await exported.bankTablesAfter({ ...ALL_DAYS, version }, found.length);
      if (part.length === 0) break;
      found.push(...part);
    }
    expect(found).toEqual(tables);
    const before = { from: day('2026-11-01'), to: day('2026-11-19'), version };
    expect(await exported.bankTablesAfter(before, 0)).toEqual([]);
  });
});
