import type { BankRow, PublishedCurrency } from './bcv.ts';
import { type Band, factorOf, isRatioOver } from './calculations/ratio.ts';
import type { MarketType } from './markets.ts';
import { type CaracasDay, type Instant, SECOND_MS, startOfCaracasDay } from './time.ts';

/**
 * Decides whether a record may be published (decisions §8). The rules use no clock and no store:
 * the caller passes the accepted and the held records. `quote-judgement.ts`,
 * `publication-judgement.ts` and `bank-judgement.ts` find the doubts about a record. This file has
 * the shared types and decides when other readings release a doubtful record.
 */

/** The numbers of the rules. `catalog/judgement.json` gives the reason for each. */
export interface Thresholds {
  /** A quote that differs from the last accepted one by more than this ratio is held. */
  readonly quoteRatio: number;
  /** A non-official quote outside these multiples of the official rate in force is held. */
  readonly quoteBand: Band;
  /** A P2P quote further than this percentage from the median of the other fresh venues is held. */
  readonly venuePercent: number;
  /** Fewest fresh venues for such a median, and fewest agreeing venues that confirm a quote. */
  readonly venuesNeeded: number;
  /** A quote may return to the value that the last one replaced within this time. */
  readonly restoreWithinSec: number;
  /** A published rate further than this ratio from the last one of its currency is held. */
  readonly publicationRatio: number;
  /** A publication is held when EUR over USD moved by more than this percentage. */
  readonly crossPercent: number;
  /** Repeated readings may release a publication only this long before its value date. */
  readonly releaseBeforeEffectSec: number;
  /** Decimals of the quotes from which the bank computes the other currencies of a page. */
  readonly crossDecimals?: number;
  /** A page is held with a currency's figure of another value date that was read within this time. */
  readonly repeatedWithinDays?: number;
  /** Publications of independent sources agree within this percentage. */
  readonly publicationAgreementPercent: number;
  /** The same figures with another date within this time correct the earlier publication. */
  readonly correctionWithinSec: number;
  /** A bank's row outside these multiples of the official rate on its date is held. */
  readonly bankBand: Band;
  /** A bank's row that differs from the bank's last one by more than this ratio is held. */
  readonly bankRatio: number;
  /** A bank table with less than this percentage of the last table's rows is held. */
  readonly bankRowsPercent: number;
  /** Most days that the date of a bank table may lie after its reading. */
  readonly valueDateDaysAhead: number;
  /** Two values agree when the larger is at most this percentage over the smaller. */
  readonly agreementPercent: number;
  /** Consecutive agreeing readings of one origin that release a record. */
  readonly confirmingReads: number;
  /** Least time from the first of those readings to the last. */
  readonly confirmingSpanSec: number;
  /** Most time between agreeing readings of two origins. */
  readonly agreementWithinSec: number;
  /** A value is frozen when it stays the same while its update time advances by more than this. */
  readonly frozenAfterSec: Readonly<Record<MarketType, number>>;
}

/** A number of `judgement.json`, with the reason for it. */
export interface JudgementRule {
  readonly name: string;
  readonly value: number | readonly number[] | Readonly<Record<string, number>>;
  /** Why the number has this value, by language. */
  readonly reason: { readonly en: string; readonly es: string };
}

export interface QuoteObservation {
  readonly kind: 'quote';
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
}

/** Official rates by currency, or by market id for an official market without a currency. */
export type PublishedRates = Readonly<Partial<Record<PublishedCurrency | (string & {}), number>>>;

export interface PublicationObservation {
  readonly kind: 'publication';
  readonly valueDate: CaracasDay;
  readonly rates: PublishedRates;
  /** Ask and bid, when the rate came as a quote of one market. */
  readonly sides?: readonly number[];
  /** True for a whole publication, false for a quote of one market. */
  readonly isWhole: boolean;
}

export interface BankTableObservation {
  readonly kind: 'bank_table';
  readonly indicatorDate: CaracasDay;
  readonly rows: readonly BankRow[];
}

/** What a record says, in the terms of the rules. */
export type Observation = QuoteObservation | PublicationObservation | BankTableObservation;

