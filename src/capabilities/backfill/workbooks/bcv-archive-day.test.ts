import { describe, expect, test } from 'vitest';
import { contentFailure } from '../../../../test/harness/bodies.ts';
import { AT, type Cells, type Day, quarterWorkbook } from '../../../../test/harness/workbooks.ts';
import { SourceFailure } from '../../../core/app/failures.ts';
import type { ArchivedWorkbook } from '../../../core/app/ports/sources.ts';
import { archivedWorkbook } from './bcv-archive-workbook.ts';
import { sheetsOf } from './workbook.ts';

const read = (bytes: Uint8Array): ArchivedWorkbook => archivedWorkbook(sheetsOf(bytes));
const readDays = (...days: readonly Day[]) => read(quarterWorkbook(days));

const friday: Day = {
  operations: '03/01/2025',
  value: '06/01/2025',
  asks: {
    EUR: 53.76600123,
    CNY: 7.12345678,
    TRY: 1.4567891,
    RUB: 0.4701234,
    USD: 52.2,
    CAD: 36.15,
  },
};
const monday: Day = {
  operations: '06/01/2025',
  value: '07/01/2025',
  stamp: '06/01/2025 12:05 AM',
  asks: { ...friday.asks, USD: 52.4 },
};
const rates = { EUR: 53.76600123, CNY: 7.12345678, TRY: 1.4567891, RUB: 0.4701234, USD: 52.2 };

/** The only fault of a day that is read beside a good one. */
function faultOf(day: Partial<Day>, around: Day = monday): string {
  const { publications, faults } = readDays(around, { ...friday, ...day });
  expect(publications.map(({ valueDate }) => valueDate)).toEqual(['2025-01-07']);
  expect(faults).toHaveLength(1);
  return `${faults[0]?.place}: ${faults[0]?.problem}`;
}

describe('a quarter', () => {
  test('gives the selling rate of each published currency by value date, oldest first', () => {
    expect(readDays(monday, friday)).toEqual({
      publications: [
        {
          valueDate: '2025-01-06',
          rates: { ...rates, CAD: 36.15 },
          capturedAt: Date.parse('2025-01-03T15:30:00-04:00'),
          isConverted: false,
        },
        {
          valueDate: '2025-01-07',
          rates: { ...rates, USD: 52.4, CAD: 36.15 },
          capturedAt: Date.parse('2025-01-06T00:05:00-04:00'),
          isConverted: false,
        },
      ],
      faults: [],
    });
  });

  test('is the same with a leading empty column, and with every form of the header', () => {
    const expected = readDays(friday);
    expect(readDays({ ...friday, indent: 1 })).toEqual(expected);
    for (const header of ['Bs./M.E', ' Bs. / M.E. ', 'BS./M.E.']) {
      expect(readDays({ ...friday, header }), header).toEqual(expected);
    }
  });

  test.each([
    ['01/01/2025', '12:00 PM', '2025-01-01T12:00:00-04:00'],
    ['02/01/2025', '11:59 PM', '2025-01-02T23:59:00-04:00'],
    ['01/01/2025', '1:07 a.m.', '2025-01-01T01:07:00-04:00'],
  ])('a time stamp is in Caracas time: %s %s', (day, time, expected) => {
    const { publications } = readDays({
      ...friday,
      operations: '01/01/2025',
      value: '02/01/2025',
      stamp: `${day} ${time}`,
    });
    expect(publications[0]?.capturedAt).toBe(Date.parse(expected));
  });

  test('without a time stamp a day counts from the start of its value date', () => {
    const { publications } = readDays({ ...friday, stamp: '' });
    expect(publications[0]?.capturedAt).toBe(Date.parse('2025-01-06T00:00:00-04:00'));
  });

  test('a currency without figures is absent, and so is one of workbooks whose figures are none', () => {
    const { publications, faults } = readDays({
      ...friday,
      change(cells) {
        cells[AT.firstRates + 3]?.splice(2);
        cells[AT.firstRates + 5]?.splice(AT.bid, 2, 'n/a', 'n/a');
      },
    });
    const { RUB, ...others } = rates;
    expect({ rates: publications[0]?.rates, faults }).toEqual({ rates: others, faults: [] });
    expect(RUB).toBe(0.4701234);
  });

  test('sheets that are not for a day are ignored', () => {
    const notes: Cells = [['Notes'], ['USD', 1, 2]];
    expect(read(quarterWorkbook([friday], { Notes: notes, '2025': notes }))).toEqual(
      readDays(friday),
    );
  });
});

