import { abort } from './abort.ts';
import { disk } from './disk.ts';
import { kill } from './kill.ts';
import { power } from './power.ts';
import { quota } from './quota.ts';
import type { Scenario } from './scenario.ts';
import { sigterm } from './sigterm.ts';

/** In the order of the table. */
export const SCENARIOS: readonly Scenario[] = [kill, power, abort, disk, quota, sigterm];
