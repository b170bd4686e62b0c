import { PUBLISHED_CURRENCIES, type PublishedCurrency } from './bcv.ts';
import { add, compare, multiply, subtract } from './decimal.ts';
import type { MarketType } from './markets.ts';
import { type CaracasDay, caracasDayOf, daysBetween, type Instant, SECOND_MS } from './time.ts';

/**
 * Whether a record may be published, judged by what was accepted before it and by what else is
 * held. These rules know no clock and no store; who calls them keeps what is held.
 */

/** From where on a record is doubted, and what lets it pass after all: `catalog/judgement.json`. */
export interface Thresholds {
  /** A step of an official rate over this share of the last accepted one is doubted. */
  readonly officialMovePercent: number;
  /** The same for every other market. */
  readonly otherMovePercent: number;
  /** Two values agree when each lies within this share of the other. */
  readonly agreementPercent: number;
  /** Readings of one source, one after the other, that confirm each other. */
  readonly confirmingReads: number;
  /** From the first of those to the last, at least. */
  readonly confirmingSpanSec: number;
  /** Between readings of two sources that confirm each other, at most. */
  readonly agreementWithinSec: number;
  /** A date may be that many days after its reading, and those of agreeing readings apart. */
  readonly valueDateDaysAhead: number;
  /** A bank table with less than this share of the last one's rows is doubted. */
  readonly bankRowsPercent: number;
  /** A value whose update time moved on by more than this without it is frozen. */
  readonly frozenAfterSec: Readonly<Record<MarketType, number>>;
}

export interface QuoteObservation {
  readonly kind: 'quote';
  readonly official: boolean;
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  readonly effectiveDate?: CaracasDay;
}

export interface PublicationObservation {
  readonly kind: 'publication';
  readonly valueDate: CaracasDay;
  readonly rates: Readonly<Partial<Record<PublishedCurrency, number>>>;
}

export interface BankTableObservation {
  readonly kind: 'bank_table';
  readonly indicatorDate: CaracasDay;
  readonly rows: number;
}

/** What is judged, in the terms of its rules. */
export type Observation = QuoteObservation | PublicationObservation | BankTableObservation;

/** An observation of a subject: of a market, of the publications, or of the bank table. */
export interface Reading {
  readonly source: string;
  readonly capturedAt: Instant;
  readonly observation: Observation;
}

/** Why a record is held, in one word and in words for the operator. */
export interface Doubt {
  readonly reason: 'moved' | 'date_back' | 'date_ahead' | 'currency_lost' | 'rows_lost';
  readonly message: string;
}

/**
 * What is doubtful about a reading; undefined when nothing is. `accepted` is the last accepted
 * reading of the same subject before it, however old: a hole makes what comes after it no more
 * credible. Without one there is nothing to compare with, and only a date far ahead is doubted.
 */
export function doubtAbout(
  { observation, capturedAt }: Reading,
  accepted: Reading | undefined,
  thresholds: Thresholds,
): Doubt | undefined {
  const before = accepted?.observation;
  const doubtful =
    aheadDoubt(dateOf(observation), capturedAt, thresholds) ??
    (before && backDoubt(dateOf(observation), dateOf(before)));
  if (doubtful !== undefined) return doubtful;
  switch (observation.kind) {
    case 'quote':
      return before?.kind === 'quote' ? quoteDoubt(observation, before, thresholds) : undefined;
    case 'publication':
      return before?.kind === 'publication'
        ? publicationDoubt(observation, before, thresholds)
        : undefined;
    case 'bank_table':
      return before?.kind === 'bank_table'
        ? bankTableDoubt(observation, before, thresholds)
        : undefined;
    default:
      return observation satisfies never;
  }
}

function dateOf(observation: Observation): CaracasDay | undefined {
  switch (observation.kind) {
    case 'quote':
      return observation.effectiveDate;
    case 'publication':
      return observation.valueDate;
    case 'bank_table':
      return observation.indicatorDate;
    default:
      return observation satisfies never;
  }
}

function aheadDoubt(
  date: CaracasDay | undefined,
  capturedAt: Instant,
  { valueDateDaysAhead }: Thresholds,
): Doubt | undefined {
  const today = caracasDayOf(capturedAt);
  if (date === undefined || daysBetween({ from: today, to: date }) <= valueDateDaysAhead) {
    return undefined;
  }
  const message = `the date ${date} is more than ${valueDateDaysAhead} days after ${today}, the day of the reading`;
  return { reason: 'date_ahead', message };
}

