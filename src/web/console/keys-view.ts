import type { Key } from '../../client/types.ts';
import { caracasDayOf, caracasTimeOf } from '../../domain/time.ts';
import { shortDay } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { table } from '../frame/table.ts';
import { type ConsoleReader, filled } from './console-reader.ts';
import { formEnd, reachOf } from './key-form.ts';

function hasEnded({ expires_at, revoked_at }: Key, now: number): boolean {
  return revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= now);
}

/** An instant that a narrow column breaks only between day and time. */
function momentOf(at: string, language: Language): Html {
  const instant = Date.parse(at);
  const day = shortDay(caracasDayOf(instant), language);
  return html`<span class="moment"><span class="nowrap">${day}</span> ${caracasTimeOf(instant)}</span>`;
}

function stateOf(key: Key, now: number, reader: ConsoleReader): Html {
  const { language, texts } = reader;
  const on = (word: string, at: string) => html`${word} ${momentOf(at, language)}`;
  if (key.revoked_at !== null) return on(texts.revoked, key.revoked_at);
  if (key.expires_at === null) return texts.live;
  return on(hasEnded(key, now) ? texts.expired : texts.liveUntil, key.expires_at);
}

/** Whether the key of the console may change the account. */
export function canChange(keys: readonly Key[]): boolean {
  return keys.find(({ current }) => current)?.scopes.includes('account.write') ?? true;
}

/** The keys without their secrets. Keys that ended have a list of their own. */
export function keysView(keys: readonly Key[], now: number, reader: ConsoleReader): Html {
  const { language, texts } = reader;
  const columns = [
    { label: texts.keyId },
    { label: texts.kind },
    { label: texts.created },
    { label: texts.state, kind: 'type' as const },
  ];
  const cells = (key: Key) => [
    html`${key.label !== null && html`${key.label}<br />`}<code>${key.id}</code>${key.current && html` <span class="tag">${texts.inUse}</span>`}`,
    reachOf(key, reader),
    momentOf(key.created_at, language),
    stateOf(key, now, reader),
  ];
  const button = (name: string, label: string, { id }: Key) =>
    html`<button type="button" ...${{ [`data-${name}`]: id }}>${label}<span class="unseen"> ${id}</span></button>\n`;
  const actions = (key: Key) =>
    html`<span class="buttons">${button('rotate', texts.rotate, key)}${button('change', texts.change, key)}${button('revoke', texts.revoke, key)}</span>`;
  const ended = keys.filter((key) => hasEnded(key, now));
  const live = keys.filter((key) => !ended.includes(key));
  const isReadOnly = !canChange(keys);
  const endedName = filled(texts.oldKeys, { n: String(ended.length) });
  return html`${table(
    texts.keys,
    isReadOnly ? columns : [...columns, { label: texts.action, kind: 'action' }],
    live.map((key) => [...cells(key), ...(isReadOnly ? [] : [actions(key)])]),
    { stacks: true },
  )}
${isReadOnly ? html`<p class="quiet">${texts.readOnly}</p>` : html`<p class="buttons"><button type="button" data-new-key>${texts.createKey}</button></p>`}
${
  ended.length > 0 &&
  html`<details><summary>${endedName}</summary>
${table(endedName, columns, ended.map(cells), { stacks: true })}</details>`
}`;
}

const HOUR_SEC = 3_600;
/** Enough time to replace the old key in every program, or to try again if the answer is lost. */
const DEFAULT_GRACE_SEC = HOUR_SEC;

/** Asks for the grace period of the old key. */
export function rotateForm({ id, label, current }: Key, reader: ConsoleReader): Html {
  const { texts } = reader;
  const graces = [
    [0, texts.graceNone],
    [DEFAULT_GRACE_SEC, texts.graceHour],
    [24 * HOUR_SEC, texts.graceDay],
    [7 * 24 * HOUR_SEC, texts.graceWeek],
  ] as const;
  return html`<form class="panel" id="rotate-form" data-id="${id}">
<h3 tabindex="-1">${filled(texts.rotateKey, { name: label ?? id })}</h3>
<p>${texts.rotateHelp} ${current && texts.rotateOwn}</p>
<p class="fields"><label>${texts.oldWorks} <select name="grace">${graces.map(([seconds, text]) => html`<option value="${seconds}" selected=${seconds === DEFAULT_GRACE_SEC}>${text}</option>`)}</select></label></p>
${formEnd(texts.rotate, reader)}
</form>`;
}

/** The new key, at the only moment when it can be seen. */
export function newKeyView(
  { key, isCurrent }: { readonly key: string; readonly isCurrent: boolean },
  reader: ConsoleReader,
): Html {
  const { texts } = reader;
  return html`<div class="panel" id="new-key">
<h3 tabindex="-1">${texts.newKey}</h3>
<p><strong>${texts.newKeyHelp}</strong> ${isCurrent && texts.newKeyInUse}</p>
<pre class="whole" tabindex="0" data-own-copy><code>${key}</code></pre>
<p class="buttons"><button type="button" class="main" data-copy="new-key">${texts.copy}</button>
<button type="button" data-saved>${texts.saved}</button> <span role="status"></span></p>
</div>`;
}
