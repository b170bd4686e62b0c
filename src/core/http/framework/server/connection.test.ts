import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { manualClock, recordedLog } from '../../../../../test/harness/service.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import {
  ANSWER_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_PIPELINED_REQUESTS,
  MAX_STRAY_BYTES_MS,
  WAITING_UNIT_BYTES,
  WAITING_UNIT_FIELDS,
} from './limits.ts';

const OK = { 'Content-Length': '0' };
const ASKED = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** More than two sockets hold. */
const LARGE_ANSWER = Buffer.alloc(32 * 1024 * 1024);

async function listening({
  max = 10,
  maxWaiting = 1_000,
  maxUnsent = 2 * LARGE_ANSWER.length,
  answers = true,
} = {}) {
  const server = createServer();
  const log = recordedLog();
  const connections = new Connections(server, {
    max,
    maxWaiting,
    maxUnsent,
    clock: manualClock(),
    log,
  });
  server.on('request', (request, response) => {
    const connection = connections.of(request.socket);
    connection.take(request, response, () => {
      if (!answers) return;
      connection.answered(request);
      response.writeHead(200, OK).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, connections, log };
}

async function client(server: Server, bytes?: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  const accepted = once(server, 'connection');
  await once(socket, 'connect');
  await accepted;
  if (bytes !== undefined) {
    const answered = once(socket, 'data');
    socket.write(bytes);
    await answered;
  }
  return socket;
}

const only = (connections: Connections): Connection => {
  const [connection] = connections;
  if (connection === undefined) throw new Error('there is no connection');
  return connection;
};

/** Now, so that times after it differ by whole numbers: fractions are rounded. */
const wholeMs = () => Math.ceil(performance.now());

/** Sends bytes, and waits until the server has read them. */
async function send(socket: Socket, { socket: other }: Connection, bytes: string): Promise<void> {
  const before = other.bytesRead;
  socket.write(bytes);
  await vi.waitFor(() => expect(other.bytesRead).toBe(before + bytes.length));
}

test('bytes that begin no request close an idle connection on time', async () => {
  const { server, connections } = await listening();
  const socket = await client(server, ASKED);
  const connection = only(connections);
  const now = wholeMs();
  connection.check(now);
  await send(socket, connection, '\r\n');
  connection.check(now + 1);
  await send(socket, connection, '\r\n');
  connection.check(now + MAX_STRAY_BYTES_MS);
  expect(connection.socket.destroyed).toBe(false);
  connection.check(now + 1 + MAX_STRAY_BYTES_MS);
  expect(connection.socket.destroyed).toBe(true);
});

test('an idle connection, or one with a request after such bytes, is kept', async () => {
  const { server, connections } = await listening();
  const socket = await client(server, ASKED);
  const connection = only(connections);
  const now = wholeMs();
  connection.check(now);
  connection.check(now + MAX_STRAY_BYTES_MS);
  await send(socket, connection, '\r\n');
  connection.check(now + MAX_STRAY_BYTES_MS + 1);
  const answered = once(socket, 'data');
  socket.write(ASKED);
  await answered;
  for (const turn of [1, 2, 3]) connection.check(now + 2 * turn * MAX_STRAY_BYTES_MS);
  expect(connection.socket.destroyed).toBe(false);
});

test('a client that reads nothing of its answer is closed, even if it keeps sending', async () => {
  const { server, connections } = await listening();
  const reader = await client(server, ASKED);
  reader.pause();
  const connection = only(connections);
  connection.socket.write(LARGE_ANSWER);
  const now = wholeMs();
  connection.check(now);
  connection.check(now + ANSWER_TIMEOUT_MS - 1);
  expect(connection.socket.destroyed).toBe(false);
  connection.check(now + ANSWER_TIMEOUT_MS);
  expect(connection.socket.destroyed).toBe(true);
});

test('when unread answers take too much memory, the client that read nothing for longest is closed', async () => {
  const { server, connections, log } = await listening({ maxUnsent: LARGE_ANSWER.length });
  const now = wholeMs();
  const stuck = async () => {
    (await client(server, ASKED)).pause();
    [...connections].at(-1)?.socket.write(LARGE_ANSWER);
  };
  await stuck();
  const first = only(connections);
  connections.check(now);
  expect([first.socket.destroyed, log.lines]).toEqual([false, []]);
  await stuck();
  const [, second] = connections;
  connections.check(now + 1);
  expect([first, second].map((one) => one?.socket.destroyed)).toEqual([true, false]);
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'the limit of unread answers is reached'],
  ]);
});

test('a connection that waits for its answer has no deadline', async () => {
  const { server, connections } = await listening({ answers: false });
  const socket = await client(server);
  const asked = once(server, 'request');
  socket.write(ASKED);
  await asked;
  await new Promise((resolve) => setImmediate(resolve));
  const connection = only(connections);
  connection.check(performance.now());
  connection.check(performance.now() + 10 * KEEP_ALIVE_MS);
  expect(connection.socket.destroyed).toBe(false);
});

test('a connection with an open stream is served: neither idle, late nor closed to make room (contract §23)', async () => {
  const { server, connections } = await listening();
  await client(server, ASKED);
  const connection = only(connections);
  connection.stream = { unread: 0, write: () => undefined, end: () => undefined };
  const now = wholeMs();
  connection.check(now);
  connection.check(now + 10 * KEEP_ALIVE_MS);
  expect([connection.isInUse, connection.waitingSince(now)]).toEqual([true, undefined]);
  expect(connection.socket.destroyed).toBe(false);
});

