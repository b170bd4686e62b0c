import type { BankRow, PublishedCurrency } from './bcv.ts';
import { type Band, factorOf, isRatioOver } from './calculations/ratio.ts';
import type { BankCalendar } from './calendar.ts';
import { compare, decimalPlaces, round, subtract } from './decimal.ts';
import type { DoubtReason } from './judgement/rule-words.ts';
import { DOUBTS } from './judgement/rules.ts';
import type { Markets, MarketType } from './markets.ts';
import type { CaracasDay, Instant } from './time.ts';

/**
 * Decides whether a record may be published (contract §8). The rules use no clock and no store:
 * the caller passes what is published and what is held. This file has the types that they share. The
 * files of `judgement/`, in the order to read them:
 *
 * 1. `rules.ts`: the table of the rules, what each holds and what releases it; `rule-words.ts` has
 *    their codes.
 * 2. `confirmation.ts`: when repeated readings, a second source or a witness (`witness.ts`) release a
 *    record.
 * 3. Quotes: `quote-judgement.ts` finds the doubts about a quote beside the figures given.
 *    `quote-memory.ts` is the state from which `quote-context.ts` takes these, with `quote-others.ts`
 *    those of other markets, and `quote-units.ts` puts it in another unit.
 *    `quote-fold.ts` leads from one state and what was read at a moment to the next state, with
 *    `held-run.ts` for held readings. `quote-moves.ts` remembers what markets did within a day, with
 *    `quote-steps.ts` for the steps of an origin; by that `in-doubt.ts` marks published quotes.
 * 4. Publications: `publication-judgement.ts` finds the doubts about one beside the figures given, with
 *    `page-judgement.ts` for those of a page or an archive alone. `publication-context.ts` takes these
 *    from `value-dates.ts`, all that is known around a value date.
 * 5. Bank tables: `bank-judgement.ts`. The unit of a record, by its size: `unit-judgement.ts`.
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
  /** P2P quotes and a fresh parallel quote are held further than this percentage apart. */
  readonly parallelPercent?: number;
  /** Fewest fresh P2P venues that agree for a quote of the parallel market to be compared with. */
  readonly parallelVenuesNeeded?: number;
  /** How long a quote stays in doubt that only repeated readings released. Without it none is. */
  readonly inDoubtSec?: number;
  /** A quote further than this ratio from all of a day of the past week is in doubt. Without it none is. */
  readonly driftRatio?: number;
  /** The quotes of one origin that move further than this percentage within an hour are in doubt. */
  readonly originStepPercent?: number;
  /** A quote may return to the replaced value within this time after the last that replaced it. */
  readonly restoreWithinSec: number;
  /** A published rate further than this ratio from the last one of its currency is held. */
  readonly publicationRatio: number;
  /** A publication is held when a currency over USD moved by more than its percentage. */
  readonly crossPercent: { readonly EUR: number } & PublishedRates;
  /** Value dates of an archive never confirm each other over this ratio to the last rate. */
  readonly archiveRatio?: number;
  /** That ratio doubles, for a rise, with each such time between the two value dates. */
  readonly archiveDoublesInDays?: number;
  /** They never confirm a larger move of EUR over USD either; it grows by itself as often. */
  readonly archiveCrossPercent?: number;
  /** Nor one further than this from EUR over USD of the value dates on both sides. */
  readonly archiveApartPercent?: number;
  /** They never release a page all of whose figures moved by more than this ratio. */
  readonly insistedRatio?: number;
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

/** What of the catalogue records and sources are judged by. */
export interface CatalogueRules {
  readonly markets: Markets;
  readonly calendar: BankCalendar;
  readonly thresholds: Thresholds;
}

/** A number of `judgement.json`, with the reason for it. */
export interface JudgementRule {
  readonly name: string;
  readonly value: number | readonly number[] | Readonly<Record<string, number>>;
  /** Why the number has this value, by language. */
  readonly reason: { readonly en: string; readonly es: string };
}

export interface QuoteFigures {
  readonly mid: number;
  readonly ask?: number | undefined;
  readonly bid?: number | undefined;
}

export interface QuoteObservation extends QuoteFigures {
  readonly kind: 'quote';
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
  /**
   * True for a publication of an archive whose value date is in force or past. Its repetitions are
   * the next value dates, because an archive has each of them once.
   */
  readonly isOfArchive?: boolean;
  /** All doubts about a held reading. */
  readonly reasons?: readonly string[];
}

/** The subject of whole publications. No market id has a dot. */
export const PUBLICATIONS = 'bcv.official';

/** Why a record is held: a code, and a message for the operator. */
export interface Doubt {
  readonly reason: DoubtReason;
  readonly message: string;
  /** The currencies that it is about. A witness overcomes it only if it has them. */
  readonly currencies?: readonly string[];
  /** Repeated readings do not overcome it, although they overcome others with this reason. */
  readonly isLasting?: true;
}

/** The doubt to report when there are several: the one that is hardest to overcome. */
export function gravest(doubts: readonly Doubt[]): Doubt | undefined {
  return inOrder(doubts)[0];
}

/** Hardest to overcome first. */
export function inOrder(doubts: readonly Doubt[]): readonly Doubt[] {
  const rank = ({ reason }: Doubt) => DOUBTS.indexOf(reason);
  return doubts.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Whether both values are absent, or the larger is at most `percent` over the smaller. A value that
 * only one reading has is not confirmed.
 */
export function isNear(a: number | undefined, b: number | undefined, percent: number): boolean {
  if (a === undefined || b === undefined) return a === b;
  return !isRatioOver(a, b, factorOf(percent));
}

export function haveSameFigures(a: PublishedRates, b: PublishedRates): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}

/** Whether figures are those of another publication, some of them with fewer decimals. */
export function areRoundedFrom(rates: PublishedRates, other: PublishedRates): boolean {
  const names = Object.keys(rates);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isRoundedFrom(rates[name] ?? 0, other[name] ?? 0))
  );
}

/** Whether a figure is another one, rounded or cut off after fewer decimals, of which four are left. */
export function isRoundedFrom(rate: number, other: number): boolean {
  const places = decimalPlaces(rate);
  const step = `1e-${Math.max(PUBLISHED_DECIMALS, places)}`;
  const apart = subtract(Math.max(rate, other), Math.min(rate, other));
  return rate === other || (places <= decimalPlaces(other) && compare(apart, step) < 0);
}

/** Fewest decimals that the central bank publishes. A double does not keep trailing zeros. */
const PUBLISHED_DECIMALS = 4;

/** Whether two figures are equal when rounded to the decimals that both have. */
export function areFiguresEqual(a: number, b: number, fewest = PUBLISHED_DECIMALS): boolean {
  const fewer = Math.min(decimalPlaces(a), decimalPlaces(b));
  const places = Math.max(fewest, fewer);
  return compare(round(a, places), round(b, places)) === 0;
}
