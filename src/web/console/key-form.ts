import type { Key } from '../../client/types.ts';
import {
  GRANTABLE_SCOPES,
  KEY_KINDS,
  type KeyKind,
  PUBLISHABLE_SCOPES,
  SCOPES,
} from '../../domain/keys.ts';
import { caracasDayOf } from '../../domain/time.ts';
import { type Html, html } from '../frame/html.ts';
import { type ConsoleReader, filled } from './console-reader.ts';

/**
 * The end of a form: its buttons and its place for errors. Where something is
 * removed for ever, the safe button comes first.
 */
export function formEnd(submit: string, { texts }: ConsoleReader, isDestructive = false): Html {
  const main = html`<button class="main${isDestructive ? ' danger' : ''}">${submit}</button>`;
  const cancel = html`<button type="button" data-cancel>${texts.cancel}</button>`;
  const [first, second] = isDestructive ? [cancel, main] : [main, cancel];
  return html`<p class="buttons">${first} ${second}</p>
<p class="trouble" role="alert"></p>`;
}

/** The form for a new key. The script hides the fields that the chosen kind does not have. */
export function newKeyForm(reader: ConsoleReader): Html {
  const { texts } = reader;
  const kinds = html`<label>${texts.kind} <select name="kind">${KEY_KINDS.map((kind) => html`<option value="${kind}">${texts.keyKinds[kind]}</option>`)}</select></label>
`;
  return html`<form class="panel" id="key-form">
<h3 tabindex="-1">${texts.createKey}</h3>
${keyFields({ kinds, key: undefined }, reader)}
${formEnd(texts.create, reader)}
</form>`;
}

/** The form that changes the label, rights and end of a key. */
export function changeKeyForm(key: Key, reader: ConsoleReader): Html {
  const { texts } = reader;
  return html`<form class="panel" id="change-form" data-id="${key.id}">
<h3 tabindex="-1">${filled(texts.changeKey, { name: key.label ?? key.id })}</h3>
${keyFields({ kinds: html`<input type="hidden" name="kind" value="${key.kind}" />`, key }, reader)}
${formEnd(texts.save, reader)}
</form>`;
}

/** The last day of a key in Caracas; '' without an end. */
export function lastDayOf({ expires_at }: Pick<Key, 'expires_at'>): string {
  return expires_at === null ? '' : caracasDayOf(Date.parse(expires_at));
}

function keyFields(
  { kinds, key }: { readonly kinds: Html; readonly key: Key | undefined },
  reader: ConsoleReader,
): Html {
  const { texts } = reader;
  const scopes = GRANTABLE_SCOPES.map(
    (scope) =>
      html`<label><input type="checkbox" name="scope" value="${scope}" checked=${key?.scopes.includes(scope)} /> ${texts.scopeNames[scope]}</label> `,
  );
  const optional = html` <span class="quiet">(${texts.optional})</span>`;
  return html`<div class="form-grid">${kinds}<div><label><span>${texts.keyName}${optional}</span> <input name="label" data-field="label" maxlength="100" autocomplete="off" value="${key?.label ?? ''}" /></label></div>
<div><label><span>${texts.keyEnds}${optional}</span> <input name="expires" data-field="expires_at" type="date" value="${key === undefined ? '' : lastDayOf(key)}" /></label></div></div>
${key === undefined && html`<p class="quiet">${texts.keyKindsHelp}</p>`}
<fieldset data-for="restricted publishable" data-field="scopes"><legend>${texts.keyScopes}</legend><p class="choices-list">${scopes}</p></fieldset>
<div class="form-lines" data-for="publishable"><div><label>${texts.keyOrigins}
<input name="origins" data-field="origins" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="${texts.originExample}" value="${key?.origins.join(' ') ?? ''}" /></label></div>
<label class="tick"><input type="checkbox" name="no-origin" checked=${key?.allow_no_origin} /> ${texts.keyNoOrigin}</label></div>`;
}

/** Whether a key of the kind can be given the scope. */
export function mayHave(kind: string, scope: string): boolean {
  const allowed: readonly string[] = kind === 'publishable' ? PUBLISHABLE_SCOPES : GRANTABLE_SCOPES;
  return allowed.includes(scope);
}

/** Asks for confirmation before a key is revoked. */
export function revokeForm({ id, label, current }: Key, reader: ConsoleReader): Html {
  const { texts } = reader;
  return html`<form class="panel" id="revoke-form" data-id="${id}">
<h3 tabindex="-1">${filled(texts.revokeKey, { name: label ?? id })}</h3>
<p>${texts.revokeHelp} ${current && texts.revokeOwn}</p>
${formEnd(texts.revokeYes, reader, true)}
</form>`;
}

/** A key's rights, for a line of the list. */
export function reachOf(key: Key, reader: ConsoleReader): Html {
  const { texts } = reader;
  const kind: KeyKind = key.kind;
  const scopes = SCOPES.filter((scope) => key.scopes.includes(scope));
  return html`${texts.keyKinds[kind]}<span class="quiet">${
    kind !== 'full' && html`<br />${scopes.map((scope) => texts.scopeNames[scope]).join(', ')}`
  }${key.origins.map((origin) => html`<br /><span class="origin">${origin}</span>`)}${
    key.allow_no_origin && html`<br />${texts.keyNoOrigin}`
  }</span>`;
}
