import type { CatalogueRules } from '../../domain/judgement.ts';
import { OFFICIAL_USD } from '../../domain/markets.ts';
import { PUSHED } from '../../domain/source-health.ts';
import { caracasDayOf, type Instant, SECOND_MS } from '../../domain/time.ts';
import { StoreUnavailable, withoutStore } from '../failures.ts';
import type { Clock } from '../ports/clock.ts';
import type { Source } from '../ports/sources.ts';
import type { Store } from '../ports/store.ts';
import { repeat } from '../repeat.ts';
import { within } from '../within.ts';
import type { Outcome } from './read-source.ts';
import { MAX_SHOWN_HELD } from './source-facts.ts';
import {
  firstDayOf,
  firstValueDateOf,
  type SourcesHealth,
  sourcesHealth,
} from './source-health.ts';
import { stuckVenues } from './stuck-venues.ts';

/** How long the health of the sources is cached. */
export const HEALTH_KEPT_MS = SECOND_MS;

/** How often it is refreshed unasked, so that a recent one exists when the store fails. */
const HEALTH_REFRESH_MS = 30 * SECOND_MS;
/** Longest wait for the store before the last known health is returned. */
// limit: Wait of `/v1/status` for the database | 0.5 s | the last known state
export const HEALTH_WAIT_MS = SECOND_MS / 2;
/** A check of the store that takes longer counts as failed; until then it is only slow. */
// limit: Slow check by `/v1/status` | 3 s | `unavailable`
export const MAX_SLOW_CHECK_MS = 3 * SECOND_MS;

export interface KnownHealth {
  readonly health: SourcesHealth;
  /** When it was read. */
  readonly at: Instant;
  /** Whether the store answers. One slow check does not change it. */
  readonly isCurrent: boolean;
}

/** Turns of a source with one outcome since this process started. */
interface TurnCount {
  readonly source: string;
  readonly outcome: Outcome;
  readonly turns: number;
}

interface WatchParts extends CatalogueRules {
  readonly store: Store;
  readonly sources: readonly Source[];
  readonly clock: Clock;
}

/** The health of the sources over all processes, and the outcomes of turns in this process. */
export class SourceWatch {
  readonly #parts: WatchParts;
  readonly #turns = new Map<string, TurnCount>();
  #kept: { readonly health: SourcesHealth; readonly at: Instant } | undefined;
  #refreshing: Promise<SourcesHealth> | undefined;
  #refreshingSince: Instant = 0;
  /** Whether the last finished check of the store succeeded. */
  #answered = true;
  #stop: (() => Promise<void>) | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#stop = repeat(HEALTH_REFRESH_MS, () => this.health().catch(() => undefined));
  }

  stop(): void {
    void this.#stop?.();
  }

  /**
   * The current health, or the last known one when the store does not answer.
   * @throws StoreUnavailable when no health was ever read.
   */
  async lastKnown(): Promise<KnownHealth> {
    const isCurrent = await this.#answersSoon();
    if (this.#kept === undefined) throw new StoreUnavailable('The store does not answer.');
    return { ...this.#kept, isCurrent };
  }

  async #answersSoon(): Promise<boolean> {
    const answered = this.health().then(() => true);
    const result = await within(withoutStore(answered, false), HEALTH_WAIT_MS);
    if (result !== 'late') return result;
    const waited = this.#parts.clock.now() - this.#refreshingSince;
    return this.#answered && waited < MAX_SLOW_CHECK_MS;
  }

  /**
   * The health, at most `HEALTH_KEPT_MS` old.
   * @throws StoreUnavailable
   */
  async health(): Promise<SourcesHealth> {
    const age = this.#parts.clock.now() - (this.#kept?.at ?? Number.NEGATIVE_INFINITY);
    // The age is negative after the clock was set back. Then the health is read again.
    if (this.#kept !== undefined && age >= 0 && age < HEALTH_KEPT_MS) return this.#kept.health;
    this.#refreshing ??= this.#check();
    return this.#refreshing;
  }

  /** The kind of a source; `operator` for a name that is not in the catalogue. */
  kindOf(name: string): string {
    return this.#parts.sources.find((source) => source.name === name)?.kind ?? PUSHED;
  }

  count(source: string, outcome: Outcome): void {
    const name = `${source} ${outcome}`;
    const turns = (this.#turns.get(name)?.turns ?? 0) + 1;
    this.#turns.set(name, { source, outcome, turns });
  }

  get turns(): readonly TurnCount[] {
    return [...this.#turns.values()];
  }

  async #check(): Promise<SourcesHealth> {
    this.#refreshingSince = this.#parts.clock.now();
    try {
      const health = await this.#refresh();
      this.#answered = true;
      return health;
    } catch (error) {
      this.#answered = false;
      throw error;
    } finally {
      this.#refreshing = undefined;
    }
  }

  async #refresh(): Promise<SourcesHealth> {
    const { store, sources, clock, ...rules } = this.#parts;
    const now = clock.now();
    const [states, records, held, heldRecords, pushedAt, pushed, days, rates, leaseEnd] =
      await Promise.all([
        store.sourceStates(),
        store.currentRecords(caracasDayOf(now)),
        store.countHeld(),
        store.listHeld('held', MAX_SHOWN_HELD),
        store.lastBatchOf(PUSHED),
        store.standingQuotes(PUSHED),
        store.sourceDays(firstDayOf(now)),
        store.officialRates(OFFICIAL_USD, { from: firstValueDateOf(now) }),
        store.leaseEnd(),
      ]);
    const valueDates = rates.flatMap(({ effectiveDate }) => effectiveDate ?? []);
    const figures = { states, quotes: records.quotes };
    const stuck = await stuckVenues(sources, figures, rules, store);
    const health = sourcesHealth(
      sources,
      { states, records, held, heldRecords, pushedAt, pushed, days, valueDates, stuck, leaseEnd },
      rules,
      now,
    );
    this.#kept = { health, at: now };
    return health;
  }
}
