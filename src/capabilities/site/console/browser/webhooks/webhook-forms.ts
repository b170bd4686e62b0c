import { h } from 'preact';
import { useState } from 'preact/hooks';
import { caracasDayOf, DAY_MS } from '../../../../../core/domain/time.ts';
import { type Html, html, inlineCode } from '../../../../../core/http/framework/encoding/html.ts';
import { plainValueText } from '../../../frame/amount.ts';
import { countText } from '../../../frame/format.ts';
import { filled } from '../../console-data.ts';
import { marketName, writtenValues } from '../../markups-view.ts';
import { type ShownWebhook, webhooksOf } from '../../webhooks/webhook-calls.ts';
import { webhookName } from '../../webhooks/webhook-list.ts';
import { useConsole } from '../console-context.ts';
import { FormDialog, TextField, Ticks, type Troubles } from '../form.ts';
import { graceField } from '../key-forms.ts';

interface WebhookFormProps {
  readonly onClose: () => void;
  /** Closes the form, says what was done, and shows it. */
  readonly onDone: (said: string, id?: string) => void;
}

interface GivenWebhook extends WebhookFormProps {
  readonly given: ShownWebhook;
}

/** Most new ones are for the day's official rate. */
const FIRST_EVENTS: readonly string[] = ['official.published'];
const LEAST_CHANGE_PERCENT = 0.01;
const MOST_CHANGE_PERCENT = 50;
const FIRST_CHANGE_PERCENT = 1;

/** The form of a new webhook, or of one that is there. Which events it may name, the API says. */
export function WebhookForm({
  given,
  onClose,
  onDone,
}: WebhookFormProps & Partial<GivenWebhook>): Html {
  const open = useConsole();
  const { texts, language, marketNames, call, showNewKey } = open;
  const [events, setEvents] = useState<readonly string[]>(given?.events ?? FIRST_EVENTS);
  const threshold = given?.threshold_percent ?? FIRST_CHANGE_PERCENT;
  const chosen = given?.markets ?? [];
  const changeOf = (form: FormData) => writtenValues(String(form.get('threshold') ?? ''), language);
  const check = (form: FormData): Troubles => {
    const [percent, other] = form.has('threshold') ? changeOf(form) : [threshold];
    const isRight =
      other === undefined &&
      percent !== undefined &&
      percent >= LEAST_CHANGE_PERCENT &&
      percent <= MOST_CHANGE_PERCENT;
    return {
      ...(form.getAll('event').length === 0 && { events: texts.hooks.eventMissing }),
      ...(!isRight && { threshold_percent: texts.hooks.thresholdHelp }),
    };
  };
  const work = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const wish = {
      url: text('url'),
      events: form.getAll('event').map(String),
      markets: form.has('threshold-shown') ? form.getAll('market').map(String) : chosen,
      threshold_percent: changeOf(form)[0] ?? threshold,
      description: text('description') || null,
    };
    if (given === undefined) {
      const made = await call((vesfx) => webhooksOf(vesfx).create(wish));
      showNewKey({ id: made.id, key: made.secret, isCurrent: false, isSecret: true });
      return onDone('', made.id);
    }
    const changed = { ...wish, active: given.active };
    await call((vesfx) => webhooksOf(vesfx).replace(given.id, changed));
    onDone(filled(texts.hooks.webhookSaved, { name: webhookName(wish) }), given.id);
  };
  const narrows = events.some((name) => name === 'rate.changed' || name === 'rate.in_doubt');
  const markets = [...new Set([...Object.keys(marketNames), ...chosen])];
  const offered = Object.entries(texts.hooks.eventNames).filter(
    ([name]) => name !== 'webhook.test',
  );
  return h(FormDialog, {
    id: 'webhook-form',
    title:
      given === undefined
        ? texts.hooks.newWebhook
        : filled(texts.changeKey, { name: webhookName(given) }),
    submit: texts.save,
    ...{ onClose, check, work },
    onInput: (form: FormData) => setEvents(form.getAll('event').map(String)),
    children: html`${h(TextField, { name: 'url', label: texts.hooks.webhook, type: 'url', required: true, maxlength: 2000, placeholder: texts.hooks.exampleHook, autocapitalize: 'none', spellcheck: false, defaultValue: given?.url ?? '' })}
${h(TextField, { name: 'description', label: texts.hooks.webhookNote, note: texts.optional, maxlength: 200, defaultValue: given?.description ?? '' })}
${h(Ticks, { name: 'event', field: 'events', label: texts.hooks.events, chosen: events, choices: offered })}
${
  narrows &&
  html`<input type="hidden" name="threshold-shown" value="1" />${h(TextField, { name: 'threshold', field: 'threshold_percent', label: texts.hooks.threshold, inputmode: 'decimal', hint: texts.hooks.thresholdHelp, defaultValue: plainValueText(threshold, language) })}
<details open=${chosen.length > 0}><summary>${texts.markets}: <span class="link">${texts.chooseMarkets}</span></summary>${h(
    Ticks,
    {
      ...{ name: 'market', field: 'markets', label: texts.markets },
      ...{ hint: texts.hooks.webhookMarketsHelp, chosen },
      choices: markets.map((market) => [market, marketName(market, open)] as const),
    },
  )}</details>`
}`,
  });
}

