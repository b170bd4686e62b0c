import type { Quote } from '../../core/domain/quotes.ts';
import type { Instant } from '../../core/domain/time.ts';
import type { Queries } from '../../core/storage/engine.ts';
import { partsOf, upsert } from '../../core/storage/queries/upsert.ts';
import type { Tables } from '../../core/storage/schema.ts';
import type { Occasion } from './occasion.ts';
import type { Webhook } from './webhook-types.ts';

export type RateRow = Tables['webhook_rate'];

const ROWS_PER_INSERT = 100;

/** Whether an endpoint asks for changes of that market. */
export function coversMarket({ events, markets }: Webhook, market: string): boolean {
  return events.includes('rate.changed') && (markets.length === 0 || markets.includes(market));
}

/** An endpoint knows that rate now. */
export function rateRow(
  endpoint_id: string,
  { market, mid, updatedAt }: Quote,
  told_at: Instant,
): RateRow {
  return { endpoint_id, market: market.id, mid, updated_at: updatedAt, told_at };
}

export async function storeRates(db: Queries, rows: readonly RateRow[]): Promise<void> {
  for (const part of partsOf(rows, ROWS_PER_INSERT)) await upsert(db, 'webhook_rate', part);
}

/** From now on changes count from the rates of now, but for markets of which it was told before. */
export async function startRates(
  db: Queries,
  webhook: Webhook,
  { snapshot, now }: Occasion,
): Promise<void> {
  const ofEndpoint = db.selectFrom('webhook_rate').where('endpoint_id', '=', webhook.id);
  const stored = (await ofEndpoint.select('market').execute()).map(({ market }) => market);
  const gone = stored.filter((market) => !coversMarket(webhook, market));
  for (const part of partsOf(gone, ROWS_PER_INSERT)) {
    await db
      .deleteFrom('webhook_rate')
      .where('endpoint_id', '=', webhook.id)
      .where('market', 'in', part)
      .execute();
  }
  const added = snapshot.quotes.filter(
    ({ market: { id } }) => coversMarket(webhook, id) && !stored.includes(id),
  );
  await storeRates(
    db,
    added.map((quote) => rateRow(webhook.id, quote, now)),
  );
}
