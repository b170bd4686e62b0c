import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Key } from '../../../../client/types.ts';
import { type Html, html, inlineCode } from '../../../../core/http/framework/encoding/html.ts';
import { countText } from '../../frame/format.ts';
import { table } from '../../frame/table.ts';
import { filled } from '../console-data.ts';
import {
  canChange,
  hasEnded,
  isFull,
  keyCounts,
  keyCountText,
  keyEndText,
  lastUseText,
  momentOf,
  nameOf,
  reachOf,
  replacementOf,
  sharedKeyIn,
} from '../key-list.ts';
import { shareBar } from '../usage-view.ts';
import { useConsole, useLoaded } from './console-context.ts';
import { KeyForm, RevokeForm, RotateForm } from './key-forms.ts';
import { ICONS, Menu } from './menu.ts';

const FORMS = { change: KeyForm, rotate: RotateForm, revoke: RevokeForm };

/** The keys of the account, by their names. Keys that ended have a list of their own. */
export function KeysTab(): Html {
  const open = useConsole();
  const { texts, language, call, account, version, plansAddress } = open;
  const [asked, setAsked] = useState<{ form: keyof typeof FORMS; given: Key } | 'new'>();
  // What is said is true until the next change.
  const [said, setSaid] = useState({ text: '', version });
  const say = (text: string) => setSaid({ text, version: version + 1 });
  const ask = (next: typeof asked) => {
    say('');
    setAsked(next);
  };
  const { month } = account.usage;
  const { value: usage } = useLoaded(
    () => call((vesfx) => vesfx.usage({ from: `${month}-01` })),
    [month, version],
  );
  const newButton = useRef<HTMLButtonElement>(null);
  const now = Date.now();
  const { live = [], ended = [] } = Object.groupBy(account.keys, (key) =>
    hasEnded(key, now) ? 'ended' : 'live',
  );
  const isReadOnly = !canChange(account.keys);
  const counts = Object.values(keyCounts(account, now));
  const isAllFull = counts.every(isFull);
  const shared = sharedKeyIn(account, open);
  const actions = (given: Key) => {
    if (given === shared) return undefined;
    const item = (form: keyof typeof FORMS, text: string, path: string) => ({
      ...{ text, path, isDanger: form === 'revoke' },
      onChoose: () => ask({ form, given }),
    });
    const items = [
      item('change', texts.change, ICONS.edit),
      item('rotate', `${texts.rotate}…`, ICONS.rotate),
      item('revoke', `${texts.revoke}…`, ICONS.remove),
    ];
    const label = filled(texts.actionsOf, { name: nameOf(given) });
    return h(Menu, { id: given.id, label, items });
  };
  const used = new Map(usage?.keys.map(({ id, units }) => [id, units]));
  const most = Math.max(...used.values());
  const useOf = ({ id }: Key) => {
    if (usage === undefined) return '–';
    const units = used.get(id) ?? 0;
    return html`<span class="use-of">${shareBar(units, most)}<span class="nowrap">${countText(units, language)} <span class="quiet">${texts.units.toLowerCase()}</span></span></span>`;
  };
  const list = (name: string, keys: readonly Key[], hasActions: boolean) =>
    table(
      name,
      [
        { label: texts.keyName },
        { label: texts.kind },
        { label: texts.lastUse },
        { label: hasActions ? texts.thisMonth : texts.created },
        { label: texts.ends },
        ...(hasActions ? [{ label: texts.action, kind: 'action' as const }] : []),
      ],
      keys.toReversed().map((key) => {
        const newer = replacementOf(key, account.keys);
        return [
          html`<span class="key-name"><span>${key.label ?? texts.noName}</span>${key.current && html` <span class="tag accent">${texts.inUse}</span>`}</span>${key.hint && html`<code>${key.hint}</code>`}<code>${key.id}</code>${newer && html` <span class="tag"><span>${inlineCode(filled(texts.replacedBy, { id: newer.id }))}</span></span>`}${key === shared && html` <span class="quiet">${texts.sharedKey}</span>`}`,
          reachOf(key, open),
          lastUseText(key, now, open),
          hasActions ? useOf(key) : momentOf(key.created_at, open),
          keyEndText(key, now, open),
          ...(hasActions ? [actions(key)] : []),
        ];
      }),
      { stacks: true },
    );
  const endedName = filled(texts.oldKeys, { n: String(ended.length) });
  const onClose = () => setAsked(undefined);
  // After the list is drawn again.
  const onGone = () => setTimeout(() => newButton.current?.focus());
  return html`<div class="panel keys"><div class="head"><div><h1 tabindex="-1">${texts.tabs.claves}</h1><p class="quiet">${isReadOnly ? texts.readOnly : texts.keysHelp}</p></div>
${!isReadOnly && html`<button type="button" class="main" data-new-key disabled=${isAllFull} ref=${newButton} onClick=${() => ask('new')}>${texts.createKey}</button>`}</div>
${list(texts.tabs.claves, live, !isReadOnly)}
<p class="foot quiet">${keyCountText(account, now, open)} ${counts.some(isFull) && html`<a href=${plansAddress}>${texts.comparePlans}</a>`}</p></div>
${ended.length > 0 && html`<details class="panel keys"><summary>${endedName}</summary>${list(endedName, ended, false)}</details>`}
<p class="said" role="status">${said.version === version && said.text}</p>
${asked === 'new' ? h(KeyForm, { onClose }) : asked && h(FORMS[asked.form], { given: asked.given, say, onClose, onGone })}`;
}
