import { abort } from './abort.ts';
import { bodies } from './bodies.ts';
import { bodiless } from './bodiless.ts';
import { wire } from './byte-fuzz.ts';
import { callers } from './callers.ts';
import { canary } from './canary.ts';
import { clock } from './clock.ts';
import { damage } from './damage.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { handover } from './handover.ts';
import { hostile } from './hostile.ts';
import { kill, killPg } from './kill.ts';
import { power } from './power.ts';
import { quota, quotaPg } from './quota.ts';
import { revoke, revokePg } from './revoke.ts';
import type { Scenario } from './scenario.ts';
import { sigterm } from './sigterm.ts';
import { slow } from './slow.ts';
import { soak } from './soak.ts';
import { upgrade, upgradePg } from './upgrade.ts';
import { writers } from './writers.ts';

/** All scenarios, in the order of the table. */
export const SCENARIOS: readonly Scenario[] = [
  ...[kill, killPg, power, abort, disk, damage],
  ...[quota, quotaPg, revoke, revokePg, handover, upgrade, upgradePg, database, writers],
  ...[sigterm, slow, bodiless, wire, callers, hostile, bodies, canary, clock, soak],
];
