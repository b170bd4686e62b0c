import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { startTestService } from '../../../../../test/harness/service.ts';
import { Vesfx, type VesfxError } from '../../../../client/vesfx.ts';

const codeOf = (error: unknown) => (error as VesfxError).code;

async function streaming(plan = 'Inicio') {
  const service = await startTestService();
  await service.push(official('2026-11-20', { USD: 800.5 }), quote('parallel', 880));
  const { id } = await service.service.accounts.create('client', plan);
  const { key, record } = await service.service.accounts.createKey(id);
  return { service, key, keyId: record.id };
}

test('contract §23 the client yields the states, and ends with the error of a revoked key', async () => {
  const { service, key, keyId } = await streaming();
  const vesfx = new Vesfx({ baseUrl: service.url, key });
  const stream = vesfx.stream({ markets: ['parallel', 'bcv'] });
  const first = await stream.next();
  expect(first.value).toMatchObject({ event: 'snapshot', rates: [{}, { mid: 880 }] });
  expect(vesfx.limits.month?.limit).toBe(15_000);
  service.clock.advance(1_000);
  const at = iso(service.clock.now());
  await service.push(quote('parallel', 881, { updated_at: at, captured_at: at }));
  const { value } = await stream.next();
  expect(value).toMatchObject({ event: 'rates', rates: [{ market: 'parallel', mid: 881 }] });
  await service.service.accounts.revokeKey(keyId);
  await expect(stream.next()).rejects.toMatchObject({ code: 'invalid_api_key' });
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test.each([
  [402, 'Gratis', undefined, 'feature_not_in_plan'],
  [404, 'Inicio', ['atlantis'], 'resource_not_found'],
] as const)('contract §23 a %i ends it at once', async (_status, plan, markets, code) => {
  const { service, key } = await streaming(plan);
  const stream = new Vesfx({ baseUrl: service.url, key }).stream({ markets });
  expect(codeOf(await stream.next().catch((error: unknown) => error))).toBe(code);
});

test('contract §23 a signal ends it, and frees its place', async () => {
  const { service, key } = await streaming();
  const vesfx = new Vesfx({ baseUrl: service.url, key });
  const ending = new AbortController();
  const stream = vesfx.stream({ signal: ending.signal });
  await stream.next();
  const next = stream.next();
  ending.abort();
  await expect(next).rejects.toMatchObject({ code: 'aborted' });
  const again = vesfx.stream();
  await vi.waitFor(async () => expect((await again.next()).done).toBe(false), 10_000);
  await again.return();
});

/** A service that breaks its streams off as the test says. */
async function breaking(answer: (asked: number, id: string | undefined) => readonly string[]) {
  let asked = 0;
  const ids: (string | undefined)[] = [];
  const askedAt: number[] = [];
  const server = createServer((request, response) => {
    const id = request.headers['last-event-id'];
    ids.push(Array.isArray(id) ? id.join() : id);
    const [status = '200', ...pieces] = answer(asked, ids.at(-1));
    asked += 1;
    askedAt.push(performance.now());
    if (status === '200') response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    else response.writeHead(Number(status), { 'Retry-After': '2' });
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { vesfx: new Vesfx({ baseUrl: `http://127.0.0.1:${port}`, key: 'k' }), ids, askedAt };
}

test('contract §23 it goes on after its last event, waits as long as it is told, and reads events in pieces', async () => {
  const { vesfx, ids, askedAt } = await breaking((asked) => {
    if (asked === 0)
      return [
        '200',
        'retry: 3000\n\n: a\n\nid: 1.a\nevent: snap',
        'shot\ndata: {"rates":[]}\n\nid: 2',
      ];
    if (asked === 1) return ['503'];
    if (asked === 2) return ['200', 'id: 2.b\r\nevent: rates\r\ndata: {"rates":[]}\r\n\r\n'];
    return ['204'];
  });
  const seen = [];
  for await (const { event, id } of vesfx.stream()) seen.push([event, id]);
  expect(seen).toEqual([
    ['snapshot', '1.a'],
    ['rates', '2.b'],
  ]);
  expect(ids).toEqual([undefined, '1.a', '1.a', '2.b']);
  expect((askedAt[2] ?? 0) - (askedAt[1] ?? 0)).toBeGreaterThanOrEqual(2_000);
});
