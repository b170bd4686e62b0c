import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { countText, exactText, withPercent } from '../../frame/format.ts';
import { table } from '../../frame/table.ts';
import { type ConsoleData, type ConsoleReader, filled, sampleTitle } from '../console-data.ts';
import { coloured } from '../highlight.ts';
import { momentOf } from '../key-list.ts';
import { marketName } from '../markups-view.ts';
import { nameList } from '../plan-view.ts';
import type { ShownDelivery, ShownWebhook } from './webhook-calls.ts';

/** What the lists of webhooks and of their deliveries say of each. */

type WebhookReader = ConsoleReader & Pick<ConsoleData, 'marketNames'>;

/** A webhook's name for sentences: its note, or the host of its address. */
export function webhookName({
  description,
  url,
}: Pick<ShownWebhook, 'description' | 'url'>): string {
  return description || new URL(url).host;
}

const eventName = (type: string, { texts }: ConsoleReader): string =>
  texts.hooks.eventNames[type] ?? type;

/** The events that a webhook gets, with the threshold and the markets that limit them. */
function wishOf(webhook: ShownWebhook, reader: WebhookReader): Html {
  const { events, markets, threshold_percent } = webhook;
  const hasThreshold = events.includes('rate.changed');
  const narrowed = hasThreshold || events.includes('rate.in_doubt');
  const names = nameList(markets.map((market) => marketName(market, reader)));
  const percent = withPercent(exactText(threshold_percent, reader.language), reader.language);
  return html`${events.map((type, place) => html`${place > 0 && html`<br />`}${eventName(type, reader)}`)}${narrowed && html`<span class="quiet"><br />${hasThreshold && html`≥ ${percent}: `}${names ?? reader.texts.allMarkets}</span>`}`;
}

/** Whether it works: why it does not, and since when. */
function stateOf(webhook: ShownWebhook, reader: ConsoleReader, isBeyondPlan: boolean): Html {
  const { texts } = reader;
  const { disabled_reason: reason, failing_since: since, last_success_at: last } = webhook;
  return html`${last === undefined ? html`<span class="quiet nowrap">${texts.never}</span>` : momentOf(last, reader)}${isBeyondPlan && html`<span class="late"><br />${texts.hooks.beyondPlan}</span>`}${reason && html`<span class="late"><br />${texts.hooks.disabledReasons[reason] ?? reason}</span>`}${since && html`<span class="late"><br />${texts.hooks.failingSince} ${momentOf(since, reader)}</span>`}`;
}

/** The webhooks, oldest first; `actions` makes the last cell of each. Beyond `max` they get nothing. */
export function webhooksView(
  webhooks: readonly ShownWebhook[],
  actions: (webhook: ShownWebhook) => Html,
  { max, ...reader }: WebhookReader & { readonly max: number | null },
): Html {
  const { texts } = reader;
  return table(
    texts.tabs.webhooks,
    [
      { label: texts.hooks.webhook },
      { label: texts.hooks.events },
      { label: texts.hooks.lastSuccess },
      { label: texts.created },
      { label: texts.action, kind: 'action' },
    ],
    webhooks.map((webhook, older) => [
      html`<span class="key-name"><span>${webhookName(webhook)}</span>${!webhook.active && html` <span class="tag">${texts.hooks.webhookStates[webhook.status]}</span>`}</span><code class="origin">${webhook.url}</code>`,
      wishOf(webhook, reader),
      stateOf(webhook, reader, max !== null && older >= max),
      momentOf(webhook.created_at, reader),
      actions(webhook),
    ]),
    { stacks: true },
  );
}

/** Messages to a webhook; `actions` makes the last cell of each. */
export function deliveriesView(
  deliveries: readonly ShownDelivery[],
  label: string,
  actions: (delivery: ShownDelivery) => Html,
  reader: ConsoleReader,
): Html {
  const { language, texts } = reader;
  const answer = ({
    attempts_made,
    last_status,
    last_error,
    next_attempt_at: next,
  }: ShownDelivery) =>
    html`${attempts_made > 0 && html`${last_error === undefined ? html`<code>${last_status}</code>` : html`<span class="late">${last_error}</span>`}<span class="quiet"><br />${texts.hooks.attempts}: ${countText(attempts_made, language)}</span>`}${next && html`<span class="quiet"><br />${filled(texts.hooks.nextAttempt, { time: '' })}${momentOf(next, reader)}</span>`}`;
  return table(
    label,
    [
      { label: texts.hooks.message },
      { label: texts.hooks.state },
      { label: texts.created },
      { label: texts.hooks.lastAnswer },
      { label: texts.action, kind: 'action' },
    ],
    deliveries.map((delivery) => [
      html`<span class="key-name"><span>${eventName(delivery.type, reader)}</span></span><code class="origin">${delivery.message_id}</code>`,
      html`<span class=${delivery.status === 'failed' && 'late'}>${texts.hooks.deliveryStates[delivery.status]}</span>`,
      momentOf(delivery.created_at, reader),
      answer(delivery),
      actions(delivery),
    ]),
    { stacks: true },
  );
}

/** What a receiver gets, for an account that has none. */
export function exampleMessage(reader: ConsoleReader & Pick<ConsoleData, 'sampleDollar'>): Html {
  const { texts } = reader;
  const { rate, valueDate } = reader.sampleDollar;
  const example = `# ${sampleTitle(texts.hooks.exampleMessage, reader)}
POST ${texts.hooks.exampleHook}
webhook-id: msg_019aa2f3…
webhook-signature: v1,K5oZ…

{
  "type": "official.published",
  "data": {
    "value_date": "${valueDate}",
    "rates": { "USD": { "rate": ${rate} } }
  }
}`;
  return html`<pre class="band-code" tabindex="0" aria-label=${texts.hooks.exampleMessage}><code>${coloured(example)}</code></pre>`;
}
