import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { KEY_KINDS } from '../../domain/keys.ts';
import { demoKey, isDemoKey, KEY_PREFIXES, kindOfKey, newKey } from './keys.ts';

/** How the first released versions recognise a key, copied from them. */
function wasWellFormed(key: string): boolean {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  if (!/^vfx_live_[0-9A-Za-z]{38}$/.test(key)) return false;
  let value = crc32(key.slice(0, -6));
  let digits = '';
  for (let position = 0; position < 6; position += 1) {
    digits = alphabet.charAt(value % alphabet.length) + digits;
    value = Math.floor(value / alphabet.length);
  }
  return key.slice(-6) === digits;
}

describe('the text of keys', () => {
  test.each(KEY_KINDS)(
    'the kind of a %s key follows from its prefix and checksum (contract §11)',
    (kind) => {
      const key = newKey(kind);
      expect(key).toMatch(new RegExp(`^${KEY_PREFIXES[kind]}[0-9A-Za-z]{38}$`));
      expect(kindOfKey(key)).toBe(kind);
      const other = key.at(-1) === '0' ? '1' : '0';
      expect(kindOfKey(key.slice(0, -1) + other)).toBeUndefined();
    },
  );

  test('the keys of a demonstration are keys, and no other is like them', () => {
    const keys = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'].map(demoKey);
    expect(new Set(keys).size).toBe(5);
    for (const key of keys) {
      expect([key.length, kindOfKey(key), isDemoKey(key)]).toEqual([47, 'full', true]);
    }
    expect(isDemoKey(newKey())).toBe(false);
  });

  test('a key with another prefix is not a key of that kind', () => {
    for (const kind of KEY_KINDS) {
      const random = newKey(kind).slice(KEY_PREFIXES[kind].length);
      for (const other of KEY_KINDS) {
        const known = kindOfKey(KEY_PREFIXES[other] + random);
        expect(known).toBe(other === kind ? kind : undefined);
      }
    }
  });

  test('the versions before refuse restricted and publishable keys as malformed (contract §11)', () => {
    expect(wasWellFormed(newKey('full'))).toBe(true);
    expect(wasWellFormed(newKey('restricted'))).toBe(false);
    expect(wasWellFormed(newKey('publishable'))).toBe(false);
  });
});
