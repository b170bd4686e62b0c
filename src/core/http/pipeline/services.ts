import type { Registry } from 'prom-client';
import type { Access } from '../../app/access/access.ts';
import type { Accounts } from '../../app/access/accounts.ts';
import type { KeyUses } from '../../app/access/key-uses.ts';
import type { ChangePoller } from '../../app/change-poller.ts';
import type { ClockWatch } from '../../app/collecting/clock-watch.ts';
import type { SourceWatch } from '../../app/collecting/source-watch.ts';
import type { Origins } from '../../app/ingest/batch-context.ts';
import type { Ingest } from '../../app/ingest/ingest.ts';
import type { Store } from '../../app/ports/store.ts';
import type { Quota } from '../../app/quota/quota.ts';
import type { UsageDays } from '../../app/quota/usage-days.ts';
import type { SnapshotHolder } from '../../app/snapshot.ts';
import type { StoreMonitor } from '../../app/store-monitor.ts';
import type { BankCalendar } from '../../domain/calendar.ts';
import type { Sentence } from '../../domain/errors/sentence.ts';
import type { JudgementRule } from '../../domain/judgement.ts';
import type { Markets } from '../../domain/markets.ts';
import type { Plans } from '../../domain/plans.ts';
import type { Redenominations } from '../../domain/redenomination.ts';
import type { Instant } from '../../domain/time.ts';

/** Services of the application that handlers and the server use. */
export interface Services {
  readonly store: Store;
  readonly markets: Markets;
  readonly plans: Plans;
  readonly calendar: BankCalendar;
  readonly redenominations: Redenominations;
  readonly accounts: Accounts;
  readonly ingest: Ingest;
  readonly originOf: Origins;
  readonly access: Access;
  readonly quota: Quota;
  readonly usageDays: UsageDays;
  readonly keyUses: KeyUses;
  readonly snapshots: SnapshotHolder;
  readonly changePoller: ChangePoller;
  readonly watch: SourceWatch;
  readonly monitor: StoreMonitor;
  readonly clockWatch: ClockWatch;
  /** Adds the metrics of the capabilities. */
  readonly addMetrics: (registry: Registry) => Promise<void>;
  readonly judgementRules: readonly JudgementRule[];
  /** Of a demonstration. */
  readonly notice?: Sentence | undefined;
  /** When the markets, plans, holidays and redenominations last changed. */
  readonly catalogueChangedAt: Instant;
}
