import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGED_CATALOGUE } from '../src/config.ts';

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
