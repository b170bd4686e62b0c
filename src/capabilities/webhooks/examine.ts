import type { CapabilityFinding } from '../../core/capability.ts';
import type { OpenedStore } from '../../core/storage/store.ts';
import { sealerOf } from './secrets.ts';

const subject = 'webhooks';

// limit: Secrets that `vesfx doctor` opens | 10,000 | not looked at
const MAX_EXAMINED = 10_000;

/** Whether webhooks are sent, and why not. */
export async function examineWebhooks(
  secret: string | undefined,
  { engine }: Pick<OpenedStore, 'engine'>,
): Promise<readonly CapabilityFinding[]> {
  const rows = await engine.read((db) =>
    db.selectFrom('webhook_endpoint').select(['id', 'secret']).limit(MAX_EXAMINED).execute(),
  );
  const remedy = 'Set VESFX_SECRET in every process as it was when they were made.';
  if (secret === undefined) {
    const message = 'There are no webhooks, and their addresses are 404: VESFX_SECRET is not set.';
    if (rows.length === 0) return [{ level: 'ok', subject, message }];
    const waiting = `Webhooks that get nothing, because VESFX_SECRET is not set: ${rows.length}.`;
    return [{ level: 'warning', subject, message: waiting, remedy }];
  }
  const sealer = sealerOf(secret, 'webhook');
  const unread = rows.filter((row) => sealer.open(row.secret, row.id) === undefined).length;
  if (unread === 0) return [{ level: 'ok', subject, message: `Webhooks: ${rows.length}.` }];
  const message = `Webhooks that get nothing, because their secrets were sealed with another VESFX_SECRET: ${unread}.`;
  const or = `${remedy} If it is lost, their accounts rotate them.`;
  return [{ level: 'warning', subject, message, remedy: or }];
}
