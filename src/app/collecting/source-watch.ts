import type { BankCalendar } from '../../domain/calendar.ts';
import type { Thresholds } from '../../domain/judgement.ts';
import { type Markets, OFFICIAL_USD } from '../../domain/markets.ts';
import { caracasDayOf, type Instant, SECOND_MS } from '../../domain/time.ts';
import { StoreUnavailable } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Source } from '../ports/sources.ts';
import type { Store } from '../ports/store.ts';
import type { Outcome } from './read-source.ts';
import { type HealthRules, MAX_SHOWN_HELD } from './source-facts.ts';
import {
  firstDayOf,
  firstValueDateOf,
  PUSHED,
  type SourcesHealth,
  sourcesHealth,
} from './source-health.ts';
import { stuckVenues } from './stuck-venues.ts';

/** How long what was found out about the sources is told again. */
export const HEALTH_KEPT_MS = SECOND_MS;

/** How often it is found out although nobody asks, so that something is known when the store fails. */
export const HEALTH_REFRESH_MS = 30 * SECOND_MS;
/** Longest wait for a store that does not answer, before what was known last is told. */
export const HEALTH_WAIT_MS = SECOND_MS / 2;

/** What is known of the sources, and since when. */
export interface KnownHealth {
  readonly health: SourcesHealth;
  /** When it was found out. */
  readonly at: Instant;
  /** Whether the store answers; if not, this is what was known last. */
  readonly isCurrent: boolean;
}

/** Turns of a source that ended in one way, since the start of this process. */
export interface TurnCount {
  readonly source: string;
  readonly outcome: Outcome;
  readonly turns: number;
}

/** How the sources are, whichever process reads them, and how their turns in this one ended. */
export class SourceWatch {
  readonly #store: Store;
  readonly #sources: readonly Source[];
  readonly #rules: HealthRules;
  readonly #clock: Clock;
  readonly #turns = new Map<string, TurnCount>();
  #kept: { readonly health: SourcesHealth; readonly at: Instant } | undefined;
  #refreshing: Promise<SourcesHealth> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({
    store,
    sources,
    clock,
    ...rules
  }: {
    readonly store: Store;
    readonly sources: readonly Source[];
    readonly clock: Clock;
    readonly markets: Markets;
    readonly calendar: BankCalendar;
    readonly thresholds: Thresholds;
  }) {
    this.#store = store;
    this.#sources = sources;
    this.#clock = clock;
    this.#rules = rules;
  }

  start(): void {
    this.#timer = setInterval(() => {
      void this.health().catch(() => undefined);
    }, HEALTH_REFRESH_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * What `health` says, or what it said last where the store does not answer.
   * @throws StoreUnavailable when nothing was ever known.
   */
  async lastKnown(): Promise<KnownHealth> {
    const isCurrent = await this.#answersSoon();
    if (this.#kept === undefined) throw new StoreUnavailable('The store does not answer.');
    return { ...this.#kept, isCurrent };
  }

  async #answersSoon(): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), HEALTH_WAIT_MS);
    const look = this.health().then(
      () => true,
      (error: unknown) => {
        if (error instanceof StoreUnavailable) return false;
        throw error;
      },
    );
    try {
      return await Promise.race([look, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** At most `HEALTH_KEPT_MS` old. @throws StoreUnavailable */
  async health(): Promise<SourcesHealth> {
    const age = this.#clock.now() - (this.#kept?.at ?? Number.NEGATIVE_INFINITY);
    if (this.#kept !== undefined && age >= 0 && age < HEALTH_KEPT_MS) return this.#kept.health;
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** How a source is read; what is no source of the catalogue was pushed. */
  kindOf(name: string): string {
    return this.#sources.find((source) => source.name === name)?.kind ?? PUSHED;
  }

  /** Counts a turn of this process. */
  count(source: string, outcome: Outcome): void {
    const name = `${source} ${outcome}`;
    const turns = (this.#turns.get(name)?.turns ?? 0) + 1;
    this.#turns.set(name, { source, outcome, turns });
  }

  get turns(): readonly TurnCount[] {
    return [...this.#turns.values()];
  }

  async #refresh(): Promise<SourcesHealth> {
    const now = this.#clock.now();
    const [states, records, held, heldRecords, ...rest] = await Promise.all([
      this.#store.sourceStates(),
      this.#store.currentRecords(caracasDayOf(now)),
      this.#store.countHeld(),
      this.#store.listHeld('held', MAX_SHOWN_HELD),
      this.#store.lastBatchOf(PUSHED),
      this.#store.standingQuotes(PUSHED),
      this.#store.sourceDays(firstDayOf(now)),
      this.#store.valueDatesSince(OFFICIAL_USD, firstValueDateOf(now)),
    ]);
    const [pushedAt, pushed, days, valueDates] = rest;
    const figures = { states, quotes: records.quotes };
    const stuck = await stuckVenues(this.#sources, figures, this.#rules, this.#store);
    const health = sourcesHealth(
      this.#sources,
      { states, records, held, heldRecords, pushedAt, pushed, days, valueDates, stuck },
      this.#rules,
      now,
    );
    this.#kept = { health, at: now };
    return health;
  }
}