function backDoubt(
  date: CaracasDay | undefined,
  before: CaracasDay | undefined,
): Doubt | undefined {
  if (date === undefined || before === undefined || date >= before) return undefined;
  return {
    reason: 'date_back',
    message: `the date ${date} is before ${before}, that of the last accepted one`,
  };
}

/**
 * `mid` may not leave the last accepted one too far. A side may leave its own, for in a thin market
 * one advertisement moves it, as long as it stays near its `mid`: the dearest offers of a real
 * shock do, a misplaced decimal point does not.
 */
function quoteDoubt(
  quote: QuoteObservation,
  before: QuoteObservation,
  { officialMovePercent, otherMovePercent }: Thresholds,
): Doubt | undefined {
  const percent = quote.official ? officialMovePercent : otherMovePercent;
  const { mid } = quote;
  if (isOff(mid, before.mid, percent)) return movedDoubt('mid', mid, before.mid, percent);
  for (const name of ['ask', 'bid'] as const) {
    const [side, sideBefore] = [quote[name], before[name]];
    if (side === undefined || !isOff(side, mid, percent)) continue;
    if (sideBefore !== undefined && !isOff(side, sideBefore, percent)) continue;
    const last = sideBefore === undefined ? '' : ` and of the last accepted one, ${sideBefore}`;
    const message = `${name} ${side} is not within ${percent}% of mid, ${mid},${last}`;
    return { reason: 'moved', message };
  }
  return undefined;
}

function publicationDoubt(
  { rates }: PublicationObservation,
  { rates: before }: PublicationObservation,
  { officialMovePercent }: Thresholds,
): Doubt | undefined {
  const lost = PUBLISHED_CURRENCIES.filter(
    (currency) => before[currency] !== undefined && rates[currency] === undefined,
  );
  if (lost.length > 0) {
    const message = `${lost.join(', ')} of the last accepted publication is not there`;
    return { reason: 'currency_lost', message };
  }
  for (const currency of PUBLISHED_CURRENCIES) {
    const [rate, rateBefore] = [rates[currency], before[currency]];
    if (rate === undefined || rateBefore === undefined) continue;
    if (!isOff(rate, rateBefore, officialMovePercent)) continue;
    return movedDoubt(currency, rate, rateBefore, officialMovePercent);
  }
  return undefined;
}

function bankTableDoubt(
  { rows }: BankTableObservation,
  { rows: before }: BankTableObservation,
  { bankRowsPercent }: Thresholds,
): Doubt | undefined {
  if (compare(multiply(rows, 100), multiply(before, bankRowsPercent)) >= 0) return undefined;
  return {
    reason: 'rows_lost',
    message: `${rows} rows are less than ${bankRowsPercent}% of ${before}, those of the last accepted table`,
  };
}

function movedDoubt(name: string, value: number, before: number, percent: number): Doubt {
  return {
    reason: 'moved',
    message: `${name} ${value} is not within ${percent}% of the last accepted one, ${before}`,
  };
}

/** Far more than four operations on doubles can be off by, as a share of their result. */
const DOUBLE_DOUBT = 1e-6;

/** Strictly more than the share away from `before`, up or down, in exact decimals. */
function isOff(value: number, before: number, percent: number): boolean {
  // Nearly every reading is far from the limit, where doubles decide as decimals would; asked of
  // millions of them, decimals alone took a third of an import.
  const [moved, allowed] = [Math.abs(value - before) * 100, before * percent];
  if (moved < allowed * (1 - DOUBLE_DOUBT)) return false;
  if (moved > allowed * (1 + DOUBLE_DOUBT)) return true;
  const hundredfold = multiply(value, 100);
  return (
    compare(hundredfold, multiply(before, add(100, percent))) > 0 ||
    compare(hundredfold, multiply(before, subtract(100, percent))) < 0
  );
}

/**
 * Which held readings of the same subject a new doubtful one confirms, oldest first; undefined
 * while it stays in doubt. It passes when its source said the same in enough readings over long
 * enough, or when another source's held reading of about that time agrees with it.
 *
 * `pending` are the held readings that still count, oldest first, of all sources. Those of one
 * source follow each other: a good reading of it ends what was pending before.
 */
