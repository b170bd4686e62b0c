import { z } from 'zod';
import { parseAmount } from '../../../core/domain/calculations/convert.ts';
import { decimal, toNumber } from '../../../core/domain/decimal.ts';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { fault } from '../../../core/domain/errors/value-rules.ts';
import { invalidFormat, notFound } from '../../../core/domain/errors.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  parseCaracasDay,
  weekdayOf,
} from '../../../core/domain/time.ts';
import { parsed } from '../../../core/http/pipeline/schemas.ts';
import { currencyList } from '../currencies.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import {
  allRates,
  code,
  codes,
  DEFAULT_BASE,
  frankfurterRefusal,
  markPairs,
  pairTable,
} from '../frankfurter-pairs.ts';
import type { PairRate, PairRequest } from '../frankfurter-rates.ts';
import { version2 } from './frankfurter-v2.ts';

/** The addresses of Frankfurter, versions 1 and 2 (contract §12), with the rates of the central bank. */

const at1 = addressesWith(frankfurterRefusal);

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

async function dayAnswer(call: ForeignCall, request: PairRequest, day?: CaracasDay) {
  const { base, amount } = request;
  const { date, rates } = await pairTable(call, request, day);
  markPairs(call, base, rates.keys());
  return { amount: toNumber(decimal(amount)), base, date, rates: Object.fromEntries(rates) };
}

async function seriesAnswer(
  call: ForeignCall,
  request: PairRequest,
  range: { readonly from: CaracasDay; readonly to: CaracasDay | undefined },
) {
  const { base, amount } = request;
  const rates = await allRates(call, request, range);
  markPairs(
    call,
    base,
    rates.map(({ quote }) => quote),
  );
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

async function answerFor(date: string, call: ForeignCall<PairInput>) {
  const request = pairRequest(call.input);
  const [, from, to] = RANGE.exec(date) ?? [];
  if (from === undefined) return dayAnswer(call, request, dayOf(date));
  return seriesAnswer(call, request, { from: dayOf(from), to: to === undefined ? to : dayOf(to) });
}

/** Version 1, and the addresses of api.frankfurter.app, which has them at its root. */
const version1 = ['/v1', ''].flatMap((root) => [
  ...['latest', 'current'].map((name) =>
    at1(`${root}/${name}`, {
      query: z.object(pairFields),
      official: true,
      handle: (call) => dayAnswer(call, pairRequest(call.input)),
    }),
  ),
  at1(`${root}/currencies`, {
    official: true,
    memo: true,
    async handle(call) {
      const list = await currencyList(call);
      return Object.fromEntries(list.map(({ iso_code, name }) => [iso_code, name]));
    },
  }),
  at1(`${root}/:date`, {
    pathForm: /^(?:\/v1)?\/\d{4}-\d{2}-\d{2}(?:\.\.(?:\d{4}-\d{2}-\d{2})?)?$/,
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
]);

/** `/2026/48/EUR.json`: how Firefly III asks for the rates of a week of ISO 8601. */
const weekly = at1('/:year/:week/:file', {
  pathForm: /^\/\d{4}\/\d{1,2}\/[A-Z]{3}\.json$/,
  query: z.object({ year: z.string(), week: z.string(), file: z.string() }),
  official: true,
  long: true,
  handle: (call) => weekAnswer(call, call.input),
});

/** The rates in force at the end of the week, or now while it lasts. */
async function weekAnswer(
  call: ForeignCall,
  { year, week, file }: { readonly year: string; readonly week: string; readonly file: string },
) {
  // The week of 4 January is the first.
  const fourth = dayOf(`${year}-01-04`);
  const sunday = addCaracasDays(fourth, 7 * Number(week) - (weekdayOf(fourth) || 7));
  const request = { base: file.slice(0, 3), quotes: undefined, amount: 1 };
  const isOver = sunday < caracasDayOf(call.now);
  const { date, rates } = await dayAnswer(call, request, isOver ? sunday : undefined);
  return { date, rates };
}

export const frankfurterAddresses = [...version1, ...version2, weekly];
