import { type OfficialMonth, officialMonthView } from '../../../core/app/history/official-month.ts';
import { firstStoredDay } from '../../../core/app/past-rates.ts';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { ApiError, invalidFormat } from '../../../core/domain/errors.ts';
import { requireDepth } from '../../../core/domain/history/history.ts';
import {
  type CaracasMonth,
  monthBeside,
  monthOf,
  monthRange,
  parseMonth,
  runningMonth,
} from '../../../core/domain/history/month.ts';
import { officialNameOf } from '../../../core/domain/markets.ts';
import { unitOfDay } from '../../../core/domain/redenomination.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  type Instant,
} from '../../../core/domain/time.ts';
import type { Services } from '../../../core/http/pipeline/services.ts';
import { MONTH_PATH } from '../frame/site-parts.ts';
import { MAX_BOARD_HISTORY_DAYS } from '../settings.ts';

/** Which month of which currency a reader asks for, and what is stored of it. */

export interface MonthParts {
  readonly services: Pick<
    Services,
    'store' | 'markets' | 'calendar' | 'redenominations' | 'snapshots'
  >;
  /** How far back the operator lets the board reach. */
  readonly historyDays: number;
  readonly now: Instant;
}

/** The currencies of the page; files have any that the bank publishes. */
export const MONTH_CURRENCIES = ['USD', 'EUR'] as const;
export type MonthCurrency = (typeof MONTH_CURRENCIES)[number];

export interface AskedMonth {
  readonly month: CaracasMonth;
  readonly currency: string;
  readonly range: ReturnType<typeof monthRange>;
}

/**
 * A month of which something is known. The number of days of the board is the operator's own limit, so a
 * month that ends before them is refused; without an own limit all that is stored can be read.
 * @throws ApiError `invalid_format` for a month to come, `403 history_out_of_retention` for one before the
 *   operator's limit.
 */
export function askedMonth(
  {
    month: asked,
    currency,
  }: { readonly month?: CaracasMonth | undefined; readonly currency: string },
  { services, historyDays, now }: MonthParts,
): AskedMonth {
  const month = asked ?? runningMonth(now);
  const range = monthRange(month, { now, lastValueDate: lastValueDateOf(currency, services, now) });
  const days = historyDays === MAX_BOARD_HISTORY_DAYS ? null : historyDays;
  const firstDay = (back: number) => addCaracasDays(caracasDayOf(now), -back);
  requireDepth(
    { field: 'month', day: range.to },
    { days, ofPlans: [] },
    firstDay,
    sentence(
      `The board reaches back ${historyDays} days.`,
      `El tablero llega ${historyDays} días atrás.`,
    ),
  );
  return { month, currency, range };
}

function lastValueDateOf(
  currency: string,
  { snapshots }: MonthParts['services'],
  now: Instant,
): CaracasDay | null {
  return snapshots.at(now).newestValueDates.get(officialNameOf(currency)) ?? null;
}

/**
 * The month that the address of the page names: in its path, or as people guess it. Undefined for none.
 */
export function monthNamed({ path, query }: MonthAddress): string | undefined {
  if (path !== MONTH_PATH) return path.slice(MONTH_PATH.length + 1);
  return query.get('month') ?? query.get('mes') ?? undefined;
}

interface MonthAddress {
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * The month of the page's address.
 * @throws ApiError `invalid_format` for what is no month, and for a currency that the page does not have.
 */
export function monthOfPage(
  address: MonthAddress,
  parts: MonthParts,
): AskedMonth & { readonly currency: MonthCurrency } {
  const text = monthNamed(address);
  const month = text === undefined ? undefined : parseMonth(text);
  if (text !== undefined && month === undefined) {
    throw invalidFormat(
      'month',
      'malformed',
      sentence(
        'The address has no month: it ends like /mes/2026-11.',
        'La dirección no tiene un mes: termina así: /mes/2026-11.',
      ),
    );
  }
  const named = address.query.get('currency')?.toUpperCase() ?? 'USD';
  const currency = MONTH_CURRENCIES.find((one) => one === named);
  if (currency === undefined) {
    throw invalidFormat(
      'currency',
      'unknown_value',
      sentence(
        'This page has USD and EUR; the API and its files have all currencies of the central bank.',
        'Esta página tiene USD y EUR; la API y sus archivos, todas las monedas del Banco Central.',
      ),
    );
  }
  return { ...askedMonth({ month, currency }, parts), currency };
}

/** What is stored around a month: the rate before it, and which months beside it there are. */
export interface AroundMonth {
  /** The rate in force when the month began, in the unit of its first day; undefined when it is not known. */
  readonly before: number | undefined;
  readonly firstStored: CaracasDay | undefined;
  readonly previous: CaracasMonth | undefined;
  readonly next: CaracasMonth | undefined;
}

/** The table of a month; undefined when nothing of the currency is stored. */
export async function tableOfMonth(
  { currency, range }: AskedMonth,
  { services, now }: Pick<MonthParts, 'services' | 'now'>,
): Promise<OfficialMonth | undefined> {
  try {
    return await officialMonthView(currency, range, { ...services, now });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'resource_not_found') return undefined;
    throw error;
  }
}

export async function aroundMonth(
  { month, currency, range: { from } }: AskedMonth,
  parts: MonthParts,
): Promise<AroundMonth> {
  const { services } = parts;
  const market = services.markets.find(officialNameOf(currency));
  const firstStored = market && (await firstStoredDay([market], services.store));
  const beside = (step: 1 | -1) => {
    const other = monthBeside(month, step);
    try {
      return askedMonth({ month: other, currency }, parts).month;
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  };
  const hasEarlier = firstStored !== undefined && monthOf(firstStored) < month;
  return {
    firstStored,
    before: await rateBefore(from, { currency, ...parts }),
    previous: hasEarlier ? beside(-1) : undefined,
    next: beside(1),
  };
}

async function rateBefore(
  from: CaracasDay,
  { currency, services, now }: MonthParts & { readonly currency: string },
): Promise<number | undefined> {
  const eve = addCaracasDays(from, -1);
  const view = await tableOfMonth(
    { month: monthOf(eve), currency, range: { from: eve, to: eve } },
    { services, now },
  );
  const rate = view?.rows.at(-1)?.rate;
  const units = { from: unitOfDay(eve), to: unitOfDay(from) };
  return rate && services.redenominations.rebased(rate, units);
}
