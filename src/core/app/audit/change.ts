import type { AuditState, Change } from '../ports/audit.ts';

/**
 * The fields that differ, before and after.
 * @returns undefined when none does.
 */
export function differing(
  before: AuditState,
  after: AuditState,
): Pick<Change, 'before' | 'after'> | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return undefined;
  const pick = (state: AuditState) =>
    Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** A whole key, also within another word: what someone typed as a label, for example. */
const KEY_TEXT = /(vfx_(?:live|rk_live|pub)_)[0-9A-Za-z]+/g;

/** The text, with only the beginning of each key in it. */
export function maskKeys(text: string): string {
  return text.replace(KEY_TEXT, '$1…');
}
