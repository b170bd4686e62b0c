import { z } from 'zod';
import { type DecimalInput, decimal, toNumber } from '../../../core/domain/decimal.ts';
import { notFound } from '../../../core/domain/errors.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  SECOND_MS,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { httpDate } from '../../../core/http/framework/routing/answer.ts';
import { amountText } from '../../../core/http/pipeline/schemas.ts';
import { currentCurrencies } from '../currencies.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import { code, markPairs, pairTable } from '../frankfurter-pairs.ts';
import { refusalByKind } from '../refusals.ts';

/** The addresses of ExchangeRate-API and open.er-api.com (contract §12), with the official rates. */

const at = addressesWith(refusalByKind);

const SOURCE = 'https://www.bcv.org.ve';
const SUCCESS = { result: 'success', documentation: SOURCE, terms_of_use: SOURCE } as const;

const unixOf = (day: CaracasDay) => startOfCaracasDay(day) / SECOND_MS;
const timeOf = (name: 'last' | 'next', day: CaracasDay) => ({
  [`time_${name}_update_unix`]: unixOf(day),
  [`time_${name}_update_utc`]: httpDate(startOfCaracasDay(day)).replace('GMT', '+0000'),
});

/** What an amount of the base is worth in each currency, and when. Rates change at midnight in Caracas. */
async function worth(call: ForeignCall, base: string, amount: DecimalInput = 1) {
  const { date, rates } = await pairTable(call, { base, quotes: undefined, amount });
  const tomorrow = addCaracasDays(caracasDayOf(call.now), 1);
  const times = { ...timeOf('last', date), ...timeOf('next', tomorrow) };
  const all = Object.fromEntries<number>([[base, toNumber(decimal(amount))], ...rates]);
  return { base, date, times, rates: all };
}

type Worth = Awaited<ReturnType<typeof worth>>;

const latest = (path: string, view: (worth: Worth) => object) =>
  at(path, {
    query: z.object({ base: code }),
    official: true,
    async handle(call) {
      const found = await worth(call, call.input.base);
      markPairs(call, found.base, Object.keys(found.rates));
      return view(found);
    },
  });

const pair = (path: string) =>
  at(path, {
    query: z.object({ base: code, target: code, amount: amountText.optional() }),
    official: true,
    async handle(call) {
      const { base, target, amount } = call.input;
      const { times, rates } = await worth(call, base);
      const conversion_rate = rates[target];
      if (conversion_rate === undefined) throw notFound('unknown_market', { field: 'target' });
      markPairs(call, base, [target]);
      const codes = { base_code: base, target_code: target };
      const answer = { ...SUCCESS, ...times, ...codes, conversion_rate };
      if (amount === undefined) return answer;
      return { ...answer, conversion_result: (await worth(call, base, amount)).rates[target] };
    },
  });

export const erApiAddresses = [
  latest('/v4/latest/:base', ({ base, date, rates }) => ({
    ...{ provider: SOURCE, terms: SOURCE, base, date, time_last_updated: unixOf(date), rates },
  })),
  latest('/v6/latest/:base', ({ base, times, rates }) => {
    const { result, ...links } = SUCCESS;
    const head = { result, provider: SOURCE, ...links, ...times, time_eol_unix: 0 };
    return { ...head, base_code: base, rates };
  }),
  latest('/v6/:key/latest/:base', ({ base, times, rates }) => ({
    ...{ ...SUCCESS, ...times, base_code: base, conversion_rates: rates },
  })),
  pair('/v6/:key/pair/:base/:target'),
  pair('/v6/:key/pair/:base/:target/:amount'),
  at('/v6/:key/codes', {
    official: true,
    handle: async (call) => ({ ...SUCCESS, supported_codes: await currentCurrencies(call) }),
  }),
];
