import { z } from 'zod';
import { parseAmount } from '../../core/domain/calculations/convert.ts';
import { decimal, toNumber } from '../../core/domain/decimal.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { fault } from '../../core/domain/errors/value-rules.ts';
import { type ApiError, invalidFormat, notFound } from '../../core/domain/errors.ts';
import { type CaracasDay, caracasDayOf, parseCaracasDay } from '../../core/domain/time.ts';
import type { Refusal } from '../../core/http/routing/endpoint.ts';
import { parsed, upperCase } from '../../core/http/routing/schemas.ts';
import { addressesWith, type ForeignCall } from './foreign-endpoint.ts';
import {
  currencyEntries,
  currentRates,
  lastOfficialDay,
  type PairRate,
  type PairRequest,
  rateSeries,
  ratesOnDay,
} from './frankfurter-rates.ts';

/** The addresses of Frankfurter, versions 1 and 2 (contract §12), with the rates of the central bank. */

/** The errors that its clients expect: 404 for missing data, 422 for invalid requests. */
function refusalOf(error: ApiError): Refusal {
  const { code, message } = error;
  if (code === 'resource_not_found') return { status: 404, body: { message: 'not found' } };
  if (code === 'rate_not_published') return { status: 404, body: { message } };
  return { status: error.status === 400 ? 422 : error.status, body: { message } };
}

/** Version 2 repeats the status in the body. */
function refusalOfVersion2(error: ApiError): Refusal {
  const { status, body } = refusalOf(error);
  return { status, body: { status, ...body } };
}

const at1 = addressesWith(refusalOf);
const at2 = addressesWith(refusalOfVersion2);

const DEFAULT_BASE = 'EUR';

const code = z.string().transform(upperCase);
/** Sorted: the order of the answer is another. */
const codes = z.string().transform((text) => [...new Set(upperCase(text).split(','))].sort());

const wrongAmount = fault(
  'out_of_range',
  'must be a number greater than 0',
  'debe ser un número mayor que 0',
);

const pairFields = {
  from: code.optional(),
  base: code.optional(),
  to: codes.optional(),
  symbols: codes.optional(),
  amount: parsed(parseAmount, wrongAmount, {}).optional(),
};

type PairInput = z.output<z.ZodObject<typeof pairFields>>;

function pairRequest({ from, base, to, symbols, amount }: PairInput): PairRequest {
  const request = {
    base: from ?? base ?? DEFAULT_BASE,
    quotes: to ?? symbols,
    amount: amount ?? 1,
  };
  const [quote, ...others] = request.quotes ?? [];
  if (quote === request.base && others.length === 0) {
    throw invalidFormat(
      undefined,
      'wrong_pair',
      sentence('bad currency pair', 'par de monedas no válido'),
    );
  }
  return request;
}

function ratesObject(rates: readonly PairRate[]) {
  return Object.fromEntries(rates.map(({ quote, rate }) => [quote, rate]));
}

/** An answer has one date, so rates of older dates are left out. */
function dayAnswer({ base, amount }: PairRequest, rates: readonly PairRate[]) {
  const dates = rates.map(({ date }) => date).sort();
  const date = dates.at(-1);
  if (date === undefined) throw notFound('no_data');
  const newest = rates.filter((one) => one.date === date);
  return { amount: toNumber(decimal(amount)), base, date, rates: ratesObject(newest) };
}

function seriesAnswer({ base, amount }: PairRequest, rates: readonly PairRate[]) {
  const days = Map.groupBy(rates, ({ date }) => date);
  const [first, last] = [rates[0], rates.at(-1)];
  if (first === undefined) throw notFound('no_data');
  return {
    amount: toNumber(decimal(amount)),
    base,
    start_date: first.date,
    end_date: last?.date,
    rates: Object.fromEntries([...days].map(([date, of]) => [date, ratesObject(of)])),
  };
}

