import type { FailureReason, SourceDay } from '../../domain/source-health.ts';
import type { CaracasDay, Instant } from '../../domain/time.ts';
import type { Lease } from './lease.ts';
import type { Provenance } from './provenance.ts';
import type { UpstreamBody } from './sources.ts';

/** What is known of a source, whichever process read it. */
export interface SourceState {
  readonly source: string;
  readonly lastAttemptAt?: Instant;
  /** Last reading that gave records, held ones too. */
  readonly lastSuccessAt?: Instant;
  /** When what it says last changed; update times alone are no change. */
  readonly lastChangeAt?: Instant;
  /** SHA-256 of what `lastChangeAt` is judged by. */
  readonly contentDigest?: string;
  /** The same of each market that it quoted, by its id. */
  readonly standing?: Readonly<Record<string, StandingFigures>>;
  /** Markets of the source that its last reading lacked, by id, each with the first such reading. */
  readonly missing?: Readonly<Record<string, Instant>>;
  /** Of a source that shows publications: what it has shown, and whether it went back. */
  readonly shown?: ShownPublications;
  readonly consecutiveFailures: number;
  /**
   * Requests to its host are paused until then, so it was not asked at its last turn. That is no
   * failure of the source: what is known of its last attempt stays.
   */
  readonly pausedUntil?: Instant;
  /** Of the last attempt, when it failed. */
  readonly failure?: { readonly reason: FailureReason; readonly message: string };
  readonly nextRunAt?: Instant;
  /** Of the last success. */
  readonly provenance?: Provenance;
}

/** Figures of a market that a source has repeated. */
export interface StandingFigures {
  /** When they were first read. */
  readonly since: Instant;
  readonly digest: string;
  /** The figure that those read since have stayed close to; see `isSteady`. */
  readonly steady?: { readonly since: Instant; readonly mid: number };
}

/** The last publications that a page has shown. */
export interface ShownPublications {
  /** In the order in which the page brought them, the newest last. */
  readonly publications: readonly { readonly valueDate: string; readonly digest: string }[];
  /** While it shows one before the newest again: since when. */
  readonly backSince?: Instant;
}

/** A reading as it is kept for some weeks, so that another parser can be tried on it. */
export interface KeptReading {
  readonly source: string;
  readonly readAt: Instant;
  readonly bodies: readonly UpstreamBody[];
}

/** The lease to collect, and what is known and kept of the sources. */
export interface CollectingStore {
  /** Takes the lease or renews it. @returns undefined while another holder has it. */
  takeLease(holder: string, now: Instant, until: Instant): Promise<Lease | undefined>;
  /** Gives the lease up, if it is still the holder's. */
  dropLease(lease: Lease): Promise<void>;
  sourceStates(): Promise<readonly SourceState[]>;
  /**
   * Saves what a reading left behind, and counts the reading in its day.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  saveSourceState(state: SourceState, lease?: Lease): Promise<void>;
  /** The days from `since` on, inclusive, on which sources were read, in order. */
  sourceDays(since: CaracasDay): Promise<readonly SourceDay[]>;
  /**
   * Keeps the bodies, compressed; equal bodies are kept once.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  keepReading(reading: KeptReading, lease?: Lease): Promise<void>;
  /** The times of the kept readings of a source, oldest first. */
  keptReadingTimes(source: string): Promise<readonly Instant[]>;
  keptReading(source: string, readAt: Instant): Promise<KeptReading | undefined>;
  /**
   * Forgets kept readings and held records from before, and the days of sources before `firstDay`.
   * @throws LeaseLost when `lease` is given and no longer the current one.
   */
  forgetBefore(
    before: Instant,
    options: { readonly firstDay: CaracasDay; readonly lease?: Lease },
  ): Promise<void>;
}
