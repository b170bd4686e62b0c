import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoardRate } from '../../../../client/types.ts';
import type { CaracasDay } from '../../../../core/domain/time.ts';
import { readAmount, readTypedAmount } from '../../frame/amount.ts';
import type { BoardFigures } from '../board-figures.ts';
import { conversionAddress, conversionRequest, convertTyped } from './converter.ts';
import { ratesOf } from './converter-days.ts';

describe('a typed amount', () => {
  test.each([
    ['125', '125', '125'],
    ['125.5', '125.5', '125.5'],
    ['125,5', '125.5', '125.5'],
    ['1.012,35', '1012.35', '1012.35'],
    ['1,012.35', '1012.35', '1012.35'],
    ['1.000.000', '1000000', '1000000'],
    ['1,000,000', '1000000', '1000000'],
    ['1.000.000,5', '1000000.5', '1000000.5'],
    ['1.012', '1012', '1.012'],
    ['1,012', '1.012', '1012'],
    ['0.125', '0.125', '0.125'],
    ['0,125', '0.125', '0.125'],
    ['1.0125', '1.0125', '1.0125'],
    ['1234.567', '1234.567', '1234.567'],
    [' 1 012,35 ', '1012.35', '1012.35'],
    ["1'012.35", '1012.35', '1012.35'],
    ['007', '7', '7'],
    [',5', '0.5', '0.5'],
    ['5,', '5', '5'],
    ['1.234.567', '1234567', '1234567'],
    // An apostrophe is between thousands or millions, as phones type it too.
    ["1'500", '1500', '1500'],
    ['1’500', '1500', '1500'],
    ["1'500,5", '1500.5', '1500.5'],
    ["1'500.000", '1500000', '1500.000'],
    ["1'500.000,50", '1500000.50', '1500000.50'],
    ["1'500'000.5", '1500000.5', '1500000.5'],
    ['20 000', '20000', '20000'],
    ['1\u00a0500', '1500', '1500'],
    ['20 mil', '20000', '20000'],
    ['20mil', '20000', '20000'],
    ['20 MIL', '20000', '20000'],
    ['20k', '20000', '20000'],
    ['20 thousand', '20000', '20000'],
    ['1,5 mil', '1500', '1500'],
    ['1,2345 mil', '1234.5', '1234.5'],
    ['0,0005 mil', '0.5', '0.5'],
    ['1.500.000 mil', '1500000000', '1500000000'],
    ['1 millón', '1000000', '1000000'],
    ['1 millo\u0301n', '1000000', '1000000'],
    ['2 millones', '2000000', '2000000'],
    ['2.5 millions', '2500000', '2500000'],
    ['2MM', '2000000', '2000000'],
    ['2 mil millones', '2000000000', '2000000000'],
    ['1.500 mil', '1500000', '1500'],
    ['1,500 mil', '1500', '1500000'],
  ])('%j is %s in Spanish and %s in English', (text, spanish, english) => {
    expect(readTypedAmount(text, 'es')?.amount).toBe(spanish);
    expect(readTypedAmount(text, 'en')?.amount).toBe(english);
  });

  test('that is ambiguous offers the other reading', () => {
    expect(readTypedAmount('1.012', 'es')).toEqual({ amount: '1012', other: '1.012' });
    expect(readTypedAmount('1.012', 'en')).toEqual({ amount: '1.012', other: '1012' });
    expect(readTypedAmount('1.012,5', 'es')).toEqual({ amount: '1012.5' });
    expect(readTypedAmount("1'500.000", 'es')).toEqual({ amount: '1500000', other: '1500.000' });
    expect(readTypedAmount("1'500", 'es')).toEqual({ amount: '1500' });
    expect(readTypedAmount('20 mil', 'es')).toEqual({ amount: '20000', isInWords: true });
    expect(readTypedAmount('1,500 mil', 'es')).toEqual({
      ...{ amount: '1500', other: '1500000', isInWords: true },
    });
    // For some an M is a thousand, for others a million.
    for (const text of ['20M', '20 m', '$20 M']) {
      expect(readTypedAmount(text, 'es'), text).toMatchObject({
        amount: '20000000',
        other: '20000',
      });
    }
    expect(readTypedAmount('1.500 M', 'es'), 'four meanings').toBeUndefined();
  });

  test('with thousands in words is as large as with its zeros, exactly', () => {
    const scales = [
      ['mil', '000'],
      ['millones', '000000'],
      ['mil millones', '000000000'],
    ] as const;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.constantFrom(...scales), (whole, scale) => {
        const [word, zeros] = scale;
        for (const text of [`${whole} ${word}`, `Bs. ${whole}${word}`, `${whole} ${word} de $`]) {
          expect(readTypedAmount(text, 'es')?.amount, text).toBe(`${whole}${zeros}`);
        }
      }),
    );
  });

  test.each([
    // An apostrophe that is not between thousands could be a decimal mark.
    ...["1'5", "12'50", "1'5000", "0'500", "1''500", "'500", "1500'", "1'500.000.00"],
    ...[
      '2 50',
      '20 mil 500',
      '1 millón 200 mil',
      '20 mil mil',
      '20 millardos',
      '20 kilo',
      '-5 mil',
    ],
    ...['', '.', 'mil', '1,2,3', '1.01.012', '1.0123,5', '01.012,5', '-5', '1e5', '0x10'],
    '1,012.35.1',
    '9'.repeat(41),
  ])('%j is refused', (text) => {
    expect(readTypedAmount(text, 'es')).toBeUndefined();
  });

  test.each([
    ['$20', '20', 'USD'],
    ['20 $', '20', 'USD'],
    ['US$ 1.234,5', '1234.5', 'USD'],
    ['20 Bs', '20', 'VES'],
    ['Bs. 20', '20', 'VES'],
    ['Bs.S 1.012,34', '1012.34', 'VES'],
    ['20 bolívares', '20', 'VES'],
    ['€5,5', '5.5', 'EUR'],
    ['Bs 1’500', '1500', 'VES'],
    ["$1'500,50", '1500.50', 'USD'],
  ])('%j is %s with the currency %s', (text, amount, currency) => {
    expect(readTypedAmount(text, 'es')).toEqual({ amount, currency });
  });

  test.each([
    ['20 mil Bs.', '20000', 'VES'],
    ['20milbs', '20000', 'VES'],
    ['Bs. 20 mil', '20000', 'VES'],
    ['2 millones de bolívares', '2000000', 'VES'],
    ['1,5 mil dólares', '1500', 'USD'],
    ['$20k', '20000', 'USD'],
    ['20k$', '20000', 'USD'],
    ['5 mil euros', '5000', 'EUR'],
  ])('%j is %s in words with the currency %s', (text, amount, currency) => {
    expect(readTypedAmount(text, 'es')).toEqual({ amount, currency, isInWords: true });
  });

  test('in words with USDT is counted in dollars', () => {
    expect(readTypedAmount('20 mil USDT', 'es')).toMatchObject({
      ...{ amount: '20000', currency: 'USD', isTether: true },
    });
  });

  test.each(['20 £', '20 mil pesos', 'mil $ 20', '20 mil de', '$20 Bs', '$', 'Bs', '20 pesos'])(
    '%j is refused',
    (text) => {
      expect(readTypedAmount(text, 'es')).toBeUndefined();
    },
  );

  test('in an address follows the grammar of the API, unless a form made the address', () => {
    const address = { typedIn: undefined, language: 'es' } as const;
    expect(readAmount('1.012', address)).toEqual({ amount: '1.012' });
    expect(readAmount('1e5', address)).toEqual({ amount: '1e5' });
    expect(readAmount('1.012,5', address)).toEqual({ amount: '1012.5' });
    expect(readAmount('1.012', { typedIn: 'es', language: 'en' })?.amount).toBe('1012');
  });
});

