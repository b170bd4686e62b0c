import type { Instant } from '../../domain/time.ts';
import type { UsageWindow } from '../ports/usage.ts';
import type { Meter } from './meter.ts';
import { OPENED_WITHOUT_STORE, WINDOWS, type WindowLimits } from './windows.ts';

/** One unit of each window for one call, identified by when each window opened. */
export interface Reservation {
  readonly accountId: string;
  /** Calls in the bulk hour including this one, when the hour was charged. */
  readonly hourUsed?: number;
  readonly openedAt: Partial<Record<UsageWindow, Instant>>;
}

/** The units of one window that this process leases. */
export interface LeasedUnits {
  readonly accountId: string;
  readonly meter: Meter;
}

type Meters = Map<UsageWindow, Meter>;

/** The meters of all accounts in this process, in memory. Spending from them needs no store. */
export class AccountMeters {
  readonly #byAccount = new Map<string, Meters>();
  /** Accounts with leased units, and the time of their last request to the store. */
  readonly #askedAt = new Map<string, Instant>();

  find(accountId: string, window: UsageWindow): Meter | undefined {
    return this.#byAccount.get(accountId)?.get(window);
  }

  set(accountId: string, meter: Meter): void {
    const meters = this.#byAccount.get(accountId) ?? new Map<UsageWindow, Meter>();
    this.#byAccount.set(accountId, meters);
    meters.set(meter.window, meter);
  }

  /** The store granted units to the account. */
  noteGrant(accountId: string, now: Instant): void {
    this.#askedAt.set(accountId, now);
  }

  get haveLeases(): boolean {
    return this.#askedAt.size > 0;
  }

  accounts(): Iterable<readonly [accountId: string, askedAt: Instant]> {
    return this.#askedAt;
  }

  of(accountId: string): readonly LeasedUnits[] {
    const meters = this.#byAccount.get(accountId)?.values() ?? [];
    return [...meters].map((meter) => ({ accountId, meter }));
  }

  all(): readonly LeasedUnits[] {
    return [...this.#byAccount.keys()].flatMap((accountId) => this.of(accountId));
  }

  /**
   * Spends one leased unit of each window that has a limit, or none.
   * @param asked.isStoreAway Whether units of the reserves may be spent too.
   * @param onLow is called for each meter that should request more units.
   * @returns undefined when a window has no unit that may be spent.
   */
  spend(
    accountId: string,
    {
      limits,
      now,
      isStoreAway = false,
    }: { readonly limits: WindowLimits; readonly now: Instant; readonly isStoreAway?: boolean },
    onLow: (accountId: string, limit: number, meter: Meter) => void,
  ): Reservation | undefined {
    const meters = this.#byAccount.get(accountId);
    const openedAt: Partial<Record<UsageWindow, Instant>> = {};
    for (const window of WINDOWS) {
      if (limits[window] === undefined) continue;
      const meter = meters?.get(window);
      if (meter === undefined) return undefined;
      if (!(meter.canSpend(now) || (isStoreAway && meter.canSpendReserve(now)))) return undefined;
      openedAt[window] = meter.openedAt;
    }
    for (const window of WINDOWS) {
      const limit = limits[window];
      const meter = limit === undefined ? undefined : meters?.get(window);
      if (limit === undefined || meter === undefined) continue;
      if (meter.spend()) onLow(accountId, limit, meter);
    }
    const hour = limits.hour === undefined ? undefined : meters?.get('hour');
    return { accountId, openedAt, hourUsed: hour?.used };
  }

  /** Whether a call can be admitted without the store. */
  hasReserves(accountId: string, limits: WindowLimits, now: Instant): boolean {
    return WINDOWS.every((window) => {
      if (limits[window] === undefined) return true;
      const meter = this.find(accountId, window);
      if (OPENED_WITHOUT_STORE.includes(window) && meter?.isOpen(now) !== true) return true;
      return meter?.canSpendReserve(now) === true;
    });
  }

  /** The known meters of the windows that have a limit, in the order of the checks. */
  limited(accountId: string, limits: WindowLimits): readonly (readonly [Meter, number])[] {
    return WINDOWS.flatMap((window) => {
      const [limit, meter] = [limits[window], this.find(accountId, window)];
      return limit === undefined || meter === undefined ? [] : [[meter, limit] as const];
    });
  }

  /** Removes the ended windows, except months with units: those have to be returned first. */
  removeEnded(now: Instant): void {
    for (const accountId of this.#askedAt.keys()) {
      for (const { meter } of this.of(accountId)) {
        if (meter.isOpen(now) || hasUnitsOfOtherMonth(meter, now)) continue;
        this.#byAccount.get(accountId)?.delete(meter.window);
      }
    }
  }

  remove(accountId: string): void {
    this.#askedAt.delete(accountId);
    this.#byAccount.delete(accountId);
  }
}

/**
 * Whether units are left in a month other than that of `now`. They are returned, because processes
 * with another clock can still spend them. Units of an ended minute or hour just expire.
 */
export function hasUnitsOfOtherMonth(meter: Meter, now: Instant): boolean {
  return meter.window === 'month' && meter.hasUnits && !meter.isOpen(now);
}
