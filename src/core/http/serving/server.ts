import { ServerState } from '../framework/server/application.ts';
import { openServer } from '../framework/server/server.ts';
import { ServiceApplication } from './application.ts';
import { Metrics } from './metrics.ts';
import type { ServerParts } from './server-parts.ts';

/** Opens the port and answers requests. */
export async function startServer(parts: ServerParts) {
  const { config, clock, log, peers } = parts;
  const state = new ServerState();
  const metrics = new Metrics({
    ...parts,
    version: config.version,
    hasAccounts: config.metricsAccounts,
  });
  let application = new ServiceApplication(parts, state, metrics);
  const server = await openServer(
    {
      ...{ config, clock, log, state },
      counts: metrics.requests,
      othersClosed: async () => peers?.portClosed(),
    },
    application,
  );
  return {
    url: state.url,
    /** Answers later requests with other services. Those in progress end as they began. */
    use(changed: Pick<ServerParts, 'config' | 'services'>): void {
      metrics.use(changed.services);
      application = new ServiceApplication({ ...parts, ...changed }, state, metrics);
      server.use(application);
    },
    /** Makes `/readyz` answer 503, finishes the requests in flight, then closes every connection. */
    close: () => server.close(),
    /** Counts a request that another process admitted under a limit by address. */
    countAdmittedOfPeer(limit: string, address: string): void {
      application.limits.countOfPeer(limit, address, clock.now());
    },
    /** The counts of this process for `/metrics`. */
    counts: () => metrics.counts(),
    endpoints: application.endpoints,
  };
}
