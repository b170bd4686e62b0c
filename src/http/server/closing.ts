import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { IDLE_GRACE_MS, MAX_CLOSING_TURNS, SHUTDOWN_MS } from './limits.ts';

export interface Closing {
  /** For so long everything goes on as before, so that whoever watches `/readyz` sees it. */
  readonly drainMs: number;
  /**
   * Called when this process has closed the port; resolves when all that share it have. Who is told
   * before to connect anew would come to one that is just closing it.
   */
  readonly othersClosed: () => Promise<void>;
  /** Called then: from now on every answer ends its connection. */
  readonly onPortClosed: () => void;
}

/**
 * Watches the connections of a server, so that it can be closed without cutting off what it took.
 *
 * Connections that are in use end with their next answer, and not before: a client that is about to
 * ask again would else find its connection reset. Idle ones have `IDLE_GRACE_MS` for that.
 * @returns What closes it. What is in flight `SHUTDOWN_MS` after the port was closed is cut off.
 */
export function closing(server: Server): (how: Closing) => Promise<void> {
  const open = new Set<Socket>();
  let taken = 0;
  server.on('connection', (socket: Socket) => {
    taken += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });

  /** What waits at the port when it is closed is reset, so that is done when nothing waits. */
  const whenNobodyComes = async () => {
    for (let turn = 0; turn < MAX_CLOSING_TURNS; turn += 1) {
      const before = taken;
      await new Promise((resolve) => setImmediate(resolve));
      if (taken === before) return;
    }
  };

  return async ({ drainMs, othersClosed, onPortClosed }) => {
    if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
    await whenNobodyComes();
    const closed = new Promise<void>((resolve) => {
      // Without what the server of HTTP does besides: closing idle connections at once.
      NetServer.prototype.close.call(server, () => resolve());
    });
    await othersClosed();
    onPortClosed();
    const idle = setTimeout(
      () => {
        server.close();
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
      },
      Math.min(IDLE_GRACE_MS, drainMs),
    );
    const late = setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS);
    await closed;
    clearTimeout(idle);
    clearTimeout(late);
    // Ends its timers too.
    server.close();
  };
}
