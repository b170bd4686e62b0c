import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fillWithEmptyStore } from '../../../../../test/harness/empty-store.ts';
import { bankTable, iso, official, quote } from '../../../../../test/harness/make.ts';
import {
  type ManualClock,
  manualClock,
  temporaryDir,
} from '../../../../../test/harness/service.ts';
import { day } from '../../../../../testkit/day.ts';
import { openToolbox, type Toolbox } from '../../../../core/compose.ts';
import { readConfig } from '../../../../core/config.ts';
import { caracasDayOf, DAY_MS, HOUR_MS, type Instant } from '../../../../core/domain/time.ts';
import { openNdjson } from '../../ndjson-file.ts';
import { exported, imported } from '../exporting.ts';

/* Export and import give the same answers (contract §22). */

const NAMES = ['reference', 'eur_reference', 'CNY', 'TRY', 'RUB'];
const MARKETS = ['parallel', 'binance', ...NAMES];

async function newToolbox(clock: ManualClock): Promise<Toolbox & { readonly folder: string }> {
  const folder = await temporaryDir();
  await fillWithEmptyStore(folder);
  const toolbox = await openToolbox(readConfig({ data: folder }, {}), { clock });
  onTestFinished(() => toolbox.store.close());
  return { ...toolbox, folder };
}

/** What answers are made of. */
async function answersOf({ store }: Toolbox, now: Instant) {
  const all = { start: 0, end: now + 30 * DAY_MS };
  const { quotes, publication, bankTable: table } = await store.currentRecords(caracasDayOf(now));
  const days = { from: day('2020-01-01'), to: day('2030-01-01') };
  const byMarket: Record<string, unknown> = {};
  for (const market of MARKETS) {
    byMarket[market] = {
      raw: await store.latestCaptures(market, all, 10_000),
      daily: await store.lastCaptureOfEachDay(market, all.start, all.end),
      candles: await store.dayCandles(market, all.start, all.end),
      official: await store.officialSeries(market, days),
      rates: await store.officialRates(market, days),
    };
  }
  const current = quotes.map(({ source: _, ...rest }) => rest);
  // The store numbers markets as they come.
  current.sort((a, b) => (a.market < b.market ? -1 : 1));
  return { current, publication, table, ...byMarket };
}

/** What may happen between two batches. */
interface Step {
  readonly kind: 'publication' | 'quote' | 'rate' | 'banks';
  /** Hours since the step before. */
  readonly hours: number;
  /** Days from the reading to its date. */
  readonly ahead: number;
  /** Hours by which a quote or table was read before it came. */
  readonly late: number;
  /** By how much figures rise since the step before. None comes back. */
  readonly figure: number;
  readonly other: number;
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('publication', 'publication', 'publication', 'quote', 'rate', 'banks'),
    hours: fc.constantFrom(1, 7, 30),
    ahead: fc.integer({ min: -3, max: 2 }),
    late: fc.constantFrom(0, 0, 0, 5, 60),
    figure: fc.integer({ min: 0, max: 2 }),
    other: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 12 },
);

function recordOf({ kind, ahead, late, figure, other }: Step, now: Instant): object {
  const isOfficial = kind === 'publication' || kind === 'rate';
  const readAt = isOfficial ? now : now - late * HOUR_MS;
  const date = caracasDayOf(readAt + ahead * DAY_MS);
  const more = { captured_at: iso(readAt) };
  switch (kind) {
    case 'publication': {
      // No two dates have the same figures, which would be one publication with a corrected date.
      const ofDate = Number(date.slice(-2)) / 100;
      const rates = { USD: 800 + figure, EUR: 900 + other, CNY: 100 + figure + ofDate };
      return official(date, rates, more);
    }
    case 'quote': {
      const times = { ...more, updated_at: iso(readAt - other * HOUR_MS) };
      return quote('parallel', 850 + figure, { ...times, ask: 860 });
    }
    case 'rate':
      return {
        kind: 'quote',
        market: 'reference',
        mid: 800 + figure,
        effective_date: date,
        ...more,
      };
    default:
      return bankTable(date, [{ bank: 'Banesco', buy: 800 + figure, sell: 801 + other }], more);
  }
}

describe('a file of records (contract §22)', () => {
  test('an export and its import give the same answers, whatever was stored in whatever order', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const clock = manualClock();
        const from = await newToolbox(clock);
        const risen = { figure: 0, other: 0 };
        for (const step of history) {
          clock.advance(step.hours * HOUR_MS);
          risen.figure += step.figure;
          risen.other += step.other;
          const records = [recordOf({ ...step, ...risen }, clock.now())];
          await from.ingest.ingest(records as never, { source: 'operator', trust: true });
        }
        clock.advance(HOUR_MS);
        const first = await exported(from, from.folder, openNdjson);
        const to = await newToolbox(clock);
        expect(await imported(to, first.text)).toMatchObject({ refused: 0, held: 0 });
        expect(await answersOf(to, clock.now())).toEqual(await answersOf(from, clock.now()));
        expect((await exported(to, to.folder, openNdjson)).text).toBe(first.text);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 60), seed: Number(process.env['SEED'] ?? 1) },
    );
  });
});
