import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { SourceWatch } from '../../app/collecting/source-watch.ts';
import type { ProcessCounts } from '../../app/peers.ts';
import type { Clock } from '../../app/ports/clock.ts';
import { stalenessSec } from '../../domain/quotes.ts';
import type { SourceHealth } from '../../domain/source-health.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import type { Services } from '../routing/endpoint.ts';

/** What the metrics are read from. */
export interface MetricsParts {
  readonly services: Services;
  readonly clock: Clock;
}

/**
 * All metrics except those of requests: the process, the snapshot and the sources. The library
 * measures pauses and garbage collections from this call on.
 */
export function openRegistry({ services, clock }: MetricsParts): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'vesfx_' });
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
  addSources(registry, services.watch);
  return registry;
}

/** The counts of all processes in the text format of Prometheus. */
export async function addedUp(
  all: readonly ProcessCounts[],
): Promise<{ readonly contentType: string; readonly body: string }> {
  const registry = AggregatorRegistry.aggregate([...all]);
  return { contentType: registry.contentType, body: await registry.metrics() };
}

function addSources(registry: Registry, watch: SourceWatch): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: (source: SourceHealth) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers,
      // Every process reads the same figures from the store.
      aggregator: 'first',
      async collect() {
        this.reset();
        // Without the store the other metrics are still reported.
        const health = await watch.health().catch(() => undefined);
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
      for (const { source, outcome, turns } of watch.turns) this.inc({ source, outcome }, turns);
    },
  });
}
