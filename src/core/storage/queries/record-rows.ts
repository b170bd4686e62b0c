import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { HeldRecord } from '../../app/ports/held.ts';
import type { Provenance } from '../../app/ports/provenance.ts';
import type { StoredQuote } from '../../app/ports/quotes.ts';
import {
  type BankTable,
  currenciesOf,
  OTHER_CURRENCIES,
  type Publication,
} from '../../domain/bcv.ts';
import type { StoredPublication } from '../../domain/judgement/value-dates.ts';
import type { CaracasDay } from '../../domain/time.ts';
import type { RecordPosition, Tables } from '../schema.ts';

/** The cast is safe: days are checked before they are stored. */
export function storedDay(text: string): CaracasDay {
  return text as CaracasDay;
}

/** A value of a column of JSON. The cast is safe: only the store writes it, and from that type. */
export function storedJson<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}

export function storedProvenance(text: string): Provenance | undefined {
  return text === '' ? undefined : storedJson(text);
}

export function provenanceText(provenance: Provenance | undefined): string {
  return provenance === undefined ? '' : JSON.stringify(provenance);
}

export function captureColumns(
  quote: StoredQuote,
  market: number,
): Omit<Tables['official_rate'], 'read_at'> {
  return {
    market,
    captured_at: quote.capturedAt,
    updated_at: quote.updatedAt,
    mid: quote.mid,
    ask: quote.ask ?? 0,
    bid: quote.bid ?? 0,
    effective_date: quote.effectiveDate ?? '',
    observed_at: quote.observedAt ?? 0,
  };
}

export type QuoteColumns = Omit<Tables['official_rate'], 'market' | 'read_at'> & {
  readonly id: string;
};

/** The columns of a quote, of the market `m` and the row `c` of captures or official rates. */
export const QUOTE_COLUMNS = sql.raw(
  'm.id, c.effective_date, c.captured_at, c.updated_at, c.mid, c.ask, c.bid, c.observed_at',
);

export function quoteOf(row: QuoteColumns): StoredQuote {
  return {
    market: row.id,
    mid: row.mid,
    ...(row.ask !== 0 && { ask: row.ask }),
    ...(row.bid !== 0 && { bid: row.bid }),
    updatedAt: row.updated_at,
    capturedAt: row.captured_at,
    ...(row.effective_date !== '' && { effectiveDate: storedDay(row.effective_date) }),
    ...(row.observed_at !== 0 && { observedAt: row.observed_at }),
  };
}

export function digestOf(...parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts));
}

/** A stored record that does not match its digest: a wrong figure is worse than none. */
export class DamagedRecord extends Error {}

type PublicationContent = Omit<
  Tables['publication'],
  keyof RecordPosition | 'digest' | 'has_others' | 'insisted' | 'state'
>;

function publicationDigest(row: PublicationContent): string {
  return digestOf(row.value_date, row.value_date_text, row.captured_at, row.rates);
}

type BankTableContent = Omit<Tables['bank_table'], keyof RecordPosition | 'digest'>;

function bankTableDigest(row: BankTableContent): string {
  return digestOf(row.indicator_date, row.captured_at, row.rows);
}

/** The rates in a fixed order, so that equal rates give equal text. */
export function ratesText(rates: Publication['rates']): string {
  return JSON.stringify(rates, [...currenciesOf(rates)]);
}

export function publicationRow(
  publication: Publication,
  position: RecordPosition & { readonly insisted: number },
): Tables['publication'] {
  const content: PublicationContent = {
    value_date: publication.valueDate,
    value_date_text: publication.valueDateText ?? '',
    captured_at: publication.capturedAt,
    rates: ratesText(publication.rates),
  };
  return {
    digest: publicationDigest(content),
    ...content,
    has_others: OTHER_CURRENCIES.some((code) => publication.rates[code] !== undefined) ? 1 : 0,
    state: 'published',
    ...position,
  };
}

/** @throws DamagedRecord when the row does not match its digest. */
export function publicationOf(row: Tables['publication']): Publication {
  if (publicationDigest(row) !== row.digest) {
    throw new DamagedRecord(`the publication for ${row.value_date} does not fit its digest`);
  }
  return {
    valueDate: storedDay(row.value_date),
    ...(row.value_date_text !== '' && { valueDateText: row.value_date_text }),
    rates: storedJson(row.rates),
    capturedAt: row.captured_at,
  };
}

/** A publication with its state. @throws DamagedRecord when the row does not match its digest. */
export function storedPublicationOf(row: Tables['publication']): StoredPublication {
  return { ...publicationOf(row), state: row.state, ...(row.insisted === 1 && { insisted: true }) };
}

export function bankTableRow(table: BankTable, position: RecordPosition): Tables['bank_table'] {
  const content: BankTableContent = {
    indicator_date: table.indicatorDate,
    captured_at: table.capturedAt,
    rows: JSON.stringify(table.rows, ['bank', 'buy', 'sell', 'date']),
  };
  return { digest: bankTableDigest(content), ...content, ...position };
}

/** @throws DamagedRecord when the row does not match its digest. */
export function bankTableOf(row: Tables['bank_table']): BankTable {
  if (bankTableDigest(row) !== row.digest) {
    throw new DamagedRecord(`the bank table of ${row.indicator_date} does not fit its digest`);
  }
  return {
    indicatorDate: storedDay(row.indicator_date),
    rows: storedJson(row.rows),
    capturedAt: row.captured_at,
  };
}

export function heldOf(row: Tables['held']): HeldRecord {
  const provenance = storedProvenance(row.provenance);
  return {
    id: row.id,
    source: row.source,
    subject: row.subject,
    record: storedJson(row.record),
    capturedAt: row.captured_at,
    heldAt: row.held_at,
    reason: row.reason,
    message: row.message,
    reasons: (row.reasons || row.reason).split(' '),
    ...(provenance !== undefined && { provenance }),
    status: row.status,
    counts: row.counts === 1,
  };
}
