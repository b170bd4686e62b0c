import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Connections } from './connections.ts';
import { IDLE_GRACE_MS, MAX_CLOSING_TURNS, SHUTDOWN_MS } from './limits.ts';

interface Closing {
  /** The service runs on for this long: a load balancer must see the 503 of `/readyz` first. */
  readonly drainMs: number;
  /**
   * Called when this process has closed the port. Resolves when all processes that share the port
   * have closed it. A client whose connection ends earlier would reconnect to a process that is
   * about to close.
   */
  readonly othersClosed: () => Promise<void>;
  /** Called after that. From then on every answer ends its connection. */
  readonly onPortClosed: () => void;
}

/**
 * Closes a server without dropping accepted requests.
 * A connection in use ends after its next answer. Ending it earlier would reset a client that is
 * about to send. An idle connection has `IDLE_GRACE_MS` to send a request. Requests still in flight
 * `SHUTDOWN_MS` after the port was closed are cut off.
 */
export async function closeServer(
  server: Server,
  connections: Connections,
  { drainMs, othersClosed, onPortClosed }: Closing,
): Promise<void> {
  if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
  await whenNobodyComes(connections);
  const closed = new Promise<void>((resolve) => {
    // Not the HTTP server's own `close`, which also closes idle connections at once.
    NetServer.prototype.close.call(server, () => resolve());
  });
  await othersClosed();
  onPortClosed();
  const idle = setTimeout(
    () => {
      server.close();
      for (const { socket } of connections) if (socket.bytesRead === 0) socket.destroy();
    },
    Math.min(IDLE_GRACE_MS, drainMs),
  );
  const late = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS);
  await closed;
  clearTimeout(idle);
  clearTimeout(late);
  // The HTTP server's `close` also ends its timers.
  server.close();
}

/** Closing the listener resets clients that are connecting, so this waits until there are none. */
async function whenNobodyComes(connections: Connections): Promise<void> {
  for (let turn = 0; turn < MAX_CLOSING_TURNS; turn += 1) {
    const previous = connections.accepted;
    await new Promise((resolve) => setImmediate(resolve));
    if (connections.accepted === previous) return;
  }
}
