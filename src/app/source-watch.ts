import type { BankCalendar } from '../domain/calendar.ts';
import type { Thresholds } from '../domain/judgement.ts';
import type { Markets } from '../domain/markets.ts';
import { caracasDayOf, type Instant, SECOND_MS } from '../domain/time.ts';
import type { Clock, Source, Store } from './ports.ts';
import type { Outcome } from './read-source.ts';
import { type HealthRules, PUSHED, type SourcesHealth, sourcesHealth } from './source-health.ts';

/** How long what was found out about the sources is told again. */
export const HEALTH_KEPT_MS = SECOND_MS;

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
  #looking: Promise<SourcesHealth> | undefined;

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

  /** At most `HEALTH_KEPT_MS` old. @throws StoreUnavailable */
  async health(): Promise<SourcesHealth> {
    const age = this.#clock.now() - (this.#kept?.at ?? Number.NEGATIVE_INFINITY);
    if (this.#kept !== undefined && age >= 0 && age < HEALTH_KEPT_MS) return this.#kept.health;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
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

  async #look(): Promise<SourcesHealth> {
    const now = this.#clock.now();
    const [states, records, held, pushedAt, pushed] = await Promise.all([
      this.#store.sourceStates(),
      this.#store.currentRecords(caracasDayOf(now)),
      this.#store.countHeld(),
      this.#store.lastBatchOf(PUSHED),
      this.#store.standingQuotes(PUSHED),
    ]);
    const health = sourcesHealth(
      this.#sources,
      { states, records, held, pushedAt, pushed },
      this.#rules,
      now,
    );
    this.#kept = { health, at: now };
    return health;
  }
}