/** An observation of a subject: a market, the publications, or the bank table. */
export interface Reading {
  /** Where the figure was first published. Readings of one origin count as one source. */
  readonly origin: string;
  readonly capturedAt: Instant;
  readonly observation: Observation;
}

/** Why a record is held, hardest to overcome first. */
export const DOUBTS = [
  'out_of_band',
  'first_quote',
  'venues_differ',
  'side_apart',
  'moved',
  'other_figure',
  'date_closed',
  'date_ahead',
  'date_back',
  'cross_moved',
  'figure_repeated',
  'figures_unrelated',
  'currency_lost',
  'rows_lost',
  'row_apart',
] as const;
export type DoubtReason = (typeof DOUBTS)[number];

/** Why a record is held: a code, and a message for the operator. */
export interface Doubt {
  readonly reason: DoubtReason;
  readonly message: string;
  /** Insistence does not overcome it, although it overcomes others with this reason. */
  readonly neverInsists?: true;
}

/** What may release a held record, besides the operator and a change of its context. */
interface Releases {
  readonly insistence: boolean;
  readonly independent: boolean;
}

const NOTHING: Releases = { insistence: false, independent: false };
const INDEPENDENT: Releases = { insistence: false, independent: true };
const EITHER: Releases = { insistence: true, independent: true };

const RELEASES: Readonly<Record<DoubtReason, Releases>> = {
  out_of_band: NOTHING,
  first_quote: INDEPENDENT,
  venues_differ: NOTHING,
  side_apart: INDEPENDENT,
  moved: EITHER,
  other_figure: NOTHING,
  date_closed: INDEPENDENT,
  date_ahead: INDEPENDENT,
  date_back: INDEPENDENT,
  cross_moved: EITHER,
  figure_repeated: INDEPENDENT,
  figures_unrelated: EITHER,
  currency_lost: EITHER,
  rows_lost: EITHER,
  row_apart: NOTHING,
};

/** The central bank corrects its bank table in place, so repeated readings may be right. */
function releasesOf(reason: DoubtReason, { kind }: Observation): Releases {
  return kind === 'bank_table' ? EITHER : RELEASES[reason];
}

