import type { SourceFailure } from '../../../core/app/failures.ts';
import type {
  ArchivedPublication,
  ArchivedWorkbook,
  WorkbookFault,
} from '../../../core/app/ports/sources.ts';
import { currenciesOf, isPublishedDaily } from '../../../core/domain/bcv.ts';
import { isRatioOver } from '../../../core/domain/calculations/ratio.ts';
import type { CaracasDay } from '../../../core/domain/time.ts';
import { contentFailure, excerpt } from '../../../core/sources/body/excerpt.ts';
import { dayNamedBy, isOperationDay, publicationOn } from './bcv-archive-day.ts';
import { SheetFault } from './bcv-archive-sheet.ts';
import { dollarOn, dollarTableOf, isDollarYear } from './bcv-archive-year.ts';
import type { Sheet } from './workbook.ts';

interface Placed<T> {
  readonly place: string;
  readonly value: T;
}

/**
 * The publications of a workbook of the central bank, oldest first. A quarterly workbook has a
 * sheet for each day of operations; the dollar's has a sheet for each year. Other sheets are
 * ignored. A sheet or row that contradicts itself or another one is a fault; the others count.
 * @throws SourceFailure `content` when it has neither kind of sheet, or no valid one.
 */
export function archivedWorkbook(sheets: readonly Sheet[]): ArchivedWorkbook {
  const faults: WorkbookFault[] = [];
  const days = sheets.filter(isOperationDay);
  const found = days.length > 0 ? publicationsByDay(days, faults) : dollars(sheets, faults);
  const publications = withoutLapses(withoutRivals(found, faults), faults);
  if (publications.length === 0) throw nothingIn(sheets, faults);
  return { publications, faults };
}

function nothingIn(sheets: readonly Sheet[], [first]: readonly WorkbookFault[]): SourceFailure {
  const found =
    first === undefined
      ? `the sheets are ${excerpt(sheets.map(({ name }) => name).join(', '))}`
      : `every part has a fault, such as ${first.place}: ${first.problem}`;
  const expected = 'a workbook with a sheet for each day, DDMMYYYY, or each year';
  return contentFailure(`${expected}; ${found}`);
}

function placed<T>(place: string, read: () => T, faults: WorkbookFault[]): readonly Placed<T>[] {
  try {
    return [{ place, value: read() }];
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
    // When the end of a sheet is damaged, the library assigns the cells of the next sheet to it.
    throw contentFailure(`rates on every sheet, ${excerpt(empty.name)} is empty`);
  }
  const days = sheets.flatMap((sheet) => dayNamedBy(sheet) ?? []).sort();
  return sheets.flatMap((sheet) => {
    const read = () => untilNext(publicationOn(sheet), dayNamedBy(sheet), days);
    return placed(`sheet ${excerpt(sheet.name)}`, read, faults);
  });
}

/** A value date is never after the next day of operations. A later one belongs to another sheet. */
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
  return years.flatMap(({ place, value: table }) =>
    table.rows.flatMap((row) =>
      placed(`${place}, row ${row.number}`, () => dollarOn(row, table), faults),
    ),
  );
}

/** A currency moved by more than this on one day alone only where the bank had computed it wrong. */
const LAPSE_RATIO = 1.1;

/**
 * Leaves out figures of single days that are far from those of the day before and after, which agree:
 * a few times the bank multiplied by a quotation instead of dividing by it. The currencies of its page
 * are judged with the publication instead.
 */
function withoutLapses(
  publications: readonly ArchivedPublication[],
  faults: WorkbookFault[],
): readonly ArchivedPublication[] {
  return publications.map((publication, place) => {
    const { valueDate, rates } = publication;
    const [before, after] = [publications[place - 1]?.rates, publications[place + 1]?.rates];
    const isLapse = (currency: string) => {
      const [a, b, c] = [before?.[currency], rates[currency], after?.[currency]];
      if (a === undefined || b === undefined || c === undefined) return false;
      const isAway = (one: number, other: number) => isRatioOver(one, other, LAPSE_RATIO);
      return !isAway(a, c) && isAway(a, b) && isAway(b, c);
    };
    const lapses = currenciesOf(rates).filter(
      (currency) => !isPublishedDaily(currency) && isLapse(currency),
    );
    if (lapses.length === 0) return publication;
    for (const currency of lapses) {
      const problem = `${currency} ${rates[currency]} is far from the days before and after: left out`;
      faults.push({ place: valueDate, problem });
    }
    const kept = Object.entries(rates).filter(([currency]) => !lapses.includes(currency));
    return { ...publication, rates: Object.fromEntries(kept) };
  });
}

/** Two places with different rates for one value date are both faults. Equal rates count once. */
function withoutRivals(
  found: readonly Placed<ArchivedPublication>[],
  faults: WorkbookFault[],
): readonly ArchivedPublication[] {
  const byDate = Map.groupBy(found, ({ value }) => value.valueDate);
  const publications: ArchivedPublication[] = [];
  for (const [valueDate, rivals] of byDate) {
    const [first] = rivals;
    const rates = new Set(rivals.map(({ value }) => JSON.stringify(value.rates)));
    if (first !== undefined && rates.size === 1) publications.push(first.value);
    else {
      const problem = `${valueDate} has other rates elsewhere in the workbook`;
      faults.push(...rivals.map(({ place }) => ({ place, problem })));
    }
  }
  return publications.sort((a, b) => (a.valueDate < b.valueDate ? -1 : 1));
}
