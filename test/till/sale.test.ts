import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CASH, lineBolivares, Sale, toBolivares, typedCents } from '../../examples/till/sale.js';

/** The money of the till: what examples/till/sale.js promises to whoever copies it. */

const sale = (total: number, rate = '889.5754') =>
  new Sale({ total, quote: { rate, valueDate: '2026-11-20' } });

/** A rate with up to eight decimals, its digits and what a service would write. */
const rates = fc
  .tuple(fc.bigInt(1n, 10n ** 8n), fc.integer({ min: 0, max: 8 }))
  .map(([digits, decimals]) => {
    const text = digits.toString().padStart(decimals + 1, '0');
    const at = text.length - decimals;
    const rate = decimals === 0 ? text : `${text.slice(0, at)}.${text.slice(at)}`;
    return { rate, above: digits, below: 10n ** BigInt(decimals) };
  });
const amounts = fc.integer({ min: 1, max: 5_000_000 });

describe('amounts of a till', () => {
  test('a conversion is rounded once, and a half goes up', () => {
    expect(toBolivares(100_00, '889.5754')).toBe(88_957_54);
    expect(toBolivares(1, '0.5')).toBe(1);
    expect(toBolivares(1, '0.4999')).toBe(0);
    expect(toBolivares(-1, '0.5')).toBe(0);
    expect(toBolivares(-1, '0.5001')).toBe(-1);
  });

  test.each(['0', '0.00', '-1', '1e3', '1,5', '', 'NaN'])('%j is no rate', (rate) => {
    expect(() => toBolivares(1, rate)).toThrow(RangeError);
  });

  test.each([0.5, Number.NaN, 2 ** 53])('%d is no amount in cents', (cents) => {
    expect(() => toBolivares(cents, '1')).toThrow(RangeError);
  });

  test('bolívares that a number cannot hold are refused, never cut', () => {
    expect(toBolivares(2 ** 53 - 1, '1')).toBe(2 ** 53 - 1);
    expect(() => toBolivares(2 ** 52, '2')).toThrow(RangeError);
  });

  test.each([
    ['12,50', 1250],
    ['12.5', 1250],
    [' 7 ', 700],
    ['0,01', 1],
    ['1.012', undefined],
    ['1,000.00', undefined],
    ['-3', undefined],
    ['', undefined],
  ])('%j typed is %d cents: what could be two amounts is none', (typed, cents) => {
    expect(typedCents(typed)).toBe(cents);
  });

  test('the lines of an invoice add up to its total, each within a cent of its own conversion', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 30 }),
        rates,
        (lines, { rate }) => {
          const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);
          const shared = lineBolivares(lines, rate);
          expect(sum(shared)).toBe(toBolivares(sum(lines), rate));
          for (const [at, line] of lines.entries()) {
            expect(Math.abs((shared[at] ?? 0) - toBolivares(line, rate))).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe('a sale of a till', () => {
  test('of 12.50 dollars: 10 dollars and the rest in bolívares by transfer', () => {
    const one = sale(12_50);
    expect(one.due).toEqual({ bs: 11_119_69, bsCash: 11_115_00, usd: 12_50, usdCash: 13_00 });
    one.pay('usd', 10_00);
    expect(one.due).toEqual({ bs: 2_223_94, bsCash: 2_220_00, usd: 2_50, usdCash: 3_00 });
    expect(() => one.receipt()).toThrow('owes');
    one.pay('bs', 2_223_94, { inCash: false });
    expect(one.receipt()).toMatchObject({
      ...{ total: { usd: 12_50, bs: 11_119_69 }, rounding: 0 },
      ...{ rate: '889.5754', valueDate: '2026-11-20' },
    });
  });

  test('of 12.50 dollars with a bill of 20: 7 dollars and the cents in bolívares', () => {
    const one = sale(12_50);
    one.pay('usd', 20_00);
    expect(one.change()).toEqual({ usd: 7_00, bs: 445_00 });
    expect(one.change({ inCash: false })).toEqual({ usd: 7_00, bs: 444_79 });
    // A drawer without enough dollars, and one without any.
    expect(one.change({ usdMax: 5_00, inCash: false })).toEqual({ usd: 5_00, bs: 2_223_94 });
    expect(one.change({ usdMax: 0, inCash: false })).toEqual({ usd: 0, bs: 6_671_82 });
    expect(() => one.receipt()).toThrow('change');
    one.give(one.change());
    // 0.21 Bs that no bill has: the shop gives them up.
    expect(one.receipt().rounding).toBe(21);
  });

  test('gives no dollars to who paid in bolívares only', () => {
    const one = sale(1_00);
    one.pay('bs', 2_000_00);
    expect(one.change()).toEqual({ usd: 0, bs: 1_115_00 });
  });

  test('in cash less than the smallest bill may be missing, by transfer nothing', () => {
    const [cash, transfer, short] = [sale(1_00), sale(1_00), sale(1_00)];
    cash.pay('bs', 885_00);
    expect(cash.receipt().rounding).toBe(4_58);
    transfer.pay('bs', 889_57, { inCash: false });
    expect(() => transfer.receipt()).toThrow('owes');
    short.pay('bs', 884_58);
    expect(() => short.receipt()).toThrow('owes');
  });

  test('nothing is lost or invented: what came in less the change is the price, to half a cent', () => {
    const way = fc.record({
      inCash: fc.boolean(),
      usdMax: fc.option(fc.integer({ min: 0, max: 100_00 }), { nil: undefined }),
    });
    const parts = fc.array(fc.tuple(fc.constantFrom('usd' as const, 'bs' as const), amounts), {
      maxLength: 4,
    });
    const bills = fc.record({
      usd: fc.constantFrom(1, 100, 500),
      bs: fc.constantFrom(1, 100, 500, 1_000),
    });
    fc.assert(
      fc.property(
        amounts,
        rates,
        parts,
        way,
        bills,
        (total, { rate, ...exact }, paid, how, cash) => {
          const one = new Sale({ total, quote: { rate, valueDate: null }, cash });
          for (const [currency, cents] of paid) one.pay(currency, cents, { inCash: how.inCash });
          const { due } = one;
          const owed = how.inCash ? due.bsCash : due.bs;
          fc.pre(owed > 0 || paid.length > 0);
          if (owed > 0) one.pay('bs', owed, { inCash: how.inCash });
          const change = one.change(how);
          one.give(change, how);
          const given = one.receipt();
          const net = (name: string) =>
            given.movements
              .filter(({ currency }) => currency === name)
              .reduce((sum, { cents }) => sum + BigInt(cents), 0n);
          // Exactly, in fractions of a cent: no function of the till takes part.
          const lost =
            (BigInt(total) - net('usd')) * exact.above -
            (net('bs') + BigInt(given.rounding)) * exact.below;
          expect(2n * (lost < 0n ? -lost : lost) <= exact.below).toBe(true);
          expect(given.rounding).toBeGreaterThanOrEqual(0);
          expect(given.rounding).toBeLessThan(how.inCash ? cash.bs : 1);
          expect(change.usd % cash.usd).toBe(0);
          if (how.inCash) expect(change.bs % cash.bs).toBe(0);
          if (how.usdMax !== undefined) expect(change.usd).toBeLessThanOrEqual(how.usdMax);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('what is due in dollars pays the sale, and a cent less does not', () => {
    fc.assert(
      fc.property(amounts, rates, amounts, (total, { rate }, bs) => {
        const begun = () => {
          const one = new Sale({ total, quote: { rate, valueDate: null } });
          one.pay('bs', bs, { inCash: false });
          return one;
        };
        const { usd } = begun().due;
        fc.pre(usd > 1);
        const [enough, less] = [begun(), begun()];
        enough.pay('usd', usd);
        expect(enough.balance).toBeLessThanOrEqual(0);
        less.pay('usd', usd - 1);
        // A cent of a dollar may be less than one of a bolívar.
        expect(less.balance).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('payments in another order make the same receipt', () => {
    fc.assert(
      fc.property(amounts, rates, amounts, amounts, (total, { rate }, usd, bs) => {
        const paid = (...order: readonly ('usd' | 'bs')[]) => {
          const one = new Sale({ total, quote: { rate, valueDate: null } });
          for (const currency of order) one.pay(currency, currency === 'usd' ? usd : bs);
          return [one.balance, one.due, one.change()];
        };
        expect(paid('usd', 'bs')).toEqual(paid('bs', 'usd'));
      }),
    );
  });

  test('the smallest bills are settings, and the packaged ones exist', () => {
    expect(CASH).toEqual({ usd: 1_00, bs: 5_00 });
    const one = new Sale({
      total: 1_00,
      quote: { rate: '889.5754', valueDate: null },
      cash: { usd: 5_00, bs: 50_00 },
    });
    expect(one.due).toEqual({ bs: 889_58, bsCash: 850_00, usd: 1_00, usdCash: 5_00 });
  });
});
