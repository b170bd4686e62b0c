import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../../core/domain/time.ts';
import type { Queries } from '../../../core/storage/engine.ts';
import type { WebhookRules } from '../occasion.ts';
import type { EndpointRow, MessageRow } from '../webhook-rows.ts';
import type { DisabledReason } from '../webhook-types.ts';
import { isBeyondPlan } from './due.ts';

// limit: Attempts of a message | 10 in about three days | `failed`
const MAX_ATTEMPTS = 10;
/** Waits before each attempt, ± 20 %: the first at once, the last a day after the one before. */
export const ATTEMPT_WAITS_MS: readonly number[] = [
  ...[0, 5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];
const JITTER = 0.2;
// limit: `Retry-After` of a receiver | 24 hours | 24 hours
export const MAX_RECEIVER_WAIT_MS = DAY_MS;
// limit: Failing throughout | 5 days | disabled
export const MAX_FAILING_MS = 5 * DAY_MS;
// limit: Attempts kept of a delivery | 50 | older ones removed
const MAX_KEPT_ATTEMPTS = 50;
const GONE = 410;

/** How an attempt ended. */
export interface AttemptOutcome {
  readonly at: Instant;
  readonly ms: number;
  /** Absent without an answer. */
  readonly status?: number | undefined;
  /** Why it is no success. */
  readonly error?: string | undefined;
  readonly excerpt: string;
  readonly retryAfterMs?: number | undefined;
}

type Message = Pick<MessageRow, 'id' | 'endpoint_id'>;
type Endpoint = Pick<EndpointRow, 'id' | 'url'>;

/** When the next attempt is due after so many failures; undefined when there is none. */
export function nextAttemptAt(
  { at, retryAfterMs = 0 }: AttemptOutcome,
  failures: number,
  random: number,
): Instant | undefined {
  const wait = failures < MAX_ATTEMPTS ? ATTEMPT_WAITS_MS[failures] : undefined;
  if (wait === undefined) return undefined;
  const spread = wait * (1 - JITTER + 2 * JITTER * random);
  return Math.floor(at + Math.max(spread, Math.min(retryAfterMs, MAX_RECEIVER_WAIT_MS)));
}

/**
 * Records an attempt, and what follows from it for the message and its endpoint.
 * @returns why the endpoint was disabled, if it was.
 */
export async function recordAttempt(
  db: Queries,
  { id, endpoint_id }: Message,
  { url }: Endpoint,
  outcome: AttemptOutcome,
  random: number,
): Promise<DisabledReason | undefined> {
  const { at, ms, status = null, error = null, excerpt } = outcome;
  const ofMessage = db.selectFrom('webhook_message').selectAll().where('id', '=', id);
  const row = await ofMessage.executeTakeFirst();
  // The endpoint was deleted meanwhile.
  if (row === undefined) return undefined;
  const [number, failures] = [row.attempts_made + 1, row.failures + 1];
  await db
    .insertInto('webhook_attempt')
    .values({ message_id: id, number, at, status, error, ms, excerpt })
    .execute();
  await db
    .deleteFrom('webhook_attempt')
    .where('message_id', '=', id)
    .where('number', '<=', number - MAX_KEPT_ATTEMPTS)
    .execute();
  const attempted = { attempts_made: number, last_status: status, last_error: error };
  const message = db.updateTable('webhook_message').where('id', '=', id);
  const endpoint = db.updateTable('webhook_endpoint').where('id', '=', endpoint_id);
  if (error === null) {
    await message.set({ ...attempted, status: 'delivered', failures: 0 }).execute();
    await endpoint.set({ failing_since: null, last_success_at: at }).execute();
    return undefined;
  }
  const next = nextAttemptAt(outcome, failures, random);
  // One that was superseded during the attempt stays so.
  const isOver = next === undefined && row.status === 'pending';
  const after = isOver ? { status: 'failed' } : { next_at: next ?? row.next_at };
  await message.set({ ...attempted, failures, ...after }).execute();
  const failing = await endpoint
    .set((the) => ({ failing_since: the.fn.coalesce('failing_since', the.val(at)) }))
    // Of an address that was replaced during the attempt it says nothing.
    .where((the) => the.and({ url, status: 'active' }))
    .returning('failing_since')
    .executeTakeFirst();
  if (failing === undefined) return undefined;
  const failsFor = at - (failing.failing_since ?? at);
  const reason = status === GONE ? 'gone' : failsFor >= MAX_FAILING_MS ? 'failing' : undefined;
  if (reason !== undefined) await disable(db, endpoint_id, reason);
  return reason;
}

async function disable(db: Queries, id: string, disabled_reason: DisabledReason): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ status: 'disabled', disabled_reason })
    .where('id', '=', id)
    .execute();
  await failWaiting(db, id);
}

/** What waits for an endpoint is kept as failed: a recovery sends it. */
async function failWaiting(db: Queries, id: string, last_error?: string): Promise<void> {
  await db
    .updateTable('webhook_message')
    .set({ status: 'failed', ...(last_error !== undefined && { last_error }) })
    .where((the) => the.and({ endpoint_id: id, status: 'pending' }))
    .execute();
}

/** What waits for an endpoint that its account's plan no longer includes is not sent. */
export async function failBeyondPlan(
  db: Queries,
  rules: Pick<WebhookRules, 'markets' | 'plans'>,
  id: string,
): Promise<void> {
  if (await isBeyondPlan(db, rules, id))
    await failWaiting(db, id, 'the plan does not include this webhook');
}
