import { z } from 'zod';
import { type DecimalInput, decimal, toNumber } from '../../../core/domain/decimal.ts';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { notFound } from '../../../core/domain/errors.ts';
import { amountText } from '../../../core/http/pipeline/schemas.ts';
import { inBolivares, ofBolivares } from '../converted.ts';
import { parallelFigure, required, shown } from '../figures.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import { code } from '../frankfurter-pairs.ts';
import { refusalWith } from '../refusals.ts';

/** The addresses of Yadio for the dollar and the bolivar (contract §12), with the parallel dollar. */

const at = addressesWith(refusalWith('error'));

/** The value of an amount of a currency in another, rounded once. */
function worth(call: ForeignCall, of: string, inWhich: string, amount: DecimalInput = 1) {
  const pair = `${of}/${inWhich}`;
  if (!['USD/VES', 'VES/USD', 'USD/USD', 'VES/VES'].includes(pair)) {
    const message = sentence('currency not found', 'moneda no encontrada');
    throw notFound('unknown_market', { message });
  }
  return required(
    shown(call, parallelFigure(call), ({ rate, updatedAt: timestamp }) => {
      if (of === inWhich) return { value: toNumber(decimal(amount)), timestamp };
      const convert = of === 'USD' ? inBolivares : ofBolivares;
      return { value: convert(amount, rate), timestamp };
    }),
  );
}

export const yadioAddresses = [
  at('/exrates/:base', {
    query: z.object({ base: code }),
    handle(call) {
      const { base } = call.input;
      const [usd, ves] = (['USD', 'VES'] as const).map((one) => worth(call, base, one));
      return { [base]: { USD: usd?.value, VES: ves?.value }, base, timestamp: usd?.timestamp };
    },
  }),
  at('/rate/:quote/:base', {
    // The rate is the price of the second currency in the first.
    query: z.object({ quote: code, base: code }),
    handle(call) {
      const { quote, base } = call.input;
      const { value: rate, timestamp } = worth(call, base, quote);
      return { rate, timestamp, request: `rate:${quote}/${base}` };
    },
  }),
  at('/convert/:amount/:from/:to', {
    query: z.object({ amount: amountText, from: code, to: code }),
    handle(call) {
      const { amount, from, to } = call.input;
      const { value: result, timestamp } = worth(call, from, to, amount);
      const { value: rate } = worth(call, from, to);
      return { request: { amount: toNumber(amount), from, to }, result, rate, timestamp };
    },
  }),
];
