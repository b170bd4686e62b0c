import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { Key } from '../../../client/types.ts';
import {
  GRANTABLE_SCOPES,
  KEY_KINDS,
  type KeyKind,
  PUBLISHABLE_SCOPES,
} from '../../../domain/keys.ts';
import { caracasDayOf } from '../../../domain/time.ts';
import { type Html, html } from '../../frame/html.ts';
import { filled } from '../console-reader.ts';
import { nameOf } from '../key-list.ts';
import { useConsole } from './console-context.ts';
import { Dialog } from './dialog.ts';
import { FormEnd, TextField, Ticks, useSending } from './form.ts';

export interface KeyFormProps {
  /** The key that the form is about; undefined for a new one. */
  readonly given: Key | undefined;
  readonly onClose: () => void;
  /** Its row is gone, and with it the place of the focus. */
  readonly onGone: () => void;
}

/** The last day of a key in Caracas; '' without an end. */
function lastDayOf(key: Key | undefined): string {
  const end = key?.expires_at ?? undefined;
  return end === undefined ? '' : caracasDayOf(Date.parse(end));
}

/** A key ends with its last day in Caracas. */
const endOf = (day: string) => `${day}T23:59:59-04:00`;

/** The form of a new key, or of the name, rights and end of one that is there. */
export function KeyForm({ given, onClose }: KeyFormProps): Html {
  const { data, session, reload, showNewKey } = useConsole();
  const { texts } = data;
  const [kind, setKind] = useState<KeyKind>(given?.kind ?? 'full');
  const isPublishable = kind === 'publishable';
  const sending = useSending(async (form) => {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const [label, expires] = [text('label'), text('expires')];
    const limits = {
      scopes: kind === 'full' ? undefined : form.getAll('scope').map(String),
      origins: isPublishable
        ? text('origins')
            .split(/[\s,]+/)
            .filter((origin) => origin !== '')
        : undefined,
      allow_no_origin: isPublishable ? form.has('no-origin') : undefined,
    };
    if (given === undefined) {
      const body = {
        ...{ kind, ...limits },
        ...(label !== '' && { label }),
        ...(expires !== '' && { expires_at: endOf(expires) }),
      };
      const made = await session.call((vesfx) => vesfx.keys.create(body));
      onClose();
      showNewKey({ key: made.key, isCurrent: false });
    } else {
      const change = {
        label: label === '' ? null : label,
        // The form knows only the day: sending an unchanged one would move the end to its last moment.
        ...(expires !== lastDayOf(given) && { expires_at: expires === '' ? null : endOf(expires) }),
        ...limits,
      };
      await session.call((vesfx) => vesfx.keys.change(given.id, change));
      onClose();
    }
    await reload();
    return undefined;
  });
  const scopes = isPublishable ? PUBLISHABLE_SCOPES : GRANTABLE_SCOPES;
  const onKind = (event: Event & { currentTarget: HTMLSelectElement }) =>
    setKind(KEY_KINDS.find((one) => one === event.currentTarget.value) ?? 'full');
  const content = html`<form id=${given === undefined ? 'key-form' : 'change-form'} class="stack" ref=${sending.form} onSubmit=${sending.onSubmit} onInput=${sending.onInput}>
${
  given === undefined &&
  html`<div class="field"><label for="f-kind">${texts.kind}</label><select id="f-kind" name="kind" value=${kind} onChange=${onKind}>${KEY_KINDS.map((one) => html`<option value=${one}>${texts.keyKinds[one]}</option>`)}</select>
<p class="hint">${texts.keyKindsHelp[kind]}</p></div>`
}
<div class="row">${h(TextField, { sending, name: 'label', label: texts.keyName, note: texts.optional, maxlength: 100, defaultValue: given?.label ?? '' })}
${h(TextField, { sending, name: 'expires', field: 'expires_at', label: texts.keyEnds, note: texts.optional, type: 'date', defaultValue: lastDayOf(given) })}</div>
${
  kind !== 'full' &&
  h(Ticks, {
    ...{ sending, name: 'scope', field: 'scopes', label: texts.keyScopes },
    choices: scopes.map((scope) => [scope, texts.scopeNames[scope]] as const),
    chosen: given?.scopes ?? [],
  })
}
${
  isPublishable &&
  html`${h(TextField, { sending, name: 'origins', label: texts.keyOrigins, autocapitalize: 'none', spellcheck: false, placeholder: texts.originExample, defaultValue: given?.origins.join(' ') ?? '' })}
<label class="tick"><input type="checkbox" name="no-origin" defaultChecked=${given?.allow_no_origin} /> ${texts.keyNoOrigin}</label>`
}
${h(FormEnd, { sending, submit: given === undefined ? texts.create : texts.save, onCancel: onClose })}
</form>`;
  const title =
    given === undefined ? texts.createKey : filled(texts.changeKey, { name: nameOf(given) });
  return h(Dialog, { title, onClose, children: content });
}
