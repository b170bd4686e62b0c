import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../core/app/ports/clock.ts';
import { PROBLEM_KINDS, type Problem } from './problems.ts';

export function addOpenAlerts(
  registry: Registry,
  problems: () => Promise<readonly Problem[]>,
  clock: Clock,
): void {
  new Gauge({
    name: 'vesfx_alerts_open',
    help: 'Problems that have lasted long enough for an alert, by kind.',
    labelNames: ['kind'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const now = clock.now();
      const open = (await problems()).filter(({ dueAt }) => dueAt <= now);
      for (const kind of PROBLEM_KINDS) {
        this.set({ kind }, open.filter((problem) => problem.kind === kind).length);
      }
    },
  });
}
