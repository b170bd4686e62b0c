import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../core/app/ports/clock.ts';
import { SECOND_MS } from '../../core/domain/time.ts';
import type { Engine } from '../../core/storage/engine.ts';
import { ATTEMPT_RESULTS, type AttemptResult } from './delivery/sender.ts';

/** Attempts of this process, and what waits in the database. */
export function addWebhookMetrics(
  registry: Registry,
  attempts: ReadonlyMap<AttemptResult, number>,
  { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
): void {
  new Counter({
    name: 'vesfx_webhook_attempts_total',
    help: 'Attempts to deliver messages of webhooks, by result.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset();
      for (const result of ATTEMPT_RESULTS) this.inc({ result }, attempts.get(result) ?? 0);
    },
  });
  const waiting = () =>
    engine.read((db) =>
      db
        .selectFrom('webhook_message')
        .select((the) => [
          the.fn.countAll<number>().as('count'),
          the.fn.min('created_at').as('first'),
        ])
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow(),
    );
  const common = { registers: [registry], aggregator: 'max' as const };
  new Gauge({
    ...common,
    name: 'vesfx_webhook_pending',
    help: 'Messages of webhooks that wait for a delivery.',
    async collect() {
      this.set(Number((await waiting()).count));
    },
  });
  new Gauge({
    ...common,
    name: 'vesfx_webhook_oldest_pending_seconds',
    help: 'Age of the oldest message of a webhook that waits for a delivery.',
    async collect() {
      const { first } = await waiting();
      this.set(first === null ? 0 : Math.max(0, clock.now() - Number(first)) / SECOND_MS);
    },
  });
}
