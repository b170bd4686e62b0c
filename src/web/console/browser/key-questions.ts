import { h } from 'preact';
import { type Html, html } from '../../frame/html.ts';
import { filled } from '../console-reader.ts';
import { nameOf } from '../key-list.ts';
import { useConsole } from './console-context.ts';
import { Dialog } from './dialog.ts';
import { FormEnd, useSending } from './form.ts';
import type { KeyFormProps } from './key-form.ts';

const HOUR_SEC = 3_600;
/** Enough time to replace the old key in every program, or to try again if the answer is lost. */
const DEFAULT_GRACE_SEC = HOUR_SEC;

/** Asks for the grace period of the old key. */
export function RotateForm({ given, onClose }: KeyFormProps): Html {
  const { data, session, reload, showNewKey } = useConsole();
  const { texts } = data;
  const graces = [
    [0, texts.graceNone],
    [DEFAULT_GRACE_SEC, texts.graceHour],
    [24 * HOUR_SEC, texts.graceDay],
    [7 * 24 * HOUR_SEC, texts.graceWeek],
  ] as const;
  const isCurrent = given?.current ?? false;
  const sending = useSending(async (form) => {
    const rotation = { grace_sec: Number(form.get('grace')) };
    const next = await session.call((vesfx) => vesfx.rotateKey(given?.id ?? '', rotation));
    // Show the new key before anything else can fail: without it its owner could be locked out.
    if (isCurrent) session.keep(next.key);
    onClose();
    showNewKey({ key: next.key, isCurrent });
    await reload();
    return undefined;
  });
  const content = html`<form id="rotate-form" class="stack" ref=${sending.form} onSubmit=${sending.onSubmit}>
<p>${texts.rotateHelp} ${isCurrent && texts.rotateOwn}</p>
<div class="field"><label for="f-grace">${texts.oldWorks}</label><select id="f-grace" name="grace">${graces.map(([seconds, text]) => html`<option value=${seconds} selected=${seconds === DEFAULT_GRACE_SEC}>${text}</option>`)}</select></div>
${h(FormEnd, { sending, submit: texts.rotate, onCancel: onClose })}</form>`;
  const title = filled(texts.rotateKey, { name: given === undefined ? '' : nameOf(given) });
  return h(Dialog, { title, onClose, children: content });
}

/** Asks before a key is revoked. */
export function RevokeForm({ given, onClose, onGone }: KeyFormProps): Html {
  const { data, session, reload } = useConsole();
  const { texts } = data;
  const sending = useSending(async () => {
    await session.call((vesfx) => vesfx.keys.revoke(given?.id ?? ''));
    await reload();
    onClose();
    onGone();
    return undefined;
  });
  const content = html`<form id="revoke-form" class="stack" ref=${sending.form} onSubmit=${sending.onSubmit}>
<p>${texts.revokeHelp} ${given?.current && texts.revokeOwn}</p>
${h(FormEnd, { sending, submit: texts.revokeYes, onCancel: onClose, isDestructive: true })}</form>`;
  const title = filled(texts.revokeKey, { name: given === undefined ? '' : nameOf(given) });
  return h(Dialog, { title, onClose, children: content });
}