function rate(market: string, base: 'USD' | 'EUR', mid: number, type = 'p2p'): BoardRate {
  return {
    market,
    base,
    mid,
    type,
    name: market,
    name_en: market,
    updated_at: '2026-11-21T12:00:00.000Z',
    stale_after_sec: 900,
    staleness_sec: 0,
    stale: false,
    source: { name: 'test', kind: 'operator' },
  };
}

const RATES = [
  rate('reference', 'USD', 800.5, 'reference'),
  rate('eur_reference', 'EUR', 920.25, 'reference'),
  rate('parallel', 'USD', 1012.35, 'parallel'),
  rate('sending', 'USD', 900, 'remittance'),
];

function converted(query: string) {
  return convertTyped(conversionRequest(new URLSearchParams(query)), RATES, 'es');
}

describe('a conversion of a day to come', () => {
  const figures = {
    rates: RATES,
    history_days: 365,
    official: {
      USD: {
        in_force: { rate: 800.5, value_date: '2026-11-20', effective_at: '2026-11-20T04:00:00Z' },
        next: { rate: 810, value_date: '2026-11-24', effective_at: '2026-11-24T04:00:00Z' },
      },
    },
  } as unknown as BoardFigures;
  const today = '2026-11-20' as CaracasDay;

  test.each([
    ['date=2026-11-21', 800.5],
    ['date=2026-11-21&rule=next_banking_day', 810],
    ['date=2026-11-24', 810],
    ['date=2026-11-24&rule=next_banking_day', 810],
    ['date=2026-11-25', undefined],
  ])('takes the rate of its rule: %s (contract §9)', (query, result) => {
    const request = conversionRequest(new URLSearchParams(`amount=1&${query}`));
    const rates = ratesOf(request, { figures, past: undefined, today }) ?? [];
    expect(convertTyped(request, rates, 'es').done?.result).toBe(result);
  });
});

