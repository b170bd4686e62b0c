import type { Job, ProcessParts } from '../../core/capability.ts';
import { version } from '../../core/config.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { type AttemptResult, Sender } from './delivery/sender.ts';
import { sealerOf } from './secrets.ts';
import { allowsLoopback } from './settings.ts';
import { webhookStore } from './webhook-store.ts';

/** Without `VESFX_SECRET` there is nothing: no addresses, no messages. */
export async function openWebhooks(parts: ProcessParts): Promise<Job> {
  const { config, store, clock, log, lease, edition } = parts;
  const secret = config.added['VESFX_SECRET'];
  if (secret === undefined) return {};
  const { engine } = store;
  const sealer = sealerOf(secret, 'webhook');
  const attempts = new Map<AttemptResult, number>();
  const allowLoopback = allowsLoopback(config);
  const sender = new Sender({
    ...{ engine, clock, log, lease, sealer, allowLoopback },
    rules: edition,
    random: Math.random,
    userAgent: `vesfx/${version()}`,
    onAttempt: (result) => attempts.set(result, (attempts.get(result) ?? 0) + 1),
  });
  const deliverer = new Deliverer({ engine, clock, log, lease, edition, sender });
  return {
    // Imports on demand: a process that only collects has no addresses and no metrics.
    serve: async () => {
      const { allWebhookEndpoints } = await import('./api/endpoints.ts');
      const endpoints = allWebhookEndpoints({
        store: webhookStore({ engine, sealer, rules: edition }),
        allowsLoopback: allowLoopback,
      });
      return () => ({ endpoints });
    },
    start: () => deliverer.start(),
    addMetrics: async (registry) =>
      (await import('./metrics.ts')).addWebhookMetrics(registry, attempts, { engine, clock }),
  };
}
