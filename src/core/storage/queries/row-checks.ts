import { sql } from 'kysely';
import { DAY_MS } from '../../domain/time.ts';
import type { Queries } from '../engine.ts';

/** States that no write leaves behind: rows without their counterpart in another table. */
const NEVER: readonly { readonly what: string; readonly rows: string }[] = [
  {
    what: 'captures of a market without a number',
    rows: 'capture c where not exists (select 1 from market m where m.number = c.market)',
  },
  {
    what: 'captures of a missing batch',
    rows: 'capture c where not exists (select 1 from batch b where b.id = c.batch)',
  },
  {
    what: 'days with a wrong last capture',
    rows: `capture_day d where not exists (
        select 1 from capture c
        where c.market = d.market and c.captured_at = d.captured_at
          and c.updated_at = d.updated_at and c.observed_at = d.observed_at
          and c.batch = d.batch and c.line = d.line and c.mid = d.mid
      ) or exists (
        select 1 from capture c
        where c.market = d.market and c.captured_at > d.captured_at
          and c.captured_at < d.day_start + ${DAY_MS}
      )`,
  },
  {
    what: 'days with a wrong candle',
    // Thinned captures still count, so there may be fewer captures than the candle has.
    rows: `capture_day d where exists (
        select count(*) from capture c
        where c.market = d.market and c.captured_at >= d.day_start
          and c.captured_at < d.day_start + ${DAY_MS}
        having count(*) > d.captures or max(c.mid) > d.high or min(c.mid) < d.low
          or min(c.captured_at) < d.open_at
          or (count(*) = d.captures and (max(c.mid) < d.high or min(c.mid) > d.low
            or min(c.captured_at) > d.open_at))
      )`,
  },
  {
    what: 'official rates of a market without a number',
    rows: 'official_rate o where not exists (select 1 from market m where m.number = o.market)',
  },
  {
    what: 'batches newer than the version of the records',
    rows: "batch b where b.id > (select v.seq from version v where v.topic = 'records')",
  },
  {
    what: 'accounts that changed after the version of the accounts',
    rows: "account a where a.changed_seq > (select v.seq from version v where v.topic = 'access')",
  },
  {
    what: 'kept readings without a body',
    rows: 'kept_reading k where not exists (select 1 from kept_body b where b.digest = k.digest)',
  },
];

/** Contradictions between rows, which the databases' own file checks do not find. */
export async function rowFindings(db: Queries): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const { what, rows } of NEVER) {
    const found = await sql<{
      count: number;
    }>`select count(*) as count from ${sql.raw(rows)}`.execute(db);
    const count = found.rows[0]?.count ?? 0;
    if (count > 0) findings.push(`${what}: ${count}`);
  }
  return findings;
}
