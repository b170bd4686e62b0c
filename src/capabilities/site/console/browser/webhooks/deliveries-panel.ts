import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Html, html } from '../../../../../core/http/framework/encoding/html.ts';
import { countText } from '../../../frame/format.ts';
import { table } from '../../../frame/table.ts';
import { filled } from '../../console-data.ts';
import { failureIn } from '../../failures.ts';
import { coloured } from '../../highlight.ts';
import { momentOf } from '../../key-list.ts';
import {
  DELIVERY_STATES,
  type DeliveryState,
  type ShownDelivery,
  type ShownWebhook,
  webhooksOf,
} from '../../webhooks/webhook-calls.ts';
import { deliveriesView, webhookName } from '../../webhooks/webhook-list.ts';
import { useConsole, useLoaded } from '../console-context.ts';
import { Dialog } from '../dialog.ts';
import { ICONS, Menu } from '../menu.ts';

/** Rows of a page. */
const PAGE = 20;

/** While a message waits for its first attempt, the list is read again so often, and so many times. */
const LOOK_MS = 2_000;
// limit: Looks of the console for a first attempt | 15 | the reader refreshes
const MAX_LOOKS = 15;

interface PanelProps {
  readonly webhook: ShownWebhook;
  readonly isReadOnly: boolean;
  readonly say: (text: string) => void;
}

/** The messages to a webhook, newest first: each can be seen whole and sent again. */
export function DeliveriesPanel({ webhook, isReadOnly, say }: PanelProps): Html {
  const open = useConsole();
  const { texts, call, version } = open;
  const [status, setStatus] = useState<DeliveryState>();
  const [before, setBefore] = useState<string>();
  const [looks, setLooks] = useState(0);
  const [seen, setSeen] = useState<ShownDelivery>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { value: deliveries, trouble } = useLoaded(async () => {
    const query = { limit: PAGE, ...(status && { status }), ...(before && { before }) };
    return (await call((vesfx) => webhooksOf(vesfx).deliveries(webhook.id, query))).deliveries;
  }, [version, status, before, looks]);
  useEffect(() => setLooks(0), [version]);
  const waits = deliveries?.some((one) => one.status === 'pending' && one.attempts_made === 0);
  useEffect(() => {
    if (!waits || looks >= MAX_LOOKS) return;
    const timer = setTimeout(() => setLooks(looks + 1), LOOK_MS);
    return () => clearTimeout(timer);
  }, [deliveries]);
  const redeliver = async ({ message_id }: ShownDelivery) => {
    try {
      await call((vesfx) => webhooksOf(vesfx).redeliver(webhook.id, message_id));
      say(texts.hooks.redelivered);
      setLooks(looks > 0 ? 0 : 1);
    } catch (error) {
      say(failureIn(error, open));
    }
  };
  const actions = (given: ShownDelivery) => {
    const items = [
      { text: texts.hooks.details, path: ICONS.list, onChoose: () => setSeen(given) },
      ...(isReadOnly || !webhook.active
        ? []
        : [{ text: texts.hooks.redeliver, path: ICONS.send, onChoose: () => redeliver(given) }]),
    ];
    const name = given.message_id;
    return h(Menu, { id: name, label: filled(texts.actionsOf, { name }), items });
  };
  const onStatus = ({ currentTarget }: Event & { currentTarget: HTMLSelectElement }) => {
    setStatus(DELIVERY_STATES.find((one) => one === currentTarget.value));
    setBefore(undefined);
  };
  const title = filled(texts.hooks.deliveriesOf, { name: webhookName(webhook) });
  const last = deliveries?.length === PAGE ? deliveries.at(-1)?.message_id : undefined;
  const list = () =>
    deliveries?.length === 0
      ? html`<p class="empty">${texts.hooks.noDeliveries}</p>`
      : deliveriesView(deliveries ?? [], title, actions, open);
  return html`<div class="panel keys" id="deliveries"><div class="head"><div><h2 tabindex="-1" ref=${heading}>${title}</h2><p class="quiet">${texts.hooks.deliveriesHelp}</p></div>
<div class="buttons"><select aria-label=${texts.hooks.state} value=${status ?? ''} onChange=${onStatus}><option value="">${texts.hooks.allStates}</option>${Object.entries(texts.hooks.deliveryStates).map(([one, text]) => html`<option value=${one}>${text}</option>`)}</select><button type="button" data-refresh onClick=${() => setLooks(looks > 0 ? 0 : 1)}>${texts.refresh}</button></div></div>
${deliveries === undefined ? trouble === undefined && html`<div class="skeleton list-place"></div>` : list()}
${trouble !== undefined && html`<p class="trouble">${trouble}</p>`}
${(before ?? last) !== undefined && html`<p class="foot buttons">${before !== undefined && html`<button type="button" onClick=${() => setBefore(undefined)}>${texts.hooks.newest}</button>`}${last !== undefined && html`<button type="button" onClick=${() => setBefore(last)}>${texts.hooks.older}</button>`}</p>`}
${seen && h(DeliveryDialog, { webhook, seen, onClose: () => setSeen(undefined) })}</div>`;
}

interface DeliveryDialogProps {
  readonly webhook: ShownWebhook;
  readonly seen: ShownDelivery;
  readonly onClose: () => void;
}

/** The body of one message, and what came of each attempt. */
function DeliveryDialog({ webhook, seen, onClose }: DeliveryDialogProps): Html {
  const open = useConsole();
  const { texts, language, call } = open;
  const { value, trouble } = useLoaded(
    () => call((vesfx) => webhooksOf(vesfx).delivery(webhook.id, seen.message_id)),
    [seen.message_id],
  );
  const columns = [texts.hooks.number, texts.day, texts.hooks.answerOf];
  const attempts = (value?.attempts ?? []).map((one) => [
    countText(one.number, language),
    momentOf(one.at, open),
    html`<code>${one.status ?? '–'}</code> ${countText(one.ms, language)} ms ${one.error && html`<span class="late">${one.error}</span>`}${one.excerpt && html`<br /><span class="quiet">${one.excerpt}</span>`}`,
  ]);
  const content = html`<div class="stack" id="delivery"><p><code class="origin">${seen.message_id}</code></p>
${trouble !== undefined && html`<p class="trouble" role="alert">${trouble}</p>`}
${
  value &&
  html`<h3>${texts.hooks.sentBody}</h3><pre class="band-code whole" tabindex="0" aria-label=${texts.hooks.sentBody}><code>${coloured(indented(value.payload))}</code></pre>
<h3>${texts.hooks.attempts}</h3>${
    attempts.length === 0
      ? html`<p class="quiet">${texts.none}</p>`
      : table(
          texts.hooks.attempts,
          columns.map((label) => ({ label })),
          attempts,
        )
  }`
}
<div class="buttons"><button type="button" class="main" data-close onClick=${onClose}>${texts.hooks.close}</button></div></div>`;
  const title = texts.hooks.eventNames[seen.type] ?? seen.type;
  return h(Dialog, { title, onClose, children: content });
}

/** JSON with a line for each field; what is none, as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
