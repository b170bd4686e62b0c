import { z } from 'zod';
import { type ApiError, notFound } from '../../core/domain/errors.ts';
import { type CaracasDay, caracasDayOf } from '../../core/domain/time.ts';
import type { Refusal } from '../../core/http/framework/routing/answer.ts';
import { upperCase } from '../../core/http/pipeline/schemas.ts';
import { allCurrentRates, allRateSeries, allRatesOnDay } from './cross-rates.ts';
import type { ForeignCall } from './foreign-endpoint.ts';
import { LOCAL, lastOfficialDay, type PairRequest } from './frankfurter-rates.ts';

/** What both versions of Frankfurter have: how pairs are written, and errors. */

/** The errors that its clients expect: 404 for missing data, 422 for invalid requests. */
export function frankfurterRefusal(error: ApiError): Refusal {
  const { code, message } = error;
  if (code === 'resource_not_found') return { status: 404, body: { message: 'not found' } };
  if (code === 'rate_not_published') return { status: 404, body: { message } };
  return { status: error.status === 400 ? 422 : error.status, body: { message } };
}

export const DEFAULT_BASE = 'EUR';

export const code = z.string().transform(upperCase);
/** Sorted: the order of the answer is another. */
export const codes = z
  .string()
  .transform((text) => [...new Set(upperCase(text).split(/\s*,\s*/))].sort());

/** When the pairs of a request are asked for: now, on a day, or in a range. */
export interface AskedDays {
  readonly date?: CaracasDay | undefined;
  readonly from?: CaracasDay | undefined;
  readonly to?: CaracasDay | undefined;
}

/** A range without an end is until today, one of days to come until the newest value date. */
export function allRates(call: ForeignCall, request: PairRequest, { date, from, to }: AskedDays) {
  if (from === undefined) {
    return date === undefined ? allCurrentRates(call, request) : allRatesOnDay(call, request, date);
  }
  const today = caracasDayOf(call.now);
  const last = from > today ? lastOfficialDay(call) : today;
  return allRateSeries(call, request, { from, to: to ?? last });
}

/** The pairs of one date, the newest: older ones are left out. @throws ApiError without a rate. */
export async function pairTable(call: ForeignCall, request: PairRequest, date?: CaracasDay) {
  const pairs = await allRates(call, request, { date });
  const [newest] = pairs
    .map((one) => one.date)
    .sort()
    .reverse();
  if (newest === undefined) throw notFound('no_quote');
  const of = pairs.filter((one) => one.date === newest);
  return { date: newest, rates: new Map(of.map(({ quote, rate }) => [quote, rate])) };
}

/** Marks the pairs of an answer of one base that have no bolívar: nobody published them. */
export function markPairs(
  { derives }: Pick<ForeignCall, 'derives'>,
  base: string,
  quotes: Iterable<string>,
): void {
  if (base === LOCAL) return;
  const foreign = [...new Set(quotes)].filter((quote) => quote !== LOCAL && quote !== base);
  derives(foreign.map((quote) => `${base}/${quote}`));
}
