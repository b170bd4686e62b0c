import { rateView } from '../../../core/app/views.ts';
import { compare, multiply, subtract } from '../../../core/domain/decimal.ts';
import { changeOf } from '../../../core/domain/official.ts';
import { shownUnits } from '../../../core/domain/redenomination.ts';
import { caracasDayOf, type Instant, isoInstant } from '../../../core/domain/time.ts';
import type { Queries } from '../../../core/storage/engine.ts';
import { storedJson } from '../../../core/storage/queries/record-rows.ts';
import {
  isFor,
  messageOfEvent,
  messageRow,
  type Recipient,
  recipientsAfter,
  storeMessages,
} from '../messages.ts';
import type { Occasion, WebhookRules } from '../occasion.ts';
import { coversMarket, type RateRow, rateRow, storeRates } from '../told-rates.ts';
import type { MessageRow } from '../webhook-rows.ts';

// limit: In one transaction: webhooks, messages | 50, 200 | the next | MESSAGES_AT_ONCE
const ENDPOINTS_AT_ONCE = 50;
/** Endpoints times events of one transaction. */
const MESSAGES_AT_ONCE = 200;

interface Page {
  /** An id, which the endpoints of this page follow. */
  readonly after: string;
  /** Ids of markets whose rates may have changed. */
  readonly changed: ReadonlySet<string>;
}

/**
 * Makes the messages of some endpoints: of the events since the last ones, and of rates that have
 * changed enough. What an endpoint was told is stored with them, so that nothing is told twice.
 * @returns where to go on; undefined at the end.
 */
export async function fanOut(
  db: Queries,
  rules: WebhookRules,
  occasion: Occasion,
  { after, changed }: Page,
): Promise<string | undefined> {
  const wanted = { after, limit: ENDPOINTS_AT_ONCE };
  const { recipients, next } = await recipientsAfter(db, rules, wanted);
  if (recipients.length === 0) return next;
  const { made, isCut } = await ofEvents(db, recipients, occasion.now);
  const ofRates = await ofChangedRates(db, rules, occasion, { recipients, changed });
  await storeMessages(db, [...made, ...ofRates]);
  return isCut ? after : next;
}

async function ofEvents(db: Queries, recipients: readonly Recipient[], now: Instant) {
  const limit = Math.max(1, Math.floor(MESSAGES_AT_ONCE / recipients.length));
  const events = await db
    .selectFrom('webhook_event')
    .selectAll()
    .where('seq', '>', Math.min(...recipients.map(({ toldSeq }) => toldSeq)))
    .orderBy('seq')
    .limit(limit)
    .execute();
  const last = events.at(-1)?.seq;
  if (last === undefined) return { made: [], isCut: false };
  const made = recipients.flatMap((recipient) =>
    events
      .filter((event) => event.seq > recipient.toldSeq && isFor(recipient, event))
      .map((event) => messageOfEvent(recipient.webhook.id, event, now)),
  );
  await db
    .updateTable('webhook_endpoint')
    .set({ told_seq: last })
    .where('told_seq', '<', last)
    .where(
      'id',
      'in',
      recipients.map(({ webhook }) => webhook.id),
    )
    .execute();
  return { made, isCut: events.length === limit };
}

/**
 * The messages of rates that are the threshold of an endpoint or more from what it was told. Of a
 * market that is new to it, it is told from now on.
 */
async function ofChangedRates(
  db: Queries,
  { redenominations }: WebhookRules,
  { now, today, snapshot }: Occasion,
  { recipients, changed }: { recipients: readonly Recipient[]; changed: Page['changed'] },
): Promise<readonly MessageRow[]> {
  const quotes = snapshot.quotes.filter(({ market }) => changed.has(market.id));
  if (quotes.length === 0) return [];
  const ids = recipients.map(({ webhook }) => webhook.id);
  const markets = quotes.map(({ market }) => market.id);
  const rows = await db
    .selectFrom('webhook_rate')
    .selectAll()
    .where('endpoint_id', 'in', ids)
    .where('market', 'in', markets)
    .execute();
  const toldTo = new Map(rows.map((row) => [`${row.endpoint_id} ${row.market}`, row]));
  const messages: MessageRow[] = [];
  const told: RateRow[] = [];
  for (const { webhook, hasMarket } of recipients) {
    for (const quote of quotes) {
      const { id: market } = quote.market;
      if (!coversMarket(webhook, market) || !hasMarket(market)) continue;
      const row = toldTo.get(`${webhook.id} ${market}`);
      const units = row && shownUnits(caracasDayOf(row.told_at), { on: today });
      const mid = row && units && redenominations.rebased(row.mid, units);
      if (mid !== undefined && !isChanged(mid, quote.mid, webhook.thresholdPercent)) continue;
      told.push(rateRow(webhook.id, quote, now));
      if (row === undefined || mid === undefined) continue;
      const known = { mid, updated_at: isoInstant(row.updated_at) };
      const previous = (await supersede(db, webhook.id, market)) ?? known;
      const data = {
        ...{ market, rate: rateView(quote), previous },
        ...(quote.inDoubt && { in_doubt: true }),
        change: changeOf(quote.mid, { from: previous.mid }),
        threshold_percent: webhook.thresholdPercent,
        version: snapshot.version,
      };
      const event = { type: 'rate.changed', subject: market, at: now, data } as const;
      messages.push(messageRow(webhook.id, event, now));
    }
  }
  await storeRates(db, told);
  return messages;
}

/** Whether a rate is the threshold or more from another one. */
export function isChanged(from: number, to: number, thresholdPercent: number): boolean {
  const difference = subtract(to, from).abs();
  return compare(multiply(difference, 100), multiply(from, thresholdPercent)) >= 0;
}

interface PreviousRate {
  readonly mid: number;
  readonly updated_at: string;
}

/**
 * Takes back the messages of the market that were not delivered yet. One that is only sent again, and
 * those before it, stay: they say nothing of what the receiver knows.
 * @returns the rate before the first of them, which is what the receiver knows.
 */
async function supersede(
  db: Queries,
  endpointId: string,
  market: string,
): Promise<PreviousRate | undefined> {
  const ofMarket = db
    .selectFrom('webhook_message as m')
    .where('m.endpoint_id', '=', endpointId)
    .where('m.type', '=', 'rate.changed')
    .where('m.subject', '=', market);
  const waiting = await ofMarket
    .select(['m.id', 'm.body'])
    .where('m.status', '=', 'pending')
    .orderBy('m.id')
    .execute();
  if (waiting.length === 0) return undefined;
  const delivered = await ofMarket
    .innerJoin('webhook_attempt as a', 'a.message_id', 'm.id')
    .select((the) => the.fn.max('m.id').as('id'))
    .where('a.error', 'is', null)
    .executeTakeFirst();
  const taken = waiting.filter(({ id }) => id > (delivered?.id ?? ''));
  const [first] = taken;
  if (first === undefined) return undefined;
  await db
    .updateTable('webhook_message')
    .set({ status: 'superseded' })
    .where(
      'id',
      'in',
      taken.map(({ id }) => id),
    )
    .execute();
  return storedJson<{ data: { previous: PreviousRate } }>(first.body).data.previous;
}
