import { connect } from 'node:net';

/** Connections over which a burst is sent. */
const CONNECTIONS = 20;

/**
 * Sends `times` equal GET requests without waiting for answers in between, and counts
 * the answers by status. It uses plain sockets, because `fetch` takes ten times as long.
 */
export async function burstOf(
  times: number,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Record<number, number>> {
  const { hostname, port, pathname } = new URL(url);
  const lines = [`GET ${pathname} HTTP/1.1`, `Host: ${hostname}:${port}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  const head = lines.join('\r\n');
  const share = (position: number) =>
    Math.floor(times / CONNECTIONS) + (position < times % CONNECTIONS ? 1 : 0);
  const sent = Array.from({ length: CONNECTIONS }, (_, position) => {
    const last = `${head}\r\nConnection: close\r\n\r\n`;
    const count = share(position);
    return count === 0 ? '' : `${head}\r\n\r\n`.repeat(count - 1) + last;
  });
  const counts: Record<number, number> = {};
  await Promise.all(
    sent.map(
      (text) =>
        new Promise<void>((resolve, reject) => {
          const socket = connect({ host: hostname, port: Number(port) });
          let received = '';
          socket.setEncoding('latin1');
          socket.on('data', (chunk) => {
            received += chunk;
          });
          socket.on('error', reject);
          socket.on('end', () => {
            for (const [, status] of received.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
              counts[Number(status)] = (counts[Number(status)] ?? 0) + 1;
            }
            resolve();
          });
          socket.end(text);
        }),
    ),
  );
  return counts;
}
