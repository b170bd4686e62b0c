import { describe, expect, test } from 'vitest';
import { publishableKey, startCompatService } from '../official-week.ts';

/** What becomes of a base address in programs (contract §12). */

const ALL = ['dolarapi', 'pydolarve', 'criptoya', 'frankfurter'] as const;
const SHOP = 'https://shop.example';

describe('contract §12 slashes', () => {
  test.each([
    ['//v1/dolares', '/v1/dolares'],
    ['///v1//dolares/oficial/', '/v1/dolares/oficial'],
    ['/api/v1/dollar/?page=bcv&format_date=iso', '/api/v1/dollar?page=bcv&format_date=iso'],
    ['//v1/latest?base=USD', '/v1/latest?base=USD'],
    ['/v2/rates/?base=USD', '/v2/rates?base=USD'],
    ['/v1/2026-11-19/?base=USD', '/v1/2026-11-19?base=USD'],
    ['//api/USDT/VES/', '/api/USDT/VES'],
  ])('%s, from a base that ends in one, is %s', async (path, meant) => {
    const { call } = await startCompatService(ALL);
    const [reply, plain] = [await call(path), await call(meant)];
    const still = (text: string) => text.replace(/"time":"[^"]*"/, '');
    expect([reply.status, still(reply.text)]).toEqual([200, still(plain.text)]);
  });

  test('also behind a key, and never at our own addresses', async () => {
    const service = await startCompatService(ALL, { open: false });
    const base = `/k/${await publishableKey(service, { allowNoOrigin: true })}`;
    expect((await service.call(`${base}//v1/dolares/`)).status).toBe(200);
    const key = await service.keyFor('Escala');
    for (const path of ['//v1/fx/rates', '/v1/fx/rates/', '/v1//fx/rates', '/healthz/', '//']) {
      expect([path, (await service.call(path, { key })).status]).toEqual([path, 404]);
    }
  });
});

describe('contract §12 an unknown address below the prefix of a service', () => {
  const UNKNOWN = [
    ['/api/v1/zzz', { error: expect.any(String) }],
    ['/api/v2/dollar/zzz/zzz', { error: expect.any(String) }],
    ['/api/zzz', { error: expect.any(String) }],
    ['/v1/dolares/blue/zzz', { error: expect.any(String) }],
    ['/v1/historicos/zzz', { error: expect.any(String) }],
    ['/v2/zzz', { status: 404, message: 'not found' }],
  ] as const;

  test.each(UNKNOWN)('%s has its shape, and pages read it', async (path, body) => {
    const open = await startCompatService(ALL);
    const reply = await open.call(path, { headers: { Origin: SHOP } });
    expect([reply.status, reply.json]).toEqual([404, body]);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    const preflight = await open.call(path, { method: 'OPTIONS', headers: { Origin: SHOP } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      '*',
    ]);
    const service = await startCompatService(ALL, { open: false });
    const base = `/k/${await publishableKey(service, { origins: [SHOP] })}`;
    const keyed = await service.call(`${base}${path}`, { headers: { Origin: SHOP } });
    expect([keyed.status, keyed.json]).toEqual([404, body]);
    expect(keyed.headers.get('access-control-allow-origin')).toBe(SHOP);
  });

  test.each(['/v1/rates', '/v1/symbols', '/v1/fx/zzz', '/zzz', '/v3/rates'])(
    '%s is nobody’s, so it is ours',
    async (path) => {
      const { call } = await startCompatService(ALL);
      const { status, json } = await call(path);
      expect([status, json.code, json.details]).toEqual([
        404,
        'resource_not_found',
        { reason: 'unknown_path' },
      ]);
    },
  );
});

describe('contract §12 a preflight', () => {
  test('at /k/… allows what programs for other services send', async () => {
    const service = await startCompatService(ALL, { open: false });
    const base = `/k/${await publishableKey(service, { origins: [SHOP] })}`;
    const { headers } = await service.call(`${base}/v1/dolares`, {
      method: 'OPTIONS',
      headers: { Origin: SHOP },
    });
    const allowed = headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        ...['X-API-Key', 'Content-Type', 'If-None-Match', 'Authorization', 'Accept'],
        ...['Cache-Control', 'Pragma', 'Expires', 'X-Requested-With'],
      ]),
    );
  });

  test('at our own addresses allows what it did', async () => {
    const service = await startCompatService(ALL, { open: false });
    await publishableKey(service, { origins: [SHOP] });
    const { headers } = await service.call('/v1/fx/rates', {
      method: 'OPTIONS',
      headers: { Origin: SHOP },
    });
    expect(headers.get('access-control-allow-headers')).toBe(
      'X-API-Key, Content-Type, If-None-Match, Last-Event-ID',
    );
  });
});
