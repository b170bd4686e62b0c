import type { PublishedCurrency } from './bcv.ts';
import { type Band, factorOf, isRatioOver } from './calculations/ratio.ts';
import type { MarketType } from './markets.ts';
import { type CaracasDay, type Instant, SECOND_MS, startOfCaracasDay } from './time.ts';

/**
 * Whether a record may be published (decisions §8). The rules know no clock and no store: a caller
 * brings what was accepted before and what is held. What makes a record doubtful stands in
 * `quote-judgement.ts`, `publication-judgement.ts` and `bank-judgement.ts`; here is what all share,
 * and what lets a doubtful record pass after all.
 */

/** The numbers of the rules: `catalog/judgement.json`, which has the reason of each. */
export interface Thresholds {
  /** A quote over this ratio to the last accepted one is held. */
  readonly quoteRatio: number;
  /** A non-official quote outside of these multiples of the official rate in force is held. */
  readonly quoteBand: Band;
  /** A P2P quote over this share away from the median of the other fresh venues is held. */
  readonly venuePercent: number;
  /** Fresh venues that such a median needs, and agreeing ones that vouch for a quote. */
  readonly venuesNeeded: number;
  /** A quote that agrees with what the last one replaced so long ago at most restores it. */
  readonly restoreWithinSec: number;
  /** A published rate over this ratio to the last one of its currency is held. */
  readonly publicationRatio: number;
  /** EUR over USD that moved by more than this share is held. */
  readonly crossPercent: number;
  /** Insistence releases a publication from this long before its value date begins. */
  readonly releaseBeforeEffectSec: number;
  /** Publications of independent sources agree within this share. */
  readonly publicationAgreementPercent: number;
  /** The same figures under another date within this time correct the publication before. */
  readonly correctionWithinSec: number;
  /** A bank's row outside of these multiples of the official rate on its date is held. */
  readonly bankBand: Band;
  /** A bank's row over this ratio to the bank's last one is held. */
  readonly bankRatio: number;
  /** A bank table with less than this share of the last one's rows is held. */
  readonly bankRowsPercent: number;
  /** A bank table may be dated so many days after its reading. */
  readonly valueDateDaysAhead: number;
  /** Two values agree when the larger is at most this share over the smaller. */
  readonly agreementPercent: number;
  /** Readings of one origin, one after the other, that insist. */
  readonly confirmingReads: number;
  /** From the first of those to the last, at least. */
  readonly confirmingSpanSec: number;
  /** Between readings of two origins that agree, at most. */
  readonly agreementWithinSec: number;
  /** A value whose update time moved on by more than this without it is frozen. */
  readonly frozenAfterSec: Readonly<Record<MarketType, number>>;
}

/** A number of `judgement.json` as people read it. */
export interface JudgementRule {
  readonly name: string;
  readonly value: number | readonly number[] | Readonly<Record<string, number>>;
  /** Why it is this one, by language. */
  readonly reason: { readonly en: string; readonly es: string };
}

export interface QuoteObservation {
  readonly kind: 'quote';
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
}

/** Official rates by currency; those of an official market without a currency by its id. */
export type PublishedRates = Readonly<Partial<Record<PublishedCurrency | (string & {}), number>>>;

export interface PublicationObservation {
  readonly kind: 'publication';
  readonly valueDate: CaracasDay;
  readonly rates: PublishedRates;
  /** The sides of a publication that came as a quote of one market. */
  readonly sides?: readonly number[];
  /** Whether it is a whole publication, not a quote of one market. */
  readonly isWhole: boolean;
}

export interface ObservedBankRow {
  readonly bank: string;
  readonly buy?: number;
  readonly sell?: number;
  readonly date: CaracasDay;
}

export interface BankTableObservation {
  readonly kind: 'bank_table';
  readonly indicatorDate: CaracasDay;
  readonly rows: readonly ObservedBankRow[];
}

/** What is judged, in the terms of its rules. */
export type Observation = QuoteObservation | PublicationObservation | BankTableObservation;

/** An observation of a subject: of a market, of the publications, or of the bank table. */
export interface Reading {
  /** Where the figure was first published; readings of one origin count as one source. */
  readonly origin: string;
  readonly capturedAt: Instant;
  readonly observation: Observation;
}

/** Why a record is held, in one word. */
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
  'currency_lost',
  'rows_lost',
  'row_apart',
] as const;
export type DoubtReason = (typeof DOUBTS)[number];

/** Why a record is held, in one word and in words for the operator. */
export interface Doubt {
  readonly reason: DoubtReason;
  readonly message: string;
}

