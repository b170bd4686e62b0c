import type * as List from '../src/capabilities.ts';
import type * as Composition from '../src/core/compose.ts';
import type * as Settings from '../src/core/config.ts';
import type { Config } from '../src/core/config.ts';

/**
 * The service of the checkout in `argv[2]` with a clock that its parent sets:
 * `{ set: instant }` and `{ plan }`, which makes an account and a key, are each answered.
 */

const [, , root = '', start = '0', data = '', database = ''] = process.argv;

const { startService }: typeof Composition = await import(`${root}/src/compose.ts`);
const { readConfig }: typeof Settings = await import(`${root}/src/config.ts`);
// A checkout from before there were capabilities has none.
const { CAPABILITIES }: Pick<typeof List, 'CAPABILITIES'> = await import(
  `${root}/src/capabilities.ts`
).catch(() => ({ CAPABILITIES: [] }));

let now = Number(start);
const config: Config = {
  ...readConfig(
    { data, port: '0', collect: false },
    database === '' ? {} : { VESFX_DATABASE_URL: database },
  ),
  adminToken: 'admin-token-of-the-comparison',
  compat: ['dolarapi', 'pydolarve', 'criptoya', 'frankfurter'],
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
  process.send?.({ account: account.id, key, keyId: record?.id });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: service.url });
