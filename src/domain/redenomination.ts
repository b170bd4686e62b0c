import { FIRST_DIGITAL_DAY } from './bcv.ts';
import { divideToDigits, MAX_SIGNIFICANT_DIGITS, multiply, toNumber } from './decimal.ts';
import { isOfficial, type Market } from './markets.ts';
import {
  type CaracasDay,
  caracasDayOf,
  endOfUtcDay,
  type Instant,
  startOfCaracasDay,
  type UtcDay,
} from './time.ts';

/** A reform of the currency: from that day on, one new bolívar is `factor` old ones. */
export interface Redenomination {
  readonly on: CaracasDay;
  readonly factor: number;
  /** What the new bolívar is called, in Spanish. */
  readonly name: string;
}

/** From the unit of one day to the unit of another, in either direction. */
export interface DaysOfUnits {
  readonly from: CaracasDay;
  readonly to: CaracasDay;
}

/** A price and its sides in bolívares, absent ones left out. */
interface Sides {
  readonly mid: number;
  readonly ask?: number | undefined;
  readonly bid?: number | undefined;
}

/** The day in whose unit a capture is stored: its value date, or the day on which it was read. */
export function dayOfUnit({
  effectiveDate,
  capturedAt,
}: {
  readonly effectiveDate?: CaracasDay | undefined;
  readonly capturedAt: Instant;
}): CaracasDay {
  return effectiveDate ?? caracasDayOf(capturedAt);
}

/**
 * The same of a capture that is read without its value date. That date begins at the time of an
 * official rate, unless who pushed it gave another time.
 */
export function dayOfCapture(
  { updatedAt, capturedAt }: { readonly updatedAt: Instant; readonly capturedAt: Instant },
  market: Market,
): CaracasDay {
  const day = caracasDayOf(updatedAt);
  const isValueDate = isOfficial(market) && updatedAt === startOfCaracasDay(day);
  return isValueDate ? day : caracasDayOf(capturedAt);
}

/** The day in whose unit a UTC day ends, or the one of `now` while it lasts. */
export function unitAtEndOf(day: UtcDay, now: Instant): CaracasDay {
  return caracasDayOf(Math.min(endOfUtcDay(day) - 1, now));
}

/** The later of two days. */
export function laterDay<Day extends string>(a: Day, b: Day): Day {
  return a > b ? a : b;
}

export type Redenominations = ReturnType<typeof redenominations>;

/**
 * The reforms of the catalogue. Figures of before `FIRST_DIGITAL_DAY` are stored in the bolívar of
 * that day, so only later reforms separate stored figures (decisions §1).
 * @param list In the order of their days.
 */
export function redenominations(list: readonly Redenomination[]) {
  const separating = Object.freeze(list.filter(({ on }) => on > FIRST_DIGITAL_DAY));

  /** The reforms after `from`, up to `to`, that separate stored figures. */
  const after = ({ from, to }: DaysOfUnits): readonly Redenomination[] =>
    separating.filter(({ on }) => from < on && on <= to);

  /**
   * A figure of the day `from` in the unit of the day `to`. It keeps its digits: a division is
   * rounded once, to as many as a published rate may have.
   */
  const rebased = (figure: number, { from, to }: DaysOfUnits): number => {
    if (separating.length === 0 || from === to) return figure;
    const factorOf = (reforms: readonly Redenomination[]) =>
      reforms.reduce((product, { factor }) => multiply(product, factor), multiply(1, 1));
    const divisors = after({ from, to });
    if (divisors.length > 0) {
      return toNumber(divideToDigits(figure, factorOf(divisors), MAX_SIGNIFICANT_DIGITS));
    }
    const factors = after({ from: to, to: from });
    return factors.length === 0 ? figure : toNumber(multiply(figure, factorOf(factors)));
  };

  return Object.freeze({
    /** All of them, also those that change nothing stored. */
    list: Object.freeze([...list]),
    after,
    rebased,
    /** A figure in the unit of `FIRST_DIGITAL_DAY`, as the catalogue has its bounds, in that of a day. */
    sinceStored(figure: number, to: CaracasDay): number {
      return rebased(figure, {
        from: caracasDayOf(Date.parse(`${FIRST_DIGITAL_DAY}T12:00:00Z`)),
        to,
      });
    },
    /** When figures of `from` last changed their unit up to `to`; 0 when they did not. */
    rebasedAt(days: DaysOfUnits): Instant {
      const last = after(days).at(-1);
      return last === undefined ? 0 : startOfCaracasDay(last.on);
    },
    /** When the unit last changed up to `now`; 0 when it never did. */
    newestAt(now: Instant): Instant {
      const today = caracasDayOf(now);
      const newest = separating.findLast(({ on }) => on <= today);
      return newest === undefined ? 0 : startOfCaracasDay(newest.on);
    },
    /** The price and its sides in another unit. The same object when the unit is the same. */
    rebasedSides<Price extends Sides>(price: Price, days: DaysOfUnits): Price {
      const mid = rebased(price.mid, days);
      if (mid === price.mid) return price;
      const side = (value: number | undefined) => value && rebased(value, days);
      return { ...price, mid, ask: side(price.ask), bid: side(price.bid) };
    },
  });
}

/** No reform at all. */
export const NO_REDENOMINATIONS = redenominations([]);
