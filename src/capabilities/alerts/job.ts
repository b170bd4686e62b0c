import { hostname } from 'node:os';
import type { Job, ProcessParts } from '../../core/capability.ts';
import { type Config, ConfigError } from '../../core/config.ts';
import { alertStore } from './alert-store.ts';
import type { AlertDestination } from './alert-types.ts';
import { Alerter } from './alerter.ts';
import { AlertAddressError, alertDestinations } from './destinations.ts';
import { problemFinder } from './problem-finder.ts';

/** Counts the problems in every process, and tells of them where there are destinations. */
export async function openAlerts(parts: ProcessParts): Promise<Job> {
  const { config, store, clock, log, tellPeers } = parts;
  const problems = problemFinder(parts);
  const destinations = destinationsOf(config);
  const alerter = new Alerter({
    store: alertStore(store.engine),
    ...{ problems, destinations, clock, log, tellPeers },
    service: serviceName(config),
  });
  return {
    ...(destinations.length > 0 && {
      start: () => alerter.start(),
      toldByPeer: (outage: string) => alerter.toldByPeer(outage),
    }),
    // Import on demand: a process that only collects has no metrics.
    addMetrics: async (registry) =>
      (await import('./metrics.ts')).addOpenAlerts(registry, problems, clock),
  };
}

/** Where alerts for the operator go; none by default. @throws ConfigError */
export function destinationsOf({ added }: Config): readonly AlertDestination[] {
  try {
    return alertDestinations(added['VESFX_ALERTS'] ?? '');
  } catch (error) {
    if (!(error instanceof AlertAddressError)) throw error;
    throw new ConfigError(`VESFX_ALERTS: ${error.message}`);
  }
}

export function serviceName({ publicUrl }: Config): string {
  return publicUrl ?? hostname();
}
