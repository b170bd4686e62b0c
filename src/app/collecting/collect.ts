import type { BankCalendar } from '../../domain/calendar.ts';
import type { Thresholds } from '../../domain/judgement.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  SECOND_MS,
} from '../../domain/time.ts';
import { LeaseLost, SourceFailure } from '../failures.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Clock } from '../ports/clock.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { Lease } from '../ports/lease.ts';
import type { Log } from '../ports/log.ts';
import type { Fetch, Source } from '../ports/sources.ts';
import type { Store } from '../ports/store.ts';
import { prune } from '../prune.ts';
import { within } from '../within.ts';
import { newestValueDate } from './publications.ts';
import { type Outcome, type ReadResult, readSource } from './read-source.ts';
import { confirmAt, earliest, FIRST_RETRY_MS, retryAt } from './retry.ts';
import { expectsPublications, nextTurn } from './schedule.ts';
import { firstDayOf } from './source-health.ts';

/** How often the collector checks for due work. */
export const TICK_MS = SECOND_MS;
/** Duration of the lease. After a crash another process starts to collect this much later. */
export const LEASE_MS = 30 * SECOND_MS;
/** How often the lease is renewed. While another process holds it, every tick requests it. */
export const LEASE_RENEW_MS = 10 * SECOND_MS;
/** Time between the first readings of two sources, so that not all start at once. */
export const START_SPACING_MS = SECOND_MS;
/** Longest reading of a source, however many requests it takes. */
export const READING_TIMEOUT_MS = 5 * MINUTE_MS;
/** Longest wait for readings in progress when the collector stops. */
export const STOP_WAIT_MS = 3 * SECOND_MS;
/** How long bodies and held records are kept. Daily counts are kept for `HEALTH_DAYS`. */
export const BODIES_AND_HELD_KEPT_MS = 30 * DAY_MS;
const REMOVE_EXPIRED_EVERY_MS = HOUR_MS;

export interface CollectorParts {
  readonly sources: readonly Source[];
  readonly store: Store;
  readonly ingest: Ingest;
  readonly fetch: (source: Source) => Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly calendar: BankCalendar;
  readonly thresholds: Thresholds;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Identifies this process as a lease holder. */
  readonly holder: string;
  /** Called when new records were stored. */
  readonly onIngested?: () => Promise<void>;
  /** Captures before this instant are thinned to the last of each day. Without it none is. */
  readonly rawShownFrom?: (now: Instant) => Instant | undefined;
  readonly onTurn?: (source: string, outcome: Outcome) => void;
}

/** When a source is read next and how its last reading ("turn") ended, while this process collects. */
interface ScheduledSource {
  readonly source: Source;
  /** Time of the next reading; undefined while it waits for another source to fail. */
  nextAt: Instant | undefined;
  isRunning: boolean;
  hasFailed: boolean;
  /** True from a reading with held records until a reading without any. */
  isInDoubt: boolean;
}

/** The state of this process while it holds the lease. */
interface Session {
  readonly lease: Lease;
  /** By source name. */
  readonly scheduled: ReadonlyMap<string, ScheduledSource>;
  /** Aborts readings in progress. */
  readonly abort: AbortController;
  readonly inProgress: Set<Promise<void>>;
  pruning: boolean;
}

/**
 * Reads the sources on schedule. When processes share a store, only the lease holder reads.
 * A failure of one source is recorded and does not affect the others.
 */