describe('a sheet is refused', () => {
  const put = (row: number, column: number, value: string | number | undefined) => ({
    change: (cells: Cells) => {
      const line = cells[row];
      if (line === undefined) throw new Error('there is no such row');
      line[column] = value;
    },
  });
  const usdRow = AT.firstRates + 4;

  test.each<[string, Partial<Day>, string]>([
    ['name and operations differ', { name: '02012025' }, 'its name says 2025-01-02'],
    ['its name is no day', { name: '32012025' }, 'its name is not a day'],
    ['a copy has another name', { name: '03012025 (2)' }, 'its name is not a day'],
    ['operations on no day', { operations: '31/02/2025' }, 'its name is not a day'],
    ['value date on no day', { value: '31/02/2025' }, '"Fecha Valor: 31/02/2025" is not a day'],
    ['value date not after', { value: '03/01/2025' }, 'is not 1 to 10 days after'],
    ['value date before', { value: '02/01/2025' }, 'is not 1 to 10 days after'],
    ['value date too far', { value: '14/01/2025' }, 'is not 1 to 10 days after'],
    ['value date on a Saturday', { value: '04/01/2025' }, 'is on a weekend'],
    ['value date on a Sunday', { value: '05/01/2025' }, 'is on a weekend'],
    ['value date after the next operations', { value: '07/01/2025' }, 'after the operations of'],
    ['no value date', put(AT.dates, 2, 'Fecha Valor:'), 'it has no Fecha Valor'],
    ['no operations', put(AT.dates, 0, ''), 'it has no Fecha Operacion'],
    ['two value dates', put(0, 0, 'Fecha Valor: 06/01/2025'), 'more than one Fecha Valor'],
    [
      'stamp before',
      { stamp: '02/01/2025 11:59 PM' },
      'its stamp 02/01/2025 11:59 PM is not between',
    ],
    ['stamp after the value date', { stamp: '07/01/2025 12:00 AM' }, 'is not between'],
    ['stamp is no time', { stamp: '03/01/2025 13:30 PM' }, 'is not a time'],
    ['stamp on no day', { stamp: '30/02/2025 01:30 PM' }, 'is not a time'],
    ['no header', { header: 'M.E./Bs.' }, 'it has 0 headers Bs./M.E. instead of one'],
    ['two headers', put(AT.groups, 2, 'Bs./M.E.'), 'it has 2 headers Bs./M.E. instead of one'],
    ['sides swapped', put(AT.sides, AT.bid, 'Venta (ASK)'), 'it has no Compra (BID)'],
    ['no quotations', put(AT.sides, AT.quotedAsk, undefined), 'it has no Compra (BID)'],
    ['no dollar', put(usdRow, 0, 'USX'), 'it has no USD'],
    ['a currency twice', put(usdRow, 0, 'EUR'), 'it has EUR twice'],
    ['figures without a currency', put(usdRow, 0, undefined), '"Somewhere" is no currency'],
    ['a figure missing', put(usdRow, AT.bid, undefined), 'the bid of USD is missing'],
    ['a figure as text', put(usdRow, AT.ask, '52,20'), 'the ask of USD is "52,20"'],
    ['a figure of 0', put(usdRow, AT.ask, 0), 'the ask of USD is 0, which'],
    ['a negative figure', put(usdRow, AT.ask, -52.2), 'the ask of USD is -52.2, which'],
    [
      'a figure over 10^15',
      put(usdRow, AT.ask, 1.1e15),
      'the ask of USD is 1100000000000000, which',
    ],
    ['a figure of 1e308', put(usdRow, AT.ask, 1e308), 'the ask of USD is 1e+308, which'],
    ['nine decimals', put(usdRow, AT.ask, 52.200000001), 'which is no published figure'],
    ['sixteen digits', put(usdRow, AT.ask, 52_200_000.00000001), 'which is no published figure'],
    ['bid above ask', put(usdRow, AT.bid, 52.20000001), 'the bid of USD is above its ask'],
    ['another bid', put(usdRow, AT.bid, 52.06950005), 'bid and ask of EUR and of USD contradict'],
    ['another ask', put(AT.firstRates, AT.ask, 107.53200246), 'of EUR and of USD contradict'],
    ['another quotation', put(AT.firstRates, AT.quotedAsk, 1.05), 'is not what it is quoted at'],
  ])('%s', (_, day, problem) => {
    const name = day.name ?? (day.operations ?? friday.operations).replaceAll('/', '');
    expect(faultOf(day)).toContain(`sheet ${name}: `);
    expect(faultOf(day)).toContain(problem);
  });

  test('a value date up to 10 days after the operations is accepted', () => {
    expect(readDays({ ...friday, value: '13/01/2025' }).faults).toEqual([]);
  });

  test('exchanged rows of two currencies are refused by their quotations', () => {
    const exchanged = (cells: Cells) => {
      const [eur, cny] = [cells[AT.firstRates], cells[AT.firstRates + 1]];
      if (eur === undefined || cny === undefined) throw new Error('there are no such rows');
      [eur[AT.bid], eur[AT.ask], cny[AT.bid], cny[AT.ask]] = [
        cny[AT.bid],
        cny[AT.ask],
        eur[AT.bid],
        eur[AT.ask],
      ];
    };
    expect(faultOf({ change: exchanged })).toContain('is not what it is quoted at');
  });

  test('two sheets with different rates for one value date are both refused, and equal ones count once', () => {
    const again: Day = { ...friday, name: '03012025 ' };
    expect(readDays(friday, again)).toEqual(readDays(friday));
    const other: Day = { ...again, asks: { ...friday.asks, USD: 52.3 } };
    const { publications, faults } = readDays(monday, friday, other);
    expect(publications.map(({ valueDate }) => valueDate)).toEqual(['2025-01-07']);
    expect(faults.map(({ problem }) => problem)).toEqual([
      '2025-01-06 has other rates elsewhere in the workbook',
      '2025-01-06 has other rates elsewhere in the workbook',
    ]);
  });

  test('a workbook with an empty sheet among its days is refused', () => {
    const empty: Day = { ...monday, change: (cells) => cells.splice(0) };
    expect(contentFailure(() => readDays(empty, friday))).toBe(
      'expected rates on every sheet, 06012025 is empty',
    );
  });
});

