import type { Account } from '../app/ports/accounts.ts';
import type { AuditNoun, Author } from '../app/ports/audit.ts';
import type { HeldRecord } from '../app/ports/held.ts';
import type { UsageWindow } from '../app/ports/usage.ts';
import type { Correction } from '../domain/history/corrections.ts';
import type { StoredPublication } from '../domain/judgement/value-dates.ts';
import type { MarkupRule } from '../domain/markup.ts';
import { BASELINE_TABLES } from './migrations/tables/001.ts';
import { ADDED_COLUMNS, WITNESS_READING } from './migrations/tables/002.ts';
import { ADDED_KEY_COLUMNS } from './migrations/tables/003.ts';
import { ADDED_RATE_COLUMNS, CORRECTION, EXPORTER } from './migrations/tables/004.ts';
import { HINT_COLUMN } from './migrations/tables/005.ts';
import { AUDIT } from './migrations/tables/006.ts';
import { QUOTE_STATE } from './migrations/tables/007.ts';
import { MEMORY_COLUMN, TRUSTED_COLUMN } from './migrations/tables/008.ts';
import { ADDED_USAGE_COLUMNS } from './migrations/tables/009.ts';
import { OPEN_STREAM } from './migrations/tables/010.ts';
import { WEBHOOK_TABLES } from './migrations/tables/011.ts';
import { KEY_DAY } from './migrations/tables/012.ts';
import type { RowOf } from './table.ts';

const { market, unchanged_since } = QUOTE_STATE.columns;
const KEPT_STATE_COLUMNS = { market, unchanged_since };

/**
 * Every table, with the columns that later migrations add. Only the version before uses `holder`,
 * `lease` and `usage.wanted`.
 */
export const TABLES = {
  ...BASELINE_TABLES,
  batch: {
    ...BASELINE_TABLES.batch,
    columns: { ...BASELINE_TABLES.batch.columns, ...TRUSTED_COLUMN },
  },
  publication: {
    ...BASELINE_TABLES.publication,
    columns: { ...BASELINE_TABLES.publication.columns, ...ADDED_COLUMNS.publication },
  },
  held: {
    ...BASELINE_TABLES.held,
    columns: { ...BASELINE_TABLES.held.columns, ...ADDED_COLUMNS.held },
  },
  api_key: {
    ...BASELINE_TABLES.api_key,
    columns: { ...BASELINE_TABLES.api_key.columns, ...ADDED_KEY_COLUMNS, ...HINT_COLUMN },
  },
  official_rate: {
    ...BASELINE_TABLES.official_rate,
    columns: { ...BASELINE_TABLES.official_rate.columns, ...ADDED_RATE_COLUMNS },
  },
  usage: {
    ...BASELINE_TABLES.usage,
    columns: { ...BASELINE_TABLES.usage.columns, ...ADDED_USAGE_COLUMNS },
  },
  witness_reading: WITNESS_READING,
  correction: CORRECTION,
  exporter: EXPORTER,
  audit: AUDIT,
  quote_state: {
    ...QUOTE_STATE,
    columns: { ...KEPT_STATE_COLUMNS, ...MEMORY_COLUMN },
  },
  open_stream: OPEN_STREAM,
  ...WEBHOOK_TABLES,
  key_day: KEY_DAY,
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
