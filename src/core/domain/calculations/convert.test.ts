import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aMarket } from '../../../../test/harness/market.ts';
import { decimal, sum, toNumber } from '../decimal.ts';
import { ApiError } from '../errors.ts';
import type { Base, Market, MarketType } from '../markets.ts';
import {
  convertAmount,
  convertBatch,
  MAX_AMOUNT,
  MAX_BATCH_AMOUNTS,
  parseAmount,
  parseDirection,
  requireConvertible,
} from './convert.ts';

function market(type: MarketType, base: Base = 'USD'): Market {
  return aMarket({ id: `${type}_${base}`, type, base });
}

function problemOf(act: () => unknown): { code: string; field: string | undefined } | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, field: error.options.field };
  }
}

const asNumber = (text: string) => {
  const amount = parseAmount(text);
  return amount === undefined ? undefined : toNumber(amount);
};

describe('amounts', () => {
  test.each([
    ['1', 1],
    ['0.01', 0.01],
    ['1e12', 1e12],
    ['1E+12', 1e12],
    ['1000000000000.000', 1e12],
    ['999999999999.99', 999_999_999_999.99],
    ['10e-1', 1],
    ['1e-300', 1e-300],
    ['5e-324', 5e-324],
    ['0.000001e18', 1e12],
  ])('§4.5 the amount %s is read as %d', (text, expected) => {
    expect(asNumber(text)).toBe(expected);
  });

  test.each([
    '',
    ' 5',
    '5 ',
    '5\n',
    '+5',
    '.5',
    '5.',
    '05',
    '00',
    '1,5',
    '1_000',
    '0x10',
    '0b1',
    '1e',
    'e5',
    '1e5.5',
    '1e+',
    '--1',
    'Infinity',
    'NaN',
    '1n',
    '٣',
    '１',
    'null',
    'true',
    '"1"',
    '[1]',
  ])('contract §2: the amount %j is not accepted', (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  test('§4.5 an amount of exactly 1e12 is accepted, and the next larger is not', () => {
    expect(parseAmount(MAX_AMOUNT)?.toFixed()).toBe('1000000000000');
    expect(parseAmount('1000000000000.01')).toBeUndefined();
    // A double cannot tell this one from 1e12.
    expect(parseAmount('1000000000000.0000000000001')).toBeUndefined();
    expect(parseAmount('1e13')).toBeUndefined();
    expect(parseAmount('1e400')).toBeUndefined();
    expect(parseAmount(`1e${'9'.repeat(5000)}`)).toBeUndefined();
  });

  test('§4.5 an amount must be greater than 0', () => {
    for (const text of ['0', '-0', '0.0', '0e5', '-1', '-1e-9', '1e-400']) {
      expect([text, parseAmount(text)]).toEqual([text, undefined]);
    }
  });

  test('contract §2: an amount keeps digits that a double would lose', () => {
    expect(parseAmount('123456789012.12345678901234567890')?.toFixed()).toBe(
      '123456789012.1234567890123456789',
    );
  });

  test('contract §2: exactly the JSON numbers in range are accepted', () => {
    const characters = fc.constantFrom(
      ...'0123456789',
      ...'0015',
      '.',
      '.',
      '-',
      '+',
      'e',
      'E',
      ' ',
    );
    const numberish = fc.string({ unit: characters, minLength: 0, maxLength: 9 });
    fc.assert(
      fc.property(numberish, (text) => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = undefined;
        }
        const inRange =
          typeof parsed === 'number' && parsed > 0 && parsed <= 1e12 && text.trim() === text;
        expect(asNumber(text)).toBe(inRange ? parsed : undefined);
      }),
      { numRuns: 20_000 },
    );
  });

  test('contract §2: every amount that JSON writes is read back the same', () => {
    fc.assert(
      fc.property(fc.double({ min: 5e-324, max: 1e12, noNaN: true }), (value) => {
        expect(asNumber(JSON.stringify(value))).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('directions', () => {
  test('§4.5 one side is VES and the other USD or EUR', () => {
    expect(parseDirection({ from: 'USD', to: 'VES' })).toEqual({
      from: 'USD',
      to: 'VES',
      foreign: 'USD',
      toVes: true,
    });
    expect(parseDirection({ from: 'VES', to: 'EUR' })).toEqual({
      from: 'VES',
      to: 'EUR',
      foreign: 'EUR',
      toVes: false,
    });
  });

  test.each([
    ['VES', 'VES', 'to'],
    ['USD', 'USD', 'to'],
    ['USD', 'EUR', 'to'],
    ['EUR', 'USD', 'to'],
    ['GBP', 'VES', 'from'],
    ['VES', 'GBP', 'to'],
    ['GBP', 'JPY', 'from'],
    ['USD', 'GBP', 'to'],
    ['usd', 'VES', 'from'],
    ['', 'VES', 'from'],
  ])('contract §2: from %j to %j is refused, naming %s', (from, to, field) => {
    expect(problemOf(() => parseDirection({ from, to }))).toEqual({
      code: 'invalid_format',
      field,
    });
  });

  test('§4.6 the batch refuses EUR on either side', () => {
    expect(parseDirection({ from: 'VES', to: 'USD' }, ['USD']).toVes).toBe(false);
    const refused = (from: string, to: string) =>
      problemOf(() => parseDirection({ from, to }, ['USD']))?.field;
    expect(refused('EUR', 'VES')).toBe('from');
    expect(refused('VES', 'EUR')).toBe('to');
  });

  test('§4.5 the market must quote the foreign currency of the pair', () => {
    const usd = parseDirection({ from: 'USD', to: 'VES' });
    const eur = parseDirection({ from: 'VES', to: 'EUR' });
    expect(problemOf(() => requireConvertible(market('reference'), usd, 'via'))).toBeUndefined();
    expect(
      problemOf(() => requireConvertible(market('reference', 'EUR'), eur, 'via')),
    ).toBeUndefined();
    expect(problemOf(() => requireConvertible(market('reference', 'EUR'), usd, 'via'))).toEqual({
      code: 'invalid_format',
      field: 'via',
    });
    expect(problemOf(() => requireConvertible(market('p2p'), eur, 'market'))).toEqual({
      code: 'invalid_format',
      field: 'market',
    });
  });

  test('§4.5 a remittance market converts to VES and not from it', () => {
    const toVes = parseDirection({ from: 'USD', to: 'VES' });
    const fromVes = parseDirection({ from: 'VES', to: 'USD' });
    const remittance = market('remittance');
    expect(problemOf(() => requireConvertible(remittance, toVes, 'via'))).toBeUndefined();
    expect(problemOf(() => requireConvertible(remittance, fromVes, 'via'))).toEqual({
      code: 'invalid_format',
      field: 'via',
    });
    for (const type of ['reference', 'parallel', 'p2p', 'exchange_house', 'cash'] as const) {
      expect(problemOf(() => requireConvertible(market(type), fromVes, 'via'))).toBeUndefined();
    }
  });
});

describe('conversions', () => {
  test.each([
    ['100', 889.5754, true, 88_957.54],
    ['1', 1.005, true, 1.01],
    ['100', 3, false, 33.33],
    ['200', 3, false, 66.67],
    ['0.01', 2, false, 0.01],
    ['0.0099', 2, false, 0],
    ['1e12', 1e12, true, 1e24],
    ['1e12', 1e-15, false, 1e27],
    ['5e-324', 889.5754, true, 0],
    ['0.1', 3, true, 0.3],
  ])('§2.4 %s at %d (to VES: %s) gives %d', (amount, mid, toVes, expected) => {
    expect(toNumber(convertAmount(amount, mid, toVes))).toBe(expected);
  });

  test('§2.4 a round trip is within a cent for rates of at least 1', () => {
    const cents = fc.integer({ min: 1, max: 10 ** 14 }).map((units) => `${units}e-2`);
    const rate = fc
      .double({ min: 1, max: 1e9, noNaN: true })
      .map((value) => Number(value.toPrecision(15)));
    fc.assert(
      fc.property(cents, rate, (amount, mid) => {
        const back = convertAmount(convertAmount(amount, mid, true), mid, false);
        expect(back.minus(amount).abs().lte('0.01')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('§2.4 a larger amount never gives a smaller result, in either direction', () => {
    const amount = fc.integer({ min: 1, max: 10 ** 14 }).map((units) => decimal(`${units}e-2`));
    const rate = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(amount, amount, rate, fc.boolean(), (a, b, mid, toVes) => {
        const [less, more] = a.lte(b) ? [a, b] : [b, a];
        expect(convertAmount(less, mid, toVes).lte(convertAmount(more, mid, toVes))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('batches', () => {
  test('§2.5 results keep the order of the amounts, and the totals add the rounded results', () => {
    const amounts = ['0.005', '0.005', '2', '0.005'].map((text) => decimal(text));
    expect(convertBatch(amounts, 1, true)).toEqual({
      results: [
        { amount: 0.005, result: 0.01 },
        { amount: 0.005, result: 0.01 },
        { amount: 2, result: 2 },
        { amount: 0.005, result: 0.01 },
      ],
      totalIn: 2.015,
      totalOut: 2.03,
    });
  });

  test('§2.5 totals are exact where doubles would drift', () => {
    const amounts = Array.from({ length: 10 }, () => decimal('0.1'));
    expect(convertBatch(amounts, 1, true)).toMatchObject({ totalIn: 1, totalOut: 1 });
  });

  test('§4.6 each result equals that of a single conversion', () => {
    const amount = fc.integer({ min: 1, max: 10 ** 14 }).map((units) => decimal(`${units}e-2`));
    const rate = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 1, maxLength: MAX_BATCH_AMOUNTS }),
        rate,
        fc.boolean(),
        (amounts, mid, toVes) => {
          const { results, totalIn, totalOut } = convertBatch(amounts, mid, toVes);
          const alone = amounts.map((one) => convertAmount(one, mid, toVes));
          expect(results.map(({ amount: given }) => given)).toEqual(amounts.map(toNumber));
          expect(results.map(({ result }) => result)).toEqual(alone.map(toNumber));
          expect(totalIn).toBe(toNumber(sum(amounts)));
          expect(totalOut).toBe(toNumber(sum(alone)));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('§8 a batch takes 50 amounts and an amount reaches 1e12', () => {
    expect([MAX_BATCH_AMOUNTS, MAX_AMOUNT]).toEqual([50, '1e12']);
    const amounts = Array.from({ length: MAX_BATCH_AMOUNTS }, () => decimal(MAX_AMOUNT));
    expect(convertBatch(amounts, 1, false).totalOut).toBe(50e12);
  });
});
