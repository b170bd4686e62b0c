import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `vfx_live_` + 32 random base62 characters + 6 characters of checksum over those before. */
export const KEY_PREFIX = 'vfx_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY = /^vfx_live_[0-9A-Za-z]{38}$/;

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = ALPHABET.charAt(value % ALPHABET.length) + digits;
    value = Math.floor(value / ALPHABET.length);
  }
  return digits;
}

export function newKey(): string {
  const body = KEY_PREFIX + randomText(RANDOM_LENGTH);
  return body + checksum(body);
}

/** Tells a mistyped or invented key from a possible one without asking the store. */
export function isWellFormedKey(key: string): boolean {
  if (!KEY.test(key)) return false;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  return key.slice(-CHECKSUM_LENGTH) === checksum(body);
}

/** An identifier for an account or a key: `acc_` or `key_` and 16 random characters. */
export function newId(kind: 'acc' | 'key'): string {
  return `${kind}_${randomText(16)}`;
}
