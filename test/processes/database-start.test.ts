import { describe, expect, test } from 'vitest';
import type { VesfxProcess } from '../../testkit/vesfx-process.ts';
import {
  addressOf,
  asSuperuser,
  createDatabase,
  postgresPort,
  postgresProxy,
} from '../harness/postgres.ts';
import { GUARDED_USER } from '../harness/postgres-server.ts';
import { type Installation, install } from '../harness/processes.ts';
import { stopwatch } from '../harness/stopwatch.ts';
import type { TcpProxy } from '../harness/tcp-proxy.ts';

/** A start, and commands, while PostgreSQL is slow, starting or away. */

const MAX_READY_MS = 100_000;
/** Longer than a request waits for the database. */
const SLOW_MS = 1_500;
const SERVE = ['serve', '--no-collect', '--port', '0'];
const WAITS = 'the start waits for the database';

async function siteBehindProxy(
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly site: Installation; readonly proxy: TcpProxy }> {
  const proxy = await postgresProxy();
  const url = addressOf(proxy.port, await createDatabase());
  return { site: await install({ VESFX_DATABASE_URL: url, ...env }), proxy };
}

function told(running: VesfxProcess, message: string): number {
  return running.err.split(`"msg":"${message}"`).length - 1;
}

describe.each([
  { name: 'serve', args: SERVE },
  { name: 'serve --workers 2', args: [...SERVE, '--workers', '2'] },
  { name: 'collect', args: ['collect'] },
])('$name', ({ args }) => {
  test('starts although each connection to the database takes longer than a request may wait', async () => {
    const { site, proxy } = await siteBehindProxy();
    proxy.delay(SLOW_MS);
    const running = site.begin(args);
    expect(await running.readyLine(MAX_READY_MS)).toBeDefined();
    expect(proxy.faults()).toBeGreaterThan(0);
    expect(told(running, 'a worker ended; starting another one')).toBe(0);
  });

  test('waits for an address that refuses, with one log line, and starts when it answers', async () => {
    const { site, proxy } = await siteBehindProxy();
    proxy.stop();
    const running = site.begin(args);
    await expect.poll(() => proxy.faults()).toBeGreaterThan(2);
    proxy.resume();
    expect(await running.readyLine(MAX_READY_MS)).toBeDefined();
    expect(told(running, WAITS)).toBe(1);
  });

  test('ends at once on SIGTERM while it waits, with exit code 0', async () => {
    const { site, proxy } = await siteBehindProxy();
    proxy.hang();
    const running = site.begin(args);
    await expect.poll(() => proxy.faults()).toBeGreaterThan(0);
    const waited = stopwatch();
    const { code, out } = await running.stop();
    expect({ code, out }).toEqual({ code: 0, out: '' });
    // Long before the attempt that hangs would have ended.
    expect(waited()).toBeLessThan(5_000);
  });

  test('ends with the reason when the wait of VESFX_DATABASE_WAIT_SEC is over', async () => {
    const { site, proxy } = await siteBehindProxy({ VESFX_DATABASE_WAIT_SEC: '2' });
    proxy.stop();
    const { code, err } = await site.begin(args).ended;
    expect(code).toBe(1);
    expect(err.match(/\{"error":.*The database cannot be reached: /g)).toHaveLength(1);
    expect(proxy.faults()).toBeGreaterThan(2);
  });
});

describe('vesfx serve ends at once, whatever the wait,', () => {
  test.each([
    {
      what: 'when its password is refused',
      url: (port: number, database: string) =>
        `postgres://${GUARDED_USER}:wrong@127.0.0.1:${port}/${database}`,
      says: 'password authentication failed',
    },
    {
      what: 'when it has no password, and the server asks for one',
      url: (port: number, database: string) => addressOf(port, database, GUARDED_USER),
      says: 'password must be a string',
    },
    {
      what: 'when there is no such database',
      url: (port: number) => addressOf(port, 'no_such_database'),
      says: 'database \\"no_such_database\\" does not exist',
    },
    {
      what: 'when the server has no TLS, and it must have',
      url: (port: number, database: string) => `${addressOf(port, database)}?sslmode=require`,
      says: 'The server does not support SSL connections',
    },
  ])('$what', async ({ url, says }) => {
    const address = url(await postgresPort(), await createDatabase());
    const site = await install({ VESFX_DATABASE_URL: address });
    const { code, out, err } = await site.begin(SERVE).ended;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(says);
  });
});

test('vesfx serve ends at once on a database of a newer version, and says so', async () => {
  const database = await createDatabase();
  const site = await install({ VESFX_DATABASE_URL: addressOf(await postgresPort(), database) });
  await site.json(['account', 'create', '--name', 'x', '--plan', 'Gratis']);
  await asSuperuser(database, (client) =>
    client.query("insert into migration (name) values ('999-of-tomorrow')"),
  );
  const { code, err } = await site.begin(SERVE).ended;
  expect(code).toBe(1);
  expect(err).toMatch(/^\{"error":.*written by a newer version of vesfx/);
});

test('ready workers stay while another one waits for the database, and it joins them afterwards', async () => {
  const { site, proxy } = await siteBehindProxy();
  const running = site.begin([...SERVE, '--workers', '2']);
  await expect.poll(() => told(running, 'listening')).toBe(1);
  proxy.stop();
  const url = JSON.parse(
    running.err.split('\n').find((line) => line.includes('listening')) ?? '{}',
  ).url;
  await expect.poll(() => told(running, WAITS)).toBe(1);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  proxy.resume();
  expect(await running.readyLine(MAX_READY_MS)).toBeDefined();
  expect(told(running, 'listening')).toBe(2);
  expect(told(running, 'a worker ended; starting another one')).toBe(0);
});

describe('a command', () => {
  test('waits for a slow database as docs/limits.md says: a key is revoked just when it is needed', async () => {
    const { site, proxy } = await siteBehindProxy();
    const { id: account } = await site.json([
      'account',
      'create',
      '--name',
      'x',
      '--plan',
      'Gratis',
    ]);
    const { id } = await site.json(['key', 'create', account]);
    proxy.delay(SLOW_MS);
    await site.json(['key', 'revoke', id]);
    expect(proxy.faults()).toBeGreaterThan(0);
    proxy.stop();
    const before = proxy.faults();
    const listing = site.begin(['key', 'list', account]);
    await expect.poll(() => proxy.faults()).toBeGreaterThan(before + 1);
    proxy.resume();
    const { code, out } = await listing.ended;
    expect(code).toBe(0);
    expect(out).toContain(id);
  });
});
