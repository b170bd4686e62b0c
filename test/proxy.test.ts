import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readPostgresUrl } from '../src/core/storage/postgres/url.ts';
import { eventThrough } from './harness/event-through.ts';
import { fullMarket } from './harness/make.ts';
import { freePort } from './harness/ports.ts';
import { addressOf, createDatabase, postgresPort, postgresProxy } from './harness/postgres.ts';
import {
  ADMIN_TOKEN,
  startTestService,
  type TestService,
  temporaryDir,
} from './harness/service.ts';

/** The proxy files of `deploy/` while the database is away. */

const CADDY = '/usr/bin/caddy';
const GIVEN = readFileSync(new URL('../deploy/Caddyfile', import.meta.url), 'utf8');

/** How often the proxy has asked the server whether it is ready. */
async function checksOf(server: TestService): Promise<number> {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const { text } = await server.call('/metrics', { headers });
  const row = /^vesfx_http_requests_total\{path="\/readyz",status="200"\} (\d+)$/m;
  return Number(row.exec(text)?.[1] ?? 0);
}

/** Caddy with the given file, in front of these servers and without TLS. @returns its address. */
async function startCaddy(servers: readonly TestService[]): Promise<string> {
  const folder = await temporaryDir();
  const file = join(folder, 'Caddyfile');
  const hosts = servers.map(({ url }) => new URL(url).host).join(' ');
  const changed = GIVEN.replace('server-1:8080 server-2:8080', hosts);
  await writeFile(file, `{\n\tadmin off\n}\n${changed}`);
  const address = `http://127.0.0.1:${await freePort()}`;
  const caddy = spawn(CADDY, ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { SITE_ADDRESS: address, HOME: folder },
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    caddy.kill('SIGKILL');
    await once(caddy, 'exit');
  });
  return address;
}

describe('deploy/Caddyfile', () => {
  test('contract §4 asks for readiness, and counts no answer of a call against a server', () => {
    expect(/^\s*health_uri (\S+)$/m.exec(GIVEN)?.[1]).toBe('/readyz');
    expect(GIVEN).toMatch(/^\s*lb_try_duration \d+s$/m);
    const passive = /^\s*(fail_duration|max_fails|unhealthy_\w+)\b/m;
    expect(GIVEN).not.toMatch(passive);
  });

  test.skipIf(!existsSync(CADDY))(
    'contract §23 passes each event of a stream on at once',
    async () => {
      const service = await startTestService();
      await service.push(...fullMarket());
      const headers = { 'X-API-Key': await service.keyFor('Escala') };
      const proxy = await startCaddy([service]);
      const open = () => fetch(`${proxy}/v1/fx/stream`, { headers }).catch(() => undefined);
      await expect
        .poll(async () => (await fetch(`${proxy}/readyz`).catch(() => undefined))?.status)
        .toBe(200);
      const stream = await open();
      expect(stream?.status).toBe(200);
      await eventThrough(stream?.body ?? [], service);
    },
  );

  test.skipIf(!existsSync(CADDY))(
    'contract §4 passes rates on while the database is away, and takes out only a server that stops',
    async () => {
      const database = addressOf(await postgresPort(), await createDatabase());
      const link = await postgresProxy();
      const postgres = readPostgresUrl(database.replace(/:\d+\//, `:${link.port}/`));
      // One after the other, because the first one makes the tables.
      const one = await startTestService({ config: { postgres } });
      const other = await startTestService({ config: { postgres } });
      const servers = [one, other];
      await one.push(...fullMarket());
      const key = await one.keyFor('Escala');
      // A server without its database spends the block that it has: what was used in a minute.
      for (const server of servers) {
        await server.service.changePoller.poll();
        for (let call = 0; call < 150; call += 1) {
          expect((await server.call('/v1/fx/rates', { key })).status).toBe(200);
        }
      }
      const proxy = await startCaddy(servers);
      const status = async (path: string) => {
        const answer = await fetch(proxy + path, { headers: { 'X-API-Key': key } }).catch(
          () => undefined,
        );
        await answer?.body?.cancel();
        return answer?.status;
      };
      await expect.poll(() => status('/v1/fx/rates')).toBe(200);

      link.stop();
      const isAway = async (server: TestService) => (await server.call('/readyz')).json.database;
      for (const server of servers) {
        await expect.poll(() => isAway(server)).toBe('unavailable');
        const before = await checksOf(server);
        // What only the database can answer is 503, and counts against no server.
        expect(await status('/v1/fx/rates/parallel/history')).toBe(503);
        await expect.poll(() => checksOf(server)).toBeGreaterThan(before + 1);
      }
      const during = await Promise.all(Array.from({ length: 40 }, () => status('/v1/fx/rates')));
      expect(new Set(during)).toEqual(new Set([200]));
      expect(await status('/')).toBe(200);

      await one.service.close();
      await expect.poll(() => status('/v1/fx/rates')).toBe(200);
      const after = await Promise.all(Array.from({ length: 20 }, () => status('/v1/fx/rates')));
      expect(new Set(after)).toEqual(new Set([200]));
    },
  );
});
