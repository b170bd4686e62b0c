import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { recordSchema } from '../../app/ingest/record.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  daysBetween,
  type Instant,
  isoInstant,
  parseCaracasDay,
  startOfCaracasDay,
  startOfUtcDay,
  utcDayOf,
} from '../../domain/time.ts';

/** Said by every page, answer and log line of the demonstration. */
export const DEMO_NOTICE = {
  en: "Demonstration: real figures of 2025 and 2026, moved in time. Not today's rates.",
  es: 'Demostración: cifras reales de 2025 y 2026, movidas en el tiempo. No son las tasas de hoy.',
};

const FIGURES = fileURLToPath(new URL('../../../demo/figures.ndjson', import.meta.url));

/**
 * The Monday of the week that becomes the current one: the last week of which all currencies are
 * known, three days after the day of observations.
 */
const ANCHOR_MONDAY = parseDay('2026-04-13');

const DAYS_A_WEEK = 7;

type DemoRecord = z.output<typeof recordSchema>;
type Publication = Extract<DemoRecord, { kind: 'official' }>;
type Observation = Extract<DemoRecord, { kind: 'quote' }>;

/** The figures as they were, by kind. */
export interface DemoFigures {
  readonly publications: readonly Publication[];
  readonly bankTables: readonly Extract<DemoRecord, { kind: 'bank_table' }>[];
  /** One UTC day of observations of each market, oldest first. */
  readonly observations: readonly (readonly Observation[])[];
}

/** A record of the demonstration, and the instant from which it is known. */
export interface DueRecord {
  readonly at: Instant;
  readonly line: string;
}

function parseDay(text: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw new Error(`${text} is not a date`);
  return day;
}

export function readDemoFigures(): DemoFigures {
  const records = readFileSync(FIGURES, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordSchema.parse(JSON.parse(line)));
  const observations = records.filter((record) => record.kind === 'quote');
  return {
    publications: records.filter((record) => record.kind === 'official'),
    bankTables: records.filter((record) => record.kind === 'bank_table'),
    observations: [...Map.groupBy(observations, ({ market }) => market).values()],
  };
}

/**
 * Days by which publications are moved so that the anchor's week is the week of `now` in Caracas.
 * They are whole weeks, so that every day keeps its weekday.
 */
export function shiftDaysAt(now: Instant): number {
  const days = daysBetween({ from: ANCHOR_MONDAY, to: caracasDayOf(now) });
  return Math.floor(days / DAYS_A_WEEK) * DAYS_A_WEEK;
}

/** The publications moved by that many days, in the order in which they become known. */
export function movedPublications(
  { publications }: DemoFigures,
  shiftDays: number,
): readonly DueRecord[] {
  const moved = publications.map((record): DueRecord => {
    const at = capturedAt(record) + shiftDays * DAY_MS;
    const valueDate = caracasDayOf(startOfCaracasDay(record.value_date) + shiftDays * DAY_MS);
    const line = JSON.stringify({
      ...record,
      value_date: valueDate,
      value_date_text: `${spanishLabel(valueDate)} (demostración)`,
      captured_at: isoInstant(at),
    });
    return { at, line };
  });
  return moved.sort((a, b) => a.at - b.at);
}

/** The bank tables, which keep their own dates: none is near those of the other figures. */
export function bankTableLines({ bankTables }: DemoFigures): readonly string[] {
  return bankTables.map((record) =>
    JSON.stringify({ ...record, captured_at: isoInstant(capturedAt(record)) }),
  );
}

/** The day of observations as the 24 hours before `now`, each at its own time of the day. */
export function observationsBefore(
  { observations }: DemoFigures,
  now: Instant,
): readonly DueRecord[] {
  return observations
    .flat()
    .map((record) => {
      const at = lastTimeOfDay(timeOfDay(capturedAt(record)), now);
      return { at, line: observationLine(record, at) };
    })
    .sort((a, b) => a.at - b.at);
}

/** What each market's source said last at this time of the day, as seen again at `now`. */
export function observationsAt({ observations }: DemoFigures, now: Instant): readonly string[] {
  return observations.flatMap((day) => {
    const latest = day.findLast((record) => timeOfDay(capturedAt(record)) <= timeOfDay(now));
    const record = latest ?? day.at(-1);
    return record === undefined ? [] : [observationLine(record, now)];
  });
}

function observationLine(record: Observation, at: Instant): string {
  const time = isoInstant(at);
  return JSON.stringify({ ...record, updated_at: time, captured_at: time });
}

function capturedAt({ captured_at: at }: DemoRecord): Instant {
  if (at === undefined) throw new Error('a figure of the demonstration has no time');
  return at;
}

function timeOfDay(at: Instant): number {
  return at - startOfUtcDay(utcDayOf(at));
}

/** The last instant, at `now` or before, that has the time of the day. */
function lastTimeOfDay(time: number, now: Instant): Instant {
  const today = startOfUtcDay(utcDayOf(now)) + time;
  return today <= now ? today : today - DAY_MS;
}

const WEEKDAYS = ['Domingo', 'Lunes', 'Martes', 'Miércoles', 'Jueves', 'Viernes', 'Sábado'];
const MONTHS = [
  'Enero',
  'Febrero',
  'Marzo',
  'Abril',
  'Mayo',
  'Junio',
  'Julio',
  'Agosto',
  'Septiembre',
  'Octubre',
  'Noviembre',
  'Diciembre',
];

/** A date as the central bank writes it: `Lunes, 23 Noviembre 2026`. */
export function spanishLabel(day: CaracasDay): string {
  const date = new Date(`${day}T00:00:00Z`);
  const dayOfMonth = String(date.getUTCDate()).padStart(2, '0');
  const [weekday, month] = [WEEKDAYS[date.getUTCDay()], MONTHS[date.getUTCMonth()]];
  return `${weekday}, ${dayOfMonth} ${month} ${date.getUTCFullYear()}`;
}
