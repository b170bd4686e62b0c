import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock, recordedLog } from '../../../../../test/harness/service.ts';
import { closeServer } from './closing.ts';
import { Connections } from './connections.ts';

/** The outcome of an attempt to connect. */
async function knock(port: number): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return 'connected';
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  } finally {
    socket.destroy();
  }
}

test('no connection is closed while another process has the port open', async () => {
  const waiting: ServerResponse[] = [];
  let isLast = false;
  const server = createServer((_request, response) => {
    waiting.push(response);
  });
  const connections = new Connections(server, {
    max: 10,
    clock: manualClock(),
    log: recordedLog(),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = async () => {
    const answered = once(get({ port, host: '127.0.0.1', agent }), 'response');
    await expect.poll(() => waiting.length).toBe(1);
    return async () => {
      waiting
        .pop()
        ?.writeHead(200, isLast ? { Connection: 'close' } : {})
        .end();
      const [message] = (await answered) as [IncomingMessage];
      await once(message.resume(), 'end');
      return message.headers.connection;
    };
  };
  const first = await ask();

  const others = Promise.withResolvers<void>();
  const stopped = closeServer(server, connections, {
    drainMs: 0,
    othersClosed: () => others.promise,
    onPortClosed: () => {
      isLast = true;
    },
  });
  await expect.poll(() => knock(port)).toBe('ECONNREFUSED');
  expect(await first()).toBe('keep-alive');
  const second = await ask();
  others.resolve();
  await expect.poll(() => isLast).toBe(true);
  expect(await second()).toBe('close');
  await stopped;
});
