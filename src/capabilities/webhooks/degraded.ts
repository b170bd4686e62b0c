import type { SourceCondition, SourceHealth } from '../../core/domain/source-health.ts';
import { type Instant, MINUTE_MS } from '../../core/domain/time.ts';
import type { DegradedSource } from './events.ts';

/** Time in which a source fails or waits before an event says so. */
export const DEGRADED_AFTER_MS = 5 * MINUTE_MS;

const DEGRADED: ReadonlySet<SourceCondition> = new Set(['failing', 'late', 'frozen', 'waiting']);

/** Remembers since when sources do not work, where their condition does not say it. */
export class DegradedSources {
  readonly #since = new Map<string, Instant>();

  /** The sources that have not worked for long enough at `now`. */
  at(now: Instant, sources: readonly SourceHealth[]): readonly DegradedSource[] {
    const degraded = sources.filter(({ condition }) => DEGRADED.has(condition));
    const names = new Set(degraded.map(({ name }) => name));
    for (const name of this.#since.keys()) if (!names.has(name)) this.#since.delete(name);
    return degraded.flatMap(({ name, condition, why, failingSince, overdueSince }) => {
      const known = failingSince ?? overdueSince ?? this.#since.get(name) ?? now;
      const since = Math.min(known, now);
      this.#since.set(name, since);
      if (now - since < DEGRADED_AFTER_MS) return [];
      return [{ source: name, state: condition, why, since }];
    });
  }
}
