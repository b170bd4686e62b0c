import { describe, expect, test } from 'vitest';
import type { Html } from '../../../core/http/framework/encoding/html.ts';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import { CONSOLE_TEXTS } from '../texts/texts.ts';
import { keyEndText, lastUseText, reachOf, replacementOf } from './key-list.ts';

const reader = (language: 'es' | 'en') => ({ language, texts: CONSOLE_TEXTS[language] });

const KEY = {
  id: 'key_1',
  kind: 'restricted',
  label: null,
  scopes: ['rates', 'account.read'],
  origins: [],
  allow_no_origin: false,
  requests_per_minute: null,
  current: false,
  created_at: '2026-11-21T12:00:00.000Z',
  expires_at: null,
  hint: null,
  last_used_at: null,
  revoked_at: null,
} as const;

describe('the list of keys', () => {
  const key = { ...KEY, scopes: [...KEY.scopes], origins: [] };
  const now = Date.parse('2026-11-21T12:00:00Z');
  const seen = (shown: Html) =>
    markupOf(shown)
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/[\s\u00a0]+/g, ' ')
      .trim();

  test('names permissions by their labels', () => {
    const text = seen(reachOf(key, reader('es')));
    expect(text).toContain('Tasas y conversiones, Ver la cuenta');
    expect(text).not.toContain('account.read');
  });

  test.each([
    [null, 'sin usar', 'not used'],
    ['2026-11-21T12:00:00.000Z', 'hace un momento', 'just now'],
    ['2026-11-21T11:55:00.000Z', 'hace 5 min', '5 min ago'],
    ['2026-11-20T12:00:01.000Z', 'hace 23 h', '23 h ago'],
    ['2026-11-19T12:00:00.000Z', '19/11/2026 08:00', '19 Nov 2026 08:00'],
  ])('a key that was last used at %s says "%s"', (last_used_at, es, en) => {
    const used = { ...key, last_used_at };
    expect(seen(lastUseText(used, now, reader('es')))).toBe(es);
    expect(seen(lastUseText(used, now, reader('en')))).toBe(en);
  });

  test.each([
    [{}, 'nunca'],
    [{ expires_at: '2026-11-27T13:00:00.000Z' }, 'en 6 días'],
    [{ expires_at: '2027-06-01T12:00:00.000Z' }, '01/06/2027 08:00'],
    [{ expires_at: '2026-11-21T11:00:00.000Z' }, 'Vencida el 21/11/2026 07:00'],
    [{ revoked_at: '2026-11-21T11:00:00.000Z' }, 'Revocada el 21/11/2026 07:00'],
  ])('a key with %j ends "%s"', (given, said) => {
    expect(seen(keyEndText({ ...key, ...given }, now, reader('es')))).toBe(said);
  });

  test.each([
    ['its end is whole seconds after a newer key like it', {}, true],
    ['the newer key has another name since', { label: 'Caja' }, true],
    ['the newer key may do more', { kind: 'full' as const }, false],
    ['its end is a day that someone chose', { created_at: '2026-11-21T12:30:00.500Z' }, false],
  ])('a key counts as replaced when a rotation ended it: %s', (_reason, other, expected) => {
    const old = { ...key, expires_at: '2026-11-21T13:30:00.123Z' };
    const newer = { ...key, id: 'key_2', created_at: '2026-11-21T12:30:00.123Z', ...other };
    expect(replacementOf(old, [old, newer])).toBe(expected ? newer : undefined);
    expect(replacementOf(newer, [old, newer])).toBeUndefined();
  });
});
