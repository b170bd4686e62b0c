import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_KINDS, type KeyKind } from '../../domain/keys.ts';

export const KEY_PREFIX = 'vfx_';

/**
 * The prefix of each kind of key. Older versions know only full keys and reject the other prefixes
 * as malformed, so they never give such a key full rights.
 */
export const KEY_PREFIXES: Readonly<Record<KeyKind, string>> = {
  full: 'vfx_live_',
  restricted: 'vfx_rk_live_',
  publishable: 'vfx_pub_',
};

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY = /^(vfx_(?:live|rk_live|pub)_)[0-9A-Za-z]{38}$/;

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

/** Creates a key: prefix, 32 random base62 characters, and 6 characters of checksum over both. */
export function newKey(kind: KeyKind = 'full'): string {
  const body = KEY_PREFIXES[kind] + randomText(RANDOM_LENGTH);
  return body + checksum(body);
}

/** What is random in another key. Such a text is never drawn. */
const DEMO_MARK = 'DemoKeyForEveryone';

/** The key of a plan's account in every demonstration. Documents show it. */
export function demoKey(plan: string): string {
  const body = KEY_PREFIXES.full + `${DEMO_MARK}${plan}`.padEnd(RANDOM_LENGTH, '0');
  return body + checksum(body);
}

/** Whether everyone knows the key. A service that is no demonstration refuses it. */
export function isDemoKey(key: string): boolean {
  return key.startsWith(KEY_PREFIXES.full + DEMO_MARK);
}

/**
 * The kind of a key, read from its text.
 * @returns undefined for a mistyped or invented key, which needs no look-up in the store.
 */
export function kindOfKey(key: string): KeyKind | undefined {
  const prefix = KEY.exec(key)?.[1];
  if (prefix === undefined) return undefined;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  if (key.slice(-CHECKSUM_LENGTH) !== checksum(body)) return undefined;
  return KEY_KINDS.find((kind) => KEY_PREFIXES[kind] === prefix);
}

/** Characters of a key's end that its owner sees again. They are of its checksum. */
const HINT_LENGTH = 4;

/** How a key begins and ends: `vfx_live_…hXzN`, so that its owner knows which one it is. */
export function keyHint(key: string): string {
  const prefix = KEY.exec(key)?.[1] ?? '';
  return `${prefix}…${key.slice(-HINT_LENGTH)}`;
}

/** Whether a text, mistyped or not, begins as a secret key does. */
export function looksSecret(key: string): boolean {
  return key.startsWith(KEY_PREFIXES.full) || key.startsWith(KEY_PREFIXES.restricted);
}

/** An identifier for an account or a key: `acc_` or `key_` and 16 random characters. */
export function newId(kind: 'acc' | 'key'): string {
  return `${kind}_${randomText(16)}`;
}

/**
 * The keys in an `Authorization`, as programs for other services send a token: after `Bearer`, or as the
 * name or password of Basic credentials, which a program takes from `https://vfx_pub_…@host`. A token of
 * another service is no key of ours.
 */
export function keysInCredentials(text = ''): readonly string[] {
  const [, scheme = '', value = ''] = /^(?:(\w+) +)?(\S+)$/.exec(text) ?? [];
  const sent =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(value, 'base64').toString('latin1').split(':')
      : [value];
  return sent.filter((one) => one.startsWith(KEY_PREFIX));
}

/**
 * The publishable key in the first label of a host name: as it is, or as `k` and what follows its prefix,
 * with a hyphen before each capital, because most programs write host names in small letters.
 * @param hosts What such names end with, each with its leading dot.
 */
export function keysInHostName(
  host: string | undefined,
  hosts: readonly string[],
): readonly string[] {
  const name = host?.replace(/:\d*$/, '');
  const end = name && hosts.find((one) => name.toLowerCase().endsWith(one));
  if (name === undefined || !end) return [];
  const label = name.slice(0, -end.length);
  if (label.startsWith(KEY_PREFIX)) return [label];
  const [, written] = /^k((?:-?[a-z\d])+)$/i.exec(label) ?? [];
  if (written === undefined) return [];
  const body = written
    .toLowerCase()
    .replaceAll(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
  const key = KEY_PREFIXES.publishable + body;
  return kindOfKey(key) === undefined ? [] : [key];
}

/** As it is stored: the SHA-256 in hexadecimal. */
export function keyDigest(key: string): string {
  return hash('sha256', key);
}
