import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Key } from '../../../client/types.ts';
import { type Html, html } from '../../frame/html.ts';
import { table } from '../../frame/table.ts';
import { filled } from '../console-reader.ts';
import {
  canChange,
  hasEnded,
  keyCountText,
  keyEndText,
  lastUseText,
  momentOf,
  nameOf,
  reachOf,
} from '../key-list.ts';
import { useConsole } from './console-context.ts';
import { KeyForm } from './key-form.ts';
import { RevokeForm, RotateForm } from './key-questions.ts';
import { ICONS, Menu } from './menu.ts';

const FORMS = { change: KeyForm, rotate: RotateForm, revoke: RevokeForm };

/** The keys of the account, by their names. Keys that ended have a list of their own. */
export function KeysTab(): Html {
  const { data, account } = useConsole();
  const { texts } = data;
  const [asked, setAsked] = useState<{ readonly form: keyof typeof FORMS; readonly key?: Key }>();
  const newButton = useRef<HTMLButtonElement>(null);
  const now = Date.now();
  const ended = account.keys.filter((key) => hasEnded(key, now));
  const live = account.keys.filter((key) => !ended.includes(key));
  const isReadOnly = !canChange(account.keys);
  const columns = [
    { label: texts.keyName },
    { label: texts.kind },
    { label: texts.lastUse },
    { label: texts.created },
    { label: texts.ends, kind: 'type' as const },
  ];
  const cells = (key: Key) => [
    html`<span class="key-name">${key.label ?? texts.noName}${key.current && html` <span class="tag accent">${texts.inUse}</span>`}</span><code>${key.id}</code>`,
    reachOf(key, data),
    lastUseText(key, now, data),
    momentOf(key.created_at, data),
    keyEndText(key, now, data),
  ];
  const actions = (key: Key) => {
    const item = (form: keyof typeof FORMS, text: string, path: string) => ({
      ...{ text, icon: path, isDanger: form === 'revoke' },
      onChoose: () => setAsked({ form, key }),
    });
    return h(Menu, {
      id: key.id,
      label: filled(texts.actionsOf, { name: nameOf(key) }),
      items: [
        item('change', texts.change, ICONS.edit),
        item('rotate', texts.rotate, ICONS.rotate),
        item('revoke', texts.revokeDots, ICONS.remove),
      ],
    });
  };
  const endedName = filled(texts.oldKeys, { n: String(ended.length) });
  const onClose = () => setAsked(undefined);
  // After the list is drawn again.
  const onGone = () => setTimeout(() => newButton.current?.focus());
  return html`<div class="head"><div><h1 tabindex="-1">${texts.keys}</h1><p class="quiet">${isReadOnly ? texts.readOnly : texts.keysHelp}</p></div>
${!isReadOnly && html`<button type="button" class="main" data-new-key ref=${newButton} onClick=${() => setAsked({ form: 'change' })}>${texts.createKey}</button>`}</div>
<div class="panel keys">${table(
    texts.keys,
    isReadOnly ? columns : [...columns, { label: texts.action, kind: 'action' }],
    live.map((key) => [...cells(key), ...(isReadOnly ? [] : [actions(key)])]),
    { stacks: true },
  )}</div>
<p class="quiet">${keyCountText(account, now, data)}</p>
${ended.length > 0 && html`<details class="panel keys"><summary>${endedName}</summary>${table(endedName, columns, ended.map(cells), { stacks: true })}</details>`}
${asked && h(FORMS[asked.form], { given: asked.key, onClose, onGone })}`;
}
