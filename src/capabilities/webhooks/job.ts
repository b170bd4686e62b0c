import type { Job, ProcessParts } from '../../core/capability.ts';
import { isSwitchedOn, version } from '../../core/config.ts';
import { Deliverer } from './deliverer.ts';
import { sealerOf } from './secrets.ts';
import { type AttemptResult, Sender } from './sender.ts';

/** Without `VESFX_SECRET` there is nothing: no addresses, no messages. */
export async function openWebhooks(parts: ProcessParts): Promise<Job> {
  const { config, store, clock, log, lease, edition } = parts;
  const secret = config.added['VESFX_SECRET'];
  if (secret === undefined) return {};
  const { engine } = store;
  const attempts = new Map<AttemptResult, number>();
  const allow = config.added['VESFX_ALLOW_LOOPBACK_WEBHOOKS'] ?? '0';
  const sender = new Sender({
    ...{ engine, clock, log, lease },
    sealer: sealerOf(secret, 'webhook'),
    random: Math.random,
    userAgent: `vesfx/${version()}`,
    allowLoopback: isSwitchedOn('VESFX_ALLOW_LOOPBACK_WEBHOOKS', allow),
    onAttempt: (result) => attempts.set(result, (attempts.get(result) ?? 0) + 1),
  });
  const deliverer = new Deliverer({ engine, clock, log, lease, edition, sender });
  return {
    start: () => deliverer.start(),
    // Import on demand: a process that only collects has no metrics.
    addMetrics: async (registry) =>
      (await import('./metrics.ts')).addWebhookMetrics(registry, attempts, { engine, clock }),
  };
}
