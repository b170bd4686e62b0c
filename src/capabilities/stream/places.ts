import type { Clock } from '../../core/app/ports/clock.ts';
import { partsOf } from '../../core/storage/queries/upsert.ts';
import { MAX_ACCOUNTS_AT_ONCE } from './limits.ts';
import type { PlaceClaim, PlaceStore } from './place-store.ts';

interface Asker {
  resolve(isGranted: boolean): void;
  reject(error: unknown): void;
}

/** What this process has of an account. */
interface Account {
  max: number | null;
  open: number;
  readonly asking: Asker[];
}

/**
 * The places of open streams, whose number is exact over all processes. One transaction at a time
 * stores what this process has and takes what its clients ask for meanwhile.
 */
export class Places {
  readonly #store: PlaceStore;
  readonly #holder: string;
  readonly #clock: Clock;
  readonly #onExcess: (accountId: string, streams: number) => void;
  readonly #accounts = new Map<string, Account>();
  /** Accounts of which the store is to hear. */
  readonly #untold = new Set<string>();
  #telling: Promise<void> | undefined;

  /** @param onExcess Told that others have taken places of this process, after it was silent. */
  constructor(parts: {
    readonly store: PlaceStore;
    readonly holder: string;
    readonly clock: Clock;
    readonly onExcess: (accountId: string, streams: number) => void;
  }) {
    this.#store = parts.store;
    this.#holder = parts.holder;
    this.#clock = parts.clock;
    this.#onExcess = parts.onExcess;
  }

  /** @returns whether the account had one left. @throws StoreUnavailable */
  take(accountId: string, max: number | null): Promise<boolean> {
    const account: Account = this.#accounts.get(accountId) ?? { max, open: 0, asking: [] };
    account.max = max;
    this.#accounts.set(accountId, account);
    const taken = new Promise<boolean>((resolve, reject) => {
      account.asking.push({ resolve, reject });
    });
    void this.#tell(accountId);
    return taken;
  }

  release(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (account === undefined) return;
    account.open -= 1;
    void this.#tell(accountId);
  }

  /** Tells the store of all places: others count them only while this process speaks. */
  async renew(): Promise<void> {
    for (const id of this.#accounts.keys()) this.#untold.add(id);
    await this.#tellAll();
    await this.#store.sweep(this.#clock.now()).catch(() => undefined);
  }

  /** Resolves when the store has heard everything, or does not answer. */
  async close(): Promise<void> {
    await this.#tellAll();
  }

  #tell(accountId: string): Promise<void> {
    this.#untold.add(accountId);
    return this.#tellAll();
  }

  /** Never rejects: what the store does not hear now it hears with the next change. */
  async #tellAll(): Promise<void> {
    this.#telling ??= this.#tellUntold();
    await this.#telling;
  }

  async #tellUntold(): Promise<void> {
    // Requests of the same turn share a transaction.
    await Promise.resolve();
    try {
      while (this.#untold.size > 0) {
        for (const ids of partsOf([...this.#untold], MAX_ACCOUNTS_AT_ONCE)) {
          if (!(await this.#claim(ids))) return;
        }
      }
    } finally {
      // In the turn of the last look: what is released later starts anew.
      this.#telling = undefined;
    }
  }

  /** @returns whether the store answered. */
  async #claim(ids: readonly string[]): Promise<boolean> {
    const askers = new Map<string, Asker[]>();
    const claims = ids.flatMap((accountId): PlaceClaim[] => {
      this.#untold.delete(accountId);
      const account = this.#accounts.get(accountId);
      if (account === undefined) return [];
      const asking = account.asking.splice(0);
      askers.set(accountId, asking);
      return [{ accountId, open: account.open, wanted: asking.length, max: account.max }];
    });
    if (claims.length === 0) return true;
    try {
      const granted = await this.#store.claim(this.#holder, claims, this.#clock.now());
      for (const [accountId, streams] of granted) {
        this.#grant(accountId, streams, askers.get(accountId) ?? []);
      }
      return true;
    } catch (error) {
      // Whether it was stored is not known.
      for (const id of ids) this.#untold.add(id);
      for (const asker of [...askers.values()].flat()) asker.reject(error);
      return false;
    }
  }

  #grant(accountId: string, streams: number, asking: readonly Asker[]): void {
    const account = this.#accounts.get(accountId);
    if (account === undefined) return;
    account.open += Math.max(0, streams);
    for (const [place, asker] of asking.entries()) asker.resolve(place < streams);
    if (streams < 0) this.#onExcess(accountId, -streams);
    // What was released meanwhile is told before the account is forgotten.
    const isTold = account.asking.length === 0 && !this.#untold.has(accountId);
    if (account.open <= 0 && isTold) this.#accounts.delete(accountId);
  }
}
