import { sql } from 'kysely';
import type { TracedCapture } from '../../app/ports/records.ts';
import type { Store } from '../../app/ports/store.ts';
import type { Engine } from '../engine.ts';
import { type QuoteColumns, quoteOf, storedProvenance } from './record-rows.ts';

interface TracedColumns extends QuoteColumns {
  readonly batch: number;
  readonly line: number;
  /** Null once the batch is forgotten. */
  readonly source: string | null;
  readonly received_at: number | null;
  readonly provenance: string | null;
}

/** Where stored figures come from. */
export function evidence(engine: Engine): Pick<Store, 'capturesAt'> {
  return {
    capturesAt: (market, capturedAt) =>
      engine.read(async (db) => {
        const { rows } = await sql<TracedColumns>`
          select m.name as id, c.effective_date, c.captured_at, c.updated_at, c.mid, c.ask, c.bid,
            c.observed_at, c.batch, c.line, b.source, b.received_at, b.provenance
          from market m
          cross join capture c
          left join batch b on b.id = c.batch
          where m.name = ${market} and c.market = m.number and c.captured_at = ${capturedAt}
          order by c.updated_at, c.observed_at, c.batch, c.line`.execute(db);
        return rows.map(tracedCapture);
      }),
  };
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