export function confirmedBy(
  reading: Reading,
  pending: readonly Reading[],
  thresholds: Thresholds,
): readonly Reading[] | undefined {
  const own = pending.filter(({ source }) => source === reading.source);
  const others = pending.filter(
    (other) =>
      other.source !== reading.source &&
      isWithin(reading, other, thresholds.agreementWithinSec) &&
      agree(reading, other, thresholds),
  );
  const isAlone = others.length === 0;
  // Only looked at in detail when there is enough of it: a wrong file may bring a lot at one time.
  if (isAlone && !isLongEnough([...own, reading], thresholds)) return undefined;
  const run = agreeingRun(reading, own, thresholds);
  if (isAlone && !isLongEnough([...run, reading], thresholds)) return undefined;
  const confirmed = new Set([...run, ...others]);
  return pending.filter((held) => confirmed.has(held));
}

/**
 * The source's readings just before this one that agree with it and with each other, oldest first.
 * The first that does not ends the run, so a reading in between that says otherwise is never
 * passed over.
 */
function agreeingRun(
  reading: Reading,
  own: readonly Reading[],
  thresholds: Thresholds,
): readonly Reading[] {
  const run: Reading[] = [];
  for (const earlier of own.toReversed()) {
    if (![reading, ...run].every((one) => agree(one, earlier, thresholds))) break;
    run.push(earlier);
  }
  return run.reverse();
}

/** Readings at enough different times, the last of them long enough after the first. */
function isLongEnough(
  readings: readonly Reading[],
  { confirmingReads, confirmingSpanSec }: Thresholds,
): boolean {
  const [first, last] = [readings.at(0), readings.at(-1)];
  if (first === undefined || last === undefined) return false;
  const times = new Set(readings.map(({ capturedAt }) => capturedAt));
  return (
    times.size >= confirmingReads &&
    last.capturedAt - first.capturedAt >= confirmingSpanSec * SECOND_MS
  );
}

function isWithin(a: Reading, b: Reading, sec: number): boolean {
  return Math.abs(a.capturedAt - b.capturedAt) <= sec * SECOND_MS;
}

/**
 * Whether two readings say the same: the same values are there, and each is near the other's. Their
 * dates may differ a little, so that a source which is read once a day can confirm itself.
 */
function agree(
  { observation: a }: Reading,
  { observation: b }: Reading,
  { agreementPercent, valueDateDaysAhead }: Thresholds,
): boolean {
  const [dateA, dateB] = [dateOf(a), dateOf(b)];
  if (dateA !== undefined && dateB !== undefined) {
    if (Math.abs(daysBetween({ from: dateA, to: dateB })) > valueDateDaysAhead) return false;
  }
  const [valuesA, valuesB] = [valuesOf(a), valuesOf(b)];
  return VALUE_NAMES.every((name) => near(valuesA[name], valuesB[name], agreementPercent));
}

const VALUE_NAMES = ['mid', 'ask', 'bid', ...PUBLISHED_CURRENCIES, 'rows'] as const;
type Values = Readonly<Partial<Record<(typeof VALUE_NAMES)[number], number | undefined>>>;

function valuesOf(observation: Observation): Values {
  switch (observation.kind) {
    case 'quote':
      return { mid: observation.mid, ask: observation.ask, bid: observation.bid };
    case 'publication':
      return observation.rates;
    case 'bank_table':
      return { rows: observation.rows };
    default:
      return observation satisfies never;
  }
}

/**
 * Both absent, or the larger at most the share over the smaller, and so each within it of the
 * other. What only one has, nothing confirms.
 */
function near(a: number | undefined, b: number | undefined, percent: number): boolean {
  if (a === undefined || b === undefined) return a === b;
  return !isOff(Math.max(a, b), Math.min(a, b), percent);
}

/**
 * Whether a value stood for too long although its source went on dating it anew. `unchangedSince`
 * is when it was first seen, `updatedAt` the latest update time given with it. A value whose update
 * time stands too is only old, which its age shows.
 */
export function isFrozen(
  type: MarketType,
  { unchangedSince, updatedAt }: { readonly unchangedSince: Instant; readonly updatedAt: Instant },
  { frozenAfterSec }: Thresholds,
): boolean {
  return updatedAt - unchangedSince > frozenAfterSec[type] * SECOND_MS;
}
