import { expect, test } from 'vitest';
import { startTestService } from '../harness/service.ts';

/** Unknown addresses (contract §4). */

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test.each([
  { path: '/nowhere', headers: {} },
  { path: '/nowhere', headers: { Accept: '*/*' } },
  { path: '/nowhere', headers: { Accept: 'application/json' } },
  { path: '/nowhere', headers: BROWSER, method: 'POST' },
  { path: '/v1', headers: BROWSER },
  { path: '/v1/nowhere', headers: BROWSER },
  { path: '/v1/fx/rates/', headers: BROWSER },
])('contract §4 $method $path with $headers is a 404 in JSON', async ({ path, ...options }) => {
  const service = await startTestService();
  const reply = await service.call(path, options);
  expect([reply.status, reply.json?.code]).toEqual([404, 'resource_not_found']);
});

test('contract §4 without capabilities a browser gets our 404 in JSON at every address of a page', async () => {
  const service = await startTestService({ capabilities: [] });
  for (const path of ['/', '/?lang=es', '/docs', '/board.json', '/favicon.ico', '/nowhere']) {
    const { status, headers, json } = await service.call(path, { headers: BROWSER });
    const { code, details } = json ?? {};
    expect([path, status, headers.get('content-type'), code, details]).toEqual([
      path,
      404,
      'application/json; charset=utf-8',
      'resource_not_found',
      { reason: 'unknown_path' },
    ]);
  }
  expect((await service.call('/healthz')).status).toBe(200);
});
