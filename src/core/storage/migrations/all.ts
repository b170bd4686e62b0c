import type { Migration } from '../migrate.ts';
import { baseline } from './001-baseline.ts';
import { witnesses } from './002-witnesses.ts';
import { keyUse } from './003-key-use.ts';
import { dataThatLeaves } from './004-official-days.ts';
import { keyHints } from './005-key-hint.ts';
import { auditLog } from './006-audit.ts';
import { quoteStates } from './007-quote-state.ts';
import { quoteMemory } from './008-quote-memory.ts';
import { unitBlocks } from './009-unit-blocks.ts';
import { openStreams } from './010-open-stream.ts';
import { webhookTables } from './011-webhooks.ts';
import { keyDays } from './012-key-day.ts';

/** All migrations, in order. A released migration never changes. */
export const MIGRATIONS: readonly Migration[] = [
  baseline,
  witnesses,
  keyUse,
  dataThatLeaves,
  keyHints,
  auditLog,
  quoteStates,
  quoteMemory,
  unitBlocks,
  openStreams,
  webhookTables,
  keyDays,
];