describe('a conversion', () => {
  test.each([
    ['date=2026-11-17', '2026-11-17'],
    ['fecha=2026-11-17', '2026-11-17'],
    ['fecha=17/11/2026', '2026-11-17'],
    ['dia=2026-11-17', '2026-11-17'],
    ['date=&fecha=2026-11-17', '2026-11-17'],
    ['date=2026-11-18&fecha=2026-11-17', '2026-11-18'],
    ['day=2026-11-20&fecha=2026-11-17', '2026-11-20'],
    ['day=other&date=2026-11-17', '2026-11-17'],
    ['', ''],
  ])('of a link takes the day that it names: %s', (query, date) => {
    expect(conversionRequest(new URLSearchParams(`amount=10&${query}`)).date).toBe(date);
  });

  test.each([
    ['amount=20&via=p2p_median', 19_000, 'binance'],
    ['amount=20+USDT&typed=es', 19_000, 'binance'],
    ['amount=20&via=okx', 19_200, 'okx'],
  ])('of a past day takes USDT from the first P2P market: %s', (query, result, name) => {
    const on = (past: readonly BoardRate[]) => {
      const figures = { rates: past, history_days: 365 } as unknown as BoardFigures;
      const today = '2026-11-21' as CaracasDay;
      const request = conversionRequest(new URLSearchParams(`${query}&date=2026-11-17`));
      return convertTyped(request, ratesOf(request, { figures, past, today }) ?? [], 'es');
    };
    const { done } = on([...RATES, rate('binance', 'USD', 950), rate('okx', 'USD', 960)]);
    expect([done?.result, done?.rate.name]).toEqual([result, name]);
    expect(on(RATES)).toEqual({ problem: 'no_past_rate' });
  });

  test.each([
    ['', 800.5, 'reference', 'VES'],
    ['amount=125.5&from=USD&via=parallel', 127049.93, 'parallel', 'VES'],
    ['amount=1000&from=VES&via=parallel', 0.988, 'parallel', 'USD'],
    ['amount=100&from=eur', 92025, 'eur_reference', 'VES'],
    ['amount=1000&from=VES&via=eur_reference', 1.09, 'eur_reference', 'EUR'],
    ['amount=1000&from=VES&to=EUR', 1.09, 'eur_reference', 'EUR'],
    ['amount=1000&from=VES', 1.25, 'reference', 'USD'],
    ['amount=1&from=USD&market=parallel', 1012.35, 'parallel', 'VES'],
    // A rate alone says which currency it is of.
    ['amount=100&via=eur_reference', 92025, 'eur_reference', 'VES'],
    // The currency beside the amount says more than the field.
    ['amount=2+mil+Bs&via=parallel&typed=es', 1.98, 'parallel', 'USD'],
    // People write such links by hand too.
    ['amount=20+mil', 16_010_000, 'reference', 'VES'],
    ["amount=1'500&lang=en", 1_200_750, 'reference', 'VES'],
    ['amount=1000+Bs&via=parallel&typed=es', 0.988, 'parallel', 'USD'],
    ['amount=$1&from=VES&via=parallel&typed=es', 1012.35, 'parallel', 'VES'],
    // It also says which official rate counts without a market.
    ['amount=€100&typed=es', 92025, 'eur_reference', 'VES'],
    ['amount=€100&from=VES&typed=es', 92025, 'eur_reference', 'VES'],
    ['amount=$1&from=EUR&typed=es', 800.5, 'reference', 'VES'],
    // Of the two fields of a form the lower one counts when it alone changed.
    [
      'amount=1&amount_was=1&other=1.000,00&other_was=800,50&from=&typed=es',
      1.25,
      'reference',
      'USD',
    ],
    [
      'amount=2&amount_was=1&other=800,50&other_was=800,50&from=&typed=es',
      1601,
      'reference',
      'VES',
    ],
    ['amount=2&amount_was=1&other=9&other_was=800,50&from=&typed=es', 1601, 'reference', 'VES'],
  ])('%s is %d', (query, result, market, to) => {
    expect(converted(query).done).toMatchObject({ result, to, rate: { market } });
  });

  test.each([
    ['amount=', 'no_amount'],
    ['amount=x', 'unreadable'],
    ['amount=0', 'out_of_range'],
    ['amount=1000000000000.01', 'out_of_range'],
    ['from=GBP', 'unknown_pair'],
    ['from=USD&to=EUR', 'unknown_pair'],
    ['via=nowhere', 'no_rate'],
    ['from=EUR&via=parallel', 'other_currency'],
    ['from=VES&via=sending', 'one_way'],
    ['amount=€5&via=parallel&typed=es', 'other_currency'],
  ])('%s is refused: %s', (query, problem) => {
    expect(converted(query)).toEqual({ problem });
  });

  test('has an address that reproduces it', () => {
    const { done } = converted('amount=1.012,5&from=VES&via=parallel&typed=es');
    if (done === undefined) throw new Error('not converted');
    const address = conversionAddress(done, { language: 'es', languageChosen: false });
    expect(address).toBe('/?amount=1012.5&from=VES&via=parallel#converter');
    expect(converted(new URL(address, 'http://x').search.slice(1)).done).toEqual(done);
  });
});
