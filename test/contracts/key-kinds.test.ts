import { describe, expect, test } from 'vitest';
import { Access, digestOf } from '../../src/app/access/access.ts';
import { newKey } from '../../src/app/access/keys.ts';
import type { ApiKey } from '../../src/app/ports/accounts.ts';
import type { Store } from '../../src/app/ports/store.ts';
import { loadCatalogue } from '../../src/catalogue/catalogue.ts';
import type { KeyGrant } from '../../src/domain/keys.ts';
import { KEY_BEFORE_KINDS, revokesKey, storesKey } from '../harness/version-before.ts';
import { account, ENGINES, type Site, storeForEachTest } from './engines.ts';

/** Processes of the version before, which know of full keys alone, beside this one (decisions §11). */

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

describe.each(ENGINES)('kinds of keys beside the version before on $name', ({ create }) => {
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
    const key = { id, accountId: 'acc-1', digest: digestOf(text), createdAt: 1000, grant, ...more };
    expect(await store.createKey(key, NOW, { maxLive: null, maxPerDay: null })).toBe('created');
    return text;
  }

  test.each(GRANTS)('the version before finds a $kind key only if it is full', async (grant) => {
    const text = await created(grant);
    expect(await opened(text)).toEqual(grant);
    expect(KEY_BEFORE_KINDS.test(text)).toBe(grant.kind === 'full');
  });

  test('a key stored by the version before is full, by its prefix and its row', async () => {
    const text = newKey('full');
    await site.run(storesKey('key-before', 'acc-1', digestOf(text)));
    expect(await opened(text)).toEqual({ kind: 'full' });
    // A key of another kind does not open that row, nor a full key the row of another kind.
    for (const kind of ['restricted', 'publishable'] as const) {
      const other = newKey(kind);
      await site.run(storesKey(`key-as-${kind}`, 'acc-1', digestOf(other)));
      await expect(opened(other)).rejects.toMatchObject({ code: 'invalid_api_key' });
    }
  });

  test.each(GRANTS)(
    'a $kind key revoked by the version before has ended here too',
    async (grant) => {
      const text = await created(grant);
      await site.run(revokesKey(`key-${grant.kind}`, NOW - 1));
      await expect(opened(text)).rejects.toMatchObject({ code: 'invalid_api_key' });
    },
  );

  test('the version before reads the expiry that this version stores', async () => {
    await created({ kind: 'full' }, { expiresAt: NOW, lastsUntil: NOW });
    const rows = await site.ask(`select "expires_at" from "api_key" where "id" = 'key-full'`);
    expect(rows.map((row) => Number(Object.values(row)[0]))).toEqual([NOW]);
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