function dayOf(text: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw notFound('unknown_path');
  return day;
}

/** `2026-11-01..2026-11-20`. Without an end it runs until today. */
const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})?$/;

/** The end of a range without one: today, or the newest value date for a range of days to come. */
function lastDayFrom(from: CaracasDay, call: Pick<ForeignCall, 'now' | 'snapshot'>): CaracasDay {
  const today = caracasDayOf(call.now);
  return from > today ? lastOfficialDay(call) : today;
}

async function answerFor(date: string, call: ForeignCall<PairInput>) {
  const request = pairRequest(call.input);
  const [, from, to] = RANGE.exec(date) ?? [];
  if (from === undefined) return dayAnswer(request, await ratesOnDay(call, request, dayOf(date)));
  const first = dayOf(from);
  const range = { from: first, to: to === undefined ? lastDayFrom(first, call) : dayOf(to) };
  return seriesAnswer(request, await rateSeries(call, request, range));
}

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

function rowOf(base: string, { quote, date, rate }: PairRate) {
  return { date, base, quote, rate };
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
  const request = { base, quotes, amount: 1 };
  const rates =
    from === undefined
      ? await (date === undefined ? currentRates(call, request) : ratesOnDay(call, request, date))
      : await rateSeries(call, request, { from, to: to ?? lastDayFrom(from, call) });
  return rates.map((rate) => rowOf(base, rate));
}

export const frankfurterAddresses = [
  at1('/v1/latest', {
    query: z.object(pairFields),
    official: true,
    handle(call) {
      const request = pairRequest(call.input);
      return dayAnswer(request, currentRates(call, request));
    },
  }),
  at1('/v1/currencies', {
    official: true,
    handle: (call) =>
      Object.fromEntries(currencyEntries(call).map(({ code: iso, name }) => [iso, name])),
  }),
  at1('/v1/:date', {
    pathForm: /^\/v1\/\d{4}-\d{2}-\d{2}(?:\.\.(?:\d{4}-\d{2}-\d{2})?)?$/,
    scopeOf: ({ path }) => (path['date']?.includes('..') ? 'history' : 'rates'),
    query: z.object({ ...pairFields, date: z.string() }),
    official: true,
    long: true,
    days(answer: Awaited<ReturnType<typeof answerFor>>, { input: { date } }) {
      const [, , end = ''] = RANGE.exec(date) ?? [];
      if (!('start_date' in answer)) return undefined;
      return { from: answer.start_date, to: parseCaracasDay(end) };
    },
    day: ({ input: { date } }) => parseCaracasDay(date),
    handle: (call) => answerFor(call.input.date, call),
  }),
  at2('/v2/rates', {
    query: z.object(version2Fields),
    rejectUnknown: true,
    scopeOf: ({ query }) => (new URLSearchParams(query).get('from') ? 'history' : 'rates'),
    official: true,
    long: true,
    days: ([first], { input: { from, to } }) => from && first && { from: first.date, to },
    day: ({ input: { date } }) => date,
    handle: rowsOf,
  }),
  at2('/v2/currencies', {
    query: z.object({ scope: z.enum(['all']).optional() }),
    rejectUnknown: true,
    official: true,
    handle: (call) =>
      currencyEntries(call).map(({ code: iso_code, numeric: iso_numeric, ...named }) => ({
        iso_code,
        iso_numeric,
        ...named,
      })),
  }),
  at2('/v2/rate/:base/:quote', {
    query: z.object({ base: code, quote: code, date: day.optional() }),
    rejectUnknown: true,
    official: true,
    day: ({ input: { date } }) => date,
    async handle(call) {
      const { base, quote, date } = call.input;
      const request = { base, quotes: [quote], amount: 1 };
      const [rate] =
        date === undefined ? currentRates(call, request) : await ratesOnDay(call, request, date);
      if (rate === undefined) throw notFound('no_quote');
      return rowOf(base, rate);
    },
  }),
];
