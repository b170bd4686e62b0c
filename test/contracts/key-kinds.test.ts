import { describe, expect, test } from 'vitest';
import { Access } from '../../src/core/app/access/access.ts';
import { keyDigest, newKey } from '../../src/core/app/access/keys.ts';
import type { ApiKey } from '../../src/core/app/ports/accounts.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { loadCatalogue } from '../../src/core/catalogue/catalogue.ts';
import type { KeyGrant } from '../../src/core/domain/keys.ts';
import { account, ENGINES, type Site, storeForEachTest } from './engines.ts';

/** The kind of a key by its prefix and by its row (contract §11). */

const { plans } = loadCatalogue('catalog');
const NOW = 2_000;

const GRANTS: readonly KeyGrant[] = [
  { kind: 'full' },
  { kind: 'restricted', scopes: ['rates', 'account.read'] },
  {
    kind: 'publishable',
    scopes: ['rates'],
    origins: ['https://shop.example'],
    allowNoOrigin: false,
    requestsPerMinute: 30,
  },
];

describe.each(ENGINES)('kinds of keys on $name', ({ create }) => {
  let site: Site;
  let store: Store;

  storeForEachTest(create, async (opened) => {
    ({ site, store } = opened);
    await store.createAccount(account());
  });

  const opened = async (text: string) => {
    const access = new Access({ store, plans, onFirstUse: async () => undefined });
    return (await access.authenticate(text, () => '127.0.0.1', NOW)).key.grant;
  };

  async function created(grant: KeyGrant, more: Partial<ApiKey> = {}): Promise<string> {
    const text = newKey(grant.kind);
    const id = `key-${grant.kind}`;
    const key = {
      id,
      accountId: 'acc-1',
      digest: keyDigest(text),
      createdAt: 1000,
      grant,
      ...more,
    };
    expect(await store.createKey(key, NOW, { maxLive: null, maxPerDay: null })).toBe('created');
    return text;
  }

  test.each(GRANTS)('a $kind key has the grant that it was made with', async (grant) => {
    expect(await opened(await created(grant))).toEqual(grant);
  });

  test.each(GRANTS)('a $kind key does not open the row of another kind', async (grant) => {
    const text = await created(grant);
    const other = GRANTS.find(({ kind }) => kind !== grant.kind);
    await site.run(
      `update "api_key" set "kind" = '${other?.kind}' where "id" = 'key-${grant.kind}'`,
    );
    await expect(opened(text)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  test('an unknown kind or scope of a later version gives no rights', async () => {
    const text = await created({ kind: 'restricted', scopes: ['rates'] });
    await site.run(
      `update "api_key" set "scopes" = ' rates everything ' where "id" = 'key-restricted'`,
    );
    expect(await opened(text)).toEqual({ kind: 'restricted', scopes: ['rates'] });
    const full = await created({ kind: 'full' });
    await site.run(`update "api_key" set "kind" = 'limitless' where "id" = 'key-full'`);
    await expect(opened(full)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });
});
