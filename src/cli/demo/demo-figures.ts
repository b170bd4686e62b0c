import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import { recordSchema } from '../../app/ingest/record.ts';
import type { BankCalendar } from '../../domain/calendar.ts';
import { add, multiply, round, toNumber } from '../../domain/decimal.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  daysBetween,
  type Instant,
  isoInstant,
  MINUTE_MS,
  parseCaracasDay,
  startOfCaracasDay,
} from '../../domain/time.ts';

/** The notice on every page, answer and log line of the demonstration. */
export const DEMO_NOTICE = {
  en: "Demonstration: real figures of 2025 and 2026 with dates shifted to today, and simulated ones. Not today's rates.",
  es: 'Demostración: cifras reales de 2025 y 2026 con fechas llevadas a hoy, y otras simuladas. No son las tasas de hoy.',
};

/** The Monday of the week that becomes the current one. Captures end twelve days after it. */
const ANCHOR_MONDAY = parseDay('2026-08-10');
const DAYS_A_WEEK = 7;

/** The central bank publishes at half past four in the afternoon in Caracas. */
const PUBLISHED_AFTER_MIDNIGHT_MS = (16 * 60 + 30) * MINUTE_MS;

type DemoRecord = z.output<typeof recordSchema>;
type Publication = Extract<DemoRecord, { kind: 'official' }>;
type BankTable = Extract<DemoRecord, { kind: 'bank_table' }>;
type Quote = Extract<DemoRecord, { kind: 'quote' }>;

/** One capture of a market, at its real time. */
export interface DemoCapture {
  readonly at: Instant;
  readonly mid: number;
  readonly ask?: number | undefined;
  readonly bid?: number | undefined;
}

type Series = ReadonlyMap<string, readonly DemoCapture[]>;

export interface DemoFigures {
  /** By value date, oldest first; the simulated ones go on where the real ones end. */
  readonly publications: Readonly<Record<'real' | 'simulated', readonly Publication[]>>;
  readonly bankTable: BankTable;
  /** Captures of each market that has real ones, oldest first. */
  readonly real: Series;
  /** Simulated captures of every market over more than a year, oldest first. */
  readonly simulated: Series;
}

/** A record of the demonstration, and the instant at which it is published. */
export interface DueRecord {
  readonly at: Instant;
  readonly line: string;
}

/** Days by which real times are moved: a multiple of seven keeps each weekday. */
export function shiftDaysAt(now: Instant): number {
  const days = daysBetween({ from: ANCHOR_MONDAY, to: caracasDayOf(now) });
  return Math.floor(days / DAYS_A_WEEK) * DAYS_A_WEEK;
}

export function readDemoFigures(): DemoFigures {
  const [real, simulated] = [readRecords('figures'), readRecords('simulated')];
  const bankTable = real.find((record) => record.kind === 'bank_table');
  if (bankTable === undefined) throw new Error('the demonstration has no bank table');
  return {
    publications: { real: publicationsIn(real), simulated: publicationsIn(simulated) },
    bankTable,
    real: seriesIn(real),
    simulated: seriesIn(simulated),
  };
}

function readRecords(name: string): readonly DemoRecord[] {
  const file = fileURLToPath(new URL(`../../../demo/${name}.ndjson.gz`, import.meta.url));
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => recordSchema.parse(JSON.parse(line)));
}

function publicationsIn(records: readonly DemoRecord[]): readonly Publication[] {
  return records.filter((record) => record.kind === 'official');
}

function seriesIn(records: readonly DemoRecord[]): Series {
  const quotes = records.filter((record) => record.kind === 'quote');
  const byMarket = Map.groupBy(quotes, ({ market }) => market);
  return new Map([...byMarket].map(([market, all]) => [market, all.map(captureOf)]));
}

function captureOf({ captured_at: at, mid, ask, bid }: Quote): DemoCapture {
  if (at === undefined || mid === undefined) throw new Error('a capture lacks its time or rate');
  return { at, mid, ask, bid };
}

/**
 * The publications on business days of the current calendar, in order. The first one on or after
 * the anchor keeps its date. The others are on successive business days, so that holidays of
 * another year leave no gap. Simulated ones follow the last.
 */
