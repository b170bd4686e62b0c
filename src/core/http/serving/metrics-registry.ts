import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { isLeased, LEASE_MS } from '../../app/collecting/collector-lease.ts';
import type { SourcesHealth } from '../../app/collecting/source-health.ts';
import { withoutStore } from '../../app/failures.ts';
import type { ProcessCounts } from '../../app/peers.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { DatabaseState } from '../../app/store-monitor.ts';
import { stalenessSec } from '../../domain/quotes.ts';
import type { SourceHealth } from '../../domain/source-health.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import type { Services } from '../pipeline/services.ts';

/** What the metrics are read from. */
export interface MetricsParts {
  /** The version of the package. */
  readonly version: string;
  readonly services: Services;
  readonly clock: Clock;
  /** Whether accounts are named. */
  readonly hasAccounts: boolean;
}

/** Most accounts with a row of their own: those that used most units. */
// limit: Accounts in `/metrics` | 1,000, the most used | no row
export const MAX_METRIC_ACCOUNTS = 1_000;

/**
 * All metrics except those of requests: the process, the snapshot and the sources. The library
 * measures pauses and garbage collections from this call on.
 */
export async function openRegistry({
  version,
  services,
  clock,
  hasAccounts,
}: MetricsParts): Promise<Registry> {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'vesfx_' });
  // Sums of other gauges, under the suffix of counters.
  for (const noun of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`vesfx_nodejs_active_${noun}_total`);
  }
  addBuild(registry, version);
  new Gauge({
    name: 'vesfx_workers',
    help: 'Processes that answer on the port; a sum of processor time divided by it is their mean.',
    registers,
    aggregator: 'sum',
  }).set(1);
  new Gauge({
    name: 'vesfx_snapshot_age_seconds',
    help: 'Time since the newest ingestion in the published snapshot.',
    registers,
    aggregator: 'max',
    collect() {
      const now = clock.now();
      this.set((now - services.snapshots.at(now).fetchedAt) / SECOND_MS);
    },
  });
  new Gauge({
    name: 'vesfx_quote_age_seconds',
    help: 'Age of each published quote; a market without a quote has no row.',
    labelNames: ['market'],
    registers,
    aggregator: 'max',
    collect() {
      this.reset();
      const now = clock.now();
      for (const quote of services.snapshots.at(now).quotes) {
        this.set({ market: quote.market.id }, stalenessSec(quote, now));
      }
    },
  });
  new Gauge({
    name: 'vesfx_quote_stale_after_seconds',
    help: 'Age from which a quote is marked stale, for each market of the catalogue.',
    labelNames: ['market'],
    registers,
    aggregator: 'max',
    collect() {
      this.reset();
      for (const { id, staleAfterSec } of services.markets.list) {
        this.set({ market: id }, staleAfterSec);
      }
    },
  });
  addDatabase(registry, services);
  addLease(registry, services, clock);
  await services.addMetrics(registry);
  addSources(registry, services, clock);
  if (hasAccounts) addAccounts(registry, services, clock);
  return registry;
}

function addBuild(registry: Registry, version: string): void {
  new Gauge({
    name: 'vesfx_build_info',
    help: 'Always 1; the labels are the version of vesfx and that of Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
    aggregator: 'max',
  }).set({ version, node: process.versions.node }, 1);
}

/** Every process has its own view of the database, and its own connections. */
function addDatabase(registry: Registry, { store, monitor }: Services): void {
  const gauge = (name: string, aggregator: 'min' | 'sum', help: string, value: () => number) =>
    new Gauge({
      name: `vesfx_database_${name}`,
      help,
      registers: [registry],
      aggregator,
      collect() {
        this.set(value());
      },
    });
  const isOneOf = (...states: readonly DatabaseState[]) =>
    states.includes(monitor.condition.state) ? 1 : 0;
  gauge('up', 'min', 'Whether the database answers.', () => 1 - isOneOf('unavailable'));
  gauge('writable', 'min', 'Whether the database can be written.', () => isOneOf('ok'));
  gauge('pool_in_use', 'sum', 'Connections to the database in use.', () => store.load().inUse);
  gauge(
    'pool_waiting',
    'sum',
    'Transactions that wait for a connection.',
    () => store.load().waiting,
  );
  gauge('pool_size', 'sum', 'Most connections to the database.', () => store.load().size);
}

