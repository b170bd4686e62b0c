import { z } from 'zod';
import { type AnswerColumn, cellAt } from './csv.ts';
import type { Cell } from './xlsx.ts';

/** How the columns of an answer look in a workbook, by their schemas. */

const isDay = (schema: z.core.$ZodType) => schema instanceof z.core.$ZodISODate;
const isInstant = (schema: z.core.$ZodType) => schema instanceof z.core.$ZodISODateTime;

export function sheetColumnOf(schema: z.core.$ZodType) {
  const isWhole = schema instanceof z.core.$ZodNumberFormat;
  return { isDay: isDay(schema), isRate: schema instanceof z.core.$ZodNumber && !isWhole };
}

/** Days and instants become those of spreadsheets, and a list becomes a text. */
export function sheetCellAt(row: object, column: AnswerColumn): Cell {
  const cell = cellAt(row, column);
  if (cell === undefined || cell === null) return undefined;
  if (typeof cell === 'object') return cell.join(';');
  const isTime = isDay(column.schema) || isInstant(column.schema);
  return isTime && typeof cell === 'string' ? new Date(cell) : cell;
}
