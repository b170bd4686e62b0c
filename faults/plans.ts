import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGED_CATALOGUE } from '../src/core/config.ts';
import type { Setting } from './process.ts';
import type { Trial } from './scenario.ts';

/** The catalogue's `plans.json` with these limits replaced in one plan, or in all. */
export function plansWith(limits: Readonly<Record<string, number | null>>, only?: string): string {
  const plans: Record<string, object> = JSON.parse(
    readFileSync(join(PACKAGED_CATALOGUE, 'plans.json'), 'utf8'),
  );
  const changed = Object.entries(plans).map(([name, plan]) => [
    name,
    only === undefined || only === name ? { ...plan, ...limits } : plan,
  ]);
  return JSON.stringify(Object.fromEntries(changed));
}

/**
 * A setting in which no plan has limits. A kill costs an account a block of its minute too, so a
 * scenario that kills often would use it up.
 */
export function withoutLimits(trial: Trial): Setting {
  const limits = { units_per_month: null, requests_per_minute: null, bulk_calls_per_hour: null };
  return withLimits(trial, limits);
}

/** A setting in which every plan has these limits. */
export function withLimits(trial: Trial, limits: Parameters<typeof plansWith>[0]): Setting {
  const folder = join(trial.dir, 'catalogue');
  mkdirSync(folder);
  writeFileSync(join(folder, 'plans.json'), plansWith(limits));
  return { env: { VESFX_CATALOG: folder } };
}
