import { connect } from 'node:net';
import { POSTED_HEADERS } from './keyless-addresses.ts';

/**
 * A process that sends many requests at once, one over each connection, and tells when all
 * connections are closed. Separate, so that it does not delay those who measure.
 */

export interface Burst {
  readonly id: number;
  readonly port: number;
  readonly targets: readonly string[];
  /** The addresses of the clients in turn, for a service that trusts its proxy. */
  readonly clients: readonly string[];
  /** Sent by POST, where the address is not read by GET. */
  readonly posted: string | undefined;
  /** Whether each closes its connection as soon as it has sent its request. */
  readonly leaves: boolean;
  /** If not 0, each reads a byte a second for so long, and then leaves. */
  readonly slowMs: number;
}

/** What is told of a burst that is over: the answers by status. */
export interface BurstTold {
  readonly id: number;
  readonly statuses: Readonly<Record<string, number>>;
}

const BYTE_EVERY_MS = 1_000;

/** What clients accept, in turn. */
const CODINGS = ['zstd', 'br', 'gzip', 'identity'];

/** The cast is safe: only the scenario sends messages. */
const burstIn = (message: unknown) => message as Burst;

process.on('message', async (message) => {
  const { id, port, targets, clients, leaves, posted, slowMs } = burstIn(message);
  const statuses: Record<string, number> = {};
  await Promise.all(
    targets.map(
      (target, n) =>
        new Promise<void>((resolve) => {
          const socket = connect(port, '127.0.0.1');
          let status = 'none';
          if (slowMs === 0) {
            socket.once('data', (bytes) => {
              status = bytes.toString('latin1', 9, 12);
            });
            socket.on('data', () => undefined);
          } else setTimeout(() => socket.destroy(), slowMs);
          const reading = setInterval(() => slowMs > 0 && socket.read(1), BYTE_EVERY_MS);
          socket.on('error', () => undefined);
          socket.on('close', () => {
            clearInterval(reading);
            statuses[status] = (statuses[status] ?? 0) + 1;
            resolve();
          });
          const client = clients[n % clients.length];
          const head = [
            `${posted === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1`,
            ...['Host: faults', `X-Forwarded-For: ${client}`, 'Connection: close'],
            `Accept-Encoding: ${CODINGS[n % CODINGS.length]}`,
            ...(posted === undefined
              ? []
              : Object.entries({ ...POSTED_HEADERS, 'Content-Length': posted.length }).map(
                  ([name, value]) => `${name}: ${value}`,
                )),
          ];
          // Closing without anything received sends no reset: the service sees the end alone.
          socket.write(
            `${head.join('\r\n')}\r\n\r\n${posted ?? ''}`,
            () => leaves && socket.destroy(),
          );
        }),
    ),
  );
  process.send?.({ id, statuses } satisfies BurstTold);
});
