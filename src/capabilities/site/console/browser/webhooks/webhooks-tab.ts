import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Html, html, inlineCode } from '../../../../../core/http/framework/encoding/html.ts';
import { countText } from '../../../frame/format.ts';
import { filled } from '../../console-data.ts';
import { failureIn } from '../../failures.ts';
import { canChange } from '../../key-list.ts';
import { type ShownWebhook, webhooksOf } from '../../webhooks/webhook-calls.ts';
import { exampleMessage, webhookName, webhooksView } from '../../webhooks/webhook-list.ts';
import { useConsole, useLoaded } from '../console-context.ts';
import { ICONS, Menu, useFocusAfterChange } from '../menu.ts';
import { DeliveriesPanel } from './deliveries-panel.ts';
import { DeleteWebhookForm, RecoverForm, RotateSecretForm, WebhookForm } from './webhook-forms.ts';

const FORMS = {
  change: WebhookForm,
  rotate: RotateSecretForm,
  recover: RecoverForm,
  delete: DeleteWebhookForm,
};

/** The webhooks of the account, and below them the deliveries to one of them. */
export function WebhooksTab(): Html {
  const open = useConsole();
  const { texts, language, call, account, version, refresh, plansAddress, signatureGuide } = open;
  const { webhooks_max: max } = account.limits;
  const isOn = open.webhooks === 'on';
  const isReadOnly = !canChange(account.keys);
  const [asked, setAsked] = useState<{ form: keyof typeof FORMS; given: ShownWebhook } | 'new'>();
  const [shownId, setShownId] = useState<string>();
  // What is said is true of one version, as in the other lists.
  const [said, setSaid] = useState({ text: '', version });
  const say = (text: string, of = version) => setSaid({ text, version: of });
  const newButton = useRef<HTMLButtonElement>(null);
  const { value: webhooks, trouble } = useLoaded(async () => {
    if (!isOn) return [];
    // Those left from a dearer plan are listed; without any, a plan without webhooks is refused.
    const list = call((vesfx) => webhooksOf(vesfx).list());
    return (max === 0 ? await list.catch(() => ({ webhooks: [] })) : await list).webhooks;
  }, [version, max]);
  const focusOn = useFocusAfterChange(webhooks, newButton);
  const onClose = () => setAsked(undefined);
  const onDone = (text: string, id = '') => {
    onClose();
    say(text, version + 1);
    focusOn(id);
    // Of a deleted one nothing can be read.
    if (id === '') setShownId(undefined);
    void refresh();
  };
  /** What needs no form. */
  const act = async (work: () => Promise<unknown>, done: string, id: string) => {
    try {
      await work();
      onDone(done, id);
    } catch (error) {
      say(failureIn(error, open));
    }
  };
  const ask = (next: typeof asked) => {
    say('');
    setAsked(next);
  };
  const actions = (given: ShownWebhook) => {
    const { id, active } = given;
    const name = webhookName(given);
    const item = (form: keyof typeof FORMS, text: string, path: string) => ({
      ...{ text, path, isDanger: form === 'delete' },
      onChoose: () => ask({ form, given }),
    });
    const test = () =>
      act(
        async () => {
          await call((vesfx) => webhooksOf(vesfx).test(id));
          setShownId(id);
        },
        filled(texts.hooks.testQueued, { name }),
        id,
      );
    const turn = () =>
      act(
        () => call((vesfx) => webhooksOf(vesfx).replace(id, { ...given, active: !active })),
        filled(active ? texts.hooks.webhookPaused : texts.hooks.webhookResumed, { name }),
        id,
      );
    const shown = {
      text: texts.hooks.seeDeliveries,
      path: ICONS.list,
      onChoose: () => setShownId(id),
    };
    const sending = [
      { text: texts.hooks.sendTest, path: ICONS.send, onChoose: test },
      item('recover', `${texts.hooks.recover}…`, ICONS.send),
    ];
    const items = [
      shown,
      ...(isReadOnly || !active ? [] : sending),
      ...(isReadOnly
        ? []
        : [
            item('change', texts.change, ICONS.edit),
            {
              text: active ? texts.hooks.pause : texts.hooks.resume,
              path: ICONS.pause,
              onChoose: turn,
            },
            item('rotate', `${texts.hooks.rotateSecret}…`, ICONS.rotate),
            item('delete', `${texts.remove}…`, ICONS.remove),
          ]),
    ];
    return h(Menu, { id, label: filled(texts.actionsOf, { name }), items });
  };
  const newWebhook = html`<button type="button" class="main" data-new ref=${newButton} onClick=${() => ask('new')}>${texts.hooks.newWebhook}</button>`;
  const compare = html`<a href=${plansAddress}>${texts.comparePlans}</a>`;
  const guide = html`<a href=${signatureGuide}>${texts.hooks.checkSignature}</a>`;
  const none = () => {
    const [heading, about, next] = !isOn
      ? [texts.hooks.webhooksOff, inlineCode(texts.hooks.webhooksOffHelp), undefined]
      : max === 0
        ? [texts.hooks.noWebhooksInPlan, texts.hooks.webhooksAbout, html`<p>${compare}</p>`]
        : isReadOnly
          ? [
              texts.hooks.noWebhooks,
              texts.hooks.webhooksAbout,
              html`<p class="quiet">${texts.readOnly}</p>`,
            ]
          : [
              texts.hooks.noWebhooks,
              texts.hooks.webhooksAbout,
              html`<p class="buttons">${newWebhook} ${guide}</p>`,
            ];
    return [
      html`<div class="panel empty-state"><div><div><h1 tabindex="-1">${heading}</h1>
<p>${about}</p>${next}</div></div>
${exampleMessage(open)}</div>`,
    ];
  };
  const count = webhooks?.length ?? 0;
  const isFull = max !== null && count >= max;
  const list = () => [
    html`<div class="panel keys"><div class="head"><div><h1 tabindex="-1">${texts.tabs.webhooks}</h1><p class="quiet">${isReadOnly ? texts.readOnly : texts.hooks.webhooksHelp} ${guide}</p></div>${!isReadOnly && !isFull && newWebhook}</div>
${webhooks === undefined ? trouble === undefined && html`<div class="skeleton list-place"></div>` : webhooksView(webhooks, actions, { ...open, max })}
${webhooks !== undefined && max !== null && html`<p class="foot quiet">${texts.tabs.webhooks}: ${filled(texts.countOf, { n: countText(count, language), max: countText(max, language) })}. ${isFull && compare}</p>`}</div>`,
  ];
  const shown = webhooks?.find(({ id }) => id === shownId);
  return html`${webhooks?.length === 0 ? none() : list()}
${shown && h(DeliveriesPanel, { key: shown.id, webhook: shown, isReadOnly, say })}
<p class="said" role="status">${said.version === version && said.text}</p>${trouble !== undefined && html`<p class="trouble">${trouble} <button type="button" onClick=${refresh}>${texts.retry}</button></p>`}
${asked === 'new' ? h(WebhookForm, { onClose, onDone }) : asked && h(FORMS[asked.form], { given: asked.given, onClose, onDone })}`;
}
