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

/**
 * A reform of the currency: from that day on, one new bolívar is `factor` old ones. Stored figures
 * are converted where they are shown and never rewritten, so a mistake in a factor can be taken back.
 */
export interface Redenomination {
  readonly on: CaracasDay;
  readonly factor: number;
  /** What the new bolívar is called, in Spanish. */
  readonly name: string;
}

/** A day that stands for the unit of the currency on it. */
export type UnitDay = CaracasDay & { readonly standsFor: 'unit' };

/** This cast is safe: every day has a unit. */
const asUnit = (day: CaracasDay) => day as UnitDay;

/** From one unit to another, in either direction. */
export interface Units {
  readonly from: UnitDay;
  readonly to: UnitDay;
}

/** The unit of the day itself: in which its figures were published, and are shown. */
export function unitOfDay(day: CaracasDay): UnitDay {
  return asUnit(day);
}

/** The unit of the day of an instant in Caracas. */
export function unitAt(instant: Instant): UnitDay {
  return unitOfDay(caracasDayOf(instant));
}

/** The unit of figures that are stored for days of before it. */
export const FIRST_STORED_UNIT = unitAt(Date.parse(`${FIRST_DIGITAL_DAY}T12:00:00Z`));

/**
 * The unit in which figures of a day are stored and compared: that of `FIRST_DIGITAL_DAY` for
 * earlier days, because the archives give them so (contract §1).
 */
export function storedUnitOf(day: CaracasDay): UnitDay {
  return laterDay(unitOfDay(day), FIRST_STORED_UNIT);
}

/** A price and its sides in bolívares, absent ones left out. */
interface Sides {
  readonly mid: number;
  readonly ask?: number | undefined;
  readonly bid?: number | undefined;
}

/** The same of the day of an instant in Caracas. */
export function storedUnitAt(instant: Instant): UnitDay {
  return storedUnitOf(caracasDayOf(instant));
}

/**
 * From the unit in which a figure of a day is stored to that of the day for which it is shown. A
 * figure of a later day keeps its own unit.
 */
export function shownUnits(ofDay: CaracasDay, { on }: { readonly on: CaracasDay }): Units {
  return { from: storedUnitOf(ofDay), to: unitOfDay(laterDay(ofDay, on)) };
}

/** The day of a capture: its value date, or the day on which it was read. */
export function dayOfCapture({
  effectiveDate,
  capturedAt,
}: {
  readonly effectiveDate?: CaracasDay | undefined;
  readonly capturedAt: Instant;
}): CaracasDay {
  return effectiveDate ?? caracasDayOf(capturedAt);
}

/**
 * The unit in which a capture is stored that is read without its value date. That date begins at the
 * time of an official rate, unless who pushed it gave another time.
 */
export function captureUnit(
  { updatedAt, capturedAt }: { readonly updatedAt: Instant; readonly capturedAt: Instant },
  market: Market,
): UnitDay {
  const day = caracasDayOf(updatedAt);
  const isValueDate = isOfficial(market) && updatedAt === startOfCaracasDay(day);
  return storedUnitOf(isValueDate ? day : caracasDayOf(capturedAt));
}

/** The unit in which a UTC day ends, or that of `now` while it lasts. */
export function unitAtEndOf(day: UtcDay, now: Instant): UnitDay {
  return unitAt(Math.min(endOfUtcDay(day) - 1, now));
}

/**
 * The units of an answer about days, whose reforms it names: from that of its first day to that of
 * today, or of its last day if that is still to come (contract §10).
 */
export function unitsSince(
  { from, to }: { readonly from: CaracasDay; readonly to: CaracasDay },
  now: Instant,
): Units {
  return { from: unitOfDay(from), to: laterDay(unitOfDay(to), unitAt(now)) };
}

/** The later of two days. */
export function laterDay<Day extends string>(a: Day, b: Day): Day {
  return a > b ? a : b;
}

export type Redenominations = ReturnType<typeof redenominations>;
/** Judgement compares stored figures with each other. */
export type StoredRedenominations = Redenominations['stored'];

/**
 * The reforms of the catalogue.
 * @param list In the order of their days.
 */
export function redenominations(list: readonly Redenomination[]) {
  const newest = list.at(-1)?.on ?? '';

  /** The reforms after `from`, up to `to`, oldest first. */
  const after = ({ from, to }: Units): readonly Redenomination[] =>
    from >= newest ? [] : list.filter(({ on }) => from < on && on <= to);

  /**
   * A figure in another unit. It keeps its digits: a division is rounded once, to as many as a
   * published rate may have.
   */
  const rebased = (figure: number, { from, to }: Units): number => {
    if (from === to || (from >= newest && to >= newest)) return figure;
    const factorOf = (reforms: readonly Redenomination[]) =>
      reforms.reduce((product, { factor }) => multiply(product, factor), multiply(1, 1));
    const divisors = after({ from, to });
    if (divisors.length > 0) {
      return toNumber(divideToDigits(figure, factorOf(divisors), MAX_SIGNIFICANT_DIGITS));
    }
    const factors = after({ from: to, to: from });
    return factors.length === 0 ? figure : toNumber(multiply(figure, factorOf(factors)));
  };

  /** The price and its sides in another unit. The same object when the unit is the same. */
  const rebasedSides = <Price extends Sides>(price: Price, units: Units): Price => {
    const mid = rebased(price.mid, units);
    if (mid === price.mid) return price;
    const side = (value: number | undefined) => value && rebased(value, units);
    return { ...price, mid, ask: side(price.ask), bid: side(price.bid) };
  };

  return Object.freeze({
    list: Object.freeze([...list]),
    after,
    rebased,
    rebasedSides,
    /** The day since which a unit is in force; undefined for the one before the first reform. */
    since: (unit: UnitDay): CaracasDay | undefined => list.findLast(({ on }) => on <= unit)?.on,
    /** When figures of `from` last changed their unit up to `to`; 0 when they did not. */
    rebasedAt(units: Units): Instant {
      const last = after(units).at(-1);
      return last === undefined ? 0 : startOfCaracasDay(last.on);
    },
    /** When the unit last changed up to `now`; 0 when it never did. */
    newestAt(now: Instant): Instant {
      const today = caracasDayOf(now);
      const newest = list.findLast(({ on }) => on <= today);
      return newest === undefined ? 0 : startOfCaracasDay(newest.on);
    },
    /** The same between the units in which figures of two days are stored, to compare them. */
    stored: Object.freeze({
      after: (days: Days) => after(storedUnits(days)),
      rebased: (figure: number, days: Days) => rebased(figure, storedUnits(days)),
      rebasedSides: <Price extends Sides>(price: Price, days: Days) =>
        rebasedSides(price, storedUnits(days)),
    }),
  });
}

/** A day of one figure, and that of another one. */
interface Days {
  readonly from: CaracasDay;
  readonly to: CaracasDay;
}

function storedUnits({ from, to }: Days): Units {
  return { from: storedUnitOf(from), to: storedUnitOf(to) };
}

/** No reform at all. */
export const NO_REDENOMINATIONS = redenominations([]);
