import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  type Instant,
  parseCaracasDay,
} from '../../core/domain/time.ts';

/** A day as a cell has it: one that is certain, or three numbers of which two may change places. */
export type DayCell = (
  | { readonly day: CaracasDay }
  | { readonly first: string; readonly second: string; readonly year: string }
) & {
  /** `16:10:00`; absent at midnight, which is how spreadsheets write a day. */
  readonly time?: string;
};

const TIME = String.raw`(?:[T ]+(\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?`;
const ISO = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${TIME}$`);
const SLASHED = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${TIME}$`);
const MIDNIGHT = /^0{1,2}:00(?::00)?$/;
const MONTHS = 12;

/** A value date is never further ahead: the longest holidays of the banks are shorter. */
const REACH_OF_VALUE_DATES_DAYS = 10;

/** Reads a cell; undefined when it is no day. A day that does not exist is told by `dayIn`. */
export function dayCell(text: string): DayCell | undefined {
  const iso = ISO.exec(text);
  if (iso !== null) {
    const [, year = '', , month = '', date = '', time] = iso;
    const day = dayOf(year, month, date);
    return day && { day, ...timeOf(time) };
  }
  const [, first, , second, year, time] = SLASHED.exec(text) ?? [];
  if (first === undefined || second === undefined || year === undefined) return undefined;
  return { first, second, year, ...timeOf(time) };
}

function timeOf(time: string | undefined) {
  return time === undefined || MIDNIGHT.test(time) ? {} : { time };
}

function dayOf(year: string, month: string, date: string): CaracasDay | undefined {
  return parseCaracasDay(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`);
}

/** The day of a cell, whose first number is the date; undefined when there is no such day. */
export function dayIn(cell: DayCell): CaracasDay | undefined {
  return 'day' in cell ? cell.day : dayOf(cell.year, cell.second, cell.first);
}

/** The same when the first number is the month. */
function dayIfMonthFirst(cell: DayCell): CaracasDay | undefined {
  return 'day' in cell ? cell.day : dayOf(cell.year, cell.first, cell.second);
}

/** What days are in one reading: whether one is in the future, and whether they have an order. */
class Reading {
  #rises = false;
  #falls = false;
  #newest: CaracasDay | undefined;
  readonly #lastOf = new Map<string, CaracasDay>();

  /** @param series Whose day it is: another one may begin again. */
  add(day: CaracasDay, series: string): void {
    const last = this.#lastOf.get(series) ?? day;
    if (day > last) this.#rises = true;
    if (day < last) this.#falls = true;
    this.#lastOf.set(series, day);
    if (this.#newest === undefined || day > this.#newest) this.#newest = day;
  }

  get isOrdered(): boolean {
    return !(this.#rises && this.#falls);
  }

  endsBy(day: CaracasDay): boolean {
    return this.#newest === undefined || this.#newest <= day;
  }
}

interface Seen {
  readonly line: number;
  readonly text: string;
  readonly cell: DayCell;
}

/** Finds out whether the days of a file can be read in one way. */
export class DayEvidence {
  readonly #dateFirst = new Reading();
  readonly #monthFirst = new Reading();
  #dateShown = false;
  #monthShown: Seen | undefined;
  #twofold: Seen | undefined;
  /** Whether a day is written with its date before its month. */
  isSlashed = false;

  add(cell: DayCell, { line, text, series }: Omit<Seen, 'cell'> & { readonly series: string }) {
    const [dateFirst, monthFirst] = [dayIn(cell), dayIfMonthFirst(cell)];
    if (dateFirst !== undefined) this.#dateFirst.add(dateFirst, series);
    if (monthFirst !== undefined) this.#monthFirst.add(monthFirst, series);
    if ('day' in cell) return;
    this.isSlashed = true;
    const seen = { line, text, cell };
    if (Number(cell.first) > MONTHS) this.#dateShown ||= dateFirst !== undefined;
    else if (Number(cell.second) > MONTHS) this.#monthShown ??= monthFirst && seen;
    else if (dateFirst !== monthFirst) this.#twofold ??= seen;
  }

  /** The line and the reason why the days cannot be read, if they cannot. */
  problem(now: Instant): { readonly line: number; readonly reason: string } | undefined {
    if (this.#dateShown) return undefined;
    if (this.#monthShown !== undefined) return monthComesFirst(this.#monthShown);
    if (this.#twofold === undefined) return undefined;
    const last = addCaracasDays(caracasDayOf(now), REACH_OF_VALUE_DATES_DAYS);
    const of = (holds: (reading: Reading) => boolean) => {
      const [date, month] = [holds(this.#dateFirst), holds(this.#monthFirst)];
      return date === month ? undefined : date ? 'date' : 'month';
    };
    const decided = of((reading) => reading.endsBy(last)) ?? of(({ isOrdered }) => isOrdered);
    if (decided === 'date') return undefined;
    const { line, text, cell } = this.#twofold;
    if (decided === 'month') return monthComesFirst(this.#twofold);
    const reason =
      `${text} can be ${dayIn(cell)} (dd/mm/yyyy) or ${dayIfMonthFirst(cell)} (mm/dd/yyyy), and ` +
      'nothing in the file says which: write the days as YYYY-MM-DD';
    return { line, reason };
  }
}

function monthComesFirst({ line, text, cell }: Seen) {
  const reason =
    `${text} is ${dayIfMonthFirst(cell)} as mm/dd/yyyy, which is not taken: write the days of the file as ` +
    'YYYY-MM-DD or dd/mm/yyyy';
  return { line, reason };
}
