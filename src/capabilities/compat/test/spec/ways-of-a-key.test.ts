import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { publishableKey, startCompatService } from '../official-week.ts';

/** Where programs for other services put what they have for a key (contract §12). */

const ALL = ['dolarapi', 'pydolarve', 'criptoya', 'frankfurter'] as const;
const PATHS = ['/v1/dolares/oficial', '/api/v1/dollar?page=bcv', '/v1/latest?base=USD'];

const closed = () => startCompatService(ALL, { open: false });
const anyPage = { origins: [], allowNoOrigin: true };

/** A request with its own `Host`, which `fetch` does not send. */
async function at(url: string, path: string, host: string) {
  const { statusCode, body } = await request(`${url}${path}`, { headers: { host } });
  return { status: statusCode, text: await body.text() };
}

const asBasic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** As the guide says: what follows the prefix, with a hyphen before each capital. */
const labelOf = (key: string) =>
  `k${key.slice('vfx_pub_'.length)}`.replaceAll(/[A-Z]/g, '-$&').toLowerCase();

describe('contract §12 a key in Authorization', () => {
  test('counts like the header, as Bearer, alone, and as name or password of Basic', async () => {
    const service = await closed();
    const key = await service.keyFor('Escala');
    const ways = [
      `Bearer ${key}`,
      `bearer ${key}`,
      key,
      asBasic(`${key}:`),
      asBasic(`user:${key}`),
    ];
    for (const Authorization of ways) {
      for (const path of PATHS) {
        const reply = await service.call(path, { headers: { Authorization } });
        expect([path, reply.status]).toEqual([path, 200]);
        expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
      }
    }
  });

  test('a URL with the key before the host, as curl and requests send it, needs no header', async () => {
    const service = await closed();
    const key = await publishableKey(service, anyPage);
    const { username } = new URL(service.url.replace('://', `://${key}@`));
    const headers = { Authorization: asBasic(`${username}:`) };
    expect((await service.call('/v1/latest?base=USD', { headers })).status).toBe(200);
  });

  test('is none of ours with the token of another service: open addresses stay open', async () => {
    const open = await startCompatService(ALL);
    for (const Authorization of [
      'Bearer abc',
      'Bearer',
      'Token x y',
      'Basic !!!',
      asBasic('a:b'),
    ]) {
      for (const path of PATHS) {
        const reply = await open.call(path, { headers: { Authorization } });
        expect([Authorization, path, reply.status]).toEqual([Authorization, path, 200]);
      }
    }
    const service = await closed();
    const reply = await service.call('/v1/dolares', { headers: { Authorization: 'Bearer abc' } });
    expect([reply.status, reply.json]).toEqual([
      401,
      { error: expect.stringContaining('X-API-Key') },
    ]);
  });

  test('is refused beside another key, and not read at our own addresses (contract §4)', async () => {
    const service = await closed();
    const key = await service.keyFor('Escala');
    const headers = { Authorization: `Bearer ${key}` };
    expect((await service.call('/v1/dolares', { key, headers })).status).toBe(401);
    expect((await service.call('/v1/fx/rates', { headers })).status).toBe(401);
  });
});

describe('contract §12 a key in the host name (VESFX_COMPAT_HOST)', () => {
  const withHost = () =>
    startCompatService(ALL, {
      open: false,
      config: { added: { VESFX_COMPAT_HOST: '*.rates.example' } },
    });

  test('counts in any letter case, so `new URL("/v2/rates", base)` keeps it', async () => {
    const service = await withHost();
    const key = await publishableKey(service, anyPage);
    const names = [`${key}.rates.example`, `${labelOf(key)}.rates.example`];
    const kept = new URL('/v2/rates', `https://${names[1]}/base/`);
    expect([kept.hostname, kept.pathname]).toEqual([names[1], '/v2/rates']);
    for (const host of [...names, `${labelOf(key).toUpperCase()}.RATES.EXAMPLE:8443`]) {
      for (const path of PATHS) {
        expect([host, (await at(service.url, path, host)).status]).toEqual([host, 200]);
      }
    }
  });

  test('nothing else is a key: another host, a mistyped label, a secret one', async () => {
    const service = await withHost();
    const label = labelOf(await publishableKey(service, anyPage));
    const hosts = [
      'www.rates.example',
      'rates.example',
      `${label}.other.example`,
      `${label}x.rates.example`,
      `a.${label}.rates.example`,
      `k${'-'.repeat(5_000)}.rates.example`,
    ];
    for (const host of hosts) {
      const { status, text } = await at(service.url, '/v1/dolares', host);
      expect([host, status, text]).toEqual([host, 401, expect.stringContaining('X-API-Key')]);
    }
    const secret = await service.keyFor('Gratis');
    const refused = await at(service.url, '/v1/dolares', `${secret}.rates.example`);
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('clave secreta')]);
    const host = `${label}.rates.example`;
    expect((await at(service.url, '/v1/fx/rates', host)).status).toBe(401);
  });
});
