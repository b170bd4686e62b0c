import { type Instant, isoInstant } from '../../core/domain/time.ts';
import type { Queries } from '../../core/storage/engine.ts';
import { storedJson } from '../../core/storage/queries/record-rows.ts';
import { partsOf } from '../../core/storage/queries/upsert.ts';
import type { Tables } from '../../core/storage/schema.ts';
import type { WebhookRules } from './occasion.ts';
import { type EndpointRow, type MessageRow, newMessageId, webhookOf } from './webhook-rows.ts';
import { isOverPlan, type MessageType, type Webhook } from './webhook-types.ts';

/** Messages of an endpoint that wait: further ones are kept as failed, for a recovery. */
// limit: Messages waiting for a webhook | 10,000 | kept as failed
export const MAX_PENDING = 10_000;
const ROWS_PER_INSERT = 50;

type EventRow = Tables['webhook_event'];

/** Who may get messages: an endpoint with what its account's plan includes. */
export interface Recipient {
  readonly webhook: Webhook;
  /** The newest event before it was created. */
  readonly sinceSeq: number;
  readonly toldSeq: number;
  /** Whether the plan includes the market. */
  readonly hasMarket: (id: string) => boolean;
}

const RECIPIENT_COLUMNS = ['a.plan', 'a.former_plan'] as const;

/**
 * The active endpoints of active accounts after an id, in the order of ids, with those that the plan
 * of the account does not include: of several the oldest ones count.
 */
export async function recipientsAfter(
  db: Queries,
  { markets, plans }: Pick<WebhookRules, 'markets' | 'plans'>,
  {
    after,
    limit,
    only,
  }: { readonly after: string; readonly limit: number; readonly only?: string },
): Promise<{ readonly recipients: readonly Recipient[]; readonly next: string | undefined }> {
  const rows = await db
    .selectFrom('webhook_endpoint as e')
    .innerJoin('account as a', 'a.id', 'e.account_id')
    .selectAll('e')
    .select(RECIPIENT_COLUMNS)
    .select((the) =>
      the
        .selectFrom('webhook_endpoint as o')
        .whereRef('o.account_id', '=', 'e.account_id')
        .where((older) =>
          older.or([
            older('o.created_at', '<', older.ref('e.created_at')),
            older.and([
              older('o.created_at', '=', older.ref('e.created_at')),
              older('o.id', '<', older.ref('e.id')),
            ]),
          ]),
        )
        .select((older) => older.fn.countAll<number>().as('count'))
        .as('older'),
    )
    .where('e.status', '=', 'active')
    .where('a.status', '=', 'active')
    .where('e.id', '>', after)
    .$if(only !== undefined, (query) => query.where('e.id', '=', only ?? ''))
    .orderBy('e.id')
    .limit(limit)
    .execute();
  const recipients = rows.flatMap((row): Recipient[] => {
    const { plan: name, former_plan: formerPlan, older, ...endpoint } = row;
    const plan = plans.of({ plan: name, ...(formerPlan !== null && { formerPlan }) });
    if (isOverPlan(plan, Number(older))) return [];
    const hasMarket = (id: string) => {
      const required = markets.find(id)?.requiredPlan;
      return required === undefined || plans.reaches(plan.name, required);
    };
    return [
      {
        webhook: webhookOf(endpoint),
        sinceSeq: endpoint.since_seq,
        toldSeq: endpoint.told_seq,
        hasMarket,
      },
    ];
  });
  return { recipients, next: rows.length < limit ? undefined : rows.at(-1)?.id };
}

/** Whether an endpoint asked for an event, and its plan includes what it is about. */
export function isFor({ webhook, hasMarket }: Recipient, { type, subject, at }: EventRow): boolean {
  const { events, markets, createdAt } = webhook;
  if (!events.some((event) => event === type)) return false;
  switch (type) {
    case 'rate.in_doubt': {
      const [market = ''] = subject.split(' ');
      return (markets.length === 0 || markets.includes(market)) && hasMarket(market);
    }
    case 'source.degraded':
      return at >= createdAt;
    default:
      return true;
  }
}

/** A message that was not sent yet. */
export function messageRow(
  endpointId: EndpointRow['id'],
  event: {
    readonly type: MessageType;
    readonly subject: string;
    readonly at: Instant;
    readonly data: object;
    readonly seq?: number;
  },
  now: Instant,
): MessageRow {
  const { type, subject, at, data, seq = null } = event;
  return {
    id: newMessageId(now),
    ...{ endpoint_id: endpointId, event_seq: seq, type, subject },
    body: JSON.stringify({ type, timestamp: isoInstant(at), data }),
    ...{ status: 'pending', created_at: now, next_at: now },
    ...{ attempts_made: 0, failures: 0, last_status: null, last_error: null },
  };
}

/** The message of a stored event. The cast is safe: only `storeNews` writes its type. */
export function messageOfEvent(endpointId: string, row: EventRow, now: Instant): MessageRow {
  const { type, subject, at, seq } = row;
  const data = storedJson<object>(row.data);
  return messageRow(endpointId, { type: type as MessageType, subject, at, data, seq }, now);
}

/** Stores messages. Of one event an endpoint gets one, however often it is asked. */
export async function storeMessages(db: Queries, rows: readonly MessageRow[]): Promise<void> {
  const waiting = await pendingOf(db, new Set(rows.map((row) => row.endpoint_id)));
  const bounded = rows.map((row): MessageRow => {
    const count = (waiting.get(row.endpoint_id) ?? 0) + 1;
    waiting.set(row.endpoint_id, count);
    if (count <= MAX_PENDING) return row;
    return { ...row, status: 'failed', last_error: 'too many messages wait' };
  });
  for (const part of partsOf(bounded, ROWS_PER_INSERT)) {
    await db
      .insertInto('webhook_message')
      .values(part)
      .onConflict((conflict) => conflict.columns(['endpoint_id', 'event_seq']).doNothing())
      .execute();
  }
}

async function pendingOf(db: Queries, ids: ReadonlySet<string>): Promise<Map<string, number>> {
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom('webhook_message')
    .select(['endpoint_id', (the) => the.fn.countAll<number>().as('count')])
    .where('status', '=', 'pending')
    .where('endpoint_id', 'in', [...ids])
    .groupBy('endpoint_id')
    .execute();
  return new Map(rows.map(({ endpoint_id: id, count }) => [id, Number(count)]));
}
