import { describe, expect, test } from 'vitest';
import type { Scope } from '../../../../core/domain/keys.ts';
import { publishableKey, startCompatService } from '../official-week.ts';

const SHOP = 'https://shop.example';

const closed = () => startCompatService(['dolarapi', 'frankfurter'], { open: false });

describe('a key in the base address', () => {
  test('lets pages of its origins read the addresses after it, for a unit (contract §12)', async () => {
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
    expect((await service.call(`${base}/v1/latest?base=USD&symbols=VES`)).json.rates).toEqual({
      VES: 804.5,
    });
    const series = await service.call(`${base}/v1/2026-11-19..?base=USD`);
    expect([series.status, series.json]).toEqual([
      403,
      { message: expect.stringContaining('history') },
    ]);
  });

  test('needs history alone for a series, whatever its path, and rates for one day (contract §11)', async () => {
    const service = await closed();
    const account = await service.service.accounts.create('restricted', 'Escala');
    const keyWith = async (scopes: readonly Scope[]) =>
      (
        await service.service.accounts.createKey(account.id, {
          grant: { kind: 'restricted', scopes },
        })
      ).key;
    const rates = await keyWith(['rates']);
    const history = await keyWith(['history']);
    for (const path of [
      '/v1/historicos/dolares',
      '/v1/historicos/dolares/oficial',
      '/v1/2026-11-16..2026-11-19',
      '/v1/2026-11-16..',
      '/v2/rates?base=USD&from=2026-11-16',
      '/v2/rates?base=USD&from=2026-11-16&to=2026-11-19',
      '/v2/rates?base=USD&from=2026-11-16&providers=BCV',
      '/v2/rates?base=USD&%66rom=2026-11-16',
    ]) {
      expect([path, (await service.call(path, { key: history })).status]).toEqual([path, 200]);
      const refused = await service.call(path, { key: rates });
      expect([path, refused.status, refused.text]).toEqual([
        path,
        403,
        expect.stringMatching(/history|permiso/),
      ]);
    }
    for (const path of [
      '/v1/dolares',
      '/v1/historicos/dolares/2026/11/19',
      '/v1/historicos/dolares/oficial/2026/11/19',
      '/v1/latest',
      '/v1/2026-11-19',
      '/v2/rate/USD/VES?date=2026-11-19',
      '/v2/rates?base=USD',
      '/v2/rates?base=USD&to=2026-11-19',
      '/v2/rates?base=USD&date=2026-11-19',
    ]) {
      expect([path, (await service.call(path, { key: rates })).status]).toEqual([path, 200]);
      const refused = await service.call(path, { key: history });
      expect([path, refused.status, refused.text]).toEqual([
        path,
        403,
        expect.stringMatching(/rates|permiso/),
      ]);
    }
  });

  test('refuses a secret key, which is never logged, and says where it goes (contract §4)', async () => {
    const service = await startCompatService(['dolarapi', 'pydolarve', 'criptoya', 'frankfurter'], {
      open: false,
    });
    const key = await service.keyFor('Gratis');
    const spanish = /clave secreta en el encabezado X-API-Key/;
    const english = /secret key in the X-API-Key header/;
    for (const [path, sentence] of [
      ['/v1/dolares', spanish],
      ['/api/v1/dollar', spanish],
      ['/api/USDT/VES', english],
      ['/v1/latest', english],
      ['/v2/rates', english],
    ] as const) {
      for (const asked of [`/k/${key}${path}`, `${path}?key=${key}`]) {
        const { status, json } = await service.call(asked);
        expect([path, status, json.error ?? json.message]).toEqual([
          path,
          401,
          expect.stringMatching(sentence),
        ]);
      }
    }
    const mistyped = (await service.call('/v1/dolares?key=vfx_pub_a')).json;
    expect(mistyped).toEqual({
      error: 'La clave está mal escrita, no existe, fue revocada o venció.',
    });
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
