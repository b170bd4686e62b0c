import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../src/core/app/failures.ts';
import { WRITABLE_AFTER_MS } from '../../src/core/app/store-monitor.ts';
import { SECOND_MS } from '../../src/core/domain/time.ts';
import { readPostgresUrl } from '../../src/core/storage/postgres/url.ts';
import { DATABASE_FILE } from '../../src/core/storage/store.ts';
import { fullMarket } from '../harness/make.ts';
import { addressOf, asSuperuser, createDatabase, postgresPort } from '../harness/postgres.ts';
import { ON_POSTGRES, startTestService, type TestService } from '../harness/service.ts';

/** The probes of an operator's proxy or supervisor (contract §4). */

async function statusOf(service: TestService, path: string): Promise<number> {
  return (await service.call(path)).status;
}

/** Takes the lock that writers need, as another process would. @returns what lets it go. */
function holdLock({ dataDir }: TestService): () => void {
  const other = new DatabaseSync(join(dataDir, DATABASE_FILE), { timeout: 0 });
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}

/** Makes calls, after which the service holds a block of units. */
async function holdUnits(service: TestService, key: string): Promise<void> {
  for (const _ of [1, 2]) await service.call('/v1/fx/rates', { key });
}

/** They would go back now; a service that looks while the database is well gives them back. */
const leaveUnitsIdle = ({ clock }: TestService) => clock.advance(6 * SECOND_MS);

const READY = [200, { status: 'ready' }];
const degraded = (database: string) => [200, { status: 'degraded', database }];

async function readiness(service: TestService) {
  const { status, json } = await service.call('/readyz');
  return [status, json];
}

test('contract §4 while the database is away /readyz is 200 and says so, and rates are served', async () => {
  const service = await startTestService();
  await service.push(...fullMarket());
  const key = await service.keyFor('Gratis');
  // Units are returned when an account changes.
  await service.service.changePoller.poll();
  await holdUnits(service, key);
  expect(await readiness(service)).toEqual(READY);
  await service.service.store.close();
  leaveUnitsIdle(service);
  await expect.poll(() => readiness(service)).toEqual(degraded('unavailable'));
  const { headers } = await service.call('/readyz');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(await statusOf(service, '/healthz')).toBe(200);
  expect((await service.call('/v1/fx/rates', { key })).status).toBe(200);
});

test.skipIf(ON_POSTGRES)(
  'contract §4 a database file that is gone counts as away until it is back',
  async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const file = join(service.dataDir, DATABASE_FILE);
    renameSync(file, `${file}.away`);
    await expect.poll(() => readiness(service)).toEqual(degraded('unavailable'));
    expect(service.service.monitor.condition.state).toBe('unavailable');
    renameSync(`${file}.away`, file);
    await expect.poll(() => readiness(service)).toEqual(READY);
  },
);

test.each([
  ['read_only', '25006'],
  ['disk_full', '53100'],
])(
  'contract §4 while the database is %s /readyz says so, until a write succeeds',
  async (database, code) => {
    const name = await createDatabase();
    const postgres = readPostgresUrl(addressOf(await postgresPort(), name));
    const service = await startTestService({ config: { postgres } });
    await service.push(...fullMarket());
    const key = await service.keyFor('Gratis');
    // Units are returned when an account changes.
    await service.service.changePoller.poll();
    await holdUnits(service, key);
    await asSuperuser(name, (client) =>
      client.query(`
        create function fails() returns trigger language plpgsql as
          $$ begin raise exception using errcode = '${code}', message = 'no'; end $$;
        create trigger fails before update on version execute function fails()`),
    );
    leaveUnitsIdle(service);
    await expect(service.keyFor('Gratis')).rejects.toThrow('The database cannot be written: no.');
    expect(await readiness(service)).toEqual(degraded(database));
    // It is tried again, and it still fails.
    await service.service.monitor.check();
    expect(await readiness(service)).toEqual(degraded(database));
    expect((await service.call('/v1/fx/rates', { key })).status).toBe(200);
    await asSuperuser(name, (client) => client.query('drop trigger fails on version'));
    // A small write may succeed among others that fail.
    service.clock.advance(WRITABLE_AFTER_MS - 1);
    await service.service.monitor.check();
    expect(await readiness(service)).toEqual(degraded(database));
    service.clock.advance(1);
    await service.service.monitor.check();
    expect(await readiness(service)).toEqual(READY);
    const told = service.log.lines.filter(({ message }) => message.startsWith('the store can'));
    expect(told.map(({ fields, message }) => [fields, message])).toEqual([
      [{ database }, 'the store cannot be written'],
      [{}, 'the store can be written again'],
    ]);
  },
);

test('contract §4 /readyz is ready again once the store answers, and no unit is lost', async () => {
  const service = await startTestService();
  await service.push(...fullMarket());
  const key = await service.keyFor('Gratis');
  await holdUnits(service, key);
  const { store } = service.service;
  const asked = vi.spyOn(store, 'versions').mockRejectedValue(new StoreUnavailable('Away.'));
  leaveUnitsIdle(service);
  await expect.poll(() => readiness(service)).toEqual(degraded('unavailable'));
  asked.mockRestore();
  await expect.poll(() => readiness(service)).toEqual(READY);
  const levels = service.log.lines.filter(({ message }) => message.startsWith('the store'));
  expect(levels.map(({ level, message }) => [level, message])).toEqual([
    ['error', 'the store does not answer'],
    ['info', 'the store answers again'],
  ]);
  const { json } = await service.call('/v1/account', { key });
  expect(json.usage.units_used).toBe(2);
});

test.skipIf(ON_POSTGRES)(
  'contract §4 /readyz is ready while the store is only locked',
  async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const key = await service.keyFor('Gratis');
    // Units are returned when an account changes, which is a separate write.
    await service.service.changePoller.poll();
    await holdUnits(service, key);
    const release = holdLock(service);
    leaveUnitsIdle(service);
    const told = () =>
      service.log.lines.filter(({ message }) =>
        message.startsWith('quota units cannot be given back'),
      );
    await expect.poll(told).toHaveLength(1);
    expect(await readiness(service)).toEqual(READY);
    expect((await service.call('/v1/fx/rates', { key })).status).toBe(200);
    release();
  },
);

test('contract §4 while the service stops /readyz is 503 and /healthz 200', async () => {
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
