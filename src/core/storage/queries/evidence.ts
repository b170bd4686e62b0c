import { sql } from 'kysely';
import type { SourceReading, TracedCapture } from '../../app/ports/records.ts';
import type { Store } from '../../app/ports/store.ts';
import type { Engine } from '../engine.ts';
import { QUOTE_COLUMNS, type QuoteColumns, quoteOf, storedProvenance } from './record-rows.ts';

interface TracedColumns extends QuoteColumns {
  readonly batch: number;
  readonly line: number;
  /** Null once the batch is deleted. */
  readonly source: string | null;
  readonly received_at: number | null;
  readonly provenance: string | null;
}

/** Most captures searched for the last one of each source. */
// limit: Captures searched for a source's last reading | 500 | not older ones
const MAX_READINGS_SEARCHED = 500;

/** The store's methods that trace stored figures to their source. */
export function evidence(engine: Engine) {
  return {
    readingsBySource: (market, since) =>
      engine.read(async (db) => {
        const { rows } = await sql<QuoteColumns & { readonly source: string }>`
          select ${QUOTE_COLUMNS}, b.source
          from market m
          cross join capture c
          join batch b on b.id = c.batch
          where m.id = ${market} and c.market = m.number and c.captured_at >= ${since}
          order by c.captured_at desc
          limit ${MAX_READINGS_SEARCHED}`.execute(db);
        const last = new Map<string, SourceReading>();
        for (const row of rows) {
          const { source } = row;
          if (!last.has(source)) last.set(source, { source, quote: quoteOf(row) });
        }
        return [...last.values()];
      }),

    capturesAt: (market, capturedAt) =>
      engine.read(async (db) => {
        const { rows } = await sql<TracedColumns>`
          select ${QUOTE_COLUMNS}, c.batch, c.line, b.source, b.received_at, b.provenance
          from market m
          cross join capture c
          left join batch b on b.id = c.batch
          where m.id = ${market} and c.market = m.number and c.captured_at = ${capturedAt}
          order by c.updated_at, c.observed_at, c.batch, c.line`.execute(db);
        return rows.map(tracedCapture);
      }),
  } satisfies Partial<Store>;
}

function tracedCapture(row: TracedColumns): TracedCapture {
  const { batch, line, source, received_at: receivedAt } = row;
  const provenance = storedProvenance(row.provenance ?? '');
  return {
    quote: quoteOf(row),
    batch,
    line,
    ...(source !== null &&
      receivedAt !== null && {
        origin: { source, receivedAt, ...(provenance !== undefined && { provenance }) },
      }),
  };
}
