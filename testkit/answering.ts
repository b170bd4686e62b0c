import type * as List from '../src/capabilities.ts';
import type * as Added from '../src/core/cli/added.ts';
import type * as Composition from '../src/core/compose.ts';
import type * as Settings from '../src/core/config.ts';
import type { Config } from '../src/core/config.ts';

/**
 * The service of the checkout in `argv[2]` with a clock that its parent sets:
 * `{ set: instant }` and `{ plan }`, which makes an account and a key, are each answered.
 */

const [, , root = '', start = '0', data = '', database = ''] = process.argv;

const { startService }: typeof Composition = await import(`${root}/src/core/compose.ts`);
const { readConfig }: typeof Settings = await import(`${root}/src/core/config.ts`);
const { CAPABILITIES }: typeof List = await import(`${root}/src/capabilities.ts`);
const { demonstrationTexts }: Partial<typeof Added> = await import(`${root}/src/core/cli/added.ts`);

/** Before those addresses were a capability, they had settings of their own. */
const allAddresses = {
  compat: ['dolarapi', 'pydolarve', 'criptoya', 'frankfurter'],
  compatOpen: false,
  added: demonstrationTexts?.(CAPABILITIES) ?? {},
};

let now = Number(start);
const config: Config = {
  ...readConfig(
    { data, port: '0', collect: false },
    database === '' ? {} : { VESFX_DATABASE_URL: database },
  ),
  adminToken: 'admin-token-of-the-comparison',
  ...allAddresses,
  drainMs: 0,
  // Both services name themselves alike.
  publicUrl: 'https://rates.example',
};
const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };
const service = await startService(config, {
  clock: { now: () => now },
  log,
  capabilities: CAPABILITIES,
});

process.on('message', async (asked: { readonly set?: number; readonly plan?: string }) => {
  if (asked.set !== undefined) now = asked.set;
  if (asked.plan === undefined) {
    await service.changePoller.poll();
    process.send?.({});
    return;
  }
  const account = await service.accounts.create(`On ${asked.plan}`, asked.plan);
  const { key, record } = await service.accounts.createKey(account.id);
  // An account of its own: two keys of one instant have no order.
  const page = await service.accounts.create(`A page on ${asked.plan}`, asked.plan);
  const { key: pageKey } = await service.accounts.createKey(page.id, {
    grant: {
      kind: 'publishable',
      scopes: ['rates', 'history'],
      origins: ['https://shop.example'],
      allowNoOrigin: true,
      requestsPerMinute: 60,
    },
  });
  process.send?.({ account: account.id, key, pageKey, keyId: record?.id });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: service.url });
