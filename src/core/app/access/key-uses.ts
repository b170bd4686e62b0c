import { type Instant, MINUTE_MS } from '../../domain/time.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { repeat } from '../repeat.ts';

/** How often uses are written. A killed process loses at most its last second. */
// limit: A key's last use, until stored | 1 s | lost with a killed process
const WRITE_MS = 1_000;

interface KeyUsesParts {
  readonly store: Pick<Store, 'noteKeyUse'>;
  readonly log: Log;
}

/** The minute of an instant: uses are known no closer. */
export function minuteOf(at: Instant): Instant {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/**
 * When each key was last used, to the minute. A call only adds its key to a set in memory, once a
 * minute. The store learns of it later, so no call ever waits for that.
 */
export class KeyUses {
  readonly #parts: KeyUsesParts;
  #minute: Instant = 0;
  /** Keys that were used in that minute. */
  readonly #noted = new Set<string>();
  /** The minutes that the store does not have, by key. */
  readonly #unwritten = new Map<string, Instant>();
  #stop: (() => Promise<void>) | undefined;
  #failing = false;

  constructor(parts: KeyUsesParts) {
    this.#parts = parts;
  }

  note(keyId: string, now: Instant): void {
    const isSameMinute = now >= this.#minute && now < this.#minute + MINUTE_MS;
    if (!isSameMinute) {
      this.#minute = minuteOf(now);
      this.#noted.clear();
    }
    if (this.#noted.has(keyId)) return;
    this.#noted.add(keyId);
    this.#unwritten.set(keyId, this.#minute);
  }

  start(): void {
    this.#stop = repeat(WRITE_MS, () => this.#write());
  }

  /** Writes the remaining uses. */
  async close(): Promise<void> {
    await this.#stop?.();
    await this.#write();
  }

  /** Never rejects: what could not be written waits for the next time. */
  async #write(): Promise<void> {
    const { store, log } = this.#parts;
    const byMinute = Map.groupBy([...this.#unwritten], ([, minute]) => minute);
    try {
      for (const [minute, uses] of byMinute) {
        await store.noteKeyUse(
          uses.map(([id]) => id),
          minute,
        );
        for (const [id] of uses) {
          if (this.#unwritten.get(id) === minute) this.#unwritten.delete(id);
        }
      }
      if (this.#failing) log.info({}, 'the last uses of keys are stored again');
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) log.warn({ err: error }, 'the last uses of keys could not be stored');
      this.#failing = true;
    }
  }
}
