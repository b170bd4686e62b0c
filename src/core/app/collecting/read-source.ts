import { hash } from 'node:crypto';
import type { FailureReason } from '../../domain/source-health.ts';
import { type Instant, instantAfter, isoInstant, MINUTE_MS } from '../../domain/time.ts';
import { SourceFailure } from '../failures.ts';
import type { BadLine, IngestCounts, IngestOptions } from '../ingest/batch.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Clock } from '../ports/clock.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { Lease } from '../ports/lease.ts';
import type { Provenance } from '../ports/provenance.ts';
import type { Fetch, Source, SourceRecord, UpstreamBody } from '../ports/sources.ts';
import type { Store } from '../ports/store.ts';
import { digestOfContent, stateAfter } from './observed.ts';
import { outrankedMarkets, type PrecedenceRules } from './precedence.ts';

/** Pause after a busy host that does not say how long to wait. */
const SHORTEST_PAUSE_MS = MINUTE_MS;

/** How a reading ended, for metrics: with records, with held records, or why it failed. */
export type Outcome = 'ok' | 'held' | FailureReason;

export interface ReadResult {
  readonly outcome: Outcome;
  /** The new state of the source, without the time of its next reading. */
  readonly state: SourceState;
  /** Undefined when there were no records to ingest. */
  readonly counts?: IngestCounts;
  /** Why no request was sent, for `paused`. */
  readonly notAsked?: string;
  /** An unexpected error of a reader or parser. */
  readonly crash?: unknown;
}

interface ReadOptions extends PrecedenceRules {
  readonly fetch: Fetch;
  /** All sources of the catalogue, of which some may be ranked before this one. */
  readonly sources: readonly Source[];
  readonly store: Store;
  readonly ingest: Ingest;
  readonly clock: Clock;
  readonly before: SourceState | undefined;
  readonly lease?: Lease;
  /** Aborts the reading. When its reason is a `SourceFailure`, the source counts as failed. */
  readonly signal?: AbortSignal;
}

/**
 * Reads a source once: fetches its bodies, stores them, parses them and ingests the records. The
 * result reports failures of the source; only failures of the store or the lease are thrown.
 * @throws LeaseLost when `lease` is no longer the current one, StoreUnavailable, or the reason of
 *   `signal` unless that is a `SourceFailure`.
 */
export async function readSource(source: Source, options: ReadOptions): Promise<ReadResult> {
  const { fetch, store, clock, lease, signal, before } = options;
  const stoppedOrFailed = (error: unknown): ReadResult => {
    if (signal?.aborted && !(signal.reason instanceof SourceFailure)) throw signal.reason;
    if (error instanceof SourceFailure && error.reason === 'paused') {
      return notAsked(source, error, options);
    }
    const failure = failureOf(error);
    const state = failedState(source, options, failure);
    const crash = error instanceof SourceFailure ? undefined : error;
    return { outcome: failure.reason, state, crash };
  };

  /** Sends no request after the reading has ended. */
  const fetchUntilAborted: Fetch = async (request) => {
    signal?.throwIfAborted();
    return fetch(request);
  };
  let bodies: readonly UpstreamBody[];
  try {
    bodies = await untilAborted(source.read(fetchUntilAborted, clock.now()), signal);
  } catch (error) {
    return stoppedOrFailed(error);
  }
  const readAt = instantAfter(before?.lastSuccessAt, clock.now());
  await store.keepReading({ source: source.name, readAt, bodies }, lease);

  let records: readonly SourceRecord[];
  try {
    records = await untilAborted(recordsOf(source, bodies, readAt), signal);
  } catch (error) {
    return stoppedOrFailed(error);
  }
  return ingestReading({ source, bodies, records, readAt }, options);
}

/**
 * The records of a reading.
 * @throws SourceFailure `content` when there are none. Errors of the parser pass through.
 */
export async function recordsOf(
  source: Source,
  bodies: readonly UpstreamBody[],
  readAt: Instant,
): Promise<readonly SourceRecord[]> {
  const records = await source.parse(bodies, readAt);
  if (records.length > 0) return records;
  throw new SourceFailure('content', 'expected records, there were none');
}

/** Where the records that a parser makes of these bodies are from. */
export function provenanceOf(
  { parserVersion }: Pick<Source, 'parserVersion'>,
  bodies: readonly UpstreamBody[],
): Provenance {
  const digests = bodies.map(({ url, bytes }) => ({ url, digest: hash('sha256', bytes) }));
  return { parserVersion, bodies: digests };
}

/** The reason and message of a failure. A crash of a reader or parser counts as `content`. */
export function failureOf(error: unknown): NonNullable<SourceState['failure']> {
  if (error instanceof SourceFailure) return { reason: error.reason, message: error.message };
  const name = error instanceof Error ? error.name : typeof error;
  return { reason: 'content', message: `an internal error stopped the reading, ${name}` };
}

