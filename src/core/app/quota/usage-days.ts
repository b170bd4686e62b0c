import type { UtcRange } from '../../domain/history/history.ts';
import {
  endOfUtcDay,
  type Instant,
  startOfUtcDay,
  type UtcDay,
  utcDayOf,
} from '../../domain/time.ts';
import { firstKeptDay, MAX_USAGE_KEYS } from '../../domain/usage.ts';
import type { Caller } from '../access/access.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { CountedCalls, UsageOfRange } from '../ports/usage.ts';

/** How often counts are added to the store. A killed process loses at most its last second. */
export const USAGE_WRITE_MS = 800;
/** Most counts of a key, day and endpoint that wait for the store. Further ones are lost. */
// limit: Usage counts: waiting, until stored | 20,000, 0.8 s | not counted; lost with a killed process | USAGE_WRITE_MS
export const MAX_WAITING_COUNTS = 20_000;

/** The called endpoint, compared by identity, so that no name is built for each call. */
export interface Called {
  readonly method: string;
  readonly path: string;
}

/** Who is counted. */
export type Counted = Readonly<Record<'account' | 'key', Pick<Caller['account'], 'id'>>>;

interface Counts {
  calls: number;
  units: number;
  clientErrors: number;
  serverErrors: number;
}

/** A UTC day with its counts since the last write. */
interface OpenDay {
  readonly day: UtcDay;
  readonly start: Instant;
  readonly end: Instant;
  /** By the id of the key. */
  readonly keys: Map<string, { readonly accountId: string; readonly counts: Map<Called, Counts> }>;
}

interface UsageParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Counts the calls of accounts by UTC day, endpoint and key. Counts are kept in memory and added to the
 * store every few seconds, when the account reads them, and when the process stops. They are for
 * information only: `quota.ts` grants and counts units.
 */
export class UsageDays {
  readonly #parts: UsageParts;
  #open: OpenDay;
  /** Counts that are not written yet, oldest first. The first may be in progress. */
  readonly #waiting: (readonly CountedCalls[])[] = [];
  #waitingCounts = 0;
  #forgottenOn: UtcDay | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #failing = false;

  constructor(parts: UsageParts) {
    this.#parts = parts;
    this.#open = openDay(parts.clock.now());
  }

  start(): void {
    this.#timer = setInterval(() => void this.#write(), USAGE_WRITE_MS).unref();
  }

  /** Writes the remaining counts. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writeNow();
  }

  /** Counts one call, by the status of its answer and the units that it cost. */
  count(
    by: Counted,
    called: Called,
    { status, units, now }: Record<'status' | 'units' | 'now', number>,
  ): void {
    const counts = this.#countsOf(by, called, now);
    if (counts === undefined) return;
    counts.calls += 1;
    counts.units += units;
    if (status >= 500) counts.serverErrors += 1;
    else if (status >= 400) counts.clientErrors += 1;
  }

  /** The calls of the account on those days, over all processes. */
  async of(accountId: string, range: UtcRange): Promise<UsageOfRange> {
    // When writes fail, the stored counts are still a useful answer.
    if (!this.#failing) await this.#writeNow();
    return this.#parts.store.usageDays(accountId, range, MAX_USAGE_KEYS);
  }

  #countsOf({ account, key }: Counted, called: Called, now: Instant): Counts | undefined {
    if (now < this.#open.start || now >= this.#open.end) {
      this.#lineUp();
      this.#open = openDay(now);
    }
    const { keys } = this.#open;
    const counts = keys.get(key.id)?.counts.get(called);
    if (counts !== undefined) return counts;
    if (this.#waitingCounts >= MAX_WAITING_COUNTS) return undefined;
    this.#waitingCounts += 1;
    const fresh = { calls: 0, units: 0, clientErrors: 0, serverErrors: 0 };
    const ofKey = keys.get(key.id);
    if (ofKey !== undefined) ofKey.counts.set(called, fresh);
    else keys.set(key.id, { accountId: account.id, counts: new Map([[called, fresh]]) });
    return fresh;
  }

  #lineUp(): void {
    const { day, keys } = this.#open;
    const lined = [...keys].flatMap(([keyId, { accountId, counts }]) =>
      [...counts].map(([{ method, path }, counted]) => ({
        accountId,
        keyId,
        day,
        endpoint: `${method} ${path}`,
        ...counted,
      })),
    );
    keys.clear();
    if (lined.length > 0) this.#waiting.push(lined);
  }

  async #writeNow(): Promise<void> {
    // The write in progress may have begun before the last calls.
    await this.#writing;
    this.#lineUp();
    await this.#write();
  }

  /** One write at a time, which calls share. Never rejects: unwritten counts stay queued. */
  #write(): Promise<void> {
    this.#writing ??= this.#tryToWrite().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #tryToWrite(): Promise<void> {
    const { log } = this.#parts;
    try {
      await this.#writeAll();
      if (this.#failing) log.info({}, 'usage is counted in the store again');
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) log.warn({ err: error }, 'usage could not be counted in the store');
      this.#failing = true;
    }
  }

  async #writeAll(): Promise<void> {
    // After a failed write the same counts grow in memory, so they are not queued twice.
    if (this.#waiting.length === 0) this.#lineUp();
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      await this.#parts.store.addUsageDays(next);
      this.#waiting.shift();
      this.#waitingCounts -= next.length;
    }
    const now = this.#parts.clock.now();
    const today = utcDayOf(now);
    if (this.#forgottenOn === today) return;
    await this.#parts.store.forgetUsageDaysBefore(firstKeptDay(now));
    this.#forgottenOn = today;
  }
}

function openDay(now: Instant): OpenDay {
  const day = utcDayOf(now);
  return { day, start: startOfUtcDay(day), end: endOfUtcDay(day), keys: new Map() };
}