/** What may release a held record besides the operator and, where that ends it, its own context. */
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
  currency_lost: EITHER,
  rows_lost: EITHER,
  row_apart: NOTHING,
};

/** A bank table is corrected in place: what is wrong with a whole one may be how the bank sees it now. */
function releasesOf(reason: DoubtReason, { kind }: Observation): Releases {
  return kind === 'bank_table' ? EITHER : RELEASES[reason];
}

/** The doubt that is told of several: the one that is hardest to overcome. */
export function gravest(doubts: readonly Doubt[]): Doubt | undefined {
  const rank = ({ reason }: Doubt) => DOUBTS.indexOf(reason);
  return doubts.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Whether a record held for that reason may be published together with one that it agrees with. */
export function isReleasable(reason: string): boolean {
  const doubt = DOUBTS.find((one) => one === reason);
  if (doubt === undefined) return false;
  return RELEASES[doubt].independent || doubt === 'venues_differ';
}

/**
 * Which held readings of the same subject a new doubtful one confirms, oldest first; undefined
 * while it stays in doubt. It passes when each of its doubts is overcome: by the insistence of its
 * origin (the same in enough readings over long enough), or by an independent source that agrees at
 * about that time.
 *
 * `pending` are the held readings that still count, oldest first, of all origins. Those of one
 * origin follow each other: a good reading of it ends what was pending before.
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
  // Only looked at in detail when there is enough of it: a wrong file may bring a lot at one time.
  const run = isLongEnough([...own, reading], thresholds)
    ? agreeingRun(reading, own, thresholds)
    : [];
  const insists =
    isLongEnough([...run, reading], thresholds) &&
    reading.capturedAt >= insistsFrom(reading, thresholds);
  const passes = doubts.every(({ reason }) => {
    const { insistence, independent } = releasesOf(reason, reading.observation);
    return (insistence && insists) || (independent && others.length > 0);
  });
  if (!passes) return undefined;
  const confirmed = new Set([
    ...(others.length > 0 ? agreeingRun(reading, own, thresholds) : run),
    ...others,
  ]);
  return pending.filter((held) => confirmed.has(held));
}

/** A publication that insists may be a page that will be corrected before it takes effect. */
function insistsFrom({ observation }: Reading, { releaseBeforeEffectSec }: Thresholds): Instant {
  if (observation.kind !== 'publication') return Number.NEGATIVE_INFINITY;
  return startOfCaracasDay(observation.valueDate) - releaseBeforeEffectSec * SECOND_MS;
}

function independentPercent({ observation }: Reading, thresholds: Thresholds): number {
  const { publicationAgreementPercent, agreementPercent } = thresholds;
  return observation.kind === 'publication' ? publicationAgreementPercent : agreementPercent;
}

/**
 * The readings of the same origin just before this one that agree with it and with each other,
 * oldest first. The first that does not ends the run, so a reading in between that says otherwise
 * is never passed over.
 */
export function agreeingRun(
  reading: Reading,
  own: readonly Reading[],
  { agreementPercent }: Thresholds,
): readonly Reading[] {
  const run: Reading[] = [];
  // Of values that all agree, the lowest and the highest do: a new one is compared with those two.
  let extremes: readonly Reading[] = [reading];
  for (const earlier of own.toReversed()) {
    if (!extremes.every((one) => areSame(one, earlier, agreementPercent))) break;
    run.push(earlier);
    extremes = extremesOf([...extremes, earlier]);
  }
  return run.reverse();
}

/** For each value the readings that have its lowest and its highest. */
function extremesOf(readings: readonly Reading[]): readonly Reading[] {
  const valued = readings.map((reading) => ({ reading, values: valuesOf(reading.observation) }));
  const names = Object.keys(valued[0]?.values ?? {});
  const found = names.flatMap((name) => {
    const sorted = valued.toSorted((a, b) => (a.values[name] ?? 0) - (b.values[name] ?? 0));
    return [sorted.at(0)?.reading, sorted.at(-1)?.reading];
  });
  return [...new Set(found)].filter((one) => one !== undefined);
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

/** Whether two readings say the same: the same values are there, and each is near the other's. */
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
 * Both absent, or the larger at most the share over the smaller. What only one has, nothing
 * confirms.
 */
export function isNear(a: number | undefined, b: number | undefined, percent: number): boolean {
  if (a === undefined || b === undefined) return a === b;
  return !isRatioOver(a, b, factorOf(percent));
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
