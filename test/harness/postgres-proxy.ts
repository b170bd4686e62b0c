import {
  type AddressInfo,
  createServer,
  type Server,
  type Socket,
  connect as tcpConnect,
} from 'node:net';
import { onTestFinished } from 'vitest';
import { postgresPort } from './postgres.ts';

/** What stands between a store and its server, and can fail in the ways that networks do. */
export interface PostgresProxy {
  readonly port: number;
  /** Nothing is passed on any more, to new connections neither, and nobody is told. */
  hang(): void;
  /** Connections break, and no new ones are let in. */
  stop(): void;
  /** Goes on, with connections made from now on. */
  resume(): void;
  /** Breaks the connection that sends this statement: after the server got it, or before. */
  breakAt(statement: string, when: 'after' | 'before'): void;
  /** How often the statement was sent. */
  sent(statement: string): number;
}

/** Starts one in front of the run's server. */
export async function startProxy(): Promise<PostgresProxy> {
  const target = await postgresPort();
  const sockets = new Set<Socket>();
  const statements: string[] = [];
  let state: 'open' | 'hung' | 'stopped' = 'open';
  let breaking: { statement: string; when: 'after' | 'before' } | undefined;
  const server: Server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    if (state === 'stopped') {
      client.destroy();
      return;
    }
    let isMuted = false;
    const upstream = tcpConnect(target, '127.0.0.1');
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (bytes) => {
      if (state === 'open' && !isMuted) client.write(bytes);
    });
    client.on('data', (bytes) => {
      if (state !== 'open') return;
      const text = bytes.toString('latin1');
      statements.push(text);
      if (breaking === undefined || !text.includes(breaking.statement)) {
        upstream.write(bytes);
        return;
      }
      const { when } = breaking;
      breaking = undefined;
      isMuted = true;
      if (when === 'before') client.destroy();
      else upstream.write(bytes, () => upstream.once('data', () => client.destroy()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    port: addressOf(server).port,
    hang: () => {
      state = 'hung';
    },
    stop: () => {
      state = 'stopped';
      cut();
    },
    resume: () => {
      state = 'open';
      cut();
    },
    breakAt: (statement, when) => {
      breaking = { statement, when };
    },
    sent: (statement) => statements.filter((text) => text.includes(statement)).length,
  };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port is open.');
  return address;
}
