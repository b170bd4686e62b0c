import type { Queries } from '../../core/storage/engine.ts';
import { partsOf } from '../../core/storage/queries/upsert.ts';
import type { Occasion } from './occasion.ts';
import type { Webhook } from './webhook-types.ts';

const ROWS_PER_INSERT = 100;

/** Whether it is told of changes of that market. */
export function coversMarket({ events, markets }: Webhook, market: string): boolean {
  return events.includes('rate.changed') && (markets.length === 0 || markets.includes(market));
}

/**
 * Keeps the rates of now for markets that the endpoint was told nothing of: changes count from them.
 */
export async function startBaselines(
  db: Queries,
  webhook: Webhook,
  { snapshot, now }: Occasion,
): Promise<void> {
  const rows = snapshot.quotes
    .filter(({ market }) => coversMarket(webhook, market.id))
    .map(({ market, mid, updatedAt }) => ({
      ...{ endpoint_id: webhook.id, market: market.id },
      ...{ mid, updated_at: updatedAt, told_at: now },
    }));
  for (const part of partsOf(rows, ROWS_PER_INSERT)) {
    await db
      .insertInto('webhook_rate')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Forgets the rates of markets that the endpoint does not ask for any more. */
export async function dropBaselines(db: Queries, webhook: Webhook): Promise<void> {
  const rows = await db
    .selectFrom('webhook_rate')
    .select('market')
    .where('endpoint_id', '=', webhook.id)
    .execute();
  const gone = rows.map(({ market }) => market).filter((market) => !coversMarket(webhook, market));
  for (const part of partsOf(gone, ROWS_PER_INSERT)) {
    await db
      .deleteFrom('webhook_rate')
      .where('endpoint_id', '=', webhook.id)
      .where('market', 'in', part)
      .execute();
  }
}
