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
import { allCurrentRates } from '../cross-rates.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import { crossPairs } from '../frankfurter-pairs.ts';
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
async function worth(call: ForeignCall, base: string, amount: DecimalInput = 1) {
  const request = { base, quotes: undefined, amount };
  const { date, rates } = newestPairs(await allCurrentRates(call, request));
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

const baseText = z.string().transform(upperCase);
const baseQuery = z.object({ base: baseText });
const pairQuery = z.object({
  base: baseText,
  target: baseText,
  amount: amountText.optional(),
});
type BaseCall = ForeignCall<z.output<typeof baseQuery>>;

async function version4(call: BaseCall) {
  const { base } = call.input;
  const { date, rates, updatedAt } = await worth(call, base);
  const time = { date, time_last_updated: updatedAt / SECOND_MS };
  return { provider: SOURCE, terms: SOURCE, base, ...time, rates };
}

async function openVersion6(call: BaseCall) {
  const { base } = call.input;
  const { times, rates } = await worth(call, base);
  const { result, ...links } = success;
  const head = { result, provider: SOURCE, ...links, ...times, time_eol_unix: 0 };
  return { ...head, base_code: base, rates };
}

async function version6(call: BaseCall) {
  const { base } = call.input;
  const { times, rates } = await worth(call, base);
  return { ...success, ...times, base_code: base, conversion_rates: rates };
}

async function pairAnswer(call: ForeignCall<z.output<typeof pairQuery>>) {
  const { base, target, amount } = call.input;
  const { times, rates } = await worth(call, base);
  const conversion_rate = rates[target];
  if (conversion_rate === undefined) throw notFound('unknown_market', { field: 'target' });
  const pair = { base_code: base, target_code: target, conversion_rate };
  if (amount === undefined) return { ...success, ...times, ...pair };
  const conversion_result = (await worth(call, base, amount)).rates[target];
  return { ...success, ...times, ...pair, conversion_result };
}

type Answer<Handle extends (call: never) => unknown> = Awaited<ReturnType<Handle>>;

export const erApiAddresses = [
  at('/v4/latest/:base', {
    query: baseQuery,
    official: true,
    derived: ({ base, rates }: Answer<typeof version4>) => crossPairs(base, Object.keys(rates)),
    handle: version4,
  }),
  at('/v6/latest/:base', {
    query: baseQuery,
    official: true,
    derived: ({ base_code, rates }: Answer<typeof openVersion6>) =>
      crossPairs(base_code, Object.keys(rates)),
    handle: openVersion6,
  }),
  at('/v6/:key/latest/:base', {
    query: baseQuery,
    official: true,
    derived: ({ base_code, conversion_rates }: Answer<typeof version6>) =>
      crossPairs(base_code, Object.keys(conversion_rates)),
    handle: version6,
  }),
  ...['', '/:amount'].map((amountPath) =>
    at(`/v6/:key/pair/:base/:target${amountPath}`, {
      query: pairQuery,
      official: true,
      derived: ({ base_code, target_code }: Answer<typeof pairAnswer>) =>
        crossPairs(base_code, [target_code]),
      handle: pairAnswer,
    }),
  ),
];
