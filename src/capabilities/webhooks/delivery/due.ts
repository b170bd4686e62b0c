import type { Instant } from '../../../core/domain/time.ts';
import type { Queries } from '../../../core/storage/engine.ts';
import { recipientsAfter } from '../messages.ts';
import type { WebhookRules } from '../occasion.ts';
import type { EndpointRow, MessageRow } from '../webhook-rows.ts';

/** Endpoints of which the process knows that they have messages to send. */
// limit: Webhooks waiting for their turn | 1,000 | the next second
export const MAX_QUEUED = 1_000;

/** A message to send now, with all that sending needs. */
export interface DueMessage {
  readonly message: Pick<MessageRow, 'id' | 'endpoint_id' | 'type' | 'body'>;
  readonly endpoint: Pick<EndpointRow, 'id' | 'url' | 'secret' | 'former_secret' | 'former_until'>;
}

/** Whatever is sent, an active endpoint of an active account gets it. */
function activeEndpoints(db: Queries) {
  return db
    .selectFrom('webhook_endpoint as e')
    .innerJoin('account as a', 'a.id', 'e.account_id')
    .where('e.status', '=', 'active')
    .where('a.status', '=', 'active');
}

/** Whether an active endpoint is one too many for the plan of its account. */
export async function isBeyondPlan(
  db: Queries,
  rules: Pick<WebhookRules, 'markets' | 'plans'>,
  endpointId: string,
): Promise<boolean> {
  const { recipients } = await recipientsAfter(db, rules, {
    after: '',
    limit: 1,
    only: endpointId,
  });
  if (recipients.length > 0) return false;
  const active = activeEndpoints(db).select('e.id').where('e.id', '=', endpointId);
  return (await active.executeTakeFirst()) !== undefined;
}

/** The endpoints with messages that are due, the longest waiting first. */
export function dueEndpoints(
  db: Queries,
  now: Instant,
): Promise<readonly Pick<EndpointRow, 'id' | 'url' | 'account_id'>[]> {
  return activeEndpoints(db)
    .innerJoin('webhook_message as m', 'm.endpoint_id', 'e.id')
    .select(['e.id', 'e.url', 'e.account_id'])
    .where('m.status', '=', 'pending')
    .where('m.next_at', '<=', now)
    .groupBy(['e.id', 'e.url', 'e.account_id'])
    .orderBy((the) => the.fn.min('m.next_at'))
    .limit(MAX_QUEUED)
    .execute();
}

/** The message of an endpoint that is due first; undefined without one. */
export async function dueMessage(
  db: Queries,
  endpointId: string,
  now: Instant,
): Promise<DueMessage | undefined> {
  const endpoint = await activeEndpoints(db)
    .select(['e.id', 'e.url', 'e.secret', 'e.former_secret', 'e.former_until'])
    .where('e.id', '=', endpointId)
    .executeTakeFirst();
  const message = await db
    .selectFrom('webhook_message')
    .select(['id', 'endpoint_id', 'type', 'body'])
    .where((the) => the.and({ endpoint_id: endpointId, status: 'pending' }))
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return endpoint && message && { endpoint, message };
}
