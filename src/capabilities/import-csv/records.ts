import { Refused } from '../../core/app/ingest/record.ts';
import type { SourceRecord } from '../../core/app/ports/sources.ts';
import type { FileRecords, FileSurroundings } from '../../core/capability.ts';
import { startOfCaracasDay } from '../../core/domain/time.ts';
import { subjectName } from './names.ts';
import { officialRecord, quoteRecord, type RowFigure } from './rows.ts';

/** A row of which nothing can be taken. */
export interface BadRow {
  readonly line: number;
  readonly refusal: Refused;
}

interface Numbered {
  readonly line: number;
  readonly record: SourceRecord | Refused;
}

type Made = Pick<FileRecords, 'records' | 'notes'>;

/**
 * The records of a table, in an order in which the ingestion gives every figure its place. With a bad
 * row they are in the order of the file, so that every bad line is told, and told in order.
 */
export function tableRecords(
  figures: readonly RowFigure[],
  bad: readonly BadRow[],
  around: Pick<FileSurroundings, 'calendar' | 'markets'>,
): Made {
  const { single, repeated } = withoutRepetitions(figures);
  const refused = [...bad, ...repeated].map(({ line, refusal }) => ({ line, record: refusal }));
  if (refused.length > 0) {
    const others = single.map((figure) => ({ line: figure.line, record: recordOf(figure) }));
    return { records: [...refused, ...others].sort((a, b) => a.line - b.line), notes: [] };
  }
  const official = single.filter(({ valueDate }) => valueDate !== undefined);
  const { counting, carried } = withoutCarried(official, around);
  const quotes = single.filter(({ valueDate }) => valueDate === undefined);
  const notes = [
    ...(carried > 0
      ? [
          `${carried} figures of days on which banks are closed repeat that of a business day: they are no value ` +
            'dates, and were left out.',
        ]
      : []),
  ];
  return { records: [...officialRecords(counting), ...quoteRecords(quotes)], notes };
}

/**
 * Leaves out a figure that the table has twice for one day and one reading.
 * @returns also those that contradict an earlier line.
 */
function withoutRepetitions(figures: readonly RowFigure[]) {
  const first = new Map<string, RowFigure>();
  const single: RowFigure[] = [];
  const repeated: BadRow[] = [];
  for (const figure of figures) {
    const { subject, valueDate, capturedAt, isTimed, line } = figure;
    // Quotes of one instant are several readings, which the ingestion orders.
    if (valueDate === undefined && isTimed) {
      single.push(figure);
      continue;
    }
    const key = `${subjectName(subject)} ${valueDate ?? ''} ${capturedAt ?? ''}`;
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, figure);
      single.push(figure);
    } else if (valuesOf(before) !== valuesOf(figure)) {
      const reason = `${subjectName(subject)} has another figure for the same day on line ${before.line}`;
      repeated.push({ line, refusal: new Refused(reason) });
    }
  }
  return { single, repeated };
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

function byDay(one: RowFigure, other: RowFigure): number {
  const [a, b] = [one.valueDate ?? '', other.valueDate ?? ''];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The figures of one value date and one reading are one publication, if it has a currency without a market. */
function officialRecords(figures: readonly RowFigure[]): readonly Numbered[] {
  const alone = figures.filter((figure) => !isPlain(figure));
  const groups = Map.groupBy(
    figures.filter(isPlain),
    ({ valueDate, capturedAt }) => `${valueDate} ${capturedAt ?? ''}`,
  );
  const whole = [...groups.values()];
  const [publications, others] = [
    whole.filter(hasOtherCurrency),
    whole.filter((one) => !hasOtherCurrency(one)),
  ];
  const records = [
    ...publications.map((group) => ({ figure: group[0], record: officialRecord(group) })),
    ...[...others.flat(), ...alone].map((figure) => ({ figure, record: recordOf(figure) })),
  ];
  return records
    .sort((one, other) => byReading(one.figure, other.figure))
    .map(({ figure, record }) => ({ line: figure?.line ?? 0, record }));
}

/** Whether a publication can have all of it. */
function isPlain({ ask, bid, updatedAt, valueDate, rate }: RowFigure): boolean {
  if (ask !== undefined || bid !== undefined || rate === undefined) return false;
  return (
    updatedAt === undefined || valueDate === undefined || updatedAt === startOfCaracasDay(valueDate)
  );
}

function hasOtherCurrency(figures: readonly RowFigure[]): boolean {
  return figures.some(({ subject }) => 'currency' in subject);
}

/**
 * In the order of their readings. Of two at one instant the later value date stands first, because the
 * other one was late then: it counts from its effect. Without a reading they are in order of their days.
 */
function byReading(one: RowFigure | undefined, other: RowFigure | undefined): number {
  if (one === undefined || other === undefined) return 0;
  const [a, b] = [one.capturedAt, other.capturedAt];
  if (a === undefined || b === undefined) {
    return a === b ? byDay(one, other) : a === undefined ? 1 : -1;
  }
  return a - b || byDay(other, one);
}

/**
 * The newest quotes of a market stand before the others. The ingestion takes a quote that is dated
 * before the last one for a late report. Behind the newest one every quote counts from its reading.
 */
function quoteRecords(figures: readonly RowFigure[]): readonly Numbered[] {
  const timeOf = ({ capturedAt = 0 }: RowFigure) => capturedAt;
  const inOrder = figures.toSorted((one, other) => timeOf(one) - timeOf(other));
  const newest = new Map<string, number>();
  for (const figure of inOrder) newest.set(subjectName(figure.subject), timeOf(figure));
  const isNewest = (figure: RowFigure) =>
    figure.updatedAt !== undefined && timeOf(figure) === newest.get(subjectName(figure.subject));
  return [...inOrder.filter(isNewest), ...inOrder.filter((figure) => !isNewest(figure))].map(
    (figure) => ({ line: figure.line, record: recordOf(figure) }),
  );
}

function recordOf(figure: RowFigure): SourceRecord {
  const { subject } = figure;
  return 'market' in subject ? quoteRecord({ ...figure, subject }) : officialRecord([figure]);
}
