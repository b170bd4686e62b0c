import { checkRecord, orRefusal, Refused } from '../../core/app/ingest/record.ts';
import type { SourceRecord } from '../../core/app/ports/sources.ts';
import type { FileSurroundings } from '../../core/capability.ts';
import { FIRST_DIGITAL_DAY } from '../../core/domain/bcv.ts';
import { parseExactJson } from '../../core/domain/exact-json.ts';
import { isOfficial } from '../../core/domain/markets.ts';
import { didYouMean } from '../../core/domain/near-names.ts';
import { storedUnitOf, unitOfDay } from '../../core/domain/redenomination.ts';
import {
  type CaracasDay,
  caracasDayOf,
  HOUR_MS,
  type Instant,
  isoInstant,
  parseCaracasDay,
  parseInstant,
  startOfCaracasDay,
  utcDayOf,
} from '../../core/domain/time.ts';
import { dayCell, dayIn } from './days.ts';
import { type DecimalMark, writtenFigure } from './figures.ts';
import type { Columns, Role } from './header.ts';
import {
  isCurrencyCode,
  namedIn,
  officialCurrencyOf,
  officialSubject,
  type Subject,
  subjectName,
} from './names.ts';

/** A day without a time counts at noon in Caracas, which is the same day in UTC. */
const NOON_MS = 12 * HOUR_MS;

/** One figure of a row. */
export interface RowFigure {
  readonly line: number;
  readonly subject: Subject;
  /** A number, or what has more digits than one. */
  readonly rate?: unknown;
  readonly ask?: unknown;
  readonly bid?: unknown;
  /** The value date of an official rate. */
  readonly valueDate?: CaracasDay;
  readonly updatedAt?: Instant | undefined;
  /** When it was read; absent for an official rate whose reading nobody has written down. */
  readonly capturedAt?: Instant | undefined;
  /** Whether the row says the time of its figure. */
  readonly isTimed: boolean;
  readonly unit?: 'day' | undefined;
}

export type RowsAround = Pick<FileSurroundings, 'markets' | 'redenominations' | 'now'> & {
  readonly columns: Columns;
  readonly mark: DecimalMark;
};

/** The figures of one row. @throws Refused when it is bad. */
export function rowFigures(
  { line, cells }: { readonly line: number; readonly cells: readonly string[] },
  around: RowsAround,
): readonly RowFigure[] {
  const { columns, mark } = around;
  const text = (role: Role) => textAt(cells, columns.at[role]);
  const times = {
    updatedAt: instantOf(text('updated_at'), 'updated_at'),
    capturedAt: instantOf(text('captured_at'), 'captured_at'),
  };
  const dated = { ...times, ...daysOf(text('day'), text('value_date')) };
  const figure = (cell: string) => numberOf(cell, mark);
  if (columns.figures.length === 0) {
    const [rate, ask, bid] = [figure(text('rate')), figure(text('ask')), figure(text('bid'))];
    if (rate === undefined && (ask === undefined || bid === undefined)) {
      throw new Refused('has no rate');
    }
    const subject = subjectOf(text('market'), text('currency'), around);
    if (rate === undefined && officialCurrencyOf(subject) !== undefined) {
      throw new Refused(
        'an official rate is one figure: its column is tasa or rate, not compra and venta',
      );
    }
    return [placed({ line, subject, rate, ask, bid }, dated, { around, unit: text('unit_since') })];
  }
  const figures = columns.figures.flatMap(({ column, subject }) => {
    const rate = figure(textAt(cells, column));
    if (rate === undefined) return [];
    return placed({ line, subject, rate }, dated, { around, unit: text('unit_since') });
  });
  if (figures.length === 0) throw new Refused('has no figure');
  return figures;
}

export function textAt(cells: readonly string[], column: number | undefined): string {
  return column === undefined ? '' : (cells[column] ?? '').trim();
}

