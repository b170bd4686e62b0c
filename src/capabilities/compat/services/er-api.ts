import { z } from 'zod';
import { type DecimalInput, decimal, toNumber } from '../../../core/domain/decimal.ts';
import { notFound } from '../../../core/domain/errors.ts';
import { addCaracasDays, caracasDayOf, startOfCaracasDay } from '../../../core/domain/time.ts';
import { httpDate } from '../../../core/http/encoding/cached-answer.ts';
import { amountText } from '../../../core/http/routing/schemas.ts';
import { allCurrentRates } from '../cross-rates.ts';
import { currentCurrencies } from '../currencies.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import { code, markPairs } from '../frankfurter-pairs.ts';
import { newestPairs } from '../official-table.ts';
import { refusalByKind } from '../refusals.ts';

/** The addresses of ExchangeRate-API and open.er-api.com (contract §12), with the official rates. */

const at = addressesWith(refusalByKind);

const SOURCE = 'https://www.bcv.org.ve';
const SUCCESS = { result: 'success', documentation: SOURCE, terms_of_use: SOURCE } as const;

/** What an amount of the base is worth in each currency, and when. Rates change at midnight in Caracas. */
async function worth(call: ForeignCall, base: string, amount: DecimalInput = 1) {
  const request = { base, quotes: undefined, amount };
  const { date, rates } = newestPairs(await allCurrentRates(call, request));
  const [last, next] = [date, addCaracasDays(caracasDayOf(call.now), 1)].map((day) => {
    const instant = startOfCaracasDay(day);
    return { unix: instant / 1_000, utc: httpDate(instant).replace('GMT', '+0000') };
  });
  const times = {
    ...{ time_last_update_unix: last?.unix, time_last_update_utc: last?.utc },
    ...{ time_next_update_unix: next?.unix, time_next_update_utc: next?.utc },
  };
  const all: Readonly<Record<string, number>> = {
    ...{ [base]: toNumber(decimal(amount)) },
    ...Object.fromEntries(rates),
  };
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
      const answer = {
        ...{ ...SUCCESS, ...times, base_code: base, target_code: target, conversion_rate },
      };
      if (amount === undefined) return answer;
      return { ...answer, conversion_result: (await worth(call, base, amount)).rates[target] };
    },
  });

export const erApiAddresses = [
  latest('/v4/latest/:base', ({ base, date, times, rates }) => ({
    ...{ provider: SOURCE, terms: SOURCE, base, date },
    ...{ time_last_updated: times.time_last_update_unix, rates },
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
