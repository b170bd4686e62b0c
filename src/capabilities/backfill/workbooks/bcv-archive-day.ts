import type { ArchivedPublication } from '../../../core/app/ports/sources.ts';
import {
  type CaracasDay,
  caracasDayOf,
  daysBetween,
  HOUR_MS,
  type Instant,
  isWeekend,
  MINUTE_MS,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { excerpt } from '../../../core/sources/body/excerpt.ts';
import { archivePublication, dayOf, SheetFault, SOBERANOS, unitOn } from './bcv-archive-sheet.ts';
import { rateTableOf } from './bcv-archive-table.ts';
import type { Sheet } from './workbook.ts';

/** Most days from the operations to the value date. Five is the largest number so far. */
// limit: Days from operations to value date | 10 | sheet refused
export const MAX_VALUE_DATE_DAYS = 10;

const SHEET_NAME = /^(\d{2})(\d{2})(\d{4})$/;
const OPERATION_DATE = /Fecha Operaci[oó]n ?: ?(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/gi;
const VALUE_DATE = /Fecha Valor ?: ?(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/gi;
const STAMP = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}) ?([AP])\.? ?M\.?$/i;

/** Whether the sheet is for one day, by its name or its content. */
export function isOperationDay(sheet: Sheet): boolean {
  return SHEET_NAME.test(sheet.name) || textsOf(sheet).some((text) => text.search(VALUE_DATE) >= 0);
}

/** The day of operations in the sheet's name, DDMMYYYY. */
export function dayNamedBy({ name }: Sheet): CaracasDay | undefined {
  const [, dd = '', mm = '', yyyy = ''] = SHEET_NAME.exec(name) ?? [];
  return dayOf(dd, mm, yyyy);
}

/**
 * Reads the sheet of one day of operations in a quarterly workbook (`2_1_2a25_smc.xls`): the rates
 * for the value date that follows it.
 * @throws SheetFault when something is missing, or two statements contradict each other.
 */
export function publicationOn(sheet: Sheet): ArchivedPublication {
  const day = dayNamedBy(sheet);
  if (day === undefined) throw new SheetFault('its name is not a day, DDMMYYYY');
  const operationDay = dateIn(sheet, OPERATION_DATE, 'Fecha Operacion');
  if (operationDay !== day) {
    throw new SheetFault(`its name says ${day} and its Fecha Operacion ${operationDay}`);
  }
  const valueDate = dateIn(sheet, VALUE_DATE, 'Fecha Valor');
  const ahead = daysBetween({ from: day, to: valueDate });
  if (ahead < 1 || ahead > MAX_VALUE_DATE_DAYS) {
    throw new SheetFault(
      `its Fecha Valor ${valueDate} is not 1 to ${MAX_VALUE_DATE_DAYS} days after the operations`,
    );
  }
  if (isWeekend(valueDate)) {
    throw new SheetFault(`its Fecha Valor ${valueDate} is on a weekend, when none ever was`);
  }
  const { figures, dollar, namesSoberanos } = rateTableOf(sheet);
  // A sheet that names the old unit may be for the last day before the new one took effect.
  const unit = unitOn(namesSoberanos ? day : valueDate, dollar);
  if (namesSoberanos && unit !== SOBERANOS) {
    throw new SheetFault(`it is in ${SOBERANOS.name}, which were not the unit of that day`);
  }
  const capturedAt = publicationTimeOf(sheet, { day, valueDate });
  return archivePublication({ valueDate, figures, unit, capturedAt });
}

function textsOf({ rows }: Sheet): readonly string[] {
  return rows.flatMap(({ cells }) =>
    [...cells.values()].filter((cell) => typeof cell === 'string'),
  );
}

function dateIn(sheet: Sheet, pattern: RegExp, label: string): CaracasDay {
  const found = textsOf(sheet).flatMap((text) => [...text.matchAll(pattern)]);
  const [first, second] = found;
  if (first === undefined) throw new SheetFault(`it has no ${label}`);
  if (second !== undefined) throw new SheetFault(`it has more than one ${label}`);
  const [text, dd = '', mm = '', yyyy = ''] = first;
  const date = dayOf(dd, mm, yyyy);
  if (date === undefined) throw new SheetFault(`"${excerpt(text)}" is not a day`);
  return date;
}

/** The time stamp in the first row of the sheet; without one, the start of its value date. */
function publicationTimeOf(
  { rows }: Sheet,
  { day, valueDate }: { readonly day: CaracasDay; readonly valueDate: CaracasDay },
): Instant {
  const firstRow = rows.find(({ number }) => number === 1)?.cells.values() ?? [];
  const stamp = [...firstRow].find((cell) => typeof cell === 'string' && /^\d/.test(cell));
  if (typeof stamp !== 'string') return startOfCaracasDay(valueDate);
  const publishedAt = instantOf(stamp);
  if (publishedAt === undefined)
    throw new SheetFault(`its stamp "${excerpt(stamp)}" is not a time`);
  const stampDay = caracasDayOf(publishedAt);
  if (stampDay < day || stampDay > valueDate) {
    throw new SheetFault(
      `its stamp ${excerpt(stamp)} is not between the operations and ${valueDate}`,
    );
  }
  return publishedAt;
}

function instantOf(stamp: string): Instant | undefined {
  const [, dd = '', mm = '', yyyy = '', hours, minutes, half] = STAMP.exec(stamp) ?? [];
  const day = dayOf(dd, mm, yyyy);
  const [hour, minute] = [Number(hours), Number(minutes)];
  if (day === undefined || hour < 1 || hour > 12 || minute > 59) return undefined;
  const hourOfDay = (hour % 12) + (half?.toUpperCase() === 'P' ? 12 : 0);
  return startOfCaracasDay(day) + hourOfDay * HOUR_MS + minute * MINUTE_MS;
}
