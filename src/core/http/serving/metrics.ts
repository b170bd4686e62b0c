import type { Registry } from 'prom-client';
import type { Peers, ProcessCounts } from '../../app/peers.ts';
import { RequestCounts } from '../framework/server/request-counts.ts';
import type { Services } from '../pipeline/services.ts';
import type { MetricsParts } from './metrics-registry.ts';

/** The metrics for Prometheus. Loading its library takes a tenth of a start, so that waits until they are read. */
export class Metrics {
  /** Its `services` are one object for good: the metrics read what it has at the time. */
  readonly #parts: MetricsParts;
  #registry: Promise<Registry> | undefined;
  readonly requests = new RequestCounts('vesfx_http_');
  readonly #peers: Peers | undefined;

  constructor({ peers, ...parts }: MetricsParts & { readonly peers?: Peers | undefined }) {
    this.#parts = { ...parts, services: { ...parts.services } };
    this.#peers = peers;
  }

  use(services: Services): void {
    Object.assign(this.#parts.services, services);
  }

  /** @throws ApiError `service_unavailable` when one of several processes does not answer. */
  async text(): Promise<{ readonly contentType: string; readonly body: string }> {
    const { addedUp } = await import('./metrics-registry.ts');
    return addedUp((await this.#peers?.counts()) ?? [await this.counts()]);
  }

  /** The counts of this process, in a form that can be added to those of others. */
  async counts(): Promise<ProcessCounts> {
    const { openRegistry } = await import('./metrics-registry.ts');
    this.#registry ??= openRegistry(this.#parts);
    const metrics = await (await this.#registry).getMetricsAsJSON();
    // The library omits the start time, which cannot be added up. The oldest one is reported.
    const summable = metrics.map((metric) =>
      metric.aggregator === 'omit' ? { ...metric, aggregator: 'min' } : metric,
    );
    return [...summable, ...this.requests.metrics()];
  }
}
