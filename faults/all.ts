import { abort } from './data/abort.ts';
import { damage } from './data/damage.ts';
import { database } from './data/database.ts';
import { disk } from './data/disk.ts';
import { exported } from './data/export.ts';
import { handover } from './data/handover.ts';
import { kill, killPg } from './data/kill.ts';
import { power } from './data/power.ts';
import { quota, quotaPg } from './data/quota.ts';
import { revoke, revokePg } from './data/revoke.ts';
import { slowStart } from './data/slow-start.ts';
import { streamKill, streamKillPg } from './data/streams.ts';
import { webhookKill, webhookKillPg } from './data/webhooks.ts';
import { writers } from './data/writers.ts';
import type { Scenario } from './scenario.ts';
import { bodies } from './service/bodies.ts';
import { bodiless } from './service/bodiless.ts';
import { wire } from './service/byte-fuzz.ts';
import { callers } from './service/callers.ts';
import { canary } from './service/canary.ts';
import { clock } from './service/clock.ts';
import { hostile } from './service/hostile.ts';
import { keyless } from './service/keyless.ts';
import { leaving } from './service/leaving.ts';
import { sigterm } from './service/sigterm.ts';
import { slow } from './service/slow.ts';
import { soak } from './service/soak.ts';

/** All scenarios, in the order of the table. */
export const SCENARIOS: readonly Scenario[] = [
  ...[kill, killPg, power, abort, disk, damage, exported],
  ...[quota, quotaPg, revoke, revokePg, handover, database, slowStart, writers],
  ...[webhookKill, webhookKillPg, streamKill, streamKillPg],
  ...[
    sigterm,
    slow,
    bodiless,
    wire,
    callers,
    hostile,
    bodies,
    keyless,
    leaving,
    canary,
    clock,
    soak,
  ],
];