export function movedPublications(
  { publications }: DemoFigures,
  { shiftDays, calendar }: { readonly shiftDays: number; readonly calendar: BankCalendar },
): readonly DueRecord[] {
  const series = [...publications.real, ...publications.simulated];
  const anchor = series.findIndex(({ value_date }) => value_date >= ANCHOR_MONDAY);
  const monday = caracasDayOf(startOfCaracasDay(ANCHOR_MONDAY) + shiftDays * DAY_MS);
  const placed = new Map<number, CaracasDay>();
  let day = calendar.isBusinessDay(monday) ? monday : calendar.nextValueDate(monday);
  for (let at = anchor; at < series.length; at += 1) {
    placed.set(at, day);
    day = calendar.nextValueDate(day);
  }
  day = placed.get(anchor) ?? monday;
  for (let at = anchor - 1; at >= 0; at -= 1) {
    day = calendar.previousBusinessDay(day);
    placed.set(at, day);
  }
  return series.map((record, index) => {
    const valueDate = placed.get(index) ?? monday;
    const published = calendar.previousBusinessDay(valueDate);
    const at = startOfCaracasDay(published) + PUBLISHED_AFTER_MIDNIGHT_MS;
    const label = index < publications.real.length ? 'demostración' : 'simulada';
    const line = JSON.stringify({
      ...record,
      value_date: valueDate,
      value_date_text: `${spanishLabel(valueDate)} (${label})`,
      captured_at: isoInstant(at),
    });
    return { at, line };
  });
}

/**
 * The bank table on the day of the newest publication: the real table, scaled by the ratio of the
 * official dollar on the two days. Each bank's name says that its row is simulated.
 */
export function bankTableLine(
  { bankTable, publications }: DemoFigures,
  published: readonly DueRecord[],
): string {
  const at = published.at(-1)?.at ?? 0;
  const day = caracasDayOf(at);
  const now = published
    .map(({ line }): unknown => JSON.parse(line))
    .map((record) => recordSchema.parse(record) as Publication)
    .findLast(({ value_date }) => value_date <= day);
  const then = publications.real.findLast(
    ({ value_date }) => value_date <= bankTable.indicator_date,
  );
  const growth = (now?.rates.USD ?? 0) / (then?.rates.USD ?? 1);
  const moved = (figure: number | null | undefined) =>
    figure == null ? figure : toNumber(round(multiply(figure, growth), 4));
  return JSON.stringify({
    ...bankTable,
    indicator_date: day,
    rows: bankTable.rows.map((row) => ({
      ...row,
      bank: `${row.bank} (simulado)`,
      buy: moved(row.buy),
      sell: moved(row.sell),
      date: day,
    })),
    captured_at: isoInstant(at),
  });
}

/** Captures as records, moved by whole days. */
export function movedCaptures(
  market: string,
  captures: readonly DemoCapture[],
  shiftDays: number,
): readonly DueRecord[] {
  return captures.map((capture) => {
    const at = capture.at + shiftDays * DAY_MS;
    return { at, line: quoteLine(market, { ...capture, at }) };
  });
}

/** The figure at an instant between two captures, in proportion. After the last it stays. */
export function figureAt(captures: readonly DemoCapture[], at: Instant): DemoCapture {
  const from = captures.findLast((capture) => capture.at <= at);
  const to = captures.find((capture) => capture.at > at);
  if (from === undefined) throw new Error('the demonstration lacks a figure');
  if (to === undefined) return { ...from, at };
  const share = (at - from.at) / (to.at - from.at);
  const between = (start: number, end: number) =>
    toNumber(round(add(start, multiply(end - start, share)), 2));
  const side = (name: 'ask' | 'bid') => {
    const [start, end] = [from[name], to[name]];
    return start === undefined || end === undefined ? undefined : between(start, end);
  };
  return { at, mid: between(from.mid, to.mid), ask: side('ask'), bid: side('bid') };
}

export function quoteLine(market: string, { at, mid, ask, bid }: DemoCapture): string {
  const time = isoInstant(at);
  return JSON.stringify({
    kind: 'quote',
    market,
    mid,
    ask,
    bid,
    updated_at: time,
    captured_at: time,
  });
}

function parseDay(text: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw new Error(`${text} is not a date`);
  return day;
}

const SPANISH_DATE = new Intl.DateTimeFormat('es-VE', {
  weekday: 'long',
  day: '2-digit',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A date in the format of the central bank: `Lunes, 23 Noviembre 2026`. */
export function spanishLabel(date: CaracasDay): string {
  const parts = SPANISH_DATE.formatToParts(Date.parse(date)).map(({ type, value }) => [
    type,
    value.charAt(0).toUpperCase() + value.slice(1),
  ]);
  const { weekday, day, month, year }: Record<string, string> = Object.fromEntries(parts);
  return `${weekday}, ${day} ${month} ${year}`;
}
