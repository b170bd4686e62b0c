import { z } from 'zod';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { fault } from '../../../core/domain/errors/value-rules.ts';
import { type ApiError, invalidFormat, notFound } from '../../../core/domain/errors.ts';
import { parseCaracasDay } from '../../../core/domain/time.ts';
import type { Refusal } from '../../../core/http/framework/routing/answer.ts';
import { CACHE_BUSTER } from '../../../core/http/pipeline/field-rules.ts';
import { parsed } from '../../../core/http/pipeline/schemas.ts';
import { currencyList } from '../currencies.ts';
import { required } from '../figures.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import {
  type AskedDays,
  allRates,
  code,
  codes,
  DEFAULT_BASE,
  frankfurterRefusal,
  markPairs,
} from '../frankfurter-pairs.ts';
import { LOCAL, type PairRequest } from '../frankfurter-rates.ts';

/** The addresses of Frankfurter, version 2 (contract §12). */

/** Version 2 repeats the status in the body. */
function refusalOfVersion2(error: ApiError): Refusal {
  const { status, body } = frankfurterRefusal(error);
  return { status, body: { status, ...body } };
}

const at2 = addressesWith(refusalOfVersion2);

const STRICT = { rejectUnknown: true, ignores: CACHE_BUSTER } as const;

const day = parsed(parseCaracasDay, fault('not_a_day', 'invalid date', 'fecha no válida'), {
  format: 'date',
});

const version2Fields = {
  base: code.optional(),
  quotes: codes.optional(),
  providers: codes.optional(),
  date: day.optional(),
  from: day.optional(),
  to: day.optional(),
};

const PROVIDER = 'BCV';

async function rowsView(call: ForeignCall, request: PairRequest, asked: AskedDays) {
  const { base } = request;
  const rates = await allRates(call, request, asked);
  markPairs(
    call,
    base,
    rates.map(({ quote }) => quote),
  );
  return rates.map(({ quote, date, rate }) => ({ date, base, quote, rate }));
}

async function rowsOf(call: ForeignCall<z.output<z.ZodObject<typeof version2Fields>>>) {
  const { base = DEFAULT_BASE, quotes, providers, date, from, to } = call.input;
  if (date !== undefined && (from ?? to) !== undefined) {
    throw invalidFormat(
      undefined,
      'not_applicable',
      sentence('conflicting params', 'parámetros incompatibles'),
    );
  }
  if (providers?.includes(PROVIDER) === false) return [];
  return rowsView(call, { base, quotes, amount: 1 }, { date, from, to });
}

const SITE = 'https://www.bcv.org.ve';

/** The only provider, as that service describes its own. */
async function provider(call: ForeignCall) {
  const list = await currencyList(call);
  const { start_date, end_date } = list.find(({ iso_code }) => iso_code === LOCAL) ?? {};
  return {
    key: PROVIDER,
    name: 'Banco Central de Venezuela',
    country_code: 'VE',
    rate_type: 'reference',
    pivot_currency: LOCAL,
    data_url: SITE,
    terms_url: SITE,
    ...{ start_date, end_date },
    frequency: 'daily',
    currencies: list.map(({ iso_code }) => iso_code),
  };
}

const oneRate = z.object({ base: code, quote: code, date: day.optional() });

async function oneRow(call: ForeignCall<z.output<typeof oneRate>>) {
  const { base, quote, date } = call.input;
  return required(await rowsView(call, { base, quotes: [quote], amount: 1 }, { date }));
}

/** Of all providers, or of one that the path names: others than ours are no address. */
const PLACES = [
  { place: '/v2' },
  { place: '/v2/providers/:provider', pathForm: /^\/v2\/providers\/bcv\//i },
];

export const version2 = [
  ...PLACES.flatMap(({ place, ...form }) => [
    at2(`${place}/rates`, {
      query: z.object(version2Fields),
      ...{ ...STRICT, ...form },
      scopeOf: ({ query }) => (new URLSearchParams(query).get('from') ? 'history' : 'rates'),
      official: true,
      long: true,
      days: ([first], { input: { from, to } }) => from && first && { from: first.date, to },
      day: ({ input: { date } }) => date,
      handle: rowsOf,
    }),
    at2(`${place}/rate/:base/:quote`, {
      query: oneRate,
      ...{ ...STRICT, ...form },
      official: true,
      day: ({ input: { date } }) => date,
      handle: oneRow,
    }),
  ]),
  at2('/v2/currencies', {
    query: z.object({ scope: z.enum(['all']).optional(), providers: codes.optional() }),
    ...STRICT,
    official: true,
    handle: async (call) =>
      call.input.providers?.includes(PROVIDER) === false ? [] : currencyList(call),
  }),
  at2('/v2/currency/:code', {
    query: z.object({ code }),
    ...STRICT,
    official: true,
    async handle(call) {
      const list = await currencyList(call);
      const found = list.find(({ iso_code }) => iso_code === call.input.code);
      if (found === undefined) throw notFound('unknown_market');
      return { ...found, providers: [PROVIDER] };
    },
  }),
  at2('/v2/providers', {
    ...STRICT,
    official: true,
    memo: true,
    handle: async (call) => [await provider(call)],
  }),
];
