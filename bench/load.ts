import { connect } from 'node:net';

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSec: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly headers: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** The local address of each connection; by default all have the same. */
  readonly from?: (connection: number) => string;
  /** Most requests of a connection, which then ends. */
  readonly most?: number | undefined;
}

/**
 * Keeps `connections` requests in flight for `seconds`, each on its own keep-alive connection, and
 * fails on any answer that is not 200. `{n}` in the address becomes a different number in each
 * request. It uses bare sockets, so that the client is never the bottleneck.
 */
export function load({
  url,
  headers,
  connections,
  seconds,
  from,
  most = Infinity,
}: LoadOptions): Promise<LoadResult> {
  const { hostname, port, pathname, search } = new URL(url);
  const requestOf = (path: string) =>
    Buffer.from(
      [`GET ${path} HTTP/1.1`, `Host: ${hostname}:${port}`, ...headers, '', ''].join('\r\n'),
    );
  const [before = '', after] = decodeURI(pathname + search).split('{n}');
  const same = requestOf(before);
  let asked = 0;
  const times: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1000;

  const one = (_: unknown, connection: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({
        ...{ host: hostname, port: Number(port), noDelay: true },
        ...(from && { localAddress: from(connection) }),
      });
      let sent = 0;
      let count = 0;
      let rest: Buffer = Buffer.alloc(0);
      const send = () => {
        sent = performance.now();
        asked += 1;
        count += 1;
        socket.write(after === undefined ? same : requestOf(`${before}${asked}${after}`));
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.on('data', (chunk: Buffer) => {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        if (!isWhole(rest)) return;
        if (rest.toString('latin1', 9, 12) !== '200') {
          reject(new Error(rest.toString('latin1', 0, 600)));
          socket.destroy();
          return;
        }
        rest = Buffer.alloc(0);
        const now = performance.now();
        times.push(now - sent);
        if (now < until && count < most) send();
        else socket.end();
      });
    });

  return Promise.all(Array.from({ length: connections }, one)).then(() => {
    const elapsedSec = (performance.now() - started) / 1000;
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
    const { length: requests } = times;
    return { requests, requestsPerSec: requests / elapsedSec, p50Ms: at(0.5), p99Ms: at(0.99) };
  });
}

const LENGTH = /content-length: (\d+)/i;

function isWhole(bytes: Buffer): boolean {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = LENGTH.exec(bytes.toString('latin1', 0, head))?.[1];
  return bytes.length >= head + 4 + Number(length);
}