/** The lease to collect, of whichever process. */
function addLease(registry: Registry, services: Services, clock: Clock): void {
  const gauge = (name: string, help: string, value: (end: Instant) => number | undefined) =>
    new Gauge({
      name: `vesfx_collector_lease_${name}`,
      help,
      registers: [registry],
      aggregator: 'first',
      async collect() {
        this.remove();
        const health = await knownHealth(services.watch);
        const found = health && value(health.leaseEnd);
        if (found !== undefined) this.set(found);
      },
    });
  gauge('held', 'Whether a process holds the lease to collect.', (end) =>
    isLeased(end, clock.now()) ? 1 : 0,
  );
  gauge('age_seconds', 'Time since the lease to collect was last renewed.', (end) =>
    end === 0 ? undefined : (clock.now() - (end - LEASE_MS)) / SECOND_MS,
  );
}

function addAccounts(registry: Registry, { store, quota }: Services, clock: Clock): void {
  new Gauge({
    name: 'vesfx_account_units_used',
    help: `Units of the UTC month, of the ${MAX_METRIC_ACCOUNTS} accounts that used most.`,
    labelNames: ['account'],
    registers: [registry],
    // Every process reads the same figures from the store, and leaves out what it has not spent.
    aggregator: 'first',
    async collect() {
      this.reset();
      const now = clock.now();
      const uses = await withoutStore(store.accountUses({ now, limit: MAX_METRIC_ACCOUNTS }), []);
      for (const { accountId, unitsUsed } of uses) {
        this.set({ account: accountId }, Math.max(0, unitsUsed - quota.unspentOf(accountId, now)));
      }
    },
  });
}

/** The last known health, without an error while the store does not answer. */
async function knownHealth(watch: Services['watch']): Promise<SourcesHealth | undefined> {
  return (await withoutStore(watch.lastKnown(), undefined))?.health;
}

/** The counts of all processes in the text format of Prometheus. */
export async function addedUp(
  all: readonly ProcessCounts[],
): Promise<{ readonly contentType: string; readonly body: string }> {
  const registry = AggregatorRegistry.aggregate([...all]);
  return { contentType: registry.contentType, body: await registry.metrics() };
}

function addSources(registry: Registry, services: Services, clock: Clock): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: (source: SourceHealth) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers,
      // Every process reads the same figures from the store, and leaves out what it has not spent.
      aggregator: 'first',
      async collect() {
        this.reset();
        const health = await knownHealth(services.watch);
        for (const source of health?.sources ?? []) {
          const found = source.enabled ? value(source) : undefined;
          if (found !== undefined) this.set({ source: source.name }, found);
        }
      },
    });
  const seconds = (at: Instant | undefined) => (at === undefined ? undefined : at / SECOND_MS);
  gauge(
    'vesfx_source_last_success_timestamp_seconds',
    'When the source was last read well.',
    ({ lastSuccessAt }) => seconds(lastSuccessAt),
  );
  gauge(
    'vesfx_source_last_change_timestamp_seconds',
    'When the figures of the source last changed.',
    ({ lastChangeAt }) => seconds(lastChangeAt),
  );
  gauge(
    'vesfx_source_consecutive_failures',
    'Readings of the source that failed since the last good one.',
    ({ consecutiveFailures }) => consecutiveFailures,
  );
  gauge(
    'vesfx_source_failing_seconds',
    'Time since the first failure after the last good reading; 0 while the source works.',
    ({ failingSince }) =>
      failingSince === undefined ? 0 : (clock.now() - failingSince) / SECOND_MS,
  );
  gauge(
    'vesfx_source_publications_missed',
    'Publications of the central bank that should be stored and are not.',
    ({ publicationsMissed }) => publicationsMissed,
  );
  gauge('vesfx_held_records', 'Records of the source that are held.', ({ held }) => held);
  new Counter({
    name: 'vesfx_source_runs_total',
    help: 'Readings by this process, by how they ended.',
    labelNames: ['source', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const { source, outcome, turns } of services.watch.turns)
        this.inc({ source, outcome }, turns);
    },
  });
}