export class Collector {
  readonly #parts: CollectorParts;
  #session: Session | undefined;
  #tending: Promise<void> | undefined;
  #tendAgainAt: Instant | undefined;
  #removedExpiredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** The collecting process that was logged last, so that only changes are logged. */
  #loggedHolder: 'here' | 'elsewhere' | 'unknown' | undefined;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
  }

  /** Starts the timer. Resolves once it is known whether this process collects. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.tick(), TICK_MS).unref();
    await this.#tend();
    void this.tick();
  }

  /**
   * Takes or renews the lease and runs the due turns. Resolves when they have ended. Ticks may
   * overlap; the turns of one source never do. Never rejects.
   */
  async tick(): Promise<void> {
    await this.#tend();
    const session = this.#session;
    if (session === undefined) return;
    const now = this.#parts.clock.now();
    const due = [...session.scheduled.values()].filter(({ nextAt = Infinity }) => nextAt <= now);
    await Promise.all(due.map((scheduled) => this.#take(session, scheduled)));
  }

  /** Whether this process has the lease. */
  get collects(): boolean {
    return this.#session !== undefined;
  }

  /** Stops starting turns, aborts those in progress and releases the lease. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped = true;
    await this.#tending;
    const session = this.#session;
    if (session === undefined) return;
    this.#end(session);
    await within(Promise.all(session.inProgress), STOP_WAIT_MS);
    await this.#parts.store.dropLease(session.lease).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'the lease to collect could not be released');
    });
  }

  /** Maintains the lease and removes expired data, one run at a time. */
  #tend(): Promise<void> {
    this.#tending ??= this.#tendOnce().finally(() => {
      this.#tending = undefined;
    });
    return this.#tending;
  }

  async #tendOnce(): Promise<void> {
    const { store, clock, log, holder } = this.#parts;
    const now = clock.now();
    const wait = (this.#tendAgainAt ?? now) - now;
    // A wait longer than the maximum means that the clock was set back.
    if (this.#stopped || (wait > 0 && wait <= LEASE_RENEW_MS)) return;
    this.#tendAgainAt = now;
    try {
      const lease = await store.takeLease(holder, now, now + LEASE_MS);
      if (lease !== undefined) this.#tendAgainAt = now + LEASE_RENEW_MS;
      const isSame = lease !== undefined && lease.token === this.#session?.lease.token;
      if (!isSame || wait > LEASE_RENEW_MS) {
        if (this.#session !== undefined) this.#end(this.#session);
        if (lease !== undefined) this.#session = await this.#begin(lease, now);
      }
      this.#logLeaseHolder(lease === undefined ? 'elsewhere' : 'here');
    } catch (error) {
      if (this.#loggedHolder !== 'unknown')
        log.error({ err: error }, 'the lease to collect could not be requested');
      this.#loggedHolder = 'unknown';
    }
    if (this.#session !== undefined) await this.#removeExpired(this.#session, now);
  }

  /** Thinning may take long, so only a stop waits for it. */
  #startPruning(session: Session, now: Instant): void {
    const { store, log, rawShownFrom } = this.#parts;
    const before = rawShownFrom?.(now);
    if (before === undefined || session.pruning) return;
    session.pruning = true;
    const { lease } = session;
    const work = prune(store, { before, lease, signal: session.abort.signal })
      .then(({ markets, batches }) => {
        const captures = markets.reduce((sum, { thinned }) => sum + thinned, 0);
        if (captures + batches > 0) log.info({ captures, batches }, 'old captures were thinned');
      })
      .catch((error: unknown) => {
        if (session.abort.signal.aborted || error instanceof LeaseLost) return;
        log.error({ err: error }, 'old captures could not be thinned');
      })
      .finally(() => {
        session.pruning = false;
        session.inProgress.delete(work);
      });
    session.inProgress.add(work);
  }

  /** Deletes expired bodies and held records, and starts to thin old captures, once an hour. */
  async #removeExpired(session: Session, now: Instant): Promise<void> {
    const { lease } = session;
    const { store, log } = this.#parts;
    if (Math.abs(now - this.#removedExpiredAt) < REMOVE_EXPIRED_EVERY_MS) return;
    this.#removedExpiredAt = now;
    const firstDay = firstDayOf(now);
    await store
      .forgetBefore(now - BODIES_AND_HELD_KEPT_MS, { firstDay, lease })
      .catch((error: unknown) => {
        log.error({ err: error }, 'old bodies and held records could not be deleted');
      });
    this.#startPruning(session, now);
  }

  #logLeaseHolder(now: 'here' | 'elsewhere'): void {
    if (this.#loggedHolder === now) return;
    this.#loggedHolder = now;
    const message = now === 'here' ? 'this process collects' : 'another process collects';
    this.#parts.log.info({}, message);
  }

  /** Plans the first turns. A source never read, or with a missed turn, is read at once. */
  async #begin(lease: Lease, now: Instant): Promise<Session> {
    const { store, sources } = this.#parts;
    const states = new Map((await store.sourceStates()).map((state) => [state.source, state]));
    const valueDate = await this.#newestValueDate(sources, now);
    let first = now;
    const scheduled = sources
      .filter(({ enabled }) => enabled)
      .map((source): [string, ScheduledSource] => {
        const state = states.get(source.name);
        const hasFailed = (state?.consecutiveFailures ?? 0) > 0;
        const planned = this.#plan(source, now, valueDate);
        const again = state && retryAt(source, state, state.lastAttemptAt ?? now);
        // The plan of the process before applies, also when its time has passed. Without a plan, a
        // source is due now; a fallback source has none and waits for a failure.
        let nextAt = earliest(planned, planned && (state?.nextRunAt ?? now), again);
        if (nextAt !== undefined && nextAt <= now) {
          nextAt = first;
          first += START_SPACING_MS;
        }
        return [source.name, { source, nextAt, isRunning: false, hasFailed, isInDoubt: false }];
      });
    return {
      lease,
      scheduled: new Map(scheduled),
      abort: new AbortController(),
      inProgress: new Set(),
      pruning: false,
    };
  }

  #end(session: Session): void {
    if (this.#session === session) this.#session = undefined;
    session.abort.abort(new LeaseLost());
  }

  /** The next turn by the schedule; undefined for a fallback source. */
  #plan(
    { schedule, jitterMs, fallbackFor }: Source,
    after: Instant,
    valueDate: CaracasDay | undefined,
  ): Instant | undefined {
    if (fallbackFor !== undefined) return undefined;
    const { calendar, random } = this.#parts;
    const time = nextTurn(schedule, after, { calendar, newestValueDate: valueDate });
    return time === undefined ? undefined : time + Math.floor(random() * jitterMs);
  }

  /** The newest stored value date, when the schedule of one of the sources depends on it. */
  async #newestValueDate(
    sources: readonly Source[],
    now: Instant,
  ): Promise<CaracasDay | undefined> {
    if (!sources.some(expectsPublications)) return undefined;
    const { store, thresholds } = this.#parts;
    const { quotes } = await store.currentRecords(caracasDayOf(now));
    return newestValueDate(quotes, thresholds, now);
  }

  async #take(session: Session, scheduled: ScheduledSource): Promise<void> {
    if (scheduled.isRunning || session.abort.signal.aborted) return;
    scheduled.nextAt = undefined;
    if (!isNeeded(session.scheduled, scheduled.source)) return;
    scheduled.isRunning = true;
    const turn = this.#turn(session, scheduled).finally(() => {
      scheduled.isRunning = false;
      session.inProgress.delete(turn);
    });
    session.inProgress.add(turn);
    await turn;
    if (!scheduled.hasFailed) return;
    const others = [...session.scheduled.values()].filter(
      ({ source }) => source.fallbackFor === scheduled.source.name,
    );
    await Promise.all(others.map((other) => this.#take(session, other)));
  }

  /** Runs one turn completely. Never rejects. */
  async #turn(session: Session, scheduled: ScheduledSource): Promise<void> {
    const { store, clock, log, onIngested, onTurn } = this.#parts;
    const { source } = scheduled;
    try {
      const before = (await store.sourceStates()).find((state) => state.source === source.name);
      const result = await this.#read(session, source, before);
      const isHeld = (result.counts?.held ?? 0) > 0;
      scheduled.hasFailed = result.state.failure !== undefined || result.outcome === 'paused';
      scheduled.isInDoubt = isHeld || (scheduled.isInDoubt && result.outcome !== 'ok');
      scheduled.nextAt = await this.#nextAfter(scheduled, result.state);
      const { nextAt: nextRunAt } = scheduled;
      const state = { ...result.state, ...(nextRunAt !== undefined && { nextRunAt }) };
      await store.saveSourceState(state, session.lease);
      this.#report(source, before, result);
      onTurn?.(source.name, result.outcome);
      if ((result.counts?.accepted ?? 0) > 0) await onIngested?.();
    } catch (error) {
      if (session.abort.signal.aborted) return;
      if (error instanceof LeaseLost) {
        log.warn({ source: source.name }, 'the lease was lost during a turn');
        this.#end(session);
        // The new holder is unknown until the next check, which logs it even if it is this process
        // again.
        this.#loggedHolder = undefined;
        return;
      }
      log.error({ err: error, source: source.name }, 'a turn could not be finished');
      const now = clock.now();
      const planned = this.#plan(source, now, undefined);
      scheduled.nextAt = planned && Math.min(planned, now + FIRST_RETRY_MS);
    }
  }

  async #read(
    session: Session,
    source: Source,
    before: SourceState | undefined,
  ): Promise<ReadResult> {
    const { fetch, store, ingest, clock, sources } = this.#parts;
    const late = new AbortController();
    const timer = setTimeout(() => {
      const message = `the reading was not done within ${READING_TIMEOUT_MS / MINUTE_MS} minutes`;
      late.abort(new SourceFailure('timeout', message));
    }, READING_TIMEOUT_MS);
    try {
      const signal = AbortSignal.any([session.abort.signal, late.signal]);
      const { lease } = session;
      return await readSource(source, {
        fetch: fetch(source),
        store,
        ingest,
        clock,
        sources,
        before,
        lease,
        signal,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * The time of the next turn after `state`. A failed source is retried soon. A source in doubt is
   * read often enough to confirm held records within the time that judgement requires.
   */
  async #nextAfter(
    { source, isInDoubt }: ScheduledSource,
    state: SourceState,
  ): Promise<Instant | undefined> {
    const { clock, thresholds } = this.#parts;
    const now = clock.now();
    const planned = this.#plan(source, now, await this.#newestValueDate([source], now));
    const again = retryAt(source, state, now);
    // Readings of the next minutes can confirm only quotes. Publications wait for the eve of their
    // value date.
    const isConfirmable = isInDoubt && !expectsPublications(source);
    const confirmed = isConfirmable ? confirmAt(state.lastAttemptAt ?? now, thresholds) : undefined;
    return earliest(planned, again, confirmed);
  }

  #report(source: Source, before: SourceState | undefined, result: ReadResult): void {
    const { log } = this.#parts;
    const { state, counts, crash } = result;
    const { name } = source;
    const [failed, fails] = [before?.failure !== undefined, state.failure !== undefined];
    if (crash !== undefined) log.error({ source: name, err: crash }, 'reading a source crashed');
    // Log only the first failure in a row. The source's state has the reason of the last one.
    if (fails && !failed) log.warn({ source: name, ...state.failure }, 'a source fails');
    if (failed && !fails) log.info({ source: name }, 'a source works again');
    const held = counts?.held ?? 0;
    if (held > 0) log.warn({ source: name, held }, 'records are held');
  }
}

/** Whether the source is not a fallback, or every source before it in the chain failed. */
function isNeeded(scheduled: Session['scheduled'], { fallbackFor }: Source): boolean {
  if (fallbackFor === undefined) return true;
  const main = scheduled.get(fallbackFor);
  return main?.hasFailed === true && isNeeded(scheduled, main.source);
}
