import type { Doubt, Thresholds } from '../judgement.ts';
import type { Market } from '../markets.ts';
import type { StoredRedenominations } from '../redenomination.ts';
import { type CaracasDay, HOUR_MS, type Instant, MINUTE_MS } from '../time.ts';

/** A reading of a market without value dates. */
export interface QuoteReading {
  readonly market: Market;
  readonly mid: number;
  readonly ask?: number | undefined;
  readonly bid?: number | undefined;
  /** When it was read. */
  readonly at: Instant;
  /** The time that its source gives the figures; undefined if it gives none. */
  readonly datedAt?: Instant | undefined;
  readonly source: string;
  /** Where its figures are first published. Readings of one origin count as one source. */
  readonly origin: string;
  /** Whether an operator has checked it: it is published without doubts. */
  readonly isTrusted: boolean;
  /** Why it stays held, whatever the rules of today say about it alone; hardest to overcome first. */
  readonly heldFor?: readonly HeldDoubt[];
  /**
   * The figures of the other markets of its base that its source showed with it, if the source says in
   * which range its figures lie and all of them lie in it. They vouch for a first quote.
   */
  readonly beside?: readonly number[] | undefined;
  /** The doubt about its unit, by its size alone. */
  readonly unitDoubt?: Doubt | undefined;
}

/** A held reading that still counts. Its figures are in the unit of the state. */
export interface HeldQuote {
  readonly reading: QuoteReading;
  readonly mid: number;
  readonly ask?: number | undefined;
  readonly bid?: number | undefined;
  readonly at: Instant;
  /** The time of its figures. */
  readonly updatedAt: Instant;
  /** Its doubts, hardest to overcome first. */
  readonly doubts: readonly HeldDoubt[];
}

/** A doubt as it is stored: a code of this or of an earlier release, and a message for people. */
export type HeldDoubt = Pick<Doubt, 'message'> & { readonly reason: string };

/** A figure that was published, and when it was read. */
export interface PastFigure {
  readonly mid: number;
  readonly at: Instant;
}

/** What a market showed, published or not. */
export interface Shown extends PastFigure {
  /** The time of the figures, if their source gives it; else that of the reading. */
  readonly figuresAt: Instant;
}

export interface PublishedQuote extends PastFigure {
  readonly ask?: number | undefined;
  readonly bid?: number | undefined;
  /** The time of its figures. */
  readonly updatedAt: Instant;
  /** Whether its source gave that time. */
  readonly isDated: boolean;
  readonly source: string;
  readonly origin: string;
}

/** A step of an origin: its figures moved far within an hour. */
export interface Step {
  readonly since: Instant;
  /** The figure of the market before the step, and the one that it led to. */
  readonly from: number;
  readonly to: number;
  /** The figures of the markets of other origins before the step. */
  readonly others: Readonly<Record<string, number>>;
  /** When another origin had moved too; absent while none has. */
  readonly confirmedAt?: Instant | undefined;
}

/** What is remembered of a market. */
export interface MarketMemory {
  readonly market: Market;
  /** The current quote; undefined before the first. */
  readonly published?: PublishedQuote | undefined;
  /** The newest reading, published or held. */
  readonly shown?: Shown | undefined;
  /** The value before the last change by more than sources differ. A reading may return to it. */
  readonly replaced?: number | undefined;
  /** When that value was read last. */
  readonly replacedAt?: Instant | undefined;
  /** Published figures of the last day, thinned, oldest first. */
  readonly past: readonly PastFigure[];
  /** The held readings that still count, oldest first. */
  readonly held: readonly HeldQuote[];
  /** When the current figures were first read. */
  readonly unchangedSince?: Instant | undefined;
  /** The last figure that a second source supported. */
  readonly supported?: PastFigure | undefined;
  /** When a figure was read last that drifted too far without a second source; cleared by one that did not. */
  readonly driftedAt?: Instant | undefined;
  /** Since when it is far from its second source; undefined while it is not. */
  readonly apartSince?: Instant | undefined;
  readonly step?: Step | undefined;
  /** When the operator or an independent source last showed its figure. */
  readonly checkedAt?: Instant | undefined;
  /** The last jumps that were published because their source repeated them. */
  readonly insisted: readonly PastFigure[];
}

/** Before its first reading. */
export function nothingOf(market: Market): MarketMemory {
  return { market, past: [], held: [], insisted: [] };
}

/** All that the next body is judged by. Figures are in the unit of the day of `at`. */
export interface QuotesState {
  /** When the newest body was read. */
  readonly at: Instant;
  /** By the id of the market. */
  readonly markets: ReadonlyMap<string, MarketMemory>;
}

/** All that was read at one moment, each market once. Its quotes are judged together. */
export interface QuoteBody {
  readonly at: Instant;
  readonly readings: readonly QuoteReading[];
}

/** Between the units of days, as figures are stored. */
export type UnitRules = Pick<StoredRedenominations, 'after' | 'rebased'>;

/** What readings of markets without value dates are judged by, besides each other. */
export interface QuoteRules extends UnitRules {
  readonly thresholds: Thresholds;
  /** The official rate in force on a day, in the unit of that day; before the first one, the first. */
  officialOn(market: Market, day: CaracasDay): number | undefined;
}

/** What became of a reading. The last change of a reading counts. */
export interface QuoteChange {
  readonly reading: QuoteReading;
  /** `passed_over`: neither stored nor held. */
  readonly status: 'published' | 'held' | 'passed_over';
  /** The time of its figures; the same content read again keeps the time of its first reading. */
  readonly updatedAt: Instant;
  /** Published as history, from this instant: its source dates it before the current quote. */
  readonly placedAt?: Instant;
  /** The current quote that it corrects by returning to the one before. */
  readonly restoredFrom?: PastFigure;
  /** Why it is held or passed over, hardest to overcome first. */
  readonly doubts?: readonly HeldDoubt[];
  /** Whether a held reading no longer counts towards a confirmation. */
  readonly isEnded?: true;
}

/** Past figures are needed at an hour, two hours and a day before. Within each such time one is kept. */
const FINE_MS = 5 * MINUTE_MS;
const FINE_FOR_MS = 2 * HOUR_MS + FINE_MS;
const COARSE_MS = HOUR_MS;

/** How long a published figure is remembered: readings before that no longer matter. */
export const REMEMBERED_MS = 26 * HOUR_MS;

/** The past figures with a new one: of each five minutes the first, after two hours the last such of each hour. */
export function withSample(past: readonly PastFigure[], figure: PastFigure): readonly PastFigure[] {
  const last = past.at(-1);
  const isSamePart = last !== undefined && partOf(last.at, FINE_MS) === partOf(figure.at, FINE_MS);
  if (isSamePart) return past;
  const left = past.filter(({ at }, place) => {
    const age = figure.at - at;
    if (age <= FINE_FOR_MS) return true;
    const next = past[place + 1];
    return (
      age <= REMEMBERED_MS &&
      (next === undefined || partOf(next.at, COARSE_MS) !== partOf(at, COARSE_MS))
    );
  });
  return [...left, figure];
}

const partOf = (at: Instant, size: number): number => Math.floor(at / size);

/** The last figure up to an instant; undefined when none is remembered. */
export function pastFigureAt(past: readonly PastFigure[], at: Instant): PastFigure | undefined {
  return past.findLast((figure) => figure.at <= at);
}
