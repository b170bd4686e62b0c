import {
  type CaracasDay,
  caracasDayOf,
  caracasTimeOf,
  DAY_MS,
  type Instant,
} from '../../../core/domain/time.ts';
import type { Language, Texts } from '../../../core/domain/words/language.ts';
import { TIME_TEXTS, WEEKDAYS } from '../texts/texts.ts';
import { ALL_DECIMALS, type Decimals, numberText, signedNumber } from './number-text.ts';

export { MINUS, numberText, rateText, wholeRateText } from './number-text.ts';

/** Writes numbers, days and ages. The server and browsers get the same text. */

/** A number with all its decimals. */
export function exactText(value: number, language: Language): string {
  return numberText(value, language, { min: 0, max: ALL_DECIMALS });
}

/** Money: two decimals. */
export function moneyText(amount: number, language: Language): string {
  return numberText(amount, language, { min: 2, max: 2 });
}

/** The sign of the bolívar stands before the figure: `Bs. 15.134,17`. */
export function bolivarText(figure: string): string {
  return `Bs.\u00a0${figure}`;
}

export function countText(count: number, language: Language): string {
  return numberText(count, language, { min: 0, max: 0 });
}

/** Decimals of a difference of rates. */
export const RATE_CHANGE: Decimals = { min: 4, max: 4 };

/** A number with its sign, also `+`, for changes and premiums. What is shown as zero has none. */
export function signedText(
  value: number,
  language: Language,
  decimals: Decimals = { min: 2, max: 2 },
): string {
  return signedNumber(value, language, decimals);
}

/** A figure with its percent sign; in Spanish there is a space between them. */
export function withPercent(figure: string, language: Language): string {
  return language === 'es' ? `${figure}\u00a0%` : `${figure}%`;
}

export function percentText(percent: number, language: Language): string {
  return withPercent(signedText(percent, language), language);
}

const MONTHS: Texts<readonly string[]> = {
  es: TIME_TEXTS.es.months.split(' '),
  en: TIME_TEXTS.en.months.split(' '),
};

/** The parts of a day such as `2026-11-23`. */
function partsOf(day: string) {
  const date = new Date(`${day}T00:00:00Z`);
  return {
    weekday: date.getUTCDay(),
    day: date.getUTCDate(),
    month: date.getUTCMonth(),
    year: date.getUTCFullYear(),
  };
}

/** `lunes, 23 de noviembre de 2026`, `Monday, 23 November 2026`. */
export function dayInWords(day: string, language: Language): string {
  const { weekday } = partsOf(day);
  return `${WEEKDAYS[language][weekday]}, ${dateInWords(day, language)}`;
}

/** `23 de noviembre de 2026`, `23 November 2026`. */
export function dateInWords(day: string, language: Language): string {
  const { day: number, month, year } = partsOf(day);
  return TIME_TEXTS[language].date(number, MONTHS[language][month], year);
}

/** `2026-11` as `noviembre de 2026`, `November 2026`. */
export function monthInWords(month: string, language: Language): string {
  const { month: number, year } = partsOf(`${month}-01`);
  return TIME_TEXTS[language].month(MONTHS[language][number], year);
}

/** A weekday alone names a day up to this many days from today. */
const NEAR_DAYS = 6;
const SHORT_LETTERS = 3;
/** The year at the end of a short day, with the mark before it. */
const YEAR_LETTERS = 5;

/** `viernes 20`, `Friday 20`; with month and year when it is a week or more from today. */
export function nearDayText(day: string, today: CaracasDay, language: Language): string {
  const distance = (Date.parse(day) - Date.parse(today)) / DAY_MS;
  if (Math.abs(distance) > NEAR_DAYS) return dayInWords(day, language);
  const { weekday, day: number } = partsOf(day);
  return `${WEEKDAYS[language][weekday]} ${number}`;
}

/** The same for narrow columns: `vie 20`, `Fri 20`; from a week away `20/11`, `20 Nov`. */
export function nearDayShort(day: string, today: CaracasDay, language: Language): string {
  const distance = (Date.parse(day) - Date.parse(today)) / DAY_MS;
  if (Math.abs(distance) > NEAR_DAYS) return shortDay(day, language).slice(0, -YEAR_LETTERS);
  const { weekday, day: number } = partsOf(day);
  return `${WEEKDAYS[language][weekday]?.slice(0, SHORT_LETTERS)} ${number}`;
}

/** `20 nov`, `20 Nov`. */
export function dayAndMonth(day: string, language: Language): string {
  const { day: number, month } = partsOf(day);
  return `${number} ${MONTHS[language][month]?.slice(0, SHORT_LETTERS)}`;
}

/** `vie 20 nov`, `Fri 20 Nov`. */
export function weekdayAndMonth(day: string, language: Language): string {
  const { weekday } = partsOf(day);
  return `${WEEKDAYS[language][weekday]?.slice(0, SHORT_LETTERS)} ${dayAndMonth(day, language)}`;
}

/** `23/11/2026`, `23 Nov 2026`: for tables. */
export function shortDay(day: string, language: Language): string {
  if (language === 'es') return day.split('-').reverse().join('/');
  const { day: number, month, year } = partsOf(day);
  return `${number} ${MONTHS.en[month]?.slice(0, SHORT_LETTERS)} ${year}`;
}

/** The month of a day: `ene 2026`, `Jan 2026`. */
export function monthAndYear(day: string, language: Language): string {
  const { month, year } = partsOf(day);
  return `${MONTHS[language][month]?.slice(0, SHORT_LETTERS)} ${year}`;
}

/** `vie 20 nov 2026`, `Fri 20 Nov 2026`: a day in a narrow place, without numbers for months. */
export function weekdayText(day: string, language: Language): string {
  return `${weekdayAndMonth(day, language)} ${partsOf(day).year}`;
}

/** `uno, dos y tres`. */
export function listText(names: readonly string[], language: Language): string {
  // British English has no comma before the last one.
  return new Intl.ListFormat(language === 'en' ? 'en-GB' : language).format(names);
}

/** The text as it begins a sentence. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Day and time in Caracas, `20/11/2026 16:10`. */
export function momentText(instant: Instant, language: Language): string {
  return `${shortDay(caracasDayOf(instant), language)} ${caracasTimeOf(instant)}`;
}

const MINUTE_SEC = 60;
const HOUR_SEC = 3_600;
const DAY_SEC = 86_400;
/** Up to two days an age is shown in hours, because "1 day" could hide almost another day. */
const DAYS_FROM_SEC = 2 * DAY_SEC;

/** A length of time in its largest fitting unit, rounded down: `45 s`, `3 min`, `26 h`, `5 días`. */
export function durationText(seconds: number, language: Language): string {
  if (seconds < MINUTE_SEC) return `${Math.floor(seconds)}\u00a0s`;
  if (seconds < HOUR_SEC) return `${Math.floor(seconds / MINUTE_SEC)}\u00a0min`;
  if (seconds < DAYS_FROM_SEC) return `${Math.floor(seconds / HOUR_SEC)}\u00a0h`;
  const days = Math.floor(seconds / DAY_SEC);
  return `${days}\u00a0${TIME_TEXTS[language].days}`;
}

/** `hace 3 min`, `3 min ago`. */
export function ageText(seconds: number, language: Language): string {
  return TIME_TEXTS[language].ago(durationText(Math.max(0, seconds), language));
}
