import type { FailureReason, SourceDay } from '../../domain/source-health.ts';
import type { CaracasDay, Instant } from '../../domain/time.ts';
import type { Lease } from './lease.ts';
import type { Provenance } from './provenance.ts';
import type { UpstreamBody } from './sources.ts';

/** The state of a source, shared by all processes. */
export interface SourceState {
  readonly source: string;
  readonly lastAttemptAt?: Instant;
  /** Last reading with records, including held ones. */
  readonly lastSuccessAt?: Instant;
  /** When its figures last changed. A new update time alone is not a change. */
  readonly lastChangeAt?: Instant;
  /** SHA-256 of the figures, by which `lastChangeAt` is determined. */
  readonly contentDigest?: string;
  /** The same for each market that it quoted, by id. */
  readonly standing?: Readonly<Record<string, StandingFigures>>;
  /** Markets that its last reading lacked, by id, with the time of the first such reading. */
  readonly missing?: Readonly<Record<string, Instant>>;
  /** For a source of publications: the last ones it has shown, and whether it went back. */
  readonly shown?: ShownPublications;
  readonly consecutiveFailures: number;
  /**
   * Requests to its host are paused until then, so its last turn was skipped. That is not a failure
   * of the source: the data of its last attempt stays.
   */
  readonly pausedUntil?: Instant;
  /** When the first of its failures in a row happened, if the last attempt failed. */
  readonly failingSince?: Instant;
  /** The failure of the last attempt, if it failed. */
  readonly failure?: { readonly reason: FailureReason; readonly message: string };
  readonly nextRunAt?: Instant;
  /** The provenance of the last success. */
  readonly provenance?: Provenance;
}

/** Figures of a market that a source has repeated. */
export interface StandingFigures {
  /** When they were first read. */
  readonly since: Instant;
  readonly digest: string;
  /** The figure to which later ones have stayed close; see `isSteady`. */
  readonly steady?: { readonly since: Instant; readonly mid: number };
}

export interface ShownPublications {
  /** In the order in which the page showed them, the newest last. */
  readonly publications: readonly { readonly valueDate: string; readonly digest: string }[];
  /** Since when the page shows an older one again; absent otherwise. */
  readonly backSince?: Instant;
}

/** A stored reading, kept for some weeks to run another parser on it. */
export interface KeptReading {
  readonly source: string;
  readonly readAt: Instant;
  readonly bodies: readonly UpstreamBody[];
}

/** What only one process does at a time: collecting, and writing the static copy. */
export type LeaseKind = 'collector' | 'exporter';

/** The leases, the states of the sources and their stored readings. */
export interface CollectingStore {
  /**
   * Takes a lease or renews it; by default the one to collect.
   * @returns undefined while another holder has it.
   */
  takeLease(
    holder: string,
    now: Instant,
    until: Instant,
    kind?: LeaseKind,
  ): Promise<Lease | undefined>;
  /** Ends the lease now, if the holder still has it. */
  dropLease(lease: Lease, now: Instant, kind?: LeaseKind): Promise<void>;
  /** The end of the last lease to collect, past or future; 0 when none was ever taken. */
  leaseEnd(): Promise<Instant>;
  sourceStates(): Promise<readonly SourceState[]>;
  /** Saves the state after a reading, and counts the reading in its day. */
  saveSourceState(state: SourceState, lease?: Lease): Promise<void>;
  /** The days since `since` (inclusive) on which sources were read, in order. */
  sourceDays(since: CaracasDay): Promise<readonly SourceDay[]>;
  /** Stores the bodies, compressed. Equal bodies are stored once. */
  keepReading(reading: KeptReading, lease?: Lease): Promise<void>;
  keptReadingTimes(source: string): Promise<readonly Instant[]>;
  keptReading(source: string, readAt: Instant): Promise<KeptReading | undefined>;
  /**
   * Deletes kept readings and held records from before `before`, and days of sources before
   * `firstDay`.
   */
  forgetBefore(
    before: Instant,
    options: { readonly firstDay: CaracasDay; readonly lease?: Lease },
  ): Promise<void>;
}
