import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { contentFailure } from '../../../../test/harness/bodies.ts';
import { type Day, dollarWorkbook, quarterWorkbook } from '../../../../test/harness/workbooks.ts';
import { SourceFailure } from '../../../core/app/failures.ts';
import type { ArchivedWorkbook } from '../../../core/app/ports/sources.ts';
import { archivedWorkbook } from './bcv-archive-workbook.ts';
import { sheetsOf } from './workbook.ts';

const read = (bytes: Uint8Array): ArchivedWorkbook => archivedWorkbook(sheetsOf(bytes));

const others = { CNY: 7.12345678, TRY: 1.4567891, RUB: 0.4701234, CAD: 36.15 };
const friday: Day = {
  operations: '03/01/2025',
  value: '06/01/2025',
  asks: { EUR: 53.76600123, ...others, USD: 52.2 },
};
const monday: Day = {
  operations: '06/01/2025',
  value: '07/01/2025',
  asks: { EUR: 53.97200123, ...others, USD: 52.4 },
};

describe('a workbook', () => {
  test('with other sheets, or no valid one, is refused', () => {
    const none = () => read(dollarWorkbook({ Sheet1: [['USD', 52]], Sheet2: [] }));
    expect(contentFailure(none)).toContain('the sheets are Sheet1, Sheet2');
    expect(
      contentFailure(() => read(quarterWorkbook([{ ...friday, value: '03/01/2025' }]))),
    ).toContain(
      'every part has a fault, such as sheet 03012025: its Fecha Valor 2025-01-03 is not 1 to 10 days',
    );
    const empty = () => read(dollarWorkbook({ '2025': [['FECHA', 'COMPRA', 'VENTA']] }));
    expect(contentFailure(empty)).toContain('the sheets are 2025');
  });

  test('a figure that is off on one day alone is left out and told, if only workbooks have the currency', () => {
    const days = [friday, monday, { operations: '07/01/2025', value: '08/01/2025' }].map(
      (day, place) => ({
        ...day,
        asks: { EUR: 53.76600123, ...others, USD: 52.2, GBP: place === 1 ? 42.8 : 63.7 },
      }),
    );
    const { publications, faults } = read(quarterWorkbook(days));
    expect(publications.map(({ rates }) => rates['GBP'])).toEqual([63.7, undefined, 63.7]);
    expect(publications.map(({ rates }) => rates['USD'])).toEqual([52.2, 52.2, 52.2]);
    expect(faults).toEqual([
      { place: '2025-01-07', problem: expect.stringContaining('GBP 42.8 is far from the days') },
    ]);
    // A real move stays.
    const moved = days.map((day, place) => ({
      ...day,
      asks: { ...day.asks, GBP: place === 0 ? 63.7 : 42.8 },
    }));
    expect(read(quarterWorkbook(moved)).publications.map(({ rates }) => rates['GBP'])).toEqual([
      63.7, 42.8, 42.8,
    ]);
  });

  // Bytes altered, or the end cut off. The seed is kept, for one in some thousands of damaged
  // workbooks keeps the library busy for ever: see `parser-pool.ts`.
  const tuesday: Day = {
    operations: '07/01/2025',
    value: '08/01/2025',
    asks: { EUR: 54.17800123, ...others, USD: 52.6 },
    stamp: '',
  };
  const quarter = quarterWorkbook([tuesday, monday, friday]);
  const dollars = dollarWorkbook({
    '2025': [
      ['FECHA', 'COMPRA', 'VENTA'],
      [45_663, 52.0695, 52.2],
      [45_660, 51.87, 52],
    ],
    '2016': [
      ['FECHA', 'COMPRA', 'VENTA'],
      ['30/12/2016', 671.9161, 673.6],
    ],
  });
  test.each([
    ['a quarter', quarter],
    ['the dollar', dollars],
  ])('damaged copies of %s give a failure or only figures of the original', (_, whole) => {
    // The library writes remarks there.
    const remarks = vi.spyOn(console, 'error').mockReturnValue(undefined);
    onTestFinished(() => remarks.mockRestore());
    const said = new Set(read(whole).publications.flatMap(ratesSaid));
    const place = fc.nat({ max: whole.length - 1 });
    const alteration = fc.tuple(place, fc.integer({ min: 1, max: 255 }));
    const cut = fc.option(place, { freq: 8 });
    fc.assert(
      fc.property(fc.array(alteration, { maxLength: 4 }), cut, (alterations, end) => {
        const copy = Uint8Array.from(whole);
        for (const [at, bits] of alterations) copy[at] = (copy[at] ?? 0) ^ bits;
        let found: ArchivedWorkbook;
        try {
          found = read(end === null ? copy : copy.subarray(0, end));
        } catch (error) {
          return error instanceof SourceFailure && error.reason === 'content';
        }
        return found.publications.flatMap(ratesSaid).every((rate) => said.has(rate));
      }),
      { numRuns: 500, seed: 20_250_106 },
    );
  });
});

function ratesSaid({ valueDate, rates: given }: ArchivedWorkbook['publications'][number]) {
  return Object.entries(given).map(([currency, rate]) => `${valueDate} ${currency} ${rate}`);
}
