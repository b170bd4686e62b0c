import { expect, test } from 'vitest';
import type { Config } from '../../src/core/config.ts';
import { fullMarket } from '../harness/make.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** A line for each answer at the level `debug`, and none at any other. */

const lines = ({ log }: TestService) =>
  log.lines.flatMap(({ level, message, fields }) =>
    level === 'debug' && message === 'request' ? [fields] : [],
  );

async function serving(logLevel: 'debug' | 'info', config: Partial<Config> = {}) {
  const service = await startTestService({ config: { logLevel, ...config } });
  await service.push(...fullMarket());
  const account = await service.service.accounts.create('A shop', 'Escala');
  const { key } = await service.service.accounts.createKey(account.id);
  return { service, account: account.id, key };
}

test('at debug each answer has a line with its request id, route, status, time, size and account', async () => {
  const { service, account, key } = await serving('debug');
  const reply = await service.call('/v1/fx/convert?from=USD&to=VES&amount=1', { key });
  await service.call('/v1/fx/convert?from=USD', { key, method: 'HEAD' });
  await service.call('/v1/fx/index');
  await service.call('/nothing-here');
  expect(lines(service)).toEqual([
    {
      requestId: reply.headers.get('X-Request-Id'),
      method: 'GET',
      path: '/v1/fx/convert',
      query: 'from=USD&to=VES&amount=1',
      status: 200,
      ms: expect.any(Number),
      bytes: Number(reply.headers.get('Content-Length')),
      account,
    },
    expect.objectContaining({ method: 'HEAD', status: 400, bytes: 0, account }),
    expect.not.objectContaining({ account }),
    expect.objectContaining({ path: '/nothing-here', status: 404 }),
  ]);
});

test('no line has a key, wherever it was sent and however it is encoded', async () => {
  const { service, key } = await serving('debug');
  const secret = key.slice('vfx_live_'.length);
  const encoded = key.replace('v', '%76');
  const sent = [
    `/v1/fx/rates?key=${key}`,
    `/v1/fx/rates?k%65y=${encoded}&format=json`,
    `/v1/fx/rates?token=${encoded}`,
    `/v1/fx/rates?token=${encoded}&broken=%`,
    `/k/${key}/v1/dolares`,
    `/k/${encoded}/nothing-here`,
    `/v1/fx/rates/${key}`,
    `/v1/fx/rates/${encodeURIComponent(encoded).replace('_', '%255F')}`,
    '/v1/fx/rates?key=another-secret',
  ];
  for (const path of sent) await service.call(path);
  await service.call('/v1/fx/rates', { headers: { Authorization: `Bearer ${key}` } });
  const told = JSON.stringify(lines(service));
  expect(lines(service)).toHaveLength(sent.length + 1);
  expect(told).not.toContain(secret);
  expect(told).not.toContain('another-secret');
});

test('a line has the address of the caller only when asked, and by a proxy only when it is trusted', async () => {
  const headers = { 'X-Forwarded-For': '203.0.113.1, 2001:db8::9' };
  const addresses = async (config: Partial<Config>) => {
    const { service } = await serving('debug', config);
    await service.call('/v1/fx/rates', { headers });
    return lines(service).map((fields) => Reflect.get(fields, 'address'));
  };
  expect(await addresses({})).toEqual([undefined]);
  expect(await addresses({ logAddresses: true })).toEqual(['127.0.0.1']);
  expect(await addresses({ logAddresses: true, trustProxy: true })).toEqual(['2001:db8::9']);
});

test('at info there is no such line', async () => {
  const { service, key } = await serving('info');
  await service.call('/v1/fx/rates', { key });
  expect(lines(service)).toEqual([]);
});
