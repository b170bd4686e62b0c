import { z } from 'zod';
import type { ApiError } from '../../core/domain/errors.ts';
import { type CaracasDay, caracasDayOf } from '../../core/domain/time.ts';
import type { Refusal } from '../../core/http/routing/endpoint.ts';
import { upperCase } from '../../core/http/routing/schemas.ts';
import type { ForeignCall } from './foreign-endpoint.ts';
import { LOCAL, lastOfficialDay } from './frankfurter-rates.ts';

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

/** The end of a range without one: today, or the newest value date for a range of days to come. */
export function lastDayFrom(
  from: CaracasDay,
  call: Pick<ForeignCall, 'now' | 'snapshot'>,
): CaracasDay {
  const today = caracasDayOf(call.now);
  return from > today ? lastOfficialDay(call) : today;
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