function instantOf(text: string, name: string): Instant | undefined {
  if (text === '') return undefined;
  const instant = parseInstant(text);
  if (instant === undefined) throw new Refused(`${name}: ${text} is no ISO 8601 time with a zone`);
  return instant;
}

interface Days {
  readonly day: CaracasDay;
  readonly time?: string | undefined;
  /** Where the row has one of its own. */
  readonly valueDate?: CaracasDay | undefined;
}

function daysOf(dayText: string, valueText: string): Days {
  const valueDate = valueText === '' ? undefined : certainDay(valueText).day;
  if (dayText === '' && valueDate !== undefined) return { day: valueDate, valueDate };
  return { ...certainDay(dayText), valueDate };
}

function certainDay(text: string): {
  readonly day: CaracasDay;
  readonly time?: string | undefined;
} {
  if (text === '') throw new Refused('has no day');
  const cell = dayCell(text);
  const day = cell && dayIn(cell);
  if (day === undefined) throw new Refused(`${text} is no day: YYYY-MM-DD or dd/mm/yyyy`);
  return { day, time: cell?.time };
}

/** The number, or what the ingestion refuses for its digits; undefined for an empty cell. */
function numberOf(text: string, mark: DecimalMark): unknown {
  if (text === '') return undefined;
  const figure = writtenFigure(text, mark);
  if (figure === undefined) {
    const other = writtenFigure(text, mark === '.' ? ',' : '.') !== undefined;
    const why = other ? ` with the decimal mark of the file, ${mark}` : '';
    throw new Refused(`${text} is no figure${why}`);
  }
  return parseExactJson(figure);
}

function subjectOf(market: string, currency: string, around: RowsAround): Subject {
  const { columns, markets } = around;
  const { at, ofAll, ofMarket, isOurs } = columns;
  if (ofAll !== undefined) return ofAll;
  if (at.market !== undefined && market === '') throw new Refused('has no market');
  if (isOurs && at.market !== undefined) {
    const known = markets.find(market);
    // Codes that are in no list any more are stored too.
    if (known === undefined && /^[A-Z]{3}$/.test(market)) return { currency: market };
  }
  const code = at.currency === undefined ? undefined : codeOf(currency, around);
  if (at.market === undefined) {
    if (code === undefined) throw new Refused('has no currency');
    if (ofMarket === undefined) return officialSubject(code, markets);
    requireBase(ofMarket, code);
    return { market: ofMarket };
  }
  const named = namedIn(market, markets);
  if (named === undefined) {
    throw new Refused(`${market} is not in the catalogue.${didYouMean(markets, market)}`);
  }
  const { subject } = named;
  if (code === undefined) return subject;
  const isOfficialRate = 'currency' in subject || isOfficial(subject.market);
  if (isOfficialRate && named.currency === undefined) return officialSubject(code, markets);
  if (isOfficialRate) {
    if (named.currency !== code) throw new Refused(`${market} is not ${code}`);
    return subject;
  }
  requireBase(subject.market, code);
  return subject;
}

function requireBase({ id, base }: { readonly id: string; readonly base: string }, code: string) {
  if (code !== base) throw new Refused(`${id} is a market of ${base}, not of ${code}`);
}

function codeOf(text: string, { markets }: RowsAround): string {
  if (text === '') throw new Refused('has no currency');
  const code = text.toUpperCase();
  if (isCurrencyCode(code)) return code;
  const named = namedIn(text, markets);
  if (named?.currency !== undefined) return named.currency;
  throw new Refused(`${text} is not the code of a currency`);
}

