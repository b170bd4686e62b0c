import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Chance } from '../faults/chance.ts';
import { Desk, VENUES } from '../faults/replay/desk.ts';
import { QUOTE_FAULTS } from '../faults/replay/faults.ts';
import { replayPages } from '../faults/replay/pages.ts';
import { HITS, type QuoteResult, replayQuotes, replayTruth } from '../faults/replay/quotes.ts';
import { readSeries, type Series, venuesOf } from '../faults/replay/series.ts';
import { parseCaracasDay } from '../src/domain/time.ts';
import { SHOCK, SHOCK_PUBLICATIONS } from './harness/january-2026.ts';
import { judging } from './harness/judging.ts';
import { official } from './harness/make.ts';

describe('real figures (decisions §8)', () => {
  test('of the shock of January 2026 are never held, although P2P doubled within five days', async () => {
    const { ingestAll, service, held } = await judging();
    service.clock.set(Date.parse('2026-01-12T00:00:00Z'));
    await service.push(
      ...SHOCK_PUBLICATIONS.filter(([date]) => date < '2026-01-12').map(([date, USD, EUR]) =>
        official(date, { USD, EUR }, { captured_at: `${date}T04:00:00Z` }),
      ),
    );
    const records = SHOCK.map(([time, ask, bid]) => ({
      kind: 'quote',
      market: 'binance',
      ask,
      bid,
      updated_at: time,
      captured_at: time,
    }));
    expect(SHOCK.length).toBeGreaterThan(100);
    expect(await ingestAll(records)).toEqual({
      accepted: SHOCK.length,
      held: 0,
      refused: 0,
      duplicate: 0,
    });
    expect(await held()).toEqual([]);
  });
});

/** The series of the fixtures, and five venues made of its one. */
function fixture(): { series: Series; venues: ReturnType<typeof venuesOf> } {
  const quotes = SHOCK.map(([time, ask, bid]) => ({
    at: Date.parse(time),
    mid: Number(((ask + bid) / 2).toFixed(6)),
    ask,
    bid,
  }));
  const publications = SHOCK_PUBLICATIONS.flatMap(([date, USD, EUR], place) => {
    const valueDate = parseCaracasDay(date);
    const made = SHOCK_PUBLICATIONS[place - 1]?.[0] ?? '2025-12-29';
    if (valueDate === undefined) return [];
    return [{ at: Date.parse(`${made}T21:00:00Z`), valueDate, rates: { USD, EUR } }];
  });
  const venues = venuesOf(quotes, VENUES.slice(0, 5), { chance: new Chance('fixture') });
  return { series: { quotes: new Map([['binance', quotes]]), publications }, venues };
}

describe('a short replay with faults (decisions §8)', () => {
  test('no real figure of five venues is held for more than 15 minutes', async () => {
    const { series, venues } = fixture();
    const { readings, holds } = await replayTruth(venues, series.publications);
    // Read at each change of a figure, and each minute while one is held.
    expect(readings).toBeGreaterThan(1_500);
    expect(holds[0] ?? 0).toBeLessThanOrEqual(15);
  });

  test.each([
    ['in one body', false],
    ['each by itself', true],
  ])(
    'no fault of another unit or currency is ever published, nor worn down to; one or two venues move nothing: read %s',
    async (_, isApart) => {
      const { series, venues } = fixture();
      const { publications } = series;
      const results = await replayQuotes({
        ...{ venues, publications, tries: 1, chance: new Chance('cut down') },
        minutes: [20],
        isApart,
      });
      const told = (found: readonly QuoteResult[]) =>
        found.map(({ fault, venues: hit }) => `${fault.name}, ${hit}`);
      expect(results).toHaveLength(QUOTE_FAULTS.length * HITS.length);
      const huge = results.filter(({ fault }) => fault.size === 'huge' || fault.size === 'old');
      expect(told(huge.filter(({ wrong }) => wrong > 0))).toEqual([]);
      expect(told(results.filter(({ outOfBand }) => outOfBand > 0))).toEqual([]);
      const few = results.filter((one) => one.venues === 'one' || one.venues === 'two');
      expect(told(few.filter(({ far }) => far > 0))).toEqual([]);
      expect(told(few.filter(({ indexOutsideReadings }) => indexOutsideReadings > 0))).toEqual([]);
      // While one of the right venues lags behind the others, the median may be its figure.
      expect(told(few.filter(({ indexReadings }) => indexReadings > 1))).toEqual([]);
    },
  );

  test('each wrong page is held or refused, and the right page is not delayed', async () => {
    const { series } = fixture();
    const pages = [...series.publications];
    const results = await replayPages(pages, { tries: 2, chance: new Chance('pages'), first: 5 });
    const seen = results.filter(({ isPlausible }) => !isPlausible);
    expect(seen).toHaveLength(25);
    expect(seen.filter(({ wrong }) => wrong > 0)).toEqual([]);
    expect(seen.filter(({ lateMinutes }) => lateMinutes > 0)).toEqual([]);
  });

  test('the store in memory behaves like the real one', async () => {
    const { ingestAll, service, store } = await judging();
    const desk = new Desk();
    const { series } = fixture();
    const [first] = series.publications;
    if (first === undefined) throw new Error('no publication');
    await desk.page(first.at, first, true);
    await service.push(
      official(first.valueDate, first.rates, { captured_at: new Date(first.at).toISOString() }),
    );
    const figures = [560, 565, 5_650, 800, 801, 802, 803, 566, 420, 567, 900, 901, 902];
    for (const [minute, mid] of figures.entries()) {
      const at = Date.parse('2026-01-02T12:00:00Z') + minute * 300_000;
      service.clock.set(at);
      await desk.read(at, new Map([['binance', { mid }]]));
      const time = new Date(at).toISOString();
      const record = { kind: 'quote', market: 'binance', mid, updated_at: time, captured_at: time };
      await ingestAll([record], { source: 'aggregator', between: () => [0.001, 100_000] });
      const captured = await store.lastCaptureBefore('binance', at + 1);
      expect([minute, desk.published('binance')?.mid]).toEqual([minute, captured?.mid]);
    }
    const reasons = async (of: Pick<typeof store, 'listHeld'>) =>
      (await of.listHeld('held', 100)).map(({ reason }) => reason).sort();
    expect(await reasons(desk.store)).toEqual(await reasons(store));
  });

  test('a file of records is read as a series, and a bad line is named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vesfx-series-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'series.ndjson');
    const time = '2026-01-02T12:00:00Z';
    const lines = [
      { kind: 'quote', market: 'binance', ask: 566, bid: 564, captured_at: time },
      { kind: 'official', value_date: '2026-01-02', rates: { USD: 301.3709 }, captured_at: time },
    ].map((line) => JSON.stringify(line));
    writeFileSync(path, lines.join('\n'));
    const { quotes, publications } = await readSeries(path);
    expect(quotes.get('binance')).toEqual([{ at: Date.parse(time), mid: 565, ask: 566, bid: 564 }]);
    expect(publications).toHaveLength(1);
    writeFileSync(path, `${lines[0]}\n{"kind":"quote"}`);
    await expect(readSeries(path)).rejects.toThrow('line 2');
  });
});
