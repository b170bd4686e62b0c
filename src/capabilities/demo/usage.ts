import type { CountedCalls } from '../../core/app/ports/usage.ts';
import {
  addUtcDays,
  type Instant,
  startOfUtcDay,
  type UtcDay,
  utcDayOf,
  utcMonthOf,
} from '../../core/domain/time.ts';

/** Simulated calls of a demonstration's account, so that its console shows a month of use. */

/** Days before today. */
const DAYS = 30;
/** Units of a business day, as a share of those of the plan's month: far from its end. */
const DAY_SHARE = 0.008;
/** Where the plan has no limit, or a very high one. */
const MOST_UNITS_A_DAY = 4_500;
/** From Sunday on. */
const WEEK = [0.2, 0.92, 1, 0.97, 1.04, 0.95, 0.5];
/** What every plan may call, and its share of the calls. */
const ENDPOINTS = [
  ['GET /v1/fx/convert', 0.62],
  ['GET /v1/fx/rates', 0.26],
  ['GET /v1/fx/official', 0.12],
] as const;
/** Every such day has calls that were refused, which cost nothing. */
const FAILING_DAYS = 6;

/** The account, and the keys that it calls with: each calls other endpoints. */
interface Holder {
  readonly accountId: string;
  readonly keyIds: readonly string[];
}

/** The calls of the last days, without today, and the units of those of the running month. */
export function demoUsage(
  { unitsPerMonth, ...holder }: Holder & { readonly unitsPerMonth: number | null },
  now: Instant,
): { readonly days: readonly CountedCalls[]; readonly unitsOfMonth: number } {
  const today = utcDayOf(now);
  const usual = Math.min(MOST_UNITS_A_DAY, (unitsPerMonth ?? Number.POSITIVE_INFINITY) * DAY_SHARE);
  const days = Array.from({ length: DAYS }, (_, at) => addUtcDays(today, at - DAYS)).flatMap(
    (day, at) => usageOf(day, at, { ...holder, usual }),
  );
  const { start } = utcMonthOf(now);
  const ofMonth = days.filter(({ day }) => startOfUtcDay(day) >= start);
  return { days, unitsOfMonth: ofMonth.reduce((sum, { units }) => sum + units, 0) };
}

function usageOf(
  day: UtcDay,
  at: number,
  { usual, accountId, keyIds }: Holder & { readonly usual: number },
): readonly CountedCalls[] {
  const share = WEEK[new Date(startOfUtcDay(day)).getUTCDay()] ?? 1;
  // Days differ, and each start of a demonstration tells the same.
  const wave = 1 + 0.08 * Math.sin(at * 2.4);
  return ENDPOINTS.map(([endpoint, part], place) => {
    const units = Math.ceil(usual * share * wave * part);
    const isFailing = at % FAILING_DAYS === FAILING_DAYS - 1 && part > 0.5;
    const clientErrors = isFailing ? Math.ceil(units / 80) : 0;
    return {
      accountId,
      keyId: keyIds[place % keyIds.length] ?? '',
      day,
      endpoint,
      calls: units + clientErrors,
      units,
      clientErrors,
      serverErrors: 0,
    };
  });
}
