import { z } from 'zod';
import { type DecimalInput, decimal, toNumber } from '../../../core/domain/decimal.ts';
import { notFound } from '../../../core/domain/errors.ts';
import {
  addCaracasDays,
  caracasDayOf,
  type Instant,
  SECOND_MS,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { httpDate } from '../../../core/http/encoding/cached-answer.ts';
import { amountText, upperCase } from '../../../core/http/routing/schemas.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import { currentRates } from '../frankfurter-rates.ts';
import { newestPairs } from '../official-table.ts';

/** The addresses of ExchangeRate-API and open.er-api.com (contract §12), with the official rates. */

/** The kinds of error that its clients know, by our status. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'malformed-request',
  401: 'invalid-key',
  403: 'plan-upgrade-required',
  404: 'unsupported-code',
  429: 'quota-reached',
};

const at = addressesWith(({ status, code, message }) => {
  const type = ERROR_TYPES[status] ?? code.replaceAll('_', '-');
  return { status, body: { result: 'error', 'error-type': type, message } };
});

const SOURCE = 'https://www.bcv.org.ve';

function timeOf(name: 'last' | 'next', instant: Instant) {
  return {
    [`time_${name}_update_unix`]: instant / SECOND_MS,
    [`time_${name}_update_utc`]: httpDate(instant).replace('GMT', '+0000'),
  };
}

/** What an amount of the base is worth in each currency, and the days between which that holds. */
function worth(call: ForeignCall, base: string, amount: DecimalInput = 1) {
  const { date, rates } = newestPairs(currentRates(call, { base, quotes: undefined, amount }));
  const tomorrow = addCaracasDays(caracasDayOf(call.now), 1);
  return {
    date,
    rates: Object.fromEntries([[base, toNumber(decimal(amount))], ...rates]),
    updatedAt: startOfCaracasDay(date),
    // Rates change at midnight in Caracas.
    times: {
      ...timeOf('last', startOfCaracasDay(date)),
      ...timeOf('next', startOfCaracasDay(tomorrow)),
    },
  };
}

const success = { result: 'success', documentation: SOURCE, terms_of_use: SOURCE } as const;
const base = z.string().transform(upperCase);

export const erApiAddresses = [
  at('/v4/latest/:base', {
    query: z.object({ base }),
    official: true,
    handle(call) {
      const { date, rates, updatedAt } = worth(call, call.input.base);
      const time = { date, time_last_updated: updatedAt / SECOND_MS };
      return { provider: SOURCE, terms: SOURCE, base: call.input.base, ...time, rates };
    },
  }),
  at('/v6/latest/:base', {
    query: z.object({ base }),
    official: true,
    handle(call) {
      const { times, rates } = worth(call, call.input.base);
      const { result, ...links } = success;
      const head = { result, provider: SOURCE, ...links, ...times, time_eol_unix: 0 };
      return { ...head, base_code: call.input.base, rates };
    },
  }),
  at('/v6/:key/latest/:base', {
    query: z.object({ base }),
    official: true,
    handle(call) {
      const { times, rates } = worth(call, call.input.base);
      return { ...success, ...times, base_code: call.input.base, conversion_rates: rates };
    },
  }),
  ...['', '/:amount'].map((amountPath) =>
    at(`/v6/:key/pair/:base/:target${amountPath}`, {
      query: z.object({ base, target: base, amount: amountText.optional() }),
      official: true,
      handle(call) {
        const { target, amount } = call.input;
        const { times, rates } = worth(call, call.input.base);
        const conversion_rate = rates[target];
        if (conversion_rate === undefined) throw notFound('unknown_market', { field: 'target' });
        const pair = { base_code: call.input.base, target_code: target, conversion_rate };
        if (amount === undefined) return { ...success, ...times, ...pair };
        const conversion_result = worth(call, call.input.base, amount).rates[target];
        return { ...success, ...times, ...pair, conversion_result };
      },
    }),
  ),
];