const DAY_SEC = DAY_MS / 1_000;

/** Asks how long the former secret still signs. */
export function RotateSecretForm({ given, onClose, onDone }: GivenWebhook): Html {
  const { texts, call, showNewKey } = useConsole();
  const { id } = given;
  const work = async (form: FormData) => {
    const grace_sec = Number(form.get('grace'));
    const { secret } = await call((vesfx) => webhooksOf(vesfx).rotate(id, { grace_sec }));
    showNewKey({ id, key: secret, isCurrent: false, isSecret: true });
    onDone('', id);
  };
  return h(FormDialog, {
    ...{
      id: 'rotate-form',
      title: filled(texts.hooks.rotateSecretOf, { name: webhookName(given) }),
    },
    ...{ submit: texts.rotate, onClose, work },
    children: html`<p>${texts.hooks.rotateSecretHelp}</p>${graceField(texts.hooks.oldSigns, DAY_SEC, texts)}`,
  });
}

/** Messages are kept so long. */
const KEPT_DAYS = 30;

/** Asks since when messages are sent again. */
export function RecoverForm({ given, onClose, onDone }: GivenWebhook): Html {
  const { texts, language, call } = useConsole();
  const now = Date.now();
  const work = async (form: FormData) => {
    const since = `${form.get('since')}T00:00:00-04:00`;
    const { count } = await call((vesfx) => webhooksOf(vesfx).recover(given.id, { since }));
    onDone(filled(texts.hooks.recovered, { n: countText(count, language) }), given.id);
  };
  return h(FormDialog, {
    ...{ id: 'recover-form', title: filled(texts.hooks.recoverOf, { name: webhookName(given) }) },
    ...{ submit: texts.hooks.recover, onClose, work },
    children: html`<p>${texts.hooks.recoverHelp}</p>
${h(TextField, { name: 'since', label: texts.hooks.recoverSince, type: 'date', required: true, min: caracasDayOf(now - KEPT_DAYS * DAY_MS), max: caracasDayOf(now), defaultValue: caracasDayOf(now - DAY_MS) })}`,
  });
}

/** Asks before a webhook is deleted. `send` closes it and sends the request itself, as the playground does. */
export function DeleteWebhookForm(
  props: GivenWebhook & { readonly send?: () => Promise<void> },
): Html {
  const { given, onClose, onDone, send } = props;
  const { texts, call } = useConsole();
  const name = webhookName(given);
  const work = async () => {
    if (send) return send();
    await call((vesfx) => webhooksOf(vesfx).delete(given.id));
    onDone(filled(texts.hooks.webhookRemoved, { name }));
  };
  return h(FormDialog, {
    ...{ id: 'delete-form', title: filled(texts.hooks.removeWebhookAsk, { name }) },
    ...{ submit: texts.removeYes, isDestructive: true, onClose, work },
    children: html`<p><code class="origin">${given.url}</code></p><p>${inlineCode(texts.hooks.removeWebhookHelp)}</p>`,
  });
}