/** The figure at its day or its times, in its unit. */
function placed(
  figure: Pick<RowFigure, 'line' | 'subject' | 'rate' | 'ask' | 'bid'>,
  dated: Days & Pick<RowFigure, 'updatedAt' | 'capturedAt'>,
  { around, unit }: { readonly around: RowsAround; readonly unit: string },
): RowFigure {
  const { subject } = figure;
  const { updatedAt, capturedAt, day, time } = dated;
  if ('currency' in subject || isOfficial(subject.market)) {
    const valueDate = dated.valueDate ?? day;
    if (time !== undefined && dated.valueDate === undefined) {
      throw new Refused(`${day} ${time} may be when the rate was read: write its value date alone`);
    }
    const isTimed = capturedAt !== undefined;
    const own = unitOf(valueDate, unit, around);
    return checked({ ...figure, valueDate, updatedAt, capturedAt, isTimed, unit: own });
  }
  const given = capturedAt ?? updatedAt;
  const daysOfTime: readonly string[] =
    given === undefined ? [day] : [utcDayOf(given), caracasDayOf(given)];
  if (given !== undefined && !daysOfTime.includes(day)) {
    throw new Refused(`${day} is not the day of ${isoInstant(given)}`);
  }
  const at =
    given ??
    timeOn(day, time) ??
    Math.min(startOfCaracasDay(day) + NOON_MS, latest(day, around.now));
  const ownDay = caracasDayOf(Math.min(updatedAt ?? at, at));
  const isTimed = given !== undefined || time !== undefined;
  return { ...figure, updatedAt, capturedAt: at, isTimed, unit: unitOf(ownDay, unit, around) };
}

/** A figure of today is read now, if it is before noon. */
function latest(day: CaracasDay, now: Instant): Instant {
  return day === caracasDayOf(now) ? now : Number.POSITIVE_INFINITY;
}

/** A time of the day in Caracas. */
function timeOn(day: CaracasDay, time: string | undefined): Instant | undefined {
  if (time === undefined) return undefined;
  const [hours = '', minutes = '', seconds = '00'] = time.split(':');
  const at = parseInstant(`${day}T${hours.padStart(2, '0')}:${minutes}:${seconds}-04:00`);
  if (at === undefined) throw new Refused(`${time} is no time of a day`);
  return at;
}

/** In which bolívar a figure is: without a column that says it, that of its own day. */
function unitOf(day: CaracasDay, since: string, { columns, redenominations }: RowsAround) {
  const own = day < FIRST_DIGITAL_DAY ? 'day' : undefined;
  if (!columns.isOurs) return own;
  const said = since === '' ? undefined : parseCaracasDay(since);
  if (said === redenominations.since(storedUnitOf(day))) return undefined;
  if (said === redenominations.since(unitOfDay(day))) return own;
  throw new Refused(`unit_since: ${since} is not since when the bolívar of ${day} is in force`);
}

/** What the ingestion would refuse of one row of several that are one record. */
function checked(figure: RowFigure): RowFigure {
  const refused = orRefusal(() => checkRecord(officialRecord([figure])));
  if (refused instanceof Refused) {
    throw new Refused(refused.message.replace(/^rates\.\w+/, subjectName(figure.subject)));
  }
  return figure;
}

/** A record of a publication: figures of one value date that were read together. */
export function officialRecord(figures: readonly RowFigure[]): SourceRecord {
  const [first] = figures;
  const rates = figures.map(({ subject, rate }) => [
    'currency' in subject ? subject.currency : subject.market.base,
    rate,
  ]);
  return {
    kind: 'official',
    value_date: first?.valueDate,
    rates: Object.fromEntries(rates),
    captured_at: first?.capturedAt && isoInstant(first.capturedAt),
    unit: first?.unit,
  };
}

/** A record of one figure of a market. */
export function quoteRecord(
  figure: RowFigure & { readonly subject: { readonly market: { readonly id: string } } },
): SourceRecord {
  const { subject, rate, ask, bid, valueDate, updatedAt, capturedAt, unit } = figure;
  return {
    kind: 'quote',
    market: subject.market.id,
    mid: rate,
    ask,
    bid,
    updated_at: updatedAt === undefined ? undefined : isoInstant(updatedAt),
    captured_at: capturedAt === undefined ? undefined : isoInstant(capturedAt),
    effective_date: valueDate,
    unit,
  };
}
