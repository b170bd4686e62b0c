import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../../src/http/endpoints/all.ts';
import { fullMarket } from '../harness/make.ts';
import { blurt, codeOf, head, lines, open, speak } from '../harness/raw-http.ts';
import { ADMIN_TOKEN, startTestService, type TestService } from '../harness/service.ts';

/** Connections as clients may leave them: none ends the service, none stays open. */

const WITH_BODY = allEndpoints({ admin: true }).filter(
  ({ body, textBody }) => body !== undefined || textBody === true,
);

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket());
  const key = await service.keyFor('Escala');
  const { keys } = (await service.call('/v1/account', { key })).json;
  const credentials = [`X-API-Key: ${key}`, `Authorization: Bearer ${ADMIN_TOKEN}`];
  const pathOf = (path: string) => path.replace(':id', keys[0].id).replace(':tag', 'a');
  return { service, key, credentials, pathOf };
}

/** Sockets of this process, the service's and the test's own. */
const openSockets = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

/** Fails unless as many sockets are open as before, soon. */
async function expectNoneLeft(before: number): Promise<void> {
  await expect.poll(openSockets, { timeout: 5_000 }).toBeLessThanOrEqual(before);
}

describe.each(WITH_BODY.map(({ method, path, textBody }) => ({ method, path, textBody })))(
  'decisions §4 $method $path without a body',
  ({ method, path, textBody }) => {
    const type = textBody === true ? 'application/x-ndjson' : 'application/json';
    const expected = path.endsWith('/rotate') ? [201, undefined] : [400, 'invalid_format'];

    test.each([
      { how: 'no length and no type', headers: [] },
      { how: 'no length', headers: [`Content-Type: ${type}`] },
      { how: 'no length and another type', headers: ['Content-Type: text/plain'] },
      { how: 'a length of 0', headers: [`Content-Type: ${type}`, 'Content-Length: 0'] },
      { how: 'a length of 0 and no type', headers: ['Content-Length: 0'] },
    ])('is answered at once, with $how', async ({ headers }) => {
      const { service, credentials, pathOf } = await serving();
      const before = openSockets();
      const line = `${method} ${pathOf(path)} HTTP/1.1`;
      const [reply] = await speak(service, lines(line, ...credentials, ...headers));
      expect([reply?.status, codeOf(reply)]).toEqual(expected);
      await expectNoneLeft(before);
    });

    test('is answered before the request pipelined behind it', async () => {
      const { service, credentials, pathOf } = await serving();
      const before = openSockets();
      const first = head(`${method} ${pathOf(path)} HTTP/1.1`, credentials);
      const replies = await speak(service, first + lines('GET /healthz HTTP/1.1'));
      expect(replies.map(({ status }) => status)).toEqual([expected[0], 200]);
      await expectNoneLeft(before);
    });

    test('leaves nothing open when the client goes in the middle of it', async () => {
      const { service, credentials, pathOf } = await serving();
      const before = openSockets();
      const line = `${method} ${pathOf(path)} HTTP/1.1`;
      for (const more of [[], ['Content-Length: 9'], ['Transfer-Encoding: chunked']]) {
        const whole = head(line, [...credentials, `Content-Type: ${type}`, ...more]);
        await blurt(service, whole.slice(0, -10));
        await blurt(service, whole);
        await reset(service, whole);
      }
      await expectNoneLeft(before);
      expect((await service.call('/healthz')).status).toBe(200);
    });
  },
);

/** Sends bytes and resets the connection. */
async function reset(service: TestService, bytes: string): Promise<void> {
  const { socket, closed } = open(service);
  await new Promise<void>((resolve) => {
    socket.write(bytes, () => resolve());
  });
  socket.resetAndDestroy();
  await closed;
}

/** A client that keeps its side open whatever the server does, and reads what comes. */
async function halfOpen(service: TestService): Promise<{ socket: Socket; received: () => string }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let received = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    received += String(bytes);
  });
  await once(socket, 'connect');
  return { socket, received: () => received };
}

describe('§7 connections that no request is made of', () => {
  test.each(METHODS)('%s and then a reset does not end the service', async (method) => {
    const { service } = await serving();
    const before = openSockets();
    for (const more of [[], ['Connection: Upgrade', 'Upgrade: websocket'], ['Expect: a miracle']]) {
      for (const target of ['/v1/fx/rates', 'x:1', '*']) {
        await reset(service, head(`${method} ${target} HTTP/1.1`, more));
      }
    }
    await reset(service, 'GET / HTTP/9.9\r\n\r\n');
    await expectNoneLeft(before);
    expect((await service.call('/healthz')).status).toBe(200);
    expect(service.log.lines).toEqual([]);
  });

  test.each(['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'not HTTP\r\n\r\n'])(
    '%j is refused and closed, though the client sends on and never closes',
    async (bytes) => {
      const { service } = await serving();
      const before = openSockets();
      const clients = await Promise.all(Array.from({ length: 20 }, () => halfOpen(service)));
      for (const { socket } of clients) socket.write(bytes);
      for (const { socket, received } of clients) {
        await expect.poll(received).toMatch(/^HTTP\/1\.1 4\d\d .*"message":/s);
        socket.write('x');
      }
      // The clients' own halves are open still; the service has closed all of its own.
      await expectNoneLeft(before + clients.length);
      for (const { socket } of clients) socket.destroy();
    },
  );
});
