import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Connections } from './connections.ts';
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
 * Closes a server without cutting off what it took.
 *
 * Connections that are in use end with their next answer, and not before: a client that is about to
 * ask again would else find its connection reset. Idle ones have `IDLE_GRACE_MS` for that.
 * @returns What closes it. What is in flight `SHUTDOWN_MS` after the port was closed is cut off.
 */
export function closing(server: Server, connections: Connections): (how: Closing) => Promise<void> {
  /** What waits at the port when it is closed is reset, so that is done when nothing waits. */
  const whenNobodyComes = async () => {
    for (let turn = 0; turn < MAX_CLOSING_TURNS; turn += 1) {
      const before = connections.accepted;
      await new Promise((resolve) => setImmediate(resolve));
      if (connections.accepted === before) return;
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
        for (const { socket } of connections) if (socket.bytesRead === 0) socket.destroy();
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
