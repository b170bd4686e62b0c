import type { Migration } from '../migrate.ts';
import { first } from './001-first.ts';
import { collecting } from './002-collecting.ts';
import { holders } from './003-holders.ts';
import { usageDays } from './004-usage-days.ts';
import { sourceDays } from './005-source-days.ts';
import { captureDays } from './006-capture-days.ts';
import { marketNames } from './007-market-names.ts';
import { keyRotations } from './008-key-rotations.ts';
import { publicationStates } from './009-publication-states.ts';
import { dayCandles } from './011-day-candles.ts';
import { alerts } from './013-alerts.ts';
import { keyKinds } from './014-key-kinds.ts';
import { markupOrder } from './015-markup-order.ts';
import { leaseAllowances } from './016-lease-allowances.ts';
import { keptPlans } from './019-kept-plans.ts';

/** All migrations, in order. A released migration never changes. */
export const MIGRATIONS: readonly Migration[] = [
  first,
  collecting,
  holders,
  usageDays,
  sourceDays,
  captureDays,
  marketNames,
  keyRotations,
  publicationStates,
  dayCandles,
  alerts,
  keyKinds,
  markupOrder,
  leaseAllowances,
  keptPlans,
];
