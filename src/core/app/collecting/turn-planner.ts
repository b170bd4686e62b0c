import type { CatalogueRules, Thresholds } from '../../domain/judgement.ts';
import {
  type CaracasDay,
  caracasDayOf,
  type Instant,
  MINUTE_MS,
  SECOND_MS,
} from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { Source } from '../ports/sources.ts';
import type { Store } from '../ports/store.ts';
import { newestValueDate } from './publications.ts';
import { earliest, expectsPublications, nextTurn } from './schedule.ts';

/** Time between the first readings of two sources, so that not all start at once. */
const START_SPACING_MS = SECOND_MS;

/** Pause after the first failure of a source. Each further failure in a row doubles it. */
export const FIRST_RETRY_MS = MINUTE_MS;
// limit: Pause of a failed source | 1 minute, doubled, 15 minutes at most
export const MAX_RETRY_MS = 15 * MINUTE_MS;

export interface PlannerParts extends Pick<CatalogueRules, 'calendar' | 'thresholds'> {
  readonly store: Store;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** Plans when each source is read. A source without a time waits for another source to fail. */
export class TurnPlanner {
  readonly #parts: PlannerParts;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
  }

  /**
   * The first turn of each source. One never read, or with a missed turn, is read at once.
   * @param states By source name.
   */
  async firstTurns(
    sources: readonly Source[],
    states: ReadonlyMap<string, SourceState>,
    now: Instant,
  ): Promise<ReadonlyMap<Source, Instant | undefined>> {
    const valueDate = await this.#newestValueDate(sources, now);
    const turns = new Map<Source, Instant | undefined>();
    let free = now;
    for (const source of sources) {
      const state = states.get(source.name);
      const planned = this.#scheduled(source, now, valueDate);
      const again = state && retryAt(source, state, state.lastAttemptAt ?? now);
      // The plan of the process before applies, also when its time has passed. Without a plan, a
      // source is due now; a fallback source has none and waits for a failure.
      let turn = earliest(planned, planned && (state?.nextRunAt ?? now), again);
      if (turn !== undefined && turn <= now) {
        turn = free;
        free += START_SPACING_MS;
      }
      turns.set(source, turn);
    }
    return turns;
  }

  /**
   * The turn after `state`. A failed source is retried soon. A source in doubt is read often enough
   * to confirm held records within the time that judgement requires.
   */
  async nextTurn(
    source: Source,
    { state, isInDoubt }: { readonly state: SourceState; readonly isInDoubt: boolean },
    now: Instant,
  ): Promise<Instant | undefined> {
    const planned = this.#scheduled(source, now, await this.#newestValueDate([source], now));
    const again = retryAt(source, state, now);
    // Readings of the next minutes can confirm only quotes. Publications wait for the eve of their
    // value date.
    const isConfirmable = isInDoubt && !expectsPublications(source);
    const confirmed = confirmAt(state.lastAttemptAt ?? now, this.#parts.thresholds);
    return earliest(planned, again, isConfirmable ? confirmed : undefined);
  }

  /** The turn after one that could not be finished. It does not need the store. */
  turnAfterCrash(source: Source, now: Instant): Instant | undefined {
    const planned = this.#scheduled(source, now, undefined);
    return planned && Math.min(planned, now + FIRST_RETRY_MS);
  }

  #scheduled(
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
}

/**
 * When a source is retried before its schedule: after a failure, or after a reading that was
 * skipped because its host is paused. Undefined in other cases, and for a source without its own
 * schedule.
 */
export function retryAt(
  { schedule, fallbackFor }: Pick<Source, 'schedule' | 'fallbackFor'>,
  { failure, consecutiveFailures, pausedUntil }: SourceState,
  triedAt: Instant,
): Instant | undefined {
  if (fallbackFor !== undefined || schedule.length === 0) return undefined;
  if (pausedUntil !== undefined) return Math.max(pausedUntil, triedAt + FIRST_RETRY_MS);
  if (failure === undefined) return undefined;
  return triedAt + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (consecutiveFailures - 1));
}

/** When to read a source in doubt again: as soon as the rules can confirm a held record. */
function confirmAt(readAt: Instant, { confirmingReads, confirmingSpanSec }: Thresholds): Instant {
  return readAt + Math.ceil((confirmingSpanSec * SECOND_MS) / (confirmingReads - 1));
}
