import { type DatedFigure, unitDoubt } from '../../domain/judgement/unit-judgement.ts';
import type { Market } from '../../domain/markets.ts';
import {
  FIRST_STORED_UNIT,
  type Redenominations,
  storedUnitAt,
  storedUnitOf,
  unitOfDay,
} from '../../domain/redenomination.ts';
import {
  type CaracasDay,
  caracasDayOf,
  type Instant,
  startOfCaracasDay,
} from '../../domain/time.ts';
import type { Entry } from '../ports/records.ts';
import type { SourceRecord } from '../ports/sources.ts';
import { checkRecord, type InputRecord, orRefusal, type QuoteRecord, Refused } from './record.ts';

/**
 * The day of a quote: its value date, or the day of its own time. A time after the reading is wrong.
 */
export function dayOfQuote(
  { effective_date: valueDate, updated_at: updatedAt }: QuoteRecord,
  capturedAt: Instant,
): CaracasDay {
  return valueDate ?? caracasDayOf(Math.min(updatedAt ?? capturedAt, capturedAt));
}

/** Whether the figures of a record are in the unit of their own day: `"unit": "day"` (decisions §7). */
export function isInUnitOfDay({ unit }: Pick<InputRecord, 'unit'>): boolean {
  return unit === 'day';
}

/** The record with its figures in the unit in which they are stored. */
export function inStoredUnit<Input extends InputRecord>(
  input: Input,
  capturedAt: Instant,
  { rebased }: Pick<Redenominations, 'rebased'>,
): Input {
  if (!isInUnitOfDay(input)) return input;
  const stored = (figure: number, day: CaracasDay) =>
    rebased(figure, { from: unitOfDay(day), to: storedUnitOf(day) });
  switch (input.kind) {
    case 'quote': {
      const day = dayOfQuote(input, capturedAt);
      const side = (figure: number | undefined) => figure && stored(figure, day);
      return { ...input, mid: side(input.mid), ask: side(input.ask), bid: side(input.bid) };
    }
    case 'official': {
      const rates = Object.entries(input.rates).map(([code, rate]) => [
        code,
        stored(rate, input.value_date),
      ]);
      return { ...input, rates: Object.fromEntries(rates) };
    }
    case 'bank_table': {
      const rows = input.rows.map((row) => {
        const day = row.date ?? input.indicator_date;
        const side = (figure: number | null | undefined) => figure && stored(figure, day);
        return { ...row, buy: side(row.buy), sell: side(row.sell) };
      });
      return { ...input, rows };
    }
    default:
      return input satisfies never;
  }
}

/** What of a record tells its unit. */
interface Judged {
  readonly record: SourceRecord;
  readonly entry: Entry;
  readonly market?: Market;
  readonly capturedAt: Instant;
}

/** The first instant that may be of a day of the record. */
function firstInstantOf({ captures, bankTable }: Entry, capturedAt: Instant): Instant {
  const days = [
    ...captures.flatMap(({ effectiveDate }) => effectiveDate ?? []),
    ...(bankTable?.rows ?? []).map(({ date }) => date),
  ];
  const times = captures.map(({ updatedAt }) => updatedAt);
  return Math.min(capturedAt, ...times, ...days.map(startOfCaracasDay));
}

/** The doubt about a record whose figure is right in the other unit. */
export function unitDoubtAbout({ record, entry, market, capturedAt }: Judged) {
  // Of nearly all records this is all that is looked at.
  if (storedUnitAt(firstInstantOf(entry, capturedAt)) !== FIRST_STORED_UNIT) return undefined;
  const input = orRefusal(() => checkRecord(record));
  if (input instanceof Refused) return undefined;
  const dated = figureOf(input, capturedAt, market);
  return dated && unitDoubt({ ...dated, isOfDay: isInUnitOfDay(input) });
}

/** A figure of a dollar or a euro in a record; undefined when it has none. */
function figureOf(
  input: InputRecord,
  capturedAt: Instant,
  market: Market | undefined,
): Omit<DatedFigure, 'isOfDay'> | undefined {
  switch (input.kind) {
    case 'quote': {
      const figure = input.mid ?? input.ask;
      if (market === undefined || figure === undefined) return undefined;
      return { name: market.id, day: dayOfQuote(input, capturedAt), figure };
    }
    case 'official': {
      const name = input.rates['USD'] === undefined ? 'EUR' : 'USD';
      const figure = input.rates[name];
      return figure === undefined ? undefined : { name, day: input.value_date, figure };
    }
    case 'bank_table': {
      const [row] = input.rows;
      const figure = row?.sell ?? row?.buy ?? undefined;
      const day = row?.date ?? input.indicator_date;
      return row && figure !== undefined ? { name: row.bank, day, figure } : undefined;
    }
    default:
      return input satisfies never;
  }
}
