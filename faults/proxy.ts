import { connect, createServer, type Socket } from 'node:net';
import type { Trial } from './scenario.ts';

/** Stands before a server and fails in the ways that networks do. */
export interface DatabaseProxy {
  readonly port: number;
  /** Nothing is passed on any more, and nobody is told. */
  hang(): void;
  /** Connections break, and new ones are not let in. */
  stop(): void;
  /** Goes on, with new connections. */
  resume(): void;
  /** Breaks the connection that commits next: before the server hears of it, or after. */
  breakAtCommit(when: 'before' | 'after'): void;
}

const COMMIT = /commit/i;

export async function startProxy(trial: Trial, target: number): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'hung' | 'stopped' = 'open';
  let breaking: 'before' | 'after' | undefined;
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
    sockets.clear();
  };
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (state === 'stopped') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    let isMuted = false;
    upstream.on('data', (bytes) => {
      if (state === 'open' && !isMuted) client.write(bytes);
    });
    client.on('data', (bytes) => {
      if (state !== 'open') return;
      if (breaking === undefined || !COMMIT.test(bytes.toString('latin1'))) {
        upstream.write(bytes);
        return;
      }
      isMuted = true;
      if (breaking === 'before') client.resetAndDestroy();
      else upstream.write(bytes, () => upstream.once('data', () => client.resetAndDestroy()));
      breaking = undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  trial.onEnd(() => {
    cut();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    port,
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
    breakAtCommit: (when) => {
      breaking = when;
    },
  };
}
