import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plansWith } from '../../faults/plans.ts';
import { openToolbox } from '../../src/core/compose.ts';
import { readConfig } from '../../src/core/config.ts';
import { startLoad } from '../harness/load.ts';
import { fullMarket } from '../harness/make.ts';
import { type Installation, install } from '../harness/processes.ts';
import { startTestService, temporaryDir } from '../harness/service.ts';
import { stopwatch } from '../harness/stopwatch.ts';

/** SIGTERM to a real process under load. */

const CLIENTS = 8;
const BODY = JSON.stringify({ from: 'USD', to: 'VES', amounts: [1, 2] });
const HALF = 10;

/** A bulk conversion whose body is sent in two parts. @returns what sends the second. */
function slowRequest(url: string, key: string): () => Promise<number | undefined> {
  const headers = {
    'X-API-Key': key,
    'Content-Type': 'application/json',
    'Content-Length': BODY.length,
  };
  const asked = request(`${url}/v1/fx/bulk/convert`, { method: 'POST', headers });
  const answered = once(asked, 'response');
  asked.write(BODY.slice(0, HALF));
  return async () => {
    asked.end(BODY.slice(HALF));
    const [response] = await answered;
    response.resume();
    return response.statusCode;
  };
}

/** The status on a connection of its own, or the code of what went wrong. */
async function statusOf(url: string): Promise<number | string | undefined> {
  const asked = request(url, { agent: false });
  asked.end();
  try {
    const [response] = await once(asked, 'response');
    response.resume();
    return response.statusCode;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** A catalogue whose plans let a fast machine call as often as it can. */
async function withoutMinuteLimit(): Promise<string> {
  const folder = await temporaryDir();
  await writeFile(join(folder, 'plans.json'), plansWith({ requests_per_minute: null }));
  return folder;
}

async function unitsUsed(site: Installation): Promise<number> {
  const { store } = await openToolbox(readConfig({}, site.env));
  const accounts = await store.listAccounts();
  const used = await Promise.all(accounts.map(({ id }) => store.monthUsage(id, Date.now())));
  await store.close();
  return used.reduce((sum, { taken }) => sum + taken, 0);
}

describe.each([
  { name: 'one process', flags: [] },
  { name: 'two workers', flags: ['--workers', '2'] },
])('SIGTERM to $name under load', ({ flags }) => {
  test('/readyz is 503 at once, accepted requests are answered, units are returned, exit code 0', async () => {
    const site = await install({
      VESFX_DRAIN_SEC: '1',
      VESFX_CATALOG: await withoutMinuteLimit(),
    });
    await site.load(fullMarket());
    const key = await site.keyFor('Escala');
    const { child, ready, ended } = await site.start([
      'serve',
      '--no-collect',
      '--port',
      '0',
      ...flags,
    ]);
    const url = ready.listening;
    const headers = { 'X-API-Key': key };
    const load = startLoad(`${url}/v1/fx/rates`, { clients: CLIENTS, headers });
    await expect.poll(() => load.tally.answered.get(200) ?? 0).toBeGreaterThan(5 * CLIENTS);
    expect(await statusOf(`${url}/readyz`)).toBe(200);
    const finish = slowRequest(url, key);
    const before = load.tally.answered.get(200) ?? 0;
    await expect.poll(() => load.tally.answered.get(200) ?? 0).toBeGreaterThan(before);

    child.kill('SIGTERM');
    await expect.poll(() => statusOf(`${url}/readyz`), { interval: 10 }).toBe(503);
    // The port closes before that request arrives.
    await expect.poll(() => load.tally.refused).toBe(CLIENTS);
    expect(await finish()).toBe(200);
    expect(await ended).toEqual({ code: 0, signal: null });
    const { answered, broken } = await load.stop();
    expect([...broken]).toEqual([]);
    expect([...answered.keys()]).toEqual([200]);
    expect(await unitsUsed(site)).toBe((answered.get(200) ?? 0) + 1);
  });
});

/** Connects and collects what comes. */
async function connected(url: string): Promise<{ socket: Socket; received: () => string }> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (bytes) => {
    received += String(bytes);
  });
  await once(socket, 'connect');
  return { socket, received: () => received };
}

describe('a service that stops', () => {
  test('answers every request of a connection before closing it', async () => {
    const service = await startTestService();
    const key = await service.keyFor('Gratis');
    const { socket, received } = await connected(service.url);
    const asked = `GET /v1/account HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n`;
    // Started before the stop, so that the connection is in use then.
    socket.write(asked);
    await service.call('/healthz');
    const stopped = service.service.close();
    socket.write(`\r\n${asked}\r\n${asked}\r\n`);
    await once(socket, 'close');
    await stopped;
    expect(received().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    expect(received().match(/Connection: close/g)).toHaveLength(1);
  });

  test('does not wait for a connection without any request', async () => {
    const service = await startTestService();
    const { socket } = await connected(service.url);
    const waited = stopwatch();
    await service.service.close();
    expect(waited()).toBeLessThan(5_000);
    if (!socket.closed) await once(socket, 'close');
  });

  test('keeps serving while it drains, then ends each connection with its next answer', async () => {
    const service = await startTestService({ config: { drainMs: 1_000 } });
    const { socket, received } = await connected(service.url);
    const ask = async (answers: number) => {
      socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await expect.poll(() => received().match(/service_unavailable/g)?.length).toBe(answers);
    };
    const stopped = service.service.close();
    await ask(1);
    expect(received()).not.toContain('Connection: close');
    expect((await service.call('/healthz')).status).toBe(200);
    await expect
      .poll(() => statusOf(`${service.url}/healthz`), { interval: 10 })
      .toBe('ECONNREFUSED');
    await ask(2);
    expect(received()).toContain('Connection: close');
    if (!socket.closed) await once(socket, 'close');
    await stopped;
  });
});
