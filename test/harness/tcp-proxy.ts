import { connect, createServer, type Socket } from 'node:net';

/** A proxy between a store and its server that fails like a network. */
export interface TcpProxy {
  readonly port: number;
  /** Stops passing data on, also for new connections, without closing them. */
  hang(): void;
  /** Breaks all connections and refuses new ones. */
  stop(): void;
  /** Lets each new connection wait for that long before it reaches the server. */
  delay(ms: number): void;
  /** Resumes, for new connections. */
  resume(): void;
  /** How many connections met a fault since the start: they were refused, hung or delayed. */
  faults(): number;
  /** Breaks the connection that next sends this statement, before or after the server receives it. */
  breakAt(statement: string, when: 'after' | 'before'): void;
  /** How often the statement was sent; of the empty one, how many messages were. */
  sent(statement: string): number;
}

/**
 * Starts one in front of a port of this machine.
 * @param onEnd Registers the cleanup of the proxy.
 */
export async function startTcpProxy(
  target: number,
  onEnd: (ending: () => void) => void,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const statements: string[] = [];
  let state: 'open' | 'hung' | 'stopped' = 'open';
  let delayMs = 0;
  let faults = 0;
  let breaking: { statement: string; when: 'after' | 'before' } | undefined;
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (state !== 'open' || delayMs > 0) faults += 1;
    if (state === 'stopped') {
      client.resetAndDestroy();
      return;
    }
    if (delayMs === 0) return join(client);
    // Nothing is read from it meanwhile.
    const timer = setTimeout(() => join(client), delayMs);
    client.on('close', () => clearTimeout(timer));
    sockets.add(client);
  });
  const join = (client: Socket) => {
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
      const text = bytes.toString('latin1');
      statements.push(text);
      if (breaking === undefined || !text.includes(breaking.statement)) {
        upstream.write(bytes);
        return;
      }
      isMuted = true;
      if (breaking.when === 'before') client.resetAndDestroy();
      else {
        // First, because the answer may come before the end of the write is told.
        upstream.once('data', () => client.resetAndDestroy());
        upstream.write(bytes);
      }
      breaking = undefined;
    });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(() => {
    cut();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port is open.');
  return {
    port: address.port,
    hang: () => {
      state = 'hung';
    },
    stop: () => {
      state = 'stopped';
      cut();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    resume: () => {
      state = 'open';
      delayMs = 0;
      cut();
    },
    faults: () => faults,
    breakAt: (statement, when) => {
      breaking = { statement, when };
    },
    sent: (statement) => statements.filter((text) => text.includes(statement)).length,
  };
}
