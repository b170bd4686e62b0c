import type { Account, Key } from '../../../client/types.ts';
import { type KeyKind, SCOPES } from '../../../core/domain/keys.ts';
import { caracasDayOf, caracasTimeOf, DAY_MS, MINUTE_MS } from '../../../core/domain/time.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { ageText, countText, durationText, shortDay } from '../frame/format.ts';
import { type ConsoleData, type ConsoleReader, filled } from './console-data.ts';

/** What the list of keys says of each. */

export function hasEnded({ expires_at, revoked_at }: Key, now: number): boolean {
  return revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= now);
}

/** Whether the key of the console may change the account. */
export function canChange(keys: readonly Key[]): boolean {
  return keys.find(({ current }) => current)?.scopes.includes('account.write') ?? true;
}

/**
 * The key that a demonstration gives to every visitor: its account was made with it. Who has a key of
 * their own still must not end it for the others.
 */
export function sharedKeyIn(
  { keys }: Pick<Account, 'keys'>,
  { demoKeys }: Pick<ConsoleData, 'demoKeys'>,
): Key | undefined {
  if (demoKeys.length === 0) return undefined;
  return keys.toSorted((a, b) => a.created_at.localeCompare(b.created_at))[0];
}

/** A key's name for sentences. */
export function nameOf({ label, id }: Pick<Key, 'label' | 'id'>): string {
  return label ?? id;
}

/** An instant that a narrow column breaks only between day and time. */
export function momentOf(at: string, { language }: ConsoleReader): Html {
  const instant = Date.parse(at);
  const day = shortDay(caracasDayOf(instant), language);
  return html`<span class="moment"><span class="nowrap">${day}</span> ${caracasTimeOf(instant)}</span>`;
}

/**
 * The key with which a rotation replaced this one, which is then in its grace period: a newer key has
 * its rights, and the end is whole seconds after that one was made. Either may have another name since.
 */
export function replacementOf(key: Key, keys: readonly Key[]): Key | undefined {
  if (key.expires_at === null) return undefined;
  const end = Date.parse(key.expires_at);
  const same = ({ kind, scopes, origins }: Key) => JSON.stringify([kind, scopes, origins]);
  return keys.find((newer) => {
    const graceMs = end - Date.parse(newer.created_at);
    const isGrace = graceMs >= 0 && graceMs % 1_000 === 0;
    return (
      isGrace && newer !== key && newer.created_at >= key.created_at && same(newer) === same(key)
    );
  });
}

/** An end is near from here on. */
const NEAR_DAYS = 30;

/** When the key ends: in words when that is near. */
export function keyEndText(key: Key, now: number, reader: ConsoleReader): Html {
  const { language, texts } = reader;
  if (key.revoked_at !== null) return html`${texts.revoked} ${momentOf(key.revoked_at, reader)}`;
  if (key.expires_at === null) return html`<span class="quiet">${texts.never}</span>`;
  const left = Date.parse(key.expires_at) - now;
  if (left <= 0) return html`${texts.expired} ${momentOf(key.expires_at, reader)}`;
  if (left > NEAR_DAYS * DAY_MS) return momentOf(key.expires_at, reader);
  const wait = durationText(Math.max(left, MINUTE_MS) / 1_000, language);
  return html`<span class="late nowrap" title="${shortDay(caracasDayOf(Date.parse(key.expires_at)), language)}">${filled(texts.inTime, { wait })}</span>`;
}

/** Ages up to a day are said in words. */
export function lastUseText({ last_used_at: at }: Key, now: number, reader: ConsoleReader): Html {
  if (at === null) return html`<span class="quiet nowrap">${reader.texts.unused}</span>`;
  const age = now - Date.parse(at);
  if (age < 2 * MINUTE_MS) return reader.texts.justNow;
  if (age < DAY_MS)
    return html`<span class="nowrap">${ageText(age / 1_000, reader.language)}</span>`;
  return momentOf(at, reader);
}

/** A key's rights. */
export function reachOf(key: Key, { texts }: ConsoleReader): Html {
  const scopes = SCOPES.filter((scope) => key.scopes.includes(scope));
  const lines = [
    key.kind !== 'full' && scopes.map((scope) => texts.scopeNames[scope]).join(', '),
    ...key.origins.map((origin) => html`<span class="origin">${origin}</span>`),
    key.allow_no_origin && texts.keyNoOrigin,
  ];
  return html`${texts.keyKinds[key.kind]}<span class="quiet">${lines.map((line) => line && html`<br />${line}`)}</span>`;
}

/** How many keys of a kind the account has, and may have; null without a limit. */
export interface KeyCount {
  readonly used: number;
  /** Those of them that were rotated, and still work. */
  readonly replaced: number;
  readonly max: number | null;
}

/** Publishable keys are counted apart from the others. */
export function keyCounts({ keys, limits }: Account, now: number): Record<KeyKind, KeyCount> {
  const live = keys.filter((key) => !hasEnded(key, now));
  const counted = (isOpen: boolean, max: number | null) => {
    const counting = live.filter(({ kind }) => (kind === 'publishable') === isOpen);
    const replaced = counting.filter((key) => replacementOf(key, keys)).length;
    return { used: counting.length, replaced, max };
  };
  const others = counted(false, limits.keys_max);
  return {
    ...{ full: others, restricted: others },
    publishable: counted(true, limits.public_keys_max),
  };
}

export const isFull = ({ used, max }: KeyCount): boolean => max !== null && used >= max;

/** How many keys of the plan are in use: `3 de 10`. */
export function keyCountText(
  account: Account,
  now: number,
  { language, texts }: ConsoleReader,
): string {
  const { full, publishable } = keyCounts(account, now);
  const of = ({ used, replaced, max }: KeyCount) => {
    // Those in their grace period are beyond the limit only while there is no room for them.
    const n = countText(max === null ? used : Math.min(used, max), language);
    const shown = max === null ? n : filled(texts.countOf, { n, max: countText(max, language) });
    const more = filled(texts.andReplaced, { n: countText(replaced, language) });
    return replaced > 0 ? shown + more : shown;
  };
  return filled(texts.keyCount, { keys: of(full), open: of(publishable) });
}
