import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ingestInMemory } from '../faults/replay/desk.ts';
import { recordsIn } from '../src/core/app/ingest/ndjson.ts';
import { DAY_MS, MINUTE_MS } from '../src/core/domain/time.ts';
import { iso, official } from './harness/make.ts';
import { START } from './harness/service.ts';

/** Pages for the next value dates, right and wrong, and the minutes between them. */
const page = fc.record({
  date: fc.constantFrom('2026-11-20', '2026-11-23', '2026-11-24', '2026-11-25'),
  usd: fc.constantFrom(800, 802, 802, 808, 1_000, 1_001),
  eur: fc.constantFrom(1.15, 1.15, 1.15, 1.3),
  wait: fc.constantFrom(1, 5, 10, 700),
  hasEuro: fc.constantFrom(true, true, true, false),
});
type Page = ReturnType<typeof page.generate>['value'];

async function outcome(batches: readonly (readonly object[])[], isPage: boolean) {
  const { store, ingest } = ingestInMemory(() => START + 30 * DAY_MS);
  for (const batch of batches) {
    const lines = recordsIn(batch.map((record) => JSON.stringify(record)));
    await ingest.ingest(lines, { source: 'bcv-official', isPage });
  }
  const held = await store.listHeld('held', 1_000);
  return {
    published: store.publications
      .map(({ valueDate, rates, capturedAt, state, insisted }) =>
        [valueDate, JSON.stringify(rates), capturedAt, state, insisted].join(' '),
      )
      .sort(),
    held: held
      .map(({ record, capturedAt, counts, reasons = [] }) =>
        [JSON.stringify(record), capturedAt, counts, ...reasons].join(' '),
      )
      .sort(),
  };
}

describe('judgement of publications (contract §8)', () => {
  test('one batch or many: the same is published and held', async () => {
    const law = fc.asyncProperty(
      fc.array(page, { minLength: 2, maxLength: 24 }),
      fc.boolean(),
      async (pages: readonly Page[], isPage) => {
        let at = START;
        const records = pages.map(({ date, usd, eur, wait, hasEuro }) => {
          at += wait * MINUTE_MS;
          const rates = { USD: usd, ...(hasEuro && { EUR: Math.round(usd * eur) }) };
          return official(date, rates, { captured_at: iso(at) });
        });
        const single = await outcome(
          records.map((record) => [record]),
          isPage,
        );
        expect(await outcome([records], isPage)).toEqual(single);
      },
    );
    await fc.assert(law, { numRuns: 500 });
  });
});
