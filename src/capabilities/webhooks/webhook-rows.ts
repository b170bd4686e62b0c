import { randomBytes } from 'node:crypto';
import type { Instant } from '../../core/domain/time.ts';
import type { Queries } from '../../core/storage/engine.ts';
import { isStorable } from '../../core/storage/queries/accounts.ts';
import { storedJson } from '../../core/storage/queries/record-rows.ts';
import type { Tables } from '../../core/storage/schema.ts';
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  DisabledReason,
  MessageType,
  Webhook,
  WebhookStatus,
  WebhookWish,
} from './webhook-types.ts';

export type EndpointRow = Tables['webhook_endpoint'];
export type MessageRow = Tables['webhook_message'];

const ID_BYTES = 8;
/** Hexadecimal digits of an instant, until the year 10889. */
const TIME_DIGITS = 12;

/** Messages of this process so far: those of one instant stay in their order. */
let made = 0;

export function newEndpointId(): string {
  return `whe_${randomBytes(ID_BYTES).toString('hex')}`;
}

export function newMessageId(now: Instant): string {
  made = (made + 1) % 0x1_0000;
  const place = made.toString(16).padStart(4, '0');
  const time = Math.floor(now).toString(16).padStart(TIME_DIGITS, '0');
  return `msg_${time}${place}${randomBytes(ID_BYTES).toString('hex')}`;
}

/** Whether a text has the form of an id that `newMessageId` makes. */
export function isMessageId(text: string): boolean {
  return /^msg_[0-9a-f]{32}$/.test(text);
}

export function endpointsOf(db: Queries, accountId: string) {
  return db.selectFrom('webhook_endpoint').selectAll().where('account_id', '=', accountId);
}

/** The account's own endpoint. */
export async function endpointRow(
  db: Queries,
  accountId: string,
  id: string,
): Promise<EndpointRow | undefined> {
  if (!isStorable(id)) return undefined;
  return endpointsOf(db, accountId).where('id', '=', id).executeTakeFirst();
}

/** The casts here are safe: only this folder writes those columns. */
export function webhookOf(row: EndpointRow): Webhook {
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    events: storedJson(row.events),
    markets: storedJson(row.markets),
    thresholdPercent: row.threshold_percent,
    ...(row.description !== null && { description: row.description }),
    status: row.status as WebhookStatus,
    ...(row.disabled_reason !== null && { disabledReason: row.disabled_reason as DisabledReason }),
    ...(row.failing_since !== null && { failingSince: row.failing_since }),
    ...(row.last_success_at !== null && { lastSuccessAt: row.last_success_at }),
    createdAt: row.created_at,
  };
}

/** The columns that an account decides. */
export function wishColumns(wish: WebhookWish) {
  return {
    url: wish.url,
    events: JSON.stringify(wish.events),
    markets: JSON.stringify(wish.markets),
    threshold_percent: wish.thresholdPercent,
    description: wish.description ?? null,
    status: wish.active ? 'active' : 'paused',
    disabled_reason: null,
  };
}

/** What the audit log keeps. */
export function webhookState({ url, events, markets, ...webhook }: Webhook) {
  const { thresholdPercent: threshold_percent, description = null, status } = webhook;
  return { url, events, markets, threshold_percent, description, status };
}

export function deliveryOf(row: Omit<MessageRow, 'body'>): Delivery {
  return {
    messageId: row.id,
    type: row.type as MessageType,
    status: row.status as DeliveryStatus,
    createdAt: row.created_at,
    attemptsMade: row.attempts_made,
    ...(row.status === 'pending' && { nextAttemptAt: row.next_at }),
    ...(row.last_status !== null && { lastStatus: row.last_status }),
    ...(row.last_error !== null && { lastError: row.last_error }),
  };
}

export function attemptOf(row: Tables['webhook_attempt']): DeliveryAttempt {
  const { number, at, status, error, ms, excerpt } = row;
  const answer = { ...(status !== null && { status }), ...(error !== null && { error }) };
  return { number, at, ...answer, ms, excerpt };
}
