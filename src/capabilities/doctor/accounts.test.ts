import { describe, expect, test } from 'vitest';
import type { Account, ApiKey } from '../../core/app/ports/accounts.ts';
import type { KeyGrant } from '../../core/domain/keys.ts';
import { DAY_MS } from '../../core/domain/time.ts';
import { examineKeys, MAX_KEYS_NAMED } from './accounts.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

function account(status: Account['status'] = 'active'): Account {
  return { id: 'acc_1', name: 'A shop', plan: 'Inicio', status, createdAt: 0 };
}

function key(given: Partial<ApiKey> = {}): ApiKey {
  const grant: KeyGrant = { kind: 'full' };
  return { id: 'key_1', accountId: 'acc_1', digest: 'd', createdAt: 0, grant, ...given };
}

const ending = (at: number) => key({ expiresAt: at, lastsUntil: at });
const pageKey = (origins: readonly string[], allowNoOrigin: boolean) =>
  key({
    grant: {
      ...{ kind: 'publishable', scopes: ['rates'], origins, allowNoOrigin },
      requestsPerMinute: 60,
    },
  });

function told(keys: readonly ApiKey[], status?: Account['status']): readonly string[] {
  return examineKeys([{ account: account(status), keys }], NOW).map(({ message }) => message);
}

describe('findings of the doctor about keys', () => {
  test.each([
    ['a key without an end', [key()], []],
    ['no key at all', [], []],
    ['a publishable key with an origin', [pageKey(['https://a.example'], false)], []],
    ['a publishable key for spreadsheets', [pageKey([], true)], []],
    [
      'a publishable key for nobody',
      [pageKey([], false)],
      ['Publishable keys that neither pages nor spreadsheets may use: key_1 of acc_1.'],
    ],
    ['a key that ends in more than 14 days', [ending(NOW + 14 * DAY_MS + 1)], []],
    [
      'a key that ends in 14 days',
      [ending(NOW + 14 * DAY_MS)],
      ['Keys that end within 14 days: key_1 of acc_1 (2026-12-05).'],
    ],
    ['a key in its grace', [key(), key({ expiresAt: NOW + 1 })], []],
    ['an account with a key that ended and one that lives', [ending(NOW), key()], []],
    ['an account whose keys were revoked', [key({ revokedAt: NOW - 1 })], []],
    [
      'an account whose only key has ended',
      [ending(NOW)],
      ['Accounts whose last key has expired: acc_1.'],
    ],
  ])('reports %s', (_, keys, expected) => {
    expect(told(keys)).toEqual(expected);
    // The keys of a suspended account are refused anyway.
    expect(told(keys, 'suspended')).toEqual([]);
  });

  test.each([
    [MAX_KEYS_NAMED, 'key_1 of acc_1.'],
    [MAX_KEYS_NAMED + 2, ' and 2 more.'],
  ])('names at most ten of %i keys', (count, end) => {
    const [message = ''] = told(Array.from({ length: count }, () => pageKey([], false)));
    expect(message.match(/key_1/g)).toHaveLength(MAX_KEYS_NAMED);
    expect(message.endsWith(end)).toBe(true);
  });
});
