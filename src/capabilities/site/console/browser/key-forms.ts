import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { Key } from '../../../../client/types.ts';
import {
  GRANTABLE_SCOPES,
  isOrigin,
  type KeyKind,
  PUBLISHABLE_SCOPES,
} from '../../../../core/domain/keys.ts';
import { caracasDayOf } from '../../../../core/domain/time.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { countText, listText, shortDay } from '../../frame/format.ts';
import { type ConsoleReader, filled } from '../console-data.ts';
import { isFull, keyCounts, lastUseText, momentOf, nameOf } from '../key-list.ts';
import { useConsole } from './console-context.ts';
import { FormDialog, TextField, Ticks, type Troubles } from './form.ts';

interface GivenKey {
  /** Says what was done. */
  readonly say: (done: string) => void;
  /** The key that the form is about. */
  readonly given: Key;
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

/** Browsers copy an origin with a final slash, which the API refuses. */
const originsIn = (text: string): string[] =>
  (text.match(/[^\s,;]+/g) ?? []).map((origin) => origin.replace(/\/$/, ''));

/** A scheme, even with a slash too few, a host or a host and port, and what follows them. */
const ADDRESS = /^(?:(https?):\/*)?([^\s:@/?#]+(?::\d+)?)(?:[/?#].*)?$/i;

/** What the text of a wrong origin probably means; undefined if no origin is like it. */
export function originMeant(text: string): string | undefined {
  const [, given, host = ''] = ADDRESS.exec(text) ?? [];
  const isOwn = /^(localhost|127\.)/i.test(host);
  // A word alone is no host that a page could have.
  if (!isOwn && !host.includes('.')) return undefined;
  const address = `${given ?? (isOwn ? 'http' : 'https')}://${host}`;
  const origin = URL.canParse(address) ? new URL(address).origin : '';
  return isOrigin(origin) ? origin : undefined;
}

function originTrouble(wrong: string, texts: ConsoleReader['texts']): string {
  const meant = originMeant(wrong);
  if (meant !== undefined) return filled(texts.originMeant, { wrong, meant });
  return wrong.includes('*') ? texts.originWildcard : filled(texts.originWrong, { wrong });
}

/** What most new keys are for. */
const FIRST_SCOPES = ['rates'] as const;
/** Those that can do least come first. */
const KINDS: readonly KeyKind[] = ['restricted', 'publishable', 'full'];

type KeyFormProps = Pick<GivenKey, 'onClose'> & Partial<GivenKey>;

/** The form of a new key, or of the name, rights and end of one that is there. */
export function KeyForm({ given, say, onClose }: KeyFormProps): Html {
  const { texts, language, account, plansAddress, call, refresh, showNewKey } = useConsole();
  const counts = keyCounts(account, Date.now());
  const full = KINDS.filter((one) => isFull(counts[one]));
  const [firstFull] = full;
  const [kind, setKind] = useState(
    () => given?.kind ?? KINDS.find((one) => !full.includes(one)) ?? 'restricted',
  );
  const isPublishable = kind === 'publishable';
  const isNew = given === undefined;
  // No key outlives the one that makes or changes it.
  const lastDay = lastDayOf(account.keys.find(({ current }) => current));
  const read = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    return {
      label: text('label'),
      expires: text('expires'),
      limits: {
        scopes: kind === 'full' ? undefined : form.getAll('scope').map(String),
        origins: isPublishable ? originsIn(text('origins')) : undefined,
        allow_no_origin: isPublishable ? form.has('no-origin') : undefined,
      },
    };
  };
  const check = (form: FormData): Troubles => {
    const { label, limits } = read(form);
    const lacksOrigin = limits.origins?.length === 0 && !limits.allow_no_origin;
    const wrong = limits.origins?.find((one) => !isOrigin(one));
    return {
      ...(label === '' && { label: texts.nameMissing }),
      ...(limits.scopes?.length === 0 && { scopes: texts.fieldRules['scopes'] ?? '' }),
      ...(lacksOrigin && { origins: texts.originMissing }),
      ...(wrong && { origins: originTrouble(wrong, texts) }),
    };
  };
  const work = async (form: FormData) => {
    const { label, expires, limits } = read(form);
    if (given === undefined) {
      const end = expires === '' ? {} : { expires_at: endOf(expires) };
      const made = await call(({ keys }) => keys.create({ kind, label, ...limits, ...end }));
      showNewKey({ id: made.id, key: made.key, isCurrent: false });
    } else {
      // The form knows only the day: sending an unchanged one would move the end to its last moment.
      const end =
        expires === lastDayOf(given) ? {} : { expires_at: expires ? endOf(expires) : null };
      await call(({ keys }) => keys.change(given.id, { label, ...limits, ...end }));
      say?.(filled(texts.keySaved, { name: label }));
    }
    onClose();
    await refresh();
  };
  const scopes = isPublishable ? PUBLISHABLE_SCOPES : GRANTABLE_SCOPES;
  const onKind = (event: Event & { currentTarget: HTMLSelectElement }) =>
    setKind(KINDS.find((one) => one === event.currentTarget.value) ?? kind);
  return h(FormDialog, {
    id: isNew ? 'key-form' : 'change-form',
    title: isNew ? texts.createKey : filled(texts.changeKey, { name: nameOf(given) }),
    submit: isNew ? texts.createKey : texts.save,
    ...{ onClose, check, work },
    children: html`<div class="row">${h(TextField, { name: 'label', label: texts.keyName, 'aria-required': 'true', maxlength: 100, defaultValue: given?.label ?? '' })}
${h(TextField, { name: 'expires', field: 'expires_at', label: texts.keyEnds, note: texts.optional, hint: lastDay && filled(texts.endsAtMost, { day: shortDay(lastDay, language) }), type: 'date', defaultValue: lastDayOf(given) })}</div>
${
  isNew &&
  html`<div class="field"><label for="f-kind">${texts.kind}</label><select id="f-kind" name="kind" value=${kind} onChange=${onKind}>${KINDS.map((one) => html`<option value=${one} disabled=${full.includes(one)}>${texts.keyKinds[one]}</option>`)}</select>
<p class="hint">${texts.keyKindsHelp[kind]}</p>
${
  firstFull &&
  html`<p class="hint">${filled(texts.kindsFull, {
    kinds: listText(
      full.map((name) => texts.keyKinds[name]),
      language,
    ),
    max: countText(counts[firstFull].max ?? 0, language),
  })} <a href=${plansAddress}>${texts.comparePlans}</a></p>`
}</div>`
}
${
  kind !== 'full' &&
  h(Ticks, {
    ...{ name: 'scope', field: 'scopes', label: texts.keyScopes },
    chosen: given?.scopes ?? FIRST_SCOPES,
    choices: scopes.map(
      (scope) => [scope, texts.scopeNames[scope], texts.scopeHelp[scope]] as const,
    ),
  })
}
${
  isPublishable &&
  html`${h(TextField, { name: 'origins', label: texts.keyOrigins, autocapitalize: 'none', spellcheck: false, placeholder: texts.originExample, defaultValue: given?.origins.join(' ') ?? '' })}
<label class="tick"><input type="checkbox" name="no-origin" defaultChecked=${given?.allow_no_origin} /> ${texts.keyNoOrigin}</label>`
}`,
  });
}

const HOUR_SEC = 3_600;
/** Enough time to replace the old key in every program, or to try again if the answer is lost. */
const DEFAULT_GRACE_SEC = HOUR_SEC;

/** The choice of the grace period of what a rotation replaces. */
export function graceField(label: string, first: number, texts: ConsoleReader['texts']): Html {
  const graces = [
    [0, texts.graceNone],
    [HOUR_SEC, texts.graceHour],
    [24 * HOUR_SEC, texts.graceDay],
    [7 * 24 * HOUR_SEC, texts.graceWeek],
  ] as const;
  return html`<div class="field"><label for="f-grace">${label}</label><select id="f-grace" name="grace">${graces.map(([seconds, text]) => html`<option value=${seconds} selected=${seconds === first}>${text}</option>`)}</select></div>`;
}

/** Asks for the grace period of the old key. */
export function RotateForm({ given, onClose }: GivenKey): Html {
  const { texts, call, keepKey, refresh, showNewKey } = useConsole();
  const { id, current: isCurrent } = given;
  const work = async (form: FormData) => {
    const grace_sec = Number(form.get('grace'));
    const made = await call((vesfx) => vesfx.rotateKey(id, { grace_sec }));
    // Show the new key before anything else can fail: without it its owner could be locked out.
    if (isCurrent) keepKey(made.key);
    onClose();
    showNewKey({ id: made.id, key: made.key, isCurrent });
    await refresh();
  };
  return h(FormDialog, {
    ...{ id: 'rotate-form', title: filled(texts.rotateKey, { name: nameOf(given) }) },
    ...{ submit: texts.rotate, onClose, work },
    children: html`<p>${texts.rotateHelp} ${isCurrent && texts.rotateOwn}</p>
${graceField(texts.oldWorks, DEFAULT_GRACE_SEC, texts)}`,
  });
}

interface RevokeProps extends Pick<GivenKey, 'given' | 'onClose'> {
  readonly say?: GivenKey['say'];
  readonly onGone?: GivenKey['onGone'];
  /** Closes the form and sends the request itself, as the playground does. */
  readonly send?: () => Promise<void>;
}

/** Asks before a key is revoked. Names it by what tells it from others of its name. */
export function RevokeForm({ given, say, onClose, onGone, send }: RevokeProps): Html {
  const open = useConsole();
  const { texts, call, refresh, leave } = open;
  const work = async () => {
    if (send) return send();
    await call(({ keys }) => keys.revoke(given.id));
    const done = filled(texts.keyRevoked, { name: nameOf(given) });
    if (given.current) return leave({ note: done });
    await refresh();
    say?.(done);
    onClose();
    onGone?.();
  };
  const facts = [
    [texts.id, html`<code>${given.id}</code>`],
    [texts.created, momentOf(given.created_at, open)],
    [texts.lastUse, lastUseText(given, Date.now(), open)],
  ];
  return h(FormDialog, {
    ...{ id: 'revoke-form', title: filled(texts.revokeKey, { name: nameOf(given) }) },
    ...{ submit: texts.revokeYes, isDestructive: true, onClose, work },
    children: html`<p>${texts.revokeHelp} ${given.current && texts.revokeOwn}</p>
<dl class="facts-list">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`,
  });
}
