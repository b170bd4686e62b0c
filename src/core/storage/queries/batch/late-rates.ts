import { type ExpressionBuilder, sql } from 'kysely';
import { type CaracasDay, type Instant, startOfCaracasDay } from '../../../domain/time.ts';
import type { Queries } from '../../engine.ts';
import type { CaptureTable, Tables } from '../../schema.ts';
import { renewDays } from '../publications.ts';

/**
 * Moves late official rates to the instant at which they took effect (contract §1): rates that
 * were read while a newer value date, stored only now or with them, was in force. The history then
 * does not depend on the order in which past data is loaded.
 * @param since The earliest capture of the current batch. Earlier captures stay unchanged.
 */
export async function placeLateRates(db: Queries, market: number, since: Instant): Promise<void> {
  const { rows } = await sql<CaptureTable>`
    select late.* from capture late
    where late.market = ${market} and late.captured_at >= ${since} and late.effective_date <> ''
      and late.captured_at = late.observed_at
      and exists (
        select 1 from official_rate newer
        where newer.market = late.market and newer.effective_date > late.effective_date
          and newer.captured_at <= late.captured_at and newer.observed_at <= late.observed_at
      )`.execute(db);
  const moved: { readonly captured_at: Instant }[] = [];
  for (const row of rows) {
    const effect = startOfCaracasDay(row.effective_date as CaracasDay);
    if (effect >= row.captured_at) continue;
    await move(db, row, effect);
    moved.push(row, { captured_at: effect });
  }
  await renewDays(db, market, moved);
}

function isCapture(row: CaptureTable) {
  const { market, captured_at, updated_at, mid, ask, bid, effective_date } = row;
  const key = { market, captured_at, updated_at, mid, ask, bid, effective_date };
  return ({ and }: ExpressionBuilder<Tables, 'capture'>) => and(key);
}

async function move(db: Queries, row: CaptureTable, effect: Instant): Promise<void> {
  const { market, effective_date, captured_at, observed_at } = row;
  // A capture with the same figures may already exist at that instant.
  await db
    .deleteFrom('capture')
    .where(isCapture({ ...row, captured_at: effect }))
    .execute();
  await db.updateTable('capture').set({ captured_at: effect }).where(isCapture(row)).execute();
  await db
    .updateTable('official_rate')
    .set({ captured_at: effect })
    .where((the) => the.and({ market, effective_date, captured_at, observed_at }))
    .execute();
}