test('a reader of a stream that takes nothing for a minute is closed (contract §23)', async () => {
  const { server, connections } = await listening();
  (await client(server, ASKED)).pause();
  const connection = only(connections);
  connection.stream = { unread: 0, write: () => undefined, end: () => undefined };
  connection.socket.write(LARGE_ANSWER);
  const now = wholeMs();
  connection.check(now);
  connection.check(now + ANSWER_TIMEOUT_MS);
  expect(connection.socket.destroyed).toBe(true);
});

test('at the limit, the longest waiting connection is closed and a new client is served', async () => {
  const max = 4;
  const { server, connections, log } = await listening({ max });
  const oldest = await client(server, ASKED);
  const closed = once(oldest, 'end');
  for (const connection of connections) connection.check(performance.now());
  for (let more = 1; more < 3 * max; more += 1) {
    await client(server, ASKED);
  }
  await closed;
  expect([...connections].length).toBeLessThanOrEqual(max);
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'the limit of open connections is reached'],
  ]);
});

/** Waits until the server has read everything that had arrived before this call. */
async function turns(server: Server): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await client(server);
}

test('nothing more is read while as many requests wait on a connection as may', async () => {
  const { server, connections } = await listening({ answers: false });
  const socket = await client(server);
  const connection = only(connections);
  await send(socket, connection, ASKED.repeat(1 + MAX_PIPELINED_REQUESTS));
  expect([connection.waitingUnits, connection.isPaused]).toEqual([MAX_PIPELINED_REQUESTS, true]);
  // Node reads on after each request and each answer.
  connection.socket.resume();
  socket.write(ASKED.repeat(100));
  await turns(server);
  expect(connection.waitingUnits).toBe(MAX_PIPELINED_REQUESTS);
});

test('a request is not late while the service does not read the rest of it', async () => {
  const { server, connections } = await listening({ answers: false });
  const socket = await client(server);
  const connection = only(connections);
  const late = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  const malformed = Object.assign(new Error(), { code: 'HPE_INVALID_METHOD' });
  await send(socket, connection, ASKED.repeat(MAX_PIPELINED_REQUESTS));
  expect([late, malformed].map((error) => connection.hasDelayed(error))).toEqual([false, false]);
  await send(socket, connection, ASKED);
  expect([late, malformed].map((error) => connection.hasDelayed(error))).toEqual([true, false]);
});

test('all requests of a client that pipelines more than may wait are answered', async () => {
  const { server } = await listening();
  const socket = await client(server);
  const wanted = 3 * MAX_PIPELINED_REQUESTS;
  let text = '';
  const all = new Promise<void>((resolve) => {
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      if (text.match(/HTTP\/1\.1 200/g)?.length === wanted) resolve();
    });
  });
  for (let at = 0; at < wanted; at += 16) socket.write(ASKED.repeat(16));
  await all;
});

test('at the limit of waiting requests, the connection with most of them is closed', async () => {
  const { server, connections, log } = await listening({ maxWaiting: 40, answers: false });
  const modest = await client(server);
  modest.write(ASKED.repeat(11));
  await vi.waitFor(() => expect(only(connections).waitingUnits).toBe(10));
  const greedy = await client(server);
  greedy.write(ASKED.repeat(31));
  const [, second] = connections;
  await vi.waitFor(() => expect(second?.waitingUnits).toBe(30));
  expect(log.lines).toEqual([]);
  const another = await client(server);
  another.write(ASKED.repeat(2));
  await vi.waitFor(() =>
    expect([...connections].map(({ waitingUnits }) => waitingUnits)).toEqual([10, 1]),
  );
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'the limit of pipelined requests is reached'],
  ]);
});

test.each([
  { what: 'few header fields', fields: 'a: b\r\n'.repeat(WAITING_UNIT_FIELDS - 2), units: 1 },
  { what: 'many header fields', fields: 'a: b\r\n'.repeat(WAITING_UNIT_FIELDS - 1), units: 2 },
  { what: 'short headers', fields: `a: ${'b'.repeat(WAITING_UNIT_BYTES - 8)}\r\n`, units: 1 },
  { what: 'long headers', fields: `a: ${'b'.repeat(WAITING_UNIT_BYTES - 7)}\r\n`, units: 2 },
])('a waiting request with $what counts as $units', async ({ fields, units }) => {
  const { server, connections } = await listening({ answers: false });
  const socket = await client(server);
  const asked = ASKED.replace('\r\n\r\n', `\r\n${fields}\r\n`);
  socket.write(ASKED + asked.repeat(3));
  await vi.waitFor(() => expect(only(connections).waitingUnits).toBe(3 * units));
});

test('requests that waited on a closed connection no longer count', async () => {
  const { server, connections, log } = await listening({ maxWaiting: 40, answers: false });
  for (let turn = 0; turn < 3; turn += 1) {
    const socket = await client(server);
    socket.write(ASKED.repeat(31));
    await vi.waitFor(() => expect(only(connections).waitingUnits).toBe(30));
    socket.destroy();
    only(connections).socket.destroy();
    await vi.waitFor(() => expect([...connections]).toEqual([]));
  }
  expect(log.lines).toEqual([]);
});

test('nothing is made of the bytes behind the last answer', async () => {
  const { server, connections } = await listening();
  const socket = await client(server, ASKED);
  const connection = only(connections);
  // The timer that closes the connection in any case.
  const timer = setTimeout(() => undefined).unref();
  const timers = vi.spyOn(globalThis, 'setTimeout').mockReturnValueOnce(timer);
  connection.end();
  timers.mockRestore();
  const requests = vi.fn();
  server.on('request', requests);
  await send(socket, connection, `${ASKED.repeat(5)}no request`);
  expect(requests).not.toHaveBeenCalled();
});
