import { describe, expect, test } from 'vitest';
import { contentFailure } from '../../../../test/harness/bodies.ts';
import { type Cells, dollarWorkbook } from '../../../../test/harness/workbooks.ts';
import { archivedWorkbook } from './bcv-archive-workbook.ts';
import { sheetsOf } from './workbook.ts';

const read = (bytes: Uint8Array) => archivedWorkbook(sheetsOf(bytes));

describe('the dollar by year', () => {
  const HEADER = ['FECHA', 'COMPRA', 'VENTA'];
  const serial = (date: string) => (Date.parse(date) - Date.parse('1899-12-30')) / 86_400_000;

  test('is read from texts and dates below headers in any place, and the rest is ignored', () => {
    const bytes = dollarWorkbook({
      '2025': [
        ['Reference rate, bolívares for a dollar'],
        [],
        [undefined, 'Fecha', 'Compra', 'Venta'],
        [undefined, serial('2025-01-06'), 52.0695, 52.2],
        [undefined, serial('2025-01-03'), 51.87, 52],
        [undefined, serial('2025-01-01')],
        [],
        [undefined, 'A note.'],
      ],
      '2016': [HEADER, ['30/12/2016', 671.9161, 673.6], ['4/1/2016', 6.2842, 6.3]],
      Module1: [
        ['FECHA', 'COMPRA', 'VENTA'],
        ['03/01/2025', 1, 1],
      ],
    });
    const at = (valueDate: string, USD: number, isConverted = false) => ({
      valueDate,
      rates: { USD },
      capturedAt: Date.parse(`${valueDate}T00:00:00-04:00`),
      isConverted,
    });
    expect(read(bytes)).toEqual({
      publications: [
        at('2016-01-04', 6.3e-11, true),
        at('2016-12-30', 6.736e-9, true),
        at('2025-01-03', 52),
        at('2025-01-06', 52.2),
      ],
      faults: [],
    });
  });

  test.each([
    ['19/08/2018', 248_832.14, 2.4883214e-6],
    ['20/08/2018', 60.00000001, 6.000000001e-5],
    ['30/09/2021', 4_181_781.83, 4.18178183],
    ['01/10/2021', 4.18178183, 4.18178183],
  ])("of %s is given in today's bolívares, to the digit", (date, ask, expected) => {
    const bytes = dollarWorkbook({ [date.slice(-4)]: [HEADER, [date, ask, ask]] });
    expect(read(bytes).publications[0]?.rates).toEqual({ USD: expected });
  });

  const good = [serial('2025-01-06'), 52.0695, 52.2];
  test.each<[string, Cells[number], string]>([
    ['of another year', ['03/01/2024', 51.87, 52], '2024-01-03 is not in 2025'],
    ['on no day', ['31/02/2025', 51.87, 52], '"31/02/2025" is not a day'],
    ['in words', ['January', 51.87, 52], '"January" is not a day'],
    ['with a part of a day', [45_660.5, 51.87, 52], '"45660.5" is not a day'],
    ['beyond all calendars', [1e300, 51.87, 52], 'is not a day'],
    ['without a date', [undefined, 51.87, 52], 'it has no date'],
    ['without a bid', ['03/01/2025', undefined, 52], 'COMPRA is missing'],
    ['without an ask', ['03/01/2025', 52], 'VENTA is missing'],
    ['with a bid above its ask', ['03/01/2025', 52.01, 52], 'contradict each other'],
    ['with a bid far below', ['03/01/2025', 49.39, 52], 'contradict each other'],
    ['in another unit', ['03/01/2021', 1.15, 1.16], '2021-01-03 is not in 2025'],
    ['with other figures elsewhere', [serial('2025-01-06'), 52, 52.1], 'has other rates elsewhere'],
  ])('a row %s is refused, and the others are read', (_, row, problem) => {
    const bytes = dollarWorkbook({
      '2025': [HEADER, good, row],
      '2024': [HEADER, [serial('2024-01-03'), 35.8663, 35.9562]],
    });
    const { publications, faults } = read(bytes);
    expect(publications.length).toBe(problem.includes('elsewhere') ? 1 : 2);
    expect(faults.at(-1)).toEqual({
      place: 'sheet 2025, row 3',
      problem: expect.stringContaining(problem),
    });
  });

  test('a bid of 95% of its ask is valid; rows in the wrong unit are refused', () => {
    const year = (date: string, bid: number, ask: number) =>
      read(dollarWorkbook({ [date.slice(-4)]: [HEADER, [date, bid, ask]] }));
    expect(year('03/01/2025', 49.4, 52).faults).toEqual([]);
    for (const [date, ask, unit] of [
      ['19/08/2018', 2.48, 'fuertes'],
      ['20/08/2018', 49.9, 'soberanos'],
      ['30/09/2021', 4.18, 'soberanos'],
      ['01/10/2021', 4_181_781.83, "today's"],
    ] as const) {
      expect(
        contentFailure(() => year(date, ask, ask)),
        date,
      ).toContain(unit);
    }
  });

  test('a sheet without its headers is a fault, and the others are read', () => {
    const bytes = dollarWorkbook({ '2025': [HEADER, good], '2024': [['FECHA', 'VENTA'], good] });
    expect(read(bytes).faults).toEqual([
      { place: 'sheet 2024', problem: 'it has no row with the headers FECHA, COMPRA and VENTA' },
    ]);
  });
});
