import { z } from 'zod';
import {
  type DecimalInput,
  divideToDigits,
  multiply,
  RATE_DECIMALS,
  toNumber,
} from '../../../core/domain/decimal.ts';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { notFound } from '../../../core/domain/errors.ts';
import { amountText, upperCase } from '../../../core/http/routing/schemas.ts';
import { parallelFigure, required, shown } from '../figures.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import { refusalWith } from '../refusals.ts';

/** The addresses of Yadio for the dollar and the bolivar (contract §12), with the parallel dollar. */

const at = addressesWith(refusalWith('error'));

const RATE_DIGITS = 10;

const currency = z.string().transform(upperCase);
type Pair = readonly [of: string, inWhich: string];

/** The value of an amount of a currency in another, rounded once. */
function worth(call: ForeignCall, [of, inWhich]: Pair, amount: DecimalInput = 1) {
  const pair = `${of}/${inWhich}`;
  if (!['USD/VES', 'VES/USD', 'USD/USD', 'VES/VES'].includes(pair)) {
    const message = sentence('currency not found', 'moneda no encontrada');
    throw notFound('unknown_market', { message });
  }
  return required(
    shown(call, parallelFigure(call), ({ rate, updatedAt: timestamp }) => {
      const [times, by] = of === inWhich ? [1, 1] : of === 'USD' ? [rate, 1] : [1, rate];
      const value = divideToDigits(multiply(amount, times), by, RATE_DIGITS, RATE_DECIMALS);
      return { value: toNumber(value), timestamp };
    }),
  );
}

export const yadioAddresses = [
  at('/exrates/:base', {
    query: z.object({ base: currency }),
    handle(call) {
      const { base } = call.input;
      const [usd, ves] = (['USD', 'VES'] as const).map((code) => worth(call, [base, code]));
      return { [base]: { USD: usd?.value, VES: ves?.value }, base, timestamp: usd?.timestamp };
    },
  }),
  at('/rate/:quote/:base', {
    // The rate is the price of the second currency in the first.
    query: z.object({ quote: currency, base: currency }),
    handle(call) {
      const { quote, base } = call.input;
      const { value: rate, timestamp } = worth(call, [base, quote]);
      return { rate, timestamp, request: `rate:${quote}/${base}` };
    },
  }),
  at('/convert/:amount/:from/:to', {
    query: z.object({ amount: amountText, from: currency, to: currency }),
    handle(call) {
      const { amount, from, to } = call.input;
      const { value: result, timestamp } = worth(call, [from, to], amount);
      const { value: rate } = worth(call, [from, to]);
      return { request: { amount: toNumber(amount), from, to }, result, rate, timestamp };
    },
  }),
];
