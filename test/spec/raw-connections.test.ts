import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { IncomingMessage, METHODS, STATUS_CODES } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import { BufferedRequest } from '../../src/core/http/framework/server/buffered-request.ts';
import {
  LINGER_MS,
  MAX_PIECES_AT_ONCE,
  READER_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from '../../src/core/http/framework/server/limits.ts';
import { MAX_LONG_PER_ACCOUNT } from '../../src/core/http/pipeline/long-answers.ts';
import { capture, fullMarket, iso } from '../harness/make.ts';
import { codeOf, head, lines, open, sendBytes, sendBytesAndEnd } from '../harness/raw-http.ts';
import {
  ADMIN_TOKEN,
  ON_POSTGRES,
  START,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { stopwatch } from '../harness/stopwatch.ts';

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

/** The socket in a message of Node's about a new connection. The cast is safe: Node sends it. */
const socketIn = (message: unknown) => (message as { readonly socket: Socket }).socket;

/** Fails unless as many sockets are open as before, soon. */
async function expectNoneLeft(before: number): Promise<void> {
  await expect.poll(openSockets).toBeLessThanOrEqual(before);
}

describe.each(WITH_BODY.map(({ method, path, textBody }) => ({ method, path, textBody })))(
  'contract §4 $method $path without a body',
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
      const [reply] = await sendBytes(service, lines(line, ...credentials, ...headers));
      expect([reply?.status, codeOf(reply)]).toEqual(expected);
      await expectNoneLeft(before);
    });

    test('is answered before the request pipelined behind it', async () => {
      const { service, credentials, pathOf } = await serving();
      const before = openSockets();
      const first = head(`${method} ${pathOf(path)} HTTP/1.1`, credentials);
      const replies = await sendBytes(service, first + lines('GET /healthz HTTP/1.1'));
      expect(replies.map(({ status }) => status)).toEqual([expected[0], 200]);
      await expectNoneLeft(before);
    });

    test('leaves nothing open when the client disconnects within it', async () => {
      const { service, credentials, pathOf } = await serving();
      const before = openSockets();
      const line = `${method} ${pathOf(path)} HTTP/1.1`;
      for (const more of [[], ['Content-Length: 9'], ['Transfer-Encoding: chunked']]) {
        const whole = head(line, [...credentials, `Content-Type: ${type}`, ...more]);
        await sendBytesAndEnd(service, whole.slice(0, -10));
        await sendBytesAndEnd(service, whole);
        await reset(service, whole);
      }
      await expectNoneLeft(before);
      expect((await service.call('/healthz')).status).toBe(200);
    });
  },
);

const bodyOfNobody = head('GET /healthz HTTP/1.1', ['Content-Length: 500']);

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

