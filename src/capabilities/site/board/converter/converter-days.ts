import type { DateRule } from '../../../../core/domain/history/past-dates.ts';
import { OFFICIAL_RATES } from '../../../../core/domain/markets.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasTimeOf,
  parseCaracasDay,
} from '../../../../core/domain/time.ts';
import type { ConversionProblem } from '../../texts/es/converter.ts';
import { HERO_TEXTS } from '../../texts/texts.ts';
import type { BoardReader } from '../age.ts';
import type { BoardDays, BoardFigures, ConvertibleRate } from '../board-figures.ts';
import { datedPast, datedRates } from '../staleness.ts';
import type { ConversionRequest } from './converter.ts';
import { convertibleRates, OTHER_DAY, P2P_MEDIAN, ruleOf } from './converter.ts';

/** The day of which a conversion takes the rate. */

export const OTHER_RULE: Readonly<Record<DateRule, DateRule>> = {
  value_date: 'next_banking_day',
  next_banking_day: 'value_date',
};

/** The value date of the next official rate, once it is published. */
export function nextValueDate({ official }: BoardFigures): string | undefined {
  return official['USD']?.next?.value_date;
}

export interface NextParts {
  readonly figures: BoardFigures;
  readonly days: BoardDays;
  readonly reader: BoardReader;
}

/** Why there is no next rate, as far as the page can know. */
export function nextMissing({ figures, days, reader }: NextParts): string {
  const { language, isCutOff, now } = reader;
  const { noNext, nextBy, nextOverdue, nextUnknown } = HERO_TEXTS[language];
  if (isCutOff === true) return nextUnknown;
  const isOverdue = figures.state.reasons.some(({ name }) => name === 'publications_missed');
  if (isOverdue) return nextOverdue;
  const { next_by: by = 0 } = days;
  return by > now ? nextBy(caracasTimeOf(by)) : noNext;
}

/**
 * The official rates of a later day. Before the next publication takes effect that is the rate in
 * force, or by the other rule the published one already. Nobody knows later rates of other markets.
 */
function comingRates(
  figures: BoardFigures,
  { date, rule }: { readonly date: string; readonly rule: DateRule },
): readonly ConvertibleRate[] {
  return datedRates(figures).flatMap((rate) => {
    const currency = (['USD', 'EUR'] as const).find((one) => OFFICIAL_RATES[one] === rate.market);
    const { in_force: inForce, next } = figures.official[currency ?? 'USD'] ?? {};
    const last = next?.value_date;
    if (currency === undefined || last === undefined || date > last) return [];
    const found = date === last || rule === 'next_banking_day' ? next : inForce;
    if (found === undefined) return [];
    const changes = (figures.unit_changes ?? []).filter(({ on }) => on <= found.value_date);
    const { rate: mid, value_date: valueDate, effective_at: at } = found;
    return {
      ...{ ...rate, mid, effective_date: valueDate, updated_at: at },
      as_of: {
        ...{ date, value_date: valueDate, captured_at: at },
        ...{ business_day: date === last, rule },
      },
      ...(changes.length > 0 && { unit_changes: changes }),
    };
  });
}

interface KnownRates {
  readonly figures: BoardFigures;
  /** Those of a past day; undefined until they arrive. */
  readonly past: readonly ConvertibleRate[] | undefined;
  readonly today: CaracasDay;
}

/** Whether the day is after today. A text that is no day is not. */
export function isToCome(date: string, today: CaracasDay): boolean {
  return date > today && parseCaracasDay(date) !== undefined;
}

/**
 * The rates of the requested day; undefined until those of a past day arrive. A median of P2P
 * is known for today only. For a past day, USDT has the price of the first P2P market, with its name.
 */
export function ratesOf(
  { date, ...asked }: Pick<ConversionRequest, 'date' | 'rule' | 'via'>,
  { figures, past, today }: KnownRates,
): readonly ConvertibleRate[] | undefined {
  if (date === '') return convertibleRates(figures);
  if (isToCome(date, today)) return comingRates(figures, { date, rule: ruleOf(asked) });
  if (dayProblem({ date }, { figures, today }) !== undefined) return [];
  const p2p = past?.filter(({ type }) => type === 'p2p').slice(0, 1) ?? [];
  return (
    past && [...datedPast(past, figures), ...p2p.map((rate) => ({ ...rate, market: P2P_MEDIAN }))]
  );
}

/** A reader who types a year passes by years such as 0202, which are no days. */
const HALF_TYPED_YEAR = /^0\d{3}-/;

/** The first day of the board's history. */
export function firstHistoryDay(figures: BoardFigures, today: CaracasDay): CaracasDay {
  return addCaracasDays(today, -figures.history_days);
}

/** Why no rate can be known of the day, whatever the market; undefined for a day that may have one. */
export function dayProblem(
  { date }: Pick<ConversionRequest, 'date'>,
  { figures, today }: Pick<KnownRates, 'figures' | 'today'>,
): ConversionProblem | undefined {
  if (date === OTHER_DAY) return 'no_date';
  if (isToCome(date, today) && date > (nextValueDate(figures) ?? today)) return 'future';
  if (date === '') return undefined;
  if (!HALF_TYPED_YEAR.test(date) && parseCaracasDay(date) === undefined) return 'unreadable_date';
  return date < firstHistoryDay(figures, today) ? 'before_history' : undefined;
}