/** The doubt to report when there are several: the one that is hardest to overcome. */
export function gravest(doubts: readonly Doubt[]): Doubt | undefined {
  const rank = ({ reason }: Doubt) => DOUBTS.indexOf(reason);
  return doubts.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Whether a record held for that reason may be published together with one that agrees with it. */
export function isReleasable(reason: string): boolean {
  const doubt = DOUBTS.find((one) => one === reason);
  if (doubt === undefined) return false;
  return RELEASES[doubt].independent || doubt === 'venues_differ';
}

/**
 * The held readings of the same subject that a new doubtful reading confirms, oldest first;
 * undefined while the new reading stays doubtful. Each doubt must be overcome: by enough agreeing
 * readings of the same origin over enough time, or by an agreeing reading of an independent source
 * at about the same time.
 *
 * @param pending The held readings of all origins that still count, oldest first. The readings of
 *   one origin are consecutive: an accepted reading ends its earlier pending ones.
 */
export function confirmedBy(
  reading: Reading,
  doubts: readonly Doubt[],
  pending: readonly Reading[],
  thresholds: Thresholds,
): readonly Reading[] | undefined {
  const others = pending.filter(
    (other) =>
      other.origin !== reading.origin &&
      isWithin(reading, other, thresholds.agreementWithinSec) &&
      areSame(reading, other, independentPercent(reading, thresholds)),
  );
  const own = pending.filter(({ origin }) => origin === reading.origin);
  // Compare values only when there are enough readings: a wrong file may bring many at one time.
  const run = isLongEnough([...own, reading], thresholds)
    ? agreeingRun(reading, own, thresholds)
    : [];
  const insists =
    isLongEnough([...run, reading], thresholds) &&
    reading.capturedAt >= insistsFrom(reading, thresholds);
  const passes = doubts.every(({ reason, neverInsists = false }) => {
    const { insistence, independent } = releasesOf(reason, reading.observation);
    return (insistence && insists && !neverInsists) || (independent && others.length > 0);
  });
  if (!passes) return undefined;
  const confirmed = new Set([
    ...(others.length > 0 ? agreeingRun(reading, own, thresholds) : run),
    ...others,
  ]);
  return pending.filter((held) => confirmed.has(held));
}

/**
 * The earliest time at which repeated readings release a record. A doubtful publication may still
 * be corrected before it takes effect.
 */
function insistsFrom({ observation }: Reading, { releaseBeforeEffectSec }: Thresholds): Instant {
  if (observation.kind !== 'publication') return Number.NEGATIVE_INFINITY;
  return startOfCaracasDay(observation.valueDate) - releaseBeforeEffectSec * SECOND_MS;
}

function independentPercent({ observation }: Reading, thresholds: Thresholds): number {
  const { publicationAgreementPercent, agreementPercent } = thresholds;
  return observation.kind === 'publication' ? publicationAgreementPercent : agreementPercent;
}

/**
 * The readings of the same origin directly before this one that agree with it and with each other,
 * oldest first. The first one that disagrees ends the run, so no contradicting reading in between
 * is skipped.
 */
export function agreeingRun(
  reading: Reading,
  own: readonly Reading[],
  { agreementPercent }: Thresholds,
): readonly Reading[] {
  const run: Reading[] = [];
  // All values agree when the lowest and the highest agree, so a new one is compared with those
  // two.
  let extremes: readonly Reading[] = [reading];
  for (const earlier of own.toReversed()) {
    if (!extremes.every((one) => areSame(one, earlier, agreementPercent))) break;
    run.push(earlier);
    extremes = extremesOf([...extremes, earlier]);
  }
  return run.reverse();
}

/** The readings that hold the lowest and the highest of each value. */
function extremesOf(readings: readonly Reading[]): readonly Reading[] {
  const valued = readings.map((reading) => ({ reading, values: valuesOf(reading.observation) }));
  const names = Object.keys(valued[0]?.values ?? {});
  const found = names.flatMap((name) => {
    const sorted = valued.toSorted((a, b) => (a.values[name] ?? 0) - (b.values[name] ?? 0));
    return [sorted.at(0)?.reading, sorted.at(-1)?.reading];
  });
  return [...new Set(found)].filter((one) => one !== undefined);
}

/** Whether the readings have enough different times over a long enough span. */
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

/** Whether two readings agree: they have the same values present, and each is near the other's. */
function areSame(
  { observation: a }: Reading,
  { observation: b }: Reading,
  percent: number,
): boolean {
  if (a.kind === 'publication' && b.kind === 'publication' && a.valueDate !== b.valueDate) {
    return false;
  }
  const [valuesA, valuesB] = [valuesOf(a), valuesOf(b)];
  const names = new Set([...Object.keys(valuesA), ...Object.keys(valuesB)]);
  return [...names].every((name) => isNear(valuesA[name], valuesB[name], percent));
}

function valuesOf(observation: Observation): Readonly<Record<string, number | undefined>> {
  switch (observation.kind) {
    case 'quote':
      return { mid: observation.mid, ask: observation.ask, bid: observation.bid };
    case 'publication':
      return observation.rates;
    case 'bank_table':
      return { rows: observation.rows.length };
    default:
      return observation satisfies never;
  }
}

/**
 * Whether both values are absent, or the larger is at most `percent` over the smaller. A value that
 * only one reading has is not confirmed.
 */
export function isNear(a: number | undefined, b: number | undefined, percent: number): boolean {
  if (a === undefined || b === undefined) return a === b;
  return !isRatioOver(a, b, factorOf(percent));
}

/**
 * Whether a value stayed the same for too long while its source kept giving it new update times.
 * `unchangedSince` is when the value was first seen, `updatedAt` its latest update time. A value
 * whose update time also stays the same is not frozen but old, which its age shows.
 */
export function isFrozen(
  type: MarketType,
  { unchangedSince, updatedAt }: { readonly unchangedSince: Instant; readonly updatedAt: Instant },
  { frozenAfterSec }: Thresholds,
): boolean {
  return updatedAt - unchangedSince > frozenAfterSec[type] * SECOND_MS;
}
