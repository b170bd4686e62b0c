import type { Instant } from '../../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { UnitsAsk, UsageWindow } from '../ports/usage.ts';
import {
  type AccountMeters,
  hasUnitsOfOtherMonth,
  type LeasedUnits,
  WINDOWS,
} from './account-meters.ts';
import type { HolderLink } from './holder-link.ts';
import { firstAsk, Meter } from './meter.ts';
import type { WindowLimits } from './window-limits.ts';

/** Most windows reported in one heartbeat. The others follow in the next ones. */
export const MAX_REPORTED_PER_HEARTBEAT = 1_000;

interface Pending {
  readonly accountId: string;
  readonly window: UsageWindow;
  readonly limit: number;
  /** Calls that wait for a unit. */
  waiting: number;
}

interface ExchangeParts {
  readonly link: HolderLink;
  readonly meters: AccountMeters;
  readonly clock: Clock;
}

/**
 * Moves units between the meters of this process and the store: requests blocks, reports what is
 * left of them, and returns them. Requests made at the same time share one transaction.
 */
export class LeaseExchange {
  readonly #link: HolderLink;
  readonly #meters: AccountMeters;
  readonly #clock: Clock;
  #pending = new Map<string, Pending>();
  #flushing: Promise<void> | undefined;

  constructor({ link, meters, clock }: ExchangeParts) {
    this.#link = link;
    this.#meters = meters;
    this.#clock = clock;
  }

  /** Requests the windows without leased units, together with concurrent requests. */
  ask(accountId: string, limits: WindowLimits): Promise<void> {
    const now = this.#clock.now();
    for (const window of WINDOWS) {
      const limit = limits[window];
      if (limit === undefined || this.#meters.find(accountId, window)?.canSpend(now) === true)
        continue;
      this.#pend(accountId, window, limit).waiting += 1;
    }
    return this.#flushSoon();
  }

  /** Requests more units before the last is spent, and reports the remaining ones; never rejects. */
  async askAhead(accountId: string, limit: number, meter: Meter): Promise<void> {
    do {
      if (this.#link.isPaused(this.#clock.now())) return;
      meter.isAsking = true;
      this.#pend(accountId, meter.window, limit);
      // The change poller reports failures of the store.
      await this.#flushSoon().catch(() => undefined);
      meter.isAsking = false;
    } while (meter.hasUnreportedRefund && meter.isOpen(this.#clock.now()));
  }

  /** Sends a heartbeat with the leased units. */
  renew(): Promise<void> {
    return this.#link.inTurn(async () => {
      const now = this.#clock.now();
      const leased = [...this.#meters.accounts()].flatMap(([id]) => this.#meters.of(id));
      const lapsed = this.#link.hasLapsed(now);
      const changed = leased.filter(({ meter }) => meter.needsReport(lapsed));
      // A process that may have lost its units must check all of them before it spends. Otherwise
      // the rest can wait.
      const most = lapsed ? changed.length : MAX_REPORTED_PER_HEARTBEAT;
      await this.#report(changed.slice(0, most), now);
    });
  }

  async giveBack(leased: readonly LeasedUnits[]): Promise<void> {
    if (leased.some(({ meter }) => meter.hasUnits)) {
      await this.#link.inTurn(() => this.#returnNow(leased));
    }
  }

  #pend(accountId: string, window: UsageWindow, limit: number): Pending {
    const id = `${window} ${accountId}`;
    let pending = this.#pending.get(id);
    if (pending === undefined) {
      pending = { accountId, window, limit, waiting: 0 };
      this.#pending.set(id, pending);
    }
    return pending;
  }

  #flushSoon(): Promise<void> {
    this.#flushing ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#link.inTurn(() => this.#flush()).then(resolve, reject);
      });
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    // Requests during this transaction go into the next one.
    this.#flushing = undefined;
    if (pending.length === 0) return;
    const now = this.#clock.now();
    const asked = pending.map(({ waiting: need, ...one }) => ({
      base: { ...one, need },
      meter: this.#meters.find(one.accountId, one.window),
    }));
    await this.#returnNow(
      asked.flatMap(({ base: { accountId }, meter }) =>
        meter !== undefined && hasUnitsOfOtherMonth(meter, now) ? [{ accountId, meter }] : [],
      ),
    );
    const asks = asked.map(({ base, meter }) => meter?.ask(base, now) ?? firstAsk(base));
    await this.#takeUnits(asks, now);
  }

  async #takeUnits(asks: readonly UnitsAsk[], now: Instant): Promise<void> {
    const grants = await this.#link.takeUnits(asks, now);
    for (const [position, grant] of grants.entries()) {
      const ask = asks[position];
      if (ask === undefined) continue;
      const known = this.#meters.find(ask.accountId, ask.window);
      const isSame = known?.openedAt === grant.openedAt && !known.isLocal;
      const meter = isSame ? known : new Meter(ask.window, grant.openedAt);
      meter.credit(grant, ask.limit, now);
      this.#meters.set(ask.accountId, meter);
      this.#meters.noteGrant(ask.accountId, now);
    }
  }

  async #report(leased: readonly LeasedUnits[], now: Instant): Promise<void> {
    const reports = leased.map(({ accountId, meter }) => meter.report(accountId));
    const lost = await this.#link.renew(reports, now);
    const asks: UnitsAsk[] = [];
    for (const [position, { accountId, meter }] of leased.entries()) {
      const report = reports[position];
      if (report === undefined) continue;
      const { window, limit } = meter;
      if (!lost.has(report)) meter.confirm(report);
      else asks.push({ accountId, window, limit, need: 0, want: 0, held: report });
    }
    if (asks.length > 0) await this.#takeUnits(asks, now);
    this.#link.heard(now);
  }

  /** Units that the store did not accept stay leased here: no other process has them. */
  async #returnNow(leased: readonly LeasedUnits[]): Promise<void> {
    const full = leased.filter(({ meter }) => meter.hasUnits);
    if (full.length === 0) return;
    const back = full.map(({ accountId, meter }) => meter.returnAll(accountId));
    try {
      await this.#link.returnUnits(back);
    } catch (error) {
      for (const [position, { meter }] of full.entries()) {
        const units = back[position];
        if (units !== undefined) meter.takeBack(units);
      }
      throw error;
    }
  }
}
