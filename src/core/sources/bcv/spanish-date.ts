import {
  type CaracasDay,
  caracasDayOf,
  parseCaracasDay,
  parseInstant,
  startOfCaracasDay,
  weekdayOf,
} from '../../domain/time.ts';
import { excerpt, unexpected } from '../body/excerpt.ts';

const WEEKDAYS = ['domingo', 'lunes', 'martes', 'miercoles', 'jueves', 'viernes', 'sabado'];
const MONTHS = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto'],
  ...['septiembre', 'octubre', 'noviembre', 'diciembre'],
];

const IN_WORDS = /^(?:([a-z]+),?\s+)?(\d{1,2})\s+(?:de\s+)?([a-z]+)\s+(?:de\s+)?(\d{4})$/;
const IN_DIGITS = /^(\d{1,2})-(\d{1,2})-(\d{4})$/;

/**
 * Reads `Lunes, 23 Noviembre 2026`, with or without the weekday, or `23-11-2026`.
 * @returns undefined for other texts, days that do not exist, and when the weekday does not match.
 */
export function spanishDateOf(text: string): CaracasDay | undefined {
  const [, dd, mm, yyyy] = IN_DIGITS.exec(text) ?? [];
  if (dd !== undefined) return dayOf(dd, Number(mm), yyyy);
  const [, weekday, date, month = '', year] = IN_WORDS.exec(plain(text)) ?? [];
  const day = dayOf(date, MONTHS.indexOf(month) + 1, year);
  if (day === undefined || weekday === undefined) return day;
  return WEEKDAYS[weekdayOf(day)] === weekday ? day : undefined;
}

/**
 * Reads a day that a page gives as text and as an attribute with its first instant in Caracas,
 * `2026-11-23T00:00:00-04:00`. One of the two is enough.
 * @throws SourceFailure `content` when they differ, one is not a date, or both are missing.
 */
export function dateShown(text: string, attribute = ''): CaracasDay {
  const days = [
    ...(text === '' ? [] : [spanishDateOf(text)]),
    ...(attribute === '' ? [] : [dayStartingAt(attribute)]),
  ];
  const [day] = days;
  if (day !== undefined && days.every((other) => other === day)) return day;
  throw unexpected('one day as text and attribute', shown(text, attribute));
}

/**
 * Like `dateShown`, for a value date. The weekday in the text or the attribute must confirm it,
 * because a changed digit gives another real day.
 * @throws SourceFailure `content`
 */
export function confirmedDateShown(text: string, attribute = ''): CaracasDay {
  const day = dateShown(text, attribute);
  const isConfirmed = text !== '' && (attribute !== '' || !/^\d/.test(text));
  if (isConfirmed) return day;
  throw unexpected('a day with its weekday or attribute', shown(text, attribute));
}

const shown = (text: string, attribute: string) => `"${excerpt(text)}" and "${excerpt(attribute)}"`;

function dayStartingAt(text: string): CaracasDay | undefined {
  const instant = parseInstant(text);
  if (instant === undefined) return undefined;
  const day = caracasDayOf(instant);
  return startOfCaracasDay(day) === instant ? day : undefined;
}

function dayOf(date = '', month: number, year = ''): CaracasDay | undefined {
  return parseCaracasDay(`${year}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`);
}

/** Lower case and without accents, which pages sometimes omit. */
function plain(text: string): string {
  return text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');
}
