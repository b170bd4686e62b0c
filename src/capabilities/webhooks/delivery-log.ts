import { MINUTE_MS } from '../../core/domain/time.ts';
import type { Engine, Queries } from '../../core/storage/engine.ts';
import { isStorable } from '../../core/storage/queries/accounts.ts';
import { isFor, messageOfEvent, messageRow, recipientsAfter, storeMessages } from './messages.ts';
import type { WebhookRules } from './occasion.ts';
import { attemptOf, deliveryOf, endpointRow, type MessageRow } from './webhook-rows.ts';
import {
  MAX_DELIVERIES,
  MAX_RECOVERED,
  MAX_TESTS_PER_MINUTE,
  TEST_EVENT,
  type WebhookStore,
} from './webhook-types.ts';

/** Attempts of one message that are shown. */
// limit: Attempts shown of a delivery | 50 | not older ones
const MAX_SHOWN_ATTEMPTS = 50;

const LISTED = [
  ...['id', 'endpoint_id', 'event_seq', 'type', 'subject', 'status', 'created_at'],
  ...['attempts_made', 'failures', 'next_at', 'last_status', 'last_error'],
] as const satisfies readonly (keyof MessageRow)[];

/** The messages of endpoints, for their accounts. */
export function deliveryLog(engine: Engine, rules: () => WebhookRules) {
  /** Runs a write for the messages of an endpoint that is active. */
  async function writeFor<T>(
    accountId: string,
    id: string,
    work: (db: Queries) => Promise<T>,
  ): Promise<T | 'missing' | 'inactive'> {
    const refusalIn = async (db: Queries) => {
      const row = await endpointRow(db, accountId, id);
      if (row === undefined) return 'missing';
      return row.status === 'active' ? undefined : 'inactive';
    };
    const refusal = await engine.read(refusalIn, accountId);
    if (refusal !== undefined) return refusal;
    const scope = { collecting: true, account: accountId };
    return engine.write(scope, async (db) => (await refusalIn(db)) ?? work(db));
  }

  return {
    test: (accountId, id, now) =>
      writeFor(accountId, id, async (db) => {
        const recent = await db
          .selectFrom('webhook_message')
          .select('id')
          .where((the) => the.and({ endpoint_id: id, type: TEST_EVENT }))
          .where('created_at', '>', now - MINUTE_MS)
          .limit(MAX_TESTS_PER_MINUTE)
          .execute();
        if (recent.length === MAX_TESTS_PER_MINUTE) return 'too_many';
        const message = messageRow(
          id,
          { type: TEST_EVENT, subject: '', at: now, data: { webhook: id } },
          now,
        );
        await storeMessages(db, [message]);
        return { messageId: message.id };
      }),
    deliveries: (accountId, id, { status, before, limit }) =>
      engine.read(async (db) => {
        if ((await endpointRow(db, accountId, id)) === undefined) return 'missing';
        const rows = await db
          .selectFrom('webhook_message')
          .select(LISTED)
          .where('endpoint_id', '=', id)
          .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
          .$if(before !== undefined, (query) => query.where('id', '<', storable(before)))
          .orderBy('id', 'desc')
          .limit(Math.min(limit, MAX_DELIVERIES))
          .execute();
        return rows.map(deliveryOf);
      }, accountId),
    delivery: (accountId, id, messageId) =>
      engine.read(async (db) => {
        const row = await messageIn(db, { accountId, id, messageId });
        if (row === undefined) return 'missing';
        const attempts = await db
          .selectFrom('webhook_attempt')
          .selectAll()
          .where('message_id', '=', messageId)
          .orderBy('number', 'desc')
          .limit(MAX_SHOWN_ATTEMPTS)
          .execute();
        const shown = attempts.reverse().map(attemptOf);
        return { ...deliveryOf(row), payload: row.body, attempts: shown };
      }, accountId),
    redeliver: (accountId, id, { messageId, now }) =>
      writeFor(accountId, id, async (db) => {
        const row = await messageIn(db, { accountId, id, messageId });
        if (row === undefined) return 'missing';
        await sendAgain(db, [messageId], now);
        return 'accepted';
      }),
    recover: (accountId, id, { since, now }) =>
      writeFor(accountId, id, async (db) => {
        const failed = await db
          .selectFrom('webhook_message')
          .select('id')
          .where((the) => the.and({ endpoint_id: id, status: 'failed' }))
          .where('created_at', '>=', since)
          .orderBy('id')
          .limit(MAX_RECOVERED)
          .execute();
        const missed = await missedBy(db, rules(), {
          id,
          since,
          max: MAX_RECOVERED - failed.length,
        });
        const messages = missed.map((event) => messageOfEvent(id, event, now));
        await sendAgain(
          db,
          failed.map((row) => row.id),
          now,
        );
        await storeMessages(db, messages);
        return { count: failed.length + messages.length };
      }),
  } satisfies Partial<WebhookStore>;
}

/** PostgreSQL holds no zero byte, so no id has one. */
const storable = (id = '') => (isStorable(id) ? id : '');

interface MessagePlace {
  readonly accountId: string;
  readonly id: string;
  readonly messageId: string;
}

async function messageIn(db: Queries, { accountId, id, messageId }: MessagePlace) {
  if ((await endpointRow(db, accountId, id)) === undefined || !isStorable(messageId))
    return undefined;
  return db
    .selectFrom('webhook_message')
    .selectAll()
    .where((the) => the.and({ id: messageId, endpoint_id: id }))
    .executeTakeFirst();
}

async function sendAgain(db: Queries, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('webhook_message')
    .set({ status: 'pending', failures: 0, next_at: now })
    .where('id', 'in', ids)
    .execute();
}

/** The events of which the endpoint has no message, because it was not active, oldest first. */
async function missedBy(
  db: Queries,
  rules: WebhookRules,
  { id, since, max }: { readonly id: string; readonly since: number; readonly max: number },
) {
  const { recipients } = await recipientsAfter(db, rules, { after: '', limit: 1, only: id });
  const [recipient] = recipients;
  if (recipient === undefined || max <= 0) return [];
  const { webhook, sinceSeq, toldSeq } = recipient;
  const events = await db
    .selectFrom('webhook_event as e')
    .selectAll()
    .where('at', '>=', since)
    .where('seq', '>', sinceSeq)
    .where('seq', '<=', toldSeq)
    .where('type', 'in', webhook.events)
    .where((the) =>
      the.not(
        the.exists(
          the
            .selectFrom('webhook_message as m')
            .select('m.id')
            .where('m.endpoint_id', '=', id)
            .whereRef('m.event_seq', '=', 'e.seq'),
        ),
      ),
    )
    .orderBy('seq')
    .limit(max)
    .execute();
  return events.filter((event) => isFor(recipient, event));
}
