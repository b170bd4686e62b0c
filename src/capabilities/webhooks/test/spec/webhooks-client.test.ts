import { expect, test } from 'vitest';
import { asDocument } from '../../../../../scripts/client-types.ts';
import { watchedClient } from '../../../../../test/client/watched.ts';
import { startTestService } from '../../../../../test/harness/service.ts';
import { SECRET } from '../webhook-site.ts';

test('the client has a method for each address of webhooks, and each answers (contract §24)', async () => {
  const config = { adminToken: undefined, added: { VESFX_SECRET: SECRET } };
  const service = await startTestService({ config });
  const key = await service.keyFor('Escala');
  const { vesfx, seen } = watchedClient({ baseUrl: service.url, key });
  const wish = { url: 'https://shop.example/', events: ['official.published' as const] };
  const { id: webhook, secret } = await vesfx.webhooks.create(wish);
  expect((await vesfx.webhooks.rotate(webhook, { grace_sec: 60 })).secret).not.toBe(secret);
  const { message_id: message } = await vesfx.webhooks.test(webhook);
  expect((await vesfx.webhooks.deliveries(webhook)).deliveries).toHaveLength(1);
  expect((await vesfx.webhooks.delivery(webhook, message)).attempts).toEqual([]);
  expect((await vesfx.webhooks.redeliver(webhook, message)).message_id).toBe(message);
  const since = '2026-11-21T00:00:00Z';
  expect(await vesfx.webhooks.recover(webhook, { since })).toEqual({ count: 0 });
  const paused = await vesfx.webhooks.replace(webhook, { ...wish, active: false });
  expect(await vesfx.webhooks.get(webhook)).toEqual(paused);
  await vesfx.webhooks.delete(webhook);
  expect((await vesfx.webhooks.list()).webhooks).toEqual([]);

  const { paths } = asDocument((await service.call('/openapi.json')).json);
  const told = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes('Webhooks'))
      .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '…')}`),
  );
  const asked = seen.map(
    ({ method, path }) => `${method} ${path.replaceAll(/(?:whe|msg)_\w+/g, '…')}`,
  );
  expect(told.filter((one) => !asked.includes(one))).toEqual([]);
});
