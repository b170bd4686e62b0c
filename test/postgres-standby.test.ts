import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { WRITABLE_AFTER_MS } from '../src/core/app/store-monitor.ts';
import { readPostgresUrl } from '../src/core/storage/postgres/url.ts';
import { runHere } from './harness/commands.ts';
import { fullMarket } from './harness/make.ts';
import { addressOf } from './harness/postgres.ts';
import {
  OWNER,
  promote,
  restartAsStandby,
  startServer,
  stopServer,
} from './harness/postgres-server.ts';
import { startTestService } from './harness/service.ts';

test('contract §4 on a standby the service serves the last figures and says read_only, until it is promoted', async () => {
  // Its user may not enter the folder of the run.
  const folder = mkdtempSync(join(tmpdir(), 'vesfx-standby-'));
  onTestFinished(async () => {
    await stopServer(folder);
    rmSync(folder, { recursive: true });
  });
  const port = await startServer(folder);
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres' });
  await client.connect();
  await client.query(`create database shop owner ${OWNER}`);
  await client.end();
  const address = addressOf(port, 'shop');
  const service = await startTestService({ config: { postgres: readPostgresUrl(address) } });
  const key = await service.keyFor('Gratis');
  // The push also takes over the new key, so no units are on their way back when the server stops.
  await service.push(...fullMarket());
  expect((await service.call('/v1/fx/rates', { key })).status).toBe(200);

  await restartAsStandby(folder, port);
  const readiness = async () => (await service.call('/readyz')).json;
  await expect.poll(readiness).toEqual({ status: 'degraded', database: 'read_only' });
  // A read that the restart cut off may still be answered with 503.
  const status = async () => (await service.call('/v1/fx/rates', { key })).status;
  await expect.poll(status).toBe(200);
  const told = await runHere(['doctor'], { VESFX_DATABASE_URL: address });
  expect(told.code).toBe(1);
  expect(told.out).toContain('BROKEN   The database is read-only');

  await promote(folder);
  service.clock.advance(WRITABLE_AFTER_MS);
  await expect.poll(readiness).toEqual({ status: 'ready' });
  expect(service.log.lines.filter(({ message }) => message === 'a request failed')).toEqual([]);
});
