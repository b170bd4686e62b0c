import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keptLog, manualClock } from '../../../test/harness/service.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { ANSWER_TIMEOUT_MS, KEEP_ALIVE_MS, MAX_STRAY_BYTES_MS } from './limits.ts';

const OK = { 'Content-Length': '0' };
const ASKED = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

async function listening({ max = 10, answers = true } = {}) {
  const server = createServer();
  const log = keptLog();
  const connections = new Connections(server, { max, clock: manualClock(), log });
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

test('bytes that begin no request close an idle connection in time', async () => {
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

test('an idle connection without such bytes, and one with a request after them, is kept', async () => {
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
  // More than two sockets hold.
  connection.socket.write(Buffer.alloc(32 * 1024 * 1024));
  const now = wholeMs();
  connection.check(now);
  connection.check(now + ANSWER_TIMEOUT_MS - 1);
  expect(connection.socket.destroyed).toBe(false);
  connection.check(now + ANSWER_TIMEOUT_MS);
  expect(connection.socket.destroyed).toBe(true);
});

test('a connection whose answer is being made has no deadline', async () => {
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
    ['warn', 'as many connections are open as may be'],
  ]);
});
