import { Refused } from '../../core/app/ingest/record.ts';
import type { SourceRecord } from '../../core/app/ports/sources.ts';
import type { FileRecord, FileRecords, FileSurroundings } from '../../core/capability.ts';
import { startOfCaracasDay } from '../../core/domain/time.ts';
import { subjectName } from './names.ts';
import { officialRecord, quoteRecord, type RowFigure } from './rows.ts';

/** A row of which nothing can be taken. */
export interface BadRow {
  readonly line: number;
  readonly refusal: Refused;
}

/** What the rows of a table have: figures, and rows of which nothing can be taken. */
export type TableRows = Iterable<RowFigure | BadRow>;

type Made = Pick<FileRecords, 'records' | 'notes'>;

/**
 * The records of a table, in an order in which the ingestion gives every figure its place. With a bad
 * row they are in the order of the file, so that every bad line is told, and told in order.
 * @param rows Reads the rows, each time from the first one.
 */
export function tableRecords(
  rows: () => TableRows,
  around: Pick<FileSurroundings, 'calendar' | 'markets'>,
): Made {
  const figures: RowFigure[] = [];
  for (const row of withoutRepetitions(rows())) {
    // What is bad is not kept: a file may have millions of such lines.
    if ('refusal' in row) return { records: inFileOrder(rows()), notes: [] };
    figures.push(row);
  }
  const official = figures.filter(({ valueDate }) => valueDate !== undefined);
  const { counting, carried } = withoutCarried(official, around);
  const quotes = figures.filter(({ valueDate }) => valueDate === undefined);
  const note =
    `${carried} figures of days on which banks are closed repeat that of a business day: they are no value ` +
    'dates, and were left out.';
  return {
    records: made([...inOrderOfReading(counting), ...newestFirst(quotes)]),
    notes: carried > 0 ? [note] : [],
  };
}

function* inFileOrder(rows: TableRows): Generator<FileRecord> {
  for (const row of withoutRepetitions(rows)) {
    yield { line: row.line, record: 'refusal' in row ? row.refusal : recordOf(row) };
  }
}

/** Made one by one: a large table has its figures in memory, and need not have its records too. */
function* made(all: readonly (RowFigure | Publication)[]): Generator<FileRecord> {
  for (const one of all) {
    if ('figures' in one) yield { line: one.line, record: officialRecord(one.figures) };
    else yield { line: one.line, record: recordOf(one) };
  }
}

/** Leaves out a figure that the table has twice for one day and one reading, and refuses two different ones. */
function* withoutRepetitions(rows: TableRows): Generator<RowFigure | BadRow> {
  const first = new Map<string, RowFigure>();
  for (const row of rows) {
    // Quotes of one instant are several readings, which the ingestion orders.
    if ('refusal' in row || (row.valueDate === undefined && row.isTimed)) {
      yield row;
      continue;
    }
    const { subject, valueDate, capturedAt, line } = row;
    const key = `${subjectName(subject)} ${valueDate ?? ''} ${capturedAt ?? ''}`;
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, row);
      yield row;
    } else if (valuesOf(before) !== valuesOf(row)) {
      const reason = `${subjectName(subject)} has another figure for the same day on line ${before.line}`;
      yield { line, refusal: new Refused(reason) };
    }
  }
}

function valuesOf({ rate, ask, bid }: RowFigure): string {
  return `${rate} ${ask} ${bid}`;
}

/**
 * Leaves out figures of closed days that are those of the business day before or after: a table with a
 * row for every day of the calendar carries the rate over them.
 */
function withoutCarried(
  figures: readonly RowFigure[],
  { calendar }: Pick<FileSurroundings, 'calendar'>,
) {
  const series = Map.groupBy(figures, ({ subject }) => subjectName(subject));
  const left = new Set<RowFigure>();
  const isOpen = ({ valueDate }: RowFigure) =>
    valueDate !== undefined && calendar.isBusinessDay(valueDate);
  for (const own of series.values()) {
    const inOrder = own.toSorted(byDay);
    for (const direction of [inOrder, inOrder.toReversed()]) {
      let beside: RowFigure | undefined;
      for (const figure of direction) {
        if (isOpen(figure)) beside = figure;
        else if (!figure.isTimed && figure.rate === beside?.rate) left.add(figure);
      }
    }
  }
  return { counting: figures.filter((figure) => !left.has(figure)), carried: left.size };
}

function byDay(one: Reading, other: Reading): number {
  const [a, b] = [one.valueDate ?? '', other.valueDate ?? ''];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The figures of one value date and one reading. */
interface Publication extends Pick<RowFigure, 'line' | 'valueDate' | 'capturedAt'> {
  readonly figures: readonly RowFigure[];
}

/** Figures that were read together are one publication, if it has a currency without a market. */
function inOrderOfReading(figures: readonly RowFigure[]): readonly (RowFigure | Publication)[] {
  const groups = Map.groupBy(
    figures.filter(isPlain),
    ({ valueDate, capturedAt }) => `${valueDate} ${capturedAt ?? ''}`,
  );
  const together = [...groups.values()].flatMap((group): readonly (RowFigure | Publication)[] => {
    const [first] = group;
    return first !== undefined && group.some(({ subject }) => 'currency' in subject)
      ? [{ ...first, figures: group }]
      : group;
  });
  return [...together, ...figures.filter((figure) => !isPlain(figure))].sort(byReading);
}

/** Whether a publication can have all of it. */
function isPlain({ ask, bid, updatedAt, valueDate, rate }: RowFigure): boolean {
  if (ask !== undefined || bid !== undefined || rate === undefined) return false;
  return (
    updatedAt === undefined || valueDate === undefined || updatedAt === startOfCaracasDay(valueDate)
  );
}

/**
 * In the order of their readings. Of two at one instant the later value date stands first, because the
 * other one was late then: it counts from its effect. Without a reading they are in order of their days.
 */
function byReading(one: Reading, other: Reading): number {
  const [a, b] = [one.capturedAt, other.capturedAt];
  if (a === undefined || b === undefined) {
    return a === b ? byDay(one, other) : a === undefined ? 1 : -1;
  }
  return a - b || byDay(other, one);
}

type Reading = Pick<RowFigure, 'valueDate' | 'capturedAt'>;

/**
 * The newest quotes of a market stand before the others. The ingestion takes a quote that is dated
 * before the last one for a late report. Behind the newest one every quote counts from its reading.
 */
function newestFirst(figures: readonly RowFigure[]): readonly RowFigure[] {
  const timeOf = ({ capturedAt = 0 }: RowFigure) => capturedAt;
  const inOrder = figures.toSorted((one, other) => timeOf(one) - timeOf(other));
  const newest = new Map<string, number>();
  for (const figure of inOrder) newest.set(subjectName(figure.subject), timeOf(figure));
  const isNewest = (figure: RowFigure) =>
    figure.updatedAt !== undefined && timeOf(figure) === newest.get(subjectName(figure.subject));
  return [...inOrder.filter(isNewest), ...inOrder.filter((figure) => !isNewest(figure))];
}

function recordOf(figure: RowFigure): SourceRecord {
  const { subject } = figure;
  return 'market' in subject ? quoteRecord({ ...figure, subject }) : officialRecord([figure]);
}
