import { SourceFailure } from '../../app/failures.ts';
import type {
  ArchivedPublication,
  ArchivedWorkbook,
  WorkbookFault,
} from '../../app/ports/sources.ts';
import type { CaracasDay } from '../../domain/time.ts';
import { excerpt } from '../body/excerpt.ts';
import { dayNamedBy, isOperationDay, publicationOn } from './bcv-archive-day.ts';
import { SheetFault } from './bcv-archive-sheet.ts';
import { dollarOn, dollarTableOf, isDollarYear } from './bcv-archive-year.ts';
import type { Sheet } from './workbook.ts';

/** What a place of a workbook says. */
interface Placed<T> {
  readonly place: string;
  readonly said: T;
}

/**
 * The publications of a workbook of the central bank, oldest first: those of a quarter, a sheet for
 * each day of operations, or the dollar's, a sheet for each year. Other sheets are passed over.
 * A sheet or row that contradicts itself or another is a fault, the others count.
 * @throws SourceFailure `content` when it has neither sort of sheets, or nothing to be believed.
 */
export function archivedWorkbook(sheets: readonly Sheet[]): ArchivedWorkbook {
  const faults: WorkbookFault[] = [];
  const days = sheets.filter(isOperationDay);
  const found = days.length > 0 ? publicationsByDay(days, faults) : dollars(sheets, faults);
  const publications = withoutRivals(found, faults);
  if (publications.length === 0) throw nothingIn(sheets, faults);
  return { publications, faults };
}

function nothingIn(sheets: readonly Sheet[], [first]: readonly WorkbookFault[]): SourceFailure {
  const found =
    first === undefined
      ? `the sheets are ${excerpt(sheets.map(({ name }) => name).join(', '))}`
      : `none of it holds, such as ${first.place}: ${first.problem}`;
  return new SourceFailure(
    'content',
    `expected a workbook with a sheet for each day, DDMMYYYY, or each year; ${found}`,
  );
}

/** What `read` makes of the place, unless it is at fault. */
function placed<T>(place: string, read: () => T, faults: WorkbookFault[]): readonly Placed<T>[] {
  try {
    return [{ place, said: read() }];
  } catch (error) {
    if (!(error instanceof SheetFault)) throw error;
    faults.push({ place, problem: error.message });
    return [];
  }
}

function publicationsByDay(
  sheets: readonly Sheet[],
  faults: WorkbookFault[],
): readonly Placed<ArchivedPublication>[] {
  const empty = sheets.find(({ rows }) => rows.length === 0);
  if (empty !== undefined) {
    // Where the end of a sheet is damaged, the next one's cells are taken for its own.
    throw new SourceFailure(
      'content',
      `expected rates on every sheet, ${excerpt(empty.name)} is empty`,
    );
  }
  const days = sheets.flatMap((sheet) => dayNamedBy(sheet) ?? []).sort();
  return sheets.flatMap((sheet) => {
    const read = () => untilNext(publicationOn(sheet), dayNamedBy(sheet), days);
    return placed(`sheet ${excerpt(sheet.name)}`, read, faults);
  });
}

/** A value date is at most the next day of operations: a later one was taken from elsewhere. */
function untilNext(
  publication: ArchivedPublication,
  day: CaracasDay | undefined,
  days: readonly CaracasDay[],
): ArchivedPublication {
  const { valueDate } = publication;
  const next = days.find((other) => day !== undefined && other > day);
  if (next === undefined || valueDate <= next) return publication;
  throw new SheetFault(`its Fecha Valor ${valueDate} is after the operations of ${next}`);
}

function dollars(
  sheets: readonly Sheet[],
  faults: WorkbookFault[],
): readonly Placed<ArchivedPublication>[] {
  const years = sheets
    .filter(isDollarYear)
    .flatMap((sheet) => placed(`sheet ${sheet.name}`, () => dollarTableOf(sheet), faults));
  return years.flatMap(({ place, said: table }) =>
    table.rows.flatMap((row) =>
      placed(`${place}, row ${row.number}`, () => dollarOn(row, table), faults),
    ),
  );
}

/** Two places that give one value date different rates are both at fault; equal ones are one. */
function withoutRivals(
  found: readonly Placed<ArchivedPublication>[],
  faults: WorkbookFault[],
): readonly ArchivedPublication[] {
  const byDate = Map.groupBy(found, ({ said }) => said.valueDate);
  const publications: ArchivedPublication[] = [];
  for (const [valueDate, rivals] of byDate) {
    const [first] = rivals;
    const rates = new Set(rivals.map(({ said }) => JSON.stringify(said.rates)));
    if (first !== undefined && rates.size === 1) publications.push(first.said);
    else {
      const problem = `${valueDate} has other rates elsewhere in the workbook`;
      faults.push(...rivals.map(({ place }) => ({ place, problem })));
    }
  }
  return publications.sort((a, b) => (a.valueDate < b.valueDate ? -1 : 1));
}