interface Reading {
  readonly source: Source;
  readonly bodies: readonly UpstreamBody[];
  readonly records: readonly SourceRecord[];
  readonly readAt: Instant;
}

async function ingestReading(reading: Reading, options: ReadOptions): Promise<ReadResult> {
  const { source, bodies, records, readAt } = reading;
  const { ingest, before, lease } = options;
  const provenance = provenanceOf(source, bodies);
  const outranked = await outrankedMarkets(source, { ...options, now: readAt });
  const own = records.filter(({ market }) => typeof market !== 'string' || !outranked.has(market));
  const dated = own.map((record) => ({ captured_at: isoInstant(readAt), ...record }));
  const isArchived = records.some((record) => 'captured_at' in record);
  const ingested = await ingestGood(ingest, dated, {
    source: source.name,
    provenance,
    lease,
    between: (market) => source.between(market, readAt),
    // Records with their own times come from an archive and never replace live captures.
    onlyNewValueDates: isArchived,
    isPage: !isArchived,
    isWitness: source.role === 'witness',
  });
  const { reason } = ingested;
  const duplicate = ingested.counts.duplicate + records.length - own.length;
  const counts = { ...ingested.counts, duplicate };
  const state = goodState(reading, provenance, before);
  if (reason === undefined) return { outcome: counts.held > 0 ? 'held' : 'ok', state, counts };

  const message = `${counts.refused} of ${records.length} records were refused: ${reason}`;
  const { consecutiveFailures = 0, failingSince } = before ?? {};
  const stillFailing = { ...state, consecutiveFailures, failingSince };
  const previous = counts.refused === own.length ? before : stillFailing;
  const failure = { reason: 'refused', message } as const;
  const failed = failedState(source, { ...options, before: previous }, failure);
  return { outcome: 'refused', state: failed, counts };
}

/**
 * Ingests the records. If some are refused, ingests the others without them, so that a bad record
 * of one market does not block the other markets of a source.
 */
async function ingestGood(
  ingest: Ingest,
  records: readonly SourceRecord[],
  options: IngestOptions,
): Promise<{ readonly counts: IngestCounts; readonly reason: string | undefined }> {
  const ingested = async (some: readonly SourceRecord[]) => {
    const bad: BadLine[] = [];
    const old: BadLine[] = [];
    const counts = await ingest.ingest(some, {
      ...options,
      tell(told) {
        if (told.bad !== undefined) bad.push(told.bad);
        if (told.passedOver !== undefined) old.push(told.passedOver);
      },
    });
    return { counts, bad, old };
  };
  const all = await ingested(records);
  const { bad } = all;
  const refused = new Set(bad.map(({ line }) => line));
  const good = records.filter((_, index) => !refused.has(index + 1));
  const isRepeated = bad.length > 0 && good.length > 0;
  const { counts, old } = isRepeated ? await ingested(good) : all;
  // For the health of the source, a record skipped for its age counts as refused.
  return {
    counts: {
      ...counts,
      refused: bad.length + old.length,
      duplicate: counts.duplicate - old.length,
    },
    reason: (bad[0] ?? old[0])?.reason,
  };
}

function goodState(
  { source, records, readAt }: Reading,
  provenance: Provenance,
  before: SourceState | undefined,
): SourceState {
  const contentDigest = digestOfContent(records);
  const isUnchanged = before?.contentDigest === contentDigest;
  return {
    source: source.name,
    lastAttemptAt: readAt,
    lastSuccessAt: readAt,
    lastChangeAt: (isUnchanged ? before?.lastChangeAt : undefined) ?? readAt,
    contentDigest,
    ...stateAfter({ source, records, readAt }, before),
    consecutiveFailures: 0,
    provenance,
  };
}

function failedState(
  source: Source,
  { before, clock }: Pick<ReadOptions, 'before' | 'clock'>,
  failure: NonNullable<SourceState['failure']>,
): SourceState {
  const known = knownBefore(source, before);
  const consecutiveFailures = known.consecutiveFailures + 1;
  const now = clock.now();
  const { failingSince = now } = known;
  return { ...known, lastAttemptAt: now, consecutiveFailures, failingSince, failure };
}

/** The last attempt stays unchanged: the host is paused, perhaps because of another source. */
function notAsked(
  source: Source,
  { message, retryAfterMs = SHORTEST_PAUSE_MS }: SourceFailure,
  { before, clock }: Pick<ReadOptions, 'before' | 'clock'>,
): ReadResult {
  const state = { ...knownBefore(source, before), pausedUntil: clock.now() + retryAfterMs };
  return { outcome: 'paused', state, notAsked: message };
}

/** The part of the state that the next attempt does not change. */
function knownBefore({ name }: Source, before: SourceState | undefined): SourceState {
  const first = { source: name, consecutiveFailures: 0 };
  return { ...(before ?? first), nextRunAt: undefined, pausedUntil: undefined };
}

/** Settles with the work, or rejects as soon as the signal aborts: a request may hang. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
