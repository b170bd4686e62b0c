import type { Account } from '../app/ports/accounts.ts';
import type { AuditNoun, Author } from '../app/ports/audit.ts';
import type { HeldRecord } from '../app/ports/held.ts';
import type { UsageWindow } from '../app/ports/usage.ts';
import type { Correction } from '../domain/history/corrections.ts';
import type { StoredPublication } from '../domain/judgement/value-dates.ts';
import type { MarkupRule } from '../domain/markup.ts';
import { baseline } from './migrations/001-baseline.ts';
import { witnesses } from './migrations/002-witnesses.ts';
import { keyUse } from './migrations/003-key-use.ts';
import { dataThatLeaves } from './migrations/004-official-days.ts';
import { keyHints } from './migrations/005-key-hint.ts';
import { auditLog } from './migrations/006-audit.ts';
import { quoteStates } from './migrations/007-quote-state.ts';
import { quoteMemory } from './migrations/008-quote-memory.ts';
import { unitBlocks } from './migrations/009-unit-blocks.ts';
import { openStreams } from './migrations/010-open-stream.ts';
import { webhookTables } from './migrations/011-webhooks.ts';
import { keyDays } from './migrations/012-key-day.ts';
import { quoteCheckpoints } from './migrations/013-quote-checkpoint.ts';
import type { Migration, RowOf, Table } from './table.ts';

/** All migrations, in order. A released one never changes. */
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
  quoteCheckpoints,
];

const { tables: first } = baseline;
const { quote_state } = quoteStates.tables;
const { market, unchanged_since } = quote_state.columns;

/** A table with columns that a later migration adds. */
function withColumns<Columns, Name, Added>(table: Table<Columns, Name>, added: Added) {
  return { ...table, columns: { ...table.columns, ...added } };
}

/**
 * Every table, with the columns that later migrations add. Only the version before uses `holder`,
 * `lease` and `usage.wanted`.
 */
export const TABLES = {
  ...first,
  batch: withColumns(first.batch, quoteMemory.columns.batch),
  publication: withColumns(first.publication, witnesses.columns.publication),
  held: withColumns(first.held, witnesses.columns.held),
  api_key: withColumns(first.api_key, { ...keyUse.columns.api_key, ...keyHints.columns.api_key }),
  official_rate: withColumns(first.official_rate, dataThatLeaves.columns.official_rate),
  usage: withColumns(first.usage, unitBlocks.columns.usage),
  ...witnesses.tables,
  ...dataThatLeaves.tables,
  ...auditLog.tables,
  quote_state: withColumns(
    { ...quote_state, columns: { market, unchanged_since } },
    quoteMemory.columns.quote_state,
  ),
  ...openStreams.tables,
  ...webhookTables.tables,
  ...keyDays.tables,
  ...quoteCheckpoints.tables,
};

type Declared = typeof TABLES;

/** The rows of every table, by name. */
export type Tables = {
  [Name in keyof Declared]: RowOf<Declared[Name]['columns']>;
} & {
  // Columns of text that hold only these words.
  account: Pick<Account, 'status'>;
  audit: Pick<Author, 'kind'> & { what: AuditNoun };
  correction: Pick<Correction, 'kind' | 'why'>;
  held: Pick<HeldRecord, 'status'>;
  markup: Pick<MarkupRule, 'kind'>;
  publication: Pick<StoredPublication, 'state'>;
  usage: { window: UsageWindow };
  version: { topic: 'records' | 'access' | 'judgement' };
};

export type CaptureTable = Tables['capture'];

/** The place of a record: its batch, and its line in the batch. */
export type RecordPosition = Pick<CaptureTable, 'batch' | 'line'>;
