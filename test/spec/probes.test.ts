import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../src/app/failures.ts';
import { SECOND_MS } from '../../src/domain/time.ts';
import { DATABASE_FILE } from '../../src/storage/store.ts';
import { fullMarket } from '../harness/make.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** The probes of an operator's proxy or supervisor (decisions §4). */

const MAX_WAIT = { timeout: 10 * SECOND_MS };

async function statusOf(service: TestService, path: string): Promise<number> {
  return (await service.call(path)).status;
}

/** Takes the lock that writers need, as another process would. @returns what lets it go. */
function holdLock({ dataDir }: TestService): () => void {
  const other = new DatabaseSync(join(dataDir, DATABASE_FILE), { timeout: 0 });
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}

/** Makes calls until the service holds a block of units, then lets it lie idle. */
async function leaveUnitsIdle(service: TestService, key: string): Promise<void> {
  for (const _ of [1, 2]) await service.call('/v1/fx/rates', { key });
  service.clock.advance(6 * SECOND_MS);
}

test('decisions §4 while the store does not answer /readyz is 503 in our shape and /healthz 200', async () => {
  const service = await startTestService();
  await service.service.store.close();
  await expect.poll(() => statusOf(service, '/readyz'), MAX_WAIT).toBe(503);
  const { json, headers } = await service.call('/readyz');
  expect(json).toEqual({
    code: 'service_unavailable',
    message: 'The store does not answer.',
    details: { request_id: headers.get('x-request-id') },
  });
  expect(headers.get('retry-after')).toBe('1');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(await statusOf(service, '/healthz')).toBe(200);
});

test('decisions §4 /readyz is 200 again once the store answers, and no unit is lost', async () => {
  const service = await startTestService();
  await service.push(...fullMarket());
  const key = await service.keyFor('Gratis');
  await leaveUnitsIdle(service, key);
  const { store } = service.service;
  const asked = vi.spyOn(store, 'versions').mockRejectedValue(new StoreUnavailable('Away.'));
  await expect.poll(() => statusOf(service, '/readyz'), MAX_WAIT).toBe(503);
  asked.mockRestore();
  await expect.poll(() => statusOf(service, '/readyz'), MAX_WAIT).toBe(200);
  const levels = service.log.lines.filter(({ message }) => message.startsWith('the store'));
  expect(levels.map(({ level, message }) => [level, message])).toEqual([
    ['error', 'the store does not answer'],
    ['info', 'the store answers again'],
  ]);
  const { json } = await service.call('/v1/account', { key });
  expect(json.usage.units_used).toBe(2);
});

test('decisions §14 /readyz is 200 while the store can be read but not written', async () => {
  const service = await startTestService();
  await service.push(...fullMarket());
  const key = await service.keyFor('Gratis');
  // Units are returned when an account changes, which is a separate write.
  await service.service.changePoller.poll();
  await leaveUnitsIdle(service, key);
  const release = holdLock(service);
  const told = () =>
    service.log.lines.filter(({ message }) =>
      message.startsWith('the store does not accept reports'),
    );
  await expect.poll(told, MAX_WAIT).toHaveLength(1);
  expect(await statusOf(service, '/readyz')).toBe(200);
  expect((await service.call('/v1/fx/rates', { key })).status).toBe(200);
  release();
});

test('decisions §4 while the service stops /readyz is 503 and /healthz 200', async () => {
  const service = await startTestService();
  const { port } = new URL(service.url);
  const asked = await Promise.all(
    ['/readyz', '/healthz'].map(async (path) => {
      const socket = createConnection(Number(port), '127.0.0.1');
      let received = '';
      socket.on('data', (bytes) => {
        received += String(bytes);
      });
      await once(socket, 'connect');
      // Started before the stop, so that the connection is in use then.
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n`);
      return {
        finish: async () => {
          socket.write('\r\n');
          await once(socket, 'close');
          return received;
        },
      };
    }),
  );
  // An answer on another connection shows that those bytes have arrived.
  await service.call('/healthz');
  const stopped = service.service.close();
  const [ready, healthy] = await Promise.all(asked.map(({ finish }) => finish()));
  expect(ready).toMatch(/^HTTP\/1\.1 503 [\s\S]*"message":"The service is stopping\."/);
  expect(healthy).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"status":"ok"\}/);
  await stopped;
});