describe('§7 connections without a valid request', () => {
  test.each(METHODS)('%s followed by a reset does not end the service', async (method) => {
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

  test('the service does not wait for a body that ended early, even with an upgrade request', async () => {
    const { service, credentials } = await serving();
    const before = openSockets();
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Content-Type: application/json'];
    for (const frame of ['Content-Length: 500', 'Transfer-Encoding: chunked']) {
      const line = 'POST /v1/fx/bulk/convert HTTP/1.1';
      await sendBytesAndEnd(service, head(line, [...credentials, ...upgrade, frame]));
    }
    await expectNoneLeft(before);
  });

  test.each(['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'not HTTP\r\n\r\n'])(
    '%j is refused and closed, even if the client keeps sending and never closes',
    async (bytes) => {
      const { service } = await serving();
      const before = openSockets();
      const clients = await Promise.all(Array.from({ length: 20 }, () => halfOpen(service)));
      for (const { socket } of clients) socket.write(bytes);
      for (const { socket, received } of clients) {
        await expect.poll(received).toMatch(/^HTTP\/1\.1 4\d\d .*"message":/s);
        socket.write('x');
      }
      // The clients' halves are still open; the service has closed all of its own.
      await expectNoneLeft(before + clients.length);
      for (const { socket } of clients) socket.destroy();
    },
  );
});

describe('contract §4 connections that trickle', () => {
  test('every deadline destroys the socket, even if the client keeps sending and never closes', async () => {
    const { service, key } = await serving();
    const before = openSockets();
    const post = (...headers: string[]) =>
      head('POST /v1/fx/bulk/convert HTTP/1.1', [
        `X-API-Key: ${key}`,
        'Content-Type: application/json',
        ...headers,
      ]);
    const chunked = post('Transfer-Encoding: chunked');
    const health = head('GET /healthz HTTP/1.1', []);
    const kinds = [
      { name: 'a line of the head', first: 'GET / HTTP/1.1\r\n', next: 'X-A: a\r\n', code: 408 },
      { name: 'blank lines', first: '\r\n', next: '\r\n', code: 408 },
      { name: 'a byte of a later head', first: `${health}GET /a`, next: 'a', code: 408 },
      { name: 'a byte of the body', first: post('Content-Length: 500'), next: '{', code: 408 },
      { name: 'a chunk of the body', first: chunked, next: '1\r\n{\r\n', code: 408 },
      { name: 'nothing of a chunk', first: `${chunked}5\r\n{`, next: '', code: 408 },
      { name: 'a body that nobody reads', first: bodyOfNobody, next: 'x', code: 200 },
    ];
    const clients = await Promise.all(
      kinds.map(async (kind) => {
        const { socket, received } = await halfOpen(service);
        socket.write(kind.first);
        const timer = setInterval(() => socket.write(kind.next), 500);
        return { ...kind, socket, received, stop: () => clearInterval(timer) };
      }),
    );
    const waited = stopwatch();
    for (const { name, received, code } of clients) {
      const statusLine = `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\n`;
      await expect.poll(received, { message: name }).toContain(statusLine);
    }
    expect(waited()).toBeLessThan(REQUEST_TIMEOUT_MS + 4 * TIMEOUT_CHECK_MS);
    // The clients' halves are still open; the service has closed all of its own.
    const lingered = stopwatch();
    await expect.poll(openSockets).toBeLessThanOrEqual(before + clients.length);
    expect(lingered()).toBeLessThan(LINGER_MS + 2 * TIMEOUT_CHECK_MS);
    for (const { socket, stop } of clients) {
      stop();
      socket.destroy();
    }
    expect((await service.call('/healthz')).status).toBe(200);
  });
});

/** More requests than a connection may have waiting, sent in one piece. */
const PIPELINED = 100;

describe('a client that closes its own side (contract §14)', () => {
  test('gets its answer if it is still there', async () => {
    const { service, key } = await serving();
    const one = head('GET /v1/fx/rates HTTP/1.1', [`X-API-Key: ${key}`]);
    const { socket, received } = await halfOpen(service);
    socket.end(one.repeat(PIPELINED));
    await once(socket, 'end');
    expect(received().match(/HTTP\/1\.1 200 /g)).toHaveLength(PIPELINED);
  });

  test('uses one unit if it is gone: its pipelined requests are dropped with the connection', async () => {
    const { service, key } = await serving();
    const before = openSockets();
    const one = head('GET /v1/fx/rates HTTP/1.1', [`X-API-Key: ${key}`]);
    const { socket } = await halfOpen(service);
    await new Promise<void>((resolve) => {
      socket.end(one.repeat(PIPELINED), () => resolve());
    });
    // Nothing was received yet, so this sends no reset: the service sees the end of the stream alone.
    socket.destroy();
    const used = async () => (await service.call('/v1/account', { key })).json.usage.units_used;
    await expect.poll(used).toBeGreaterThanOrEqual(1);
    await expectNoneLeft(before);
    expect(await used()).toBeLessThan(PIPELINED / 4);
    expect(service.log.lines).toEqual([]);
  });

  // These count the sockets of the process, of which PostgreSQL has some.
  test.skipIf(ON_POSTGRES)(
    'has left for a long answer, which is not begun and costs nothing',
    async () => {
      const day = 86_400_000;
      const { service, key } = await serving();
      const before = openSockets();
      await service.push(...[1, 2, 3].map((days) => capture(900, iso(START - days * day))));
      const { store } = service.service;
      const { promise: allLeft, resolve: letThemRead } = Promise.withResolvers<void>();
      const captures = store.latestCaptures.bind(store);
      const read = vi.spyOn(store, 'latestCaptures').mockImplementation(async (...span) => {
        await allLeft;
        return captures(...span);
      });
      const asked = head('GET /v1/fx/rates/parallel/history?granularity=raw HTTP/1.1', [
        `X-API-Key: ${key}`,
      ]);
      const accepted: Socket[] = [];
      const onSocket = (message: unknown) => accepted.push(socketIn(message));
      subscribe('net.server.socket', onSocket);
      onTestFinished(() => void unsubscribe('net.server.socket', onSocket));
      const leaving = await Promise.all(Array.from({ length: 40 }, () => halfOpen(service)));
      for (const { socket } of leaving) socket.end(asked);
      const ended = () => accepted.filter(({ readableEnded }) => readableEnded).length;
      await expect.poll(ended).toBe(leaving.length);
      letThemRead();
      await Promise.all(leaving.map(({ socket }) => once(socket, 'close')));
      const answers = leaving.map(({ received }) => received());
      // What was begun is short enough to be finished.
      const made = answers.filter((text) => text.includes('200 OK'));
      expect(made).toHaveLength(MAX_LONG_PER_ACCOUNT);
      expect(read.mock.calls).toHaveLength(MAX_LONG_PER_ACCOUNT);
      const dropped = answers.filter((text) => text.includes('before its turn came'));
      expect(dropped).toHaveLength(leaving.length - made.length);
      const { usage } = (await service.call('/v1/account', { key })).json;
      expect(usage.units_used).toBe(made.length);
      await expectNoneLeft(before);
    },
  );

  test.skipIf(ON_POSTGRES)(
    'is closed when it reads no byte more, and its pipelined requests are dropped',
    async () => {
      const service = await startTestService();
      // Connections of earlier tests may still be closing.
      await expect.poll(openSockets).toBe(0);
      const { hostname, port } = new URL(service.url);
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      // The system buffers about ten megabytes for a client that does not read; these are far more.
      const asked = 500;
      socket.end(head('GET /openapi.json HTTP/1.1', []).repeat(asked));
      await expect.poll(openSockets).toBe(2);
      // The client's half stays open; the service closes the other by itself.
      const waited = stopwatch();
      await expect.poll(openSockets).toBe(1);
      expect(waited()).toBeLessThan(2 * READER_TIMEOUT_MS + 4 * TIMEOUT_CHECK_MS);
      let answers = 0;
      socket.on('data', (bytes) => {
        answers += String(bytes).split('HTTP/1.1 200').length - 1;
      });
      await once(socket, 'close');
      expect(answers).toBeLessThan(asked);
    },
  );
});

describe('§7 a body in chunks of one byte', () => {
  test('is kept in one piece, also while its request waits for an earlier answer', async () => {
    const { service, key } = await serving();
    const parts = vi.spyOn(Readable.prototype, 'push');
    const json = JSON.stringify({ from: 'USD', to: 'VES', amounts: [2] });
    const chunks = [...json].map((character) => `1\r\n${character}\r\n`).join('');
    const replies = await sendBytes(
      service,
      head('GET /openapi.json HTTP/1.1', []) +
        lines(
          'POST /v1/fx/bulk/convert HTTP/1.1',
          `X-API-Key: ${key}`,
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
        ) +
        `${chunks}0\r\n\r\n`,
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const kept = parts.mock.contexts.filter((stream) => stream instanceof IncomingMessage);
    parts.mockRestore();
    // The body, and the ends of both requests.
    expect(kept).toHaveLength(3);
  });
});

describe('contract §4 a body in too many small chunks', () => {
  const chunks = (count: number) => `${'1\r\n \r\n'.repeat(count)}0\r\n\r\n`;
  const post = (key: string) =>
    head('POST /v1/fx/bulk/convert HTTP/1.1', [
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]);

  test('is refused, its rest is not read, and nothing behind it is answered', async () => {
    const { service, key } = await serving();
    const pieces = vi.spyOn(BufferedRequest.prototype, 'push');
    const refused = post(key) + chunks(10_000);
    const replies = await sendBytes(service, refused + head('GET /healthz HTTP/1.1', []));
    expect(pieces.mock.calls.length).toBeLessThan(2 * MAX_PIECES_AT_ONCE);
    pieces.mockRestore();
    expect(replies.map((reply) => [reply.status, codeOf(reply)])).toEqual([
      [413, 'payload_too_large'],
    ]);
    expect(replies[0]?.body).toContain('too many small chunks');
    expect(replies[0]?.head).toMatch(/^connection: close$/im);
  });

  test('ends the connection also if nobody reads it, and disturbs no other', async () => {
    const { service, key } = await serving();
    const unread = head('GET /v1/fx/rates HTTP/1.1', [
      `X-API-Key: ${key}`,
      'Transfer-Encoding: chunked',
    ]);
    const asked = [unread, post('wrong')].map((start) => start + chunks(10_000));
    const json = '{"from":"USD","to":"VES","amounts":[1]}';
    const good = lines(
      'POST /v1/fx/bulk/convert HTTP/1.1',
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${json.length}`,
    );
    const all = [...asked.map((bytes) => bytes + bytes), ...Array(20).fill(good + json)];
    const replies = await Promise.all(all.map((bytes) => sendBytes(service, bytes)));
    expect(replies.map((of) => of.map(({ status }) => status))).toEqual([
      [200],
      [401],
      ...Array(20).fill([200]),
    ]);
  });
});

describe('§7 forms of requests that RFC 9112 allows', () => {
  test.each([
    'http://localhost/v1/fx/rates?format=csv',
    'HTTP://other.example:8080/v1/fx/rates?format=csv',
    'https://user@[::1]/v1/fx/rates?format=csv',
  ])('the absolute form %s names the same resource (RFC 9112 §3.2.2)', async (target) => {
    const { service, key } = await serving();
    const credentials = `X-API-Key: ${key}`;
    const [plain] = await sendBytes(
      service,
      lines('GET /v1/fx/rates?format=csv HTTP/1.1', credentials),
    );
    const [absolute] = await sendBytes(service, lines(`GET ${target} HTTP/1.1`, credentials));
    expect([absolute?.status, absolute?.body]).toEqual([200, plain?.body]);
  });

  test('an absolute form without a path names the root (RFC 9112 §3.2.1)', async () => {
    const { service } = await serving();
    const [page] = await sendBytes(service, lines('GET http://localhost HTTP/1.1'));
    expect([page?.status, page?.body.slice(0, 15)]).toEqual([200, '<!doctype html>']);
    const [english] = await sendBytes(service, lines('GET http://localhost?lang=en HTTP/1.1'));
    expect(english?.body).toContain('<html lang="en">');
  });

  test('If-None-Match in two lines is one list (RFC 9110 §5.3)', async () => {
    const { service, key } = await serving();
    const { headers } = await service.call('/v1/fx/rates', { key });
    const tag = `If-None-Match: ${headers.get('etag')}`;
    const other = 'If-None-Match: "another"';
    const ask = async (...tags: string[]) =>
      (
        await sendBytes(service, lines('GET /v1/fx/rates HTTP/1.1', `X-API-Key: ${key}`, ...tags))
      )[0];
    expect((await ask(tag, other))?.status).toBe(304);
    expect((await ask(other, tag))?.status).toBe(304);
    expect((await ask(other, other))?.status).toBe(200);
  });

  test.each([
    { coding: 'gzip, chunked', version: '1.1' },
    { coding: 'chunked, chunked', version: '1.1' },
    { coding: 'gzip', version: '1.1' },
    { coding: 'identity', version: '1.1' },
    { coding: 'chunked', version: '1.0' },
  ])(
    'contract §4 Transfer-Encoding $coding in HTTP/$version is refused and ends the connection',
    async ({ coding, version }) => {
      const { service, key } = await serving();
      const body = '{"from":"USD","to":"VES","amounts":[1]}';
      const request = [
        `POST /v1/fx/bulk/convert HTTP/${version}`,
        'Host: localhost',
        `X-API-Key: ${key}`,
        'Content-Type: application/json',
        `Transfer-Encoding: ${coding}`,
        ...(version === '1.0' ? ['Connection: keep-alive'] : []),
        '',
        `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ].join('\r\n');
      const replies = await sendBytes(service, request + lines('GET /healthz HTTP/1.1'));
      expect(replies.map((reply) => [reply.status, codeOf(reply)])).toEqual([
        [400, 'invalid_request'],
      ]);
      expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(0);
    },
  );
});
