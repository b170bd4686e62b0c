import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { LeaseLost, SourceFailure } from '../failures.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Clock } from '../ports/clock.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { Lease } from '../ports/lease.ts';
import type { Fetch, Source } from '../ports/sources.ts';
import { within } from '../within.ts';
import { LEASE_MS, LEASE_RENEW_MS } from './collector-lease.ts';
import { Housekeeping, type HousekeepingParts } from './housekeeping.ts';
import type { PrecedenceRules } from './precedence.ts';
import { type Outcome, type ReadResult, readSource } from './read-source.ts';
import { type PlannerParts, TurnPlanner } from './turn-planner.ts';

/** How often the collector checks for due work. */
export const TICK_MS = SECOND_MS;
/** Longest reading of a source, however many requests it takes. */
// limit: Reading of a source; at a stop | 5 minutes; 3 s | `timeout`; abandoned | STOP_WAIT_MS
export const READING_TIMEOUT_MS = 5 * MINUTE_MS;
/** Longest wait for readings in progress when the collector stops. */
export const STOP_WAIT_MS = 3 * SECOND_MS;

export interface CollectorParts extends PlannerParts, HousekeepingParts, PrecedenceRules {
  readonly sources: readonly Source[];
  readonly ingest: Ingest;
  readonly fetch: (source: Source) => Fetch;
  readonly clock: Clock;
  /** Identifies this process as a lease holder. */
  readonly holder: string;
  /** Called when new records were stored. */
  readonly onIngested?: () => Promise<void>;
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
  readonly abort: AbortController;
  readonly inProgress: Set<Promise<void>>;
}

/**
 * Reads the sources on schedule. When processes share a store, only the lease holder reads.
 * A failure of one source is recorded and does not affect the others.
 */
export class Collector {
  readonly #parts: CollectorParts;
  readonly #planner: TurnPlanner;
  readonly #housekeeping: Housekeeping;
  #session: Session | undefined;
  #tending: Promise<void> | undefined;
  #tendAgainAt: Instant | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** The collecting process that was logged last, so that only changes are logged. */
  #loggedHolder: 'here' | 'elsewhere' | 'unknown' | undefined;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
    this.#planner = new TurnPlanner(parts);
    this.#housekeeping = new Housekeeping(parts);
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

  get lease(): Lease | undefined {
    return this.#session?.lease;
  }

  /** Stops starting turns, aborts those in progress and releases the lease. */
  async stop(): Promise<void> {
    const { store, clock, log } = this.#parts;
    clearInterval(this.#timer);
    this.#stopped = true;
    await this.#tending;
    const session = this.#session;
    if (session === undefined) return;
    this.#end(session);
    await within(Promise.all(session.inProgress), STOP_WAIT_MS);
    await store.dropLease(session.lease, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'the lease to collect could not be released');
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
    if (this.#session !== undefined) await this.#keepHouse(this.#session, now);
  }

  /** Thinning may take long, so only a stop waits for it. */
  async #keepHouse(session: Session, now: Instant): Promise<void> {
    const { lease, abort } = session;
    if (!(await this.#housekeeping.removeExpired(now, lease))) return;
    void track(session, this.#housekeeping.thin(now, lease, abort.signal));
  }

  #logLeaseHolder(now: 'here' | 'elsewhere'): void {
    if (this.#loggedHolder === now) return;
    this.#loggedHolder = now;
    const message = now === 'here' ? 'this process collects' : 'another process collects';
    this.#parts.log.info({}, message);
  }

  async #begin(lease: Lease, now: Instant): Promise<Session> {
    const { store, sources } = this.#parts;
    const states = new Map((await store.sourceStates()).map((state) => [state.source, state]));
    const enabled = sources.filter((source) => source.enabled);
    const scheduled = new Map<string, ScheduledSource>();
    for (const [source, nextAt] of await this.#planner.firstTurns(enabled, states, now)) {
      const hasFailed = (states.get(source.name)?.consecutiveFailures ?? 0) > 0;
      const waiting = { source, nextAt, isRunning: false, hasFailed, isInDoubt: false };
      scheduled.set(source.name, waiting);
    }
    return { lease, scheduled, abort: new AbortController(), inProgress: new Set() };
  }

  #end(session: Session): void {
    if (this.#session === session) this.#session = undefined;
    session.abort.abort(new LeaseLost());
  }

  async #take(session: Session, scheduled: ScheduledSource): Promise<void> {
    if (scheduled.isRunning || session.abort.signal.aborted) return;
    scheduled.nextAt = undefined;
    if (!isNeeded(session.scheduled, scheduled.source)) return;
    scheduled.isRunning = true;
    const turn = this.#turn(session, scheduled).finally(() => {
      scheduled.isRunning = false;
    });
    await track(session, turn);
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
      const last = { state: result.state, isInDoubt: scheduled.isInDoubt };
      scheduled.nextAt = await this.#planner.nextTurn(source, last, clock.now());
      const state = { ...result.state, nextRunAt: scheduled.nextAt };
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
      scheduled.nextAt = this.#planner.turnAfterCrash(source, clock.now());
    }
  }

  async #read(
    session: Session,
    source: Source,
    before: SourceState | undefined,
  ): Promise<ReadResult> {
    const late = new AbortController();
    const timer = setTimeout(() => {
      const message = `the reading was not done within ${READING_TIMEOUT_MS / MINUTE_MS} minutes`;
      late.abort(new SourceFailure('timeout', message));
    }, READING_TIMEOUT_MS);
    try {
      const signal = AbortSignal.any([session.abort.signal, late.signal]);
      const { lease } = session;
      const fetch = this.#parts.fetch(source);
      return await readSource(source, { ...this.#parts, fetch, before, lease, signal });
    } finally {
      clearTimeout(timer);
    }
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

/** Lists the work in the session until it ends. The work never rejects. */
function track({ inProgress }: Session, work: Promise<void>): Promise<void> {
  const tracked = work.finally(() => inProgress.delete(tracked));
  inProgress.add(tracked);
  return tracked;
}
