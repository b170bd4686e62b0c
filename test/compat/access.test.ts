import { describe, expect, test } from 'vitest';
import { publishableKey, startCompatService } from './official-week.ts';

const SHOP = 'https://shop.example';

const closed = () => startCompatService(['dolarapi', 'frankfurter'], { open: false });

describe('a key in the base address', () => {
  test('lets pages of its origins read the addresses after it, for a unit (decisions §12)', async () => {
    const service = await closed();
    const base = `/k/${await publishableKey(service, { origins: [SHOP] })}`;
    const headers = { Origin: SHOP };
    const reply = await service.call(`${base}/v1/dolares/oficial`, { headers });
    expect([reply.status, reply.json.promedio]).toEqual([200, 804.5]);
    expect(reply.headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('1499');
    const preflight = await service.call(`${base}/v1/dolares/oficial`, {
      method: 'OPTIONS',
      headers,
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(SHOP);
    for (const other of [{ Origin: 'https://other.example' }, {}]) {
      const refused = await service.call(`${base}/v1/dolares`, { headers: other });
      expect([refused.status, refused.json]).toEqual([403, { error: expect.any(String) }]);
    }
  });

  test('serves programs without an origin if the key allows that', async () => {
    const service = await closed();
    const base = `/k/${await publishableKey(service, { origins: [], allowNoOrigin: true })}`;
    expect((await service.call(`${base}/v1/latest?base=USD`)).json.rates).toEqual({ VES: 804.5 });
    // Past days need the scope of history.
    const past = await service.call(`${base}/v1/2026-11-19?base=USD`);
    expect([past.status, past.json]).toEqual([
      403,
      { message: expect.stringContaining('history') },
    ]);
  });

  test('refuses a secret key, which is never logged', async () => {
    const service = await closed();
    const key = await service.keyFor('Gratis');
    const { status, json } = await service.call(`/k/${key}/v1/dolares`);
    expect([status, json]).toEqual([401, { error: expect.any(String) }]);
    expect(JSON.stringify(service.log.lines)).not.toContain(key);
    expect((await service.call('/v1/dolares', { key })).status).toBe(200);
  });

  test.each([
    [
      'with another in the header',
      (key: string) => [`/k/${key}/v1/dolares`, { key }] as const,
      401,
    ],
    ['that is none', () => ['/k/vfx_pub_nothing/v1/dolares', {}] as const, 401],
    ['before an address of ours', (key: string) => [`/k/${key}/v1/fx/rates`, {}] as const, 404],
    ['before a page', (key: string) => [`/k/${key}/docs`, {}] as const, 404],
    ['twice', (key: string) => [`/k/${key}/k/${key}/v1/dolares`, {}] as const, 404],
    ['alone', (key: string) => [`/k/${key}`, {}] as const, 404],
  ])('%s is refused', async (_, ask, expected) => {
    const service = await closed();
    const [path, options] = ask(
      await publishableKey(service, { origins: [], allowNoOrigin: true }),
    );
    expect((await service.call(path, options)).status).toBe(expected);
  });

  test('is not read unless the operator names a service', async () => {
    const service = await startCompatService([]);
    const key = await publishableKey(service, { origins: [], allowNoOrigin: true });
    expect((await service.call(`/k/${key}/v1/dolares`)).status).toBe(404);
  });
});