/** A day around the change of units, and what the dollar's figure means on it. */
function unitOfDay(operations: string, value: string, usd: number, header?: string) {
  const asks = { USD: usd };
  const bytes = quarterWorkbook([{ operations, value, asks, ...(header && { header }) }]);
  try {
    const [publication] = read(bytes).publications;
    return [publication?.rates.USD, publication?.isConverted];
  } catch (error) {
    if (error instanceof SourceFailure) return error.message.replace(/^.*: /, '');
    throw error;
  }
}

describe('bolívares', () => {
  const day = {
    before: ['29/09/2021', '30/09/2021'],
    across: ['30/09/2021', '01/10/2021'],
  } as const;

  test('of value dates before 1 October 2021 are soberanos: divided by 1,000,000, to the digit', () => {
    expect(unitOfDay(...day.before, 4_138_617.56030001)).toEqual([4.13861756030001, true]);
    expect(unitOfDay(...day.across, 4.18178183)).toEqual([4.18178183, false]);
  });

  test('a sheet labelled soberanos is converted only for operations of their time', () => {
    for (const header of ['Bs.S/M.E', 'Bs.S/M.E.']) {
      expect(unitOfDay(...day.across, 4_181_781.83, header), header).toEqual([4.18178183, true]);
      expect(unitOfDay('01/10/2021', '04/10/2021', 4_181_781.83, header), header).toMatch(
        /soberanos, which were not the unit of that day|not in today's bolívares/,
      );
    }
    expect(unitOfDay('02/01/2025', '03/01/2025', 52, 'Bs.S/M.E.')).toContain('were not the unit');
  });

  test('a figure with the magnitude of another unit is refused', () => {
    expect(unitOfDay(...day.before, 4.13861756)).toContain('not in bolívares soberanos');
    expect(unitOfDay(...day.across, 4.18178183, 'Bs.S/M.E.')).toContain(
      'not in bolívares soberanos',
    );
    expect(unitOfDay(...day.across, 4_181_781.83)).toContain("not in today's bolívares");
    expect(unitOfDay('30/12/2021', '31/12/2021', 50)).toContain("not in today's bolívares");
    expect(unitOfDay('30/12/2021', '03/01/2022', 50)).toEqual([50, false]);
  });
});
