import { expect, test } from 'vitest';
import { startTestService } from '../../../../../test/harness/service.ts';
import { answering, startCompatService } from '../official-week.ts';

test('contract §12 addresses of other services keep their own language', async () => {
  const service = await startCompatService(['dolarapi', 'frankfurter'], { open: false });
  const key = await service.keyFor('Escala');
  for (const path of ['/v1/dolares/nada', '/v1/latest?from=USD&to=USD', '/v1/latest?amount=x']) {
    const asked = await service.call(path, {
      key,
      headers: { 'Accept-Language': 'es-VE,es;q=0.9' },
    });
    const plain = await service.call(path, { key });
    expect([path, asked.status >= 400, asked.text]).toEqual([path, true, plain.text]);
    expect(asked.headers.get('vary') ?? '').not.toContain('Accept-Language');
  }
});

test.each([
  ['GET', '/v1/acount'],
  ['GET', '/v1/symbols'],
  ['GET', '/v1/2026-11'],
  ['GET', '/v1/2026-11-20..2026'],
  ['POST', '/v1/zzz'],
  ['GET', '/v1/rates'],
  ['GET', '/apis/v1/zzz'],
])('contract §4 %s %s is our 404 beside the addresses of other services', async (method, path) => {
  const compat = ['dolarapi', 'pydolarve', 'criptoya', 'frankfurter'] as const;
  for (const named of [compat, ...compat.map((one) => [one] as const)]) {
    const service = await startTestService({ config: answering(named) });
    const { status, json } = await service.call(path, { method });
    expect([named, status, json]).toMatchObject([
      named,
      404,
      { code: 'resource_not_found', details: { reason: 'unknown_path' } },
    ]);
  }
});
