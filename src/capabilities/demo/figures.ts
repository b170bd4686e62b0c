import { gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import { recordSchema } from '../../core/app/ingest/record.ts';
import type { SourceRecord } from '../../core/app/ports/sources.ts';
import type { BankCalendar } from '../../core/domain/calendar.ts';
import { add, multiply, round, toNumber } from '../../core/domain/decimal.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  daysBetween,
  type Instant,
  isoInstant,
  MINUTE_MS,
  startOfCaracasDay,
} from '../../core/domain/time.ts';
import { readProductFile } from '../../core/product-files.ts';

/** The notice on every page, answer and log line of the demonstration. */
export const DEMO_NOTICE = {
  en: "Demonstration: real figures of other days and simulated ones. Not today's rates.",
  es: 'Demostración: cifras reales de otros días y cifras simuladas. No son las tasas de hoy.',
};

/** The Monday of the week that becomes the current one. Captures end twelve days after it. */
const ANCHOR_MONDAY = caracasDayOf(Date.parse('2026-08-10T04:00:00Z'));
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
  readonly record: SourceRecord;
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
    publications: {
      real: real.filter((record) => record.kind === 'official'),
      simulated: simulated.filter((record) => record.kind === 'official'),
    },
    bankTable,
    real: seriesIn(real),
    simulated: seriesIn(simulated),
  };
}

function readRecords(name: string): readonly DemoRecord[] {
  const lines = gunzipSync(readProductFile(`demo/${name}.ndjson.gz`))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => recordSchema.parse(JSON.parse(line)));
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
) {
  const series = [...publications.real, ...publications.simulated];
  const anchor = series.findIndex(({ value_date }) => value_date >= ANCHOR_MONDAY);
  const monday = caracasDayOf(startOfCaracasDay(ANCHOR_MONDAY) + shiftDays * DAY_MS);
  const first = calendar.isBusinessDay(monday) ? monday : calendar.nextValueDate(monday);
  const dates: CaracasDay[] = [];
  for (let day = first, at = anchor; at < series.length; at += 1) {
    dates[at] = day;
    day = calendar.nextValueDate(day);
  }
  for (let day = first, at = anchor - 1; at >= 0; at -= 1) {
    day = calendar.previousBusinessDay(day);
    dates[at] = day;
  }
  return series.map((publication, index) => {
    const valueDate = dates[index] ?? first;
    const at =
      startOfCaracasDay(calendar.previousBusinessDay(valueDate)) + PUBLISHED_AFTER_MIDNIGHT_MS;
    const label = index < publications.real.length ? 'demostración' : 'simulada';
    const record = {
      ...publication,
      value_date: valueDate,
      value_date_text: `${spanishLabel(valueDate)} (${label})`,
      captured_at: isoInstant(at),
    };
    return { at, record };
  });
}

/**
 * The bank table on the day of the newest publication: the real table, scaled by the ratio of the
 * official dollar on the two days. Each bank's name says that its row is simulated.
 */
export function movedBankTable(
  { bankTable, publications }: DemoFigures,
  published: ReturnType<typeof movedPublications>,
): DueRecord {
  const at = published.at(-1)?.at ?? 0;
  const day = caracasDayOf(at);
  const now = published.findLast(({ record }) => record.value_date <= day)?.record;
  const then = publications.real.findLast(
    ({ value_date }) => value_date <= bankTable.indicator_date,
  );
  const growth = (now?.rates.USD ?? 0) / (then?.rates.USD ?? 1);
  const moved = (figure: number | null | undefined) =>
    figure == null ? figure : toNumber(round(multiply(figure, growth), 4));
  const rows = bankTable.rows.map((row) => ({
    ...row,
    bank: `${row.bank} (simulado)`,
    buy: moved(row.buy),
    sell: moved(row.sell),
    date: day,
  }));
  return { at, record: { ...bankTable, indicator_date: day, rows, captured_at: isoInstant(at) } };
}

/** Captures as records, moved by whole days. */
export function movedCaptures(
  market: string,
  captures: readonly DemoCapture[],
  shiftDays: number,
): readonly DueRecord[] {
  return captures.map((capture) =>
    dueQuote(market, { ...capture, at: capture.at + shiftDays * DAY_MS }),
  );
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

export function dueQuote(market: string, { at, ...figures }: DemoCapture): DueRecord {
  const time = isoInstant(at);
  return {
    at,
    record: { kind: 'quote', market, ...figures, updated_at: time, captured_at: time },
  };
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
