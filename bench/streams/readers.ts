import { connect } from 'node:net';

/**
 * Many readers of a stream in a process of their own, with bare sockets: so many objects of an HTTP
 * client would be measured too. Reports when each change came to each of them.
 */

interface Readers {
  readonly url: string;
  readonly key: string | undefined;
  readonly readers: number;
  /** The text in an event by which its change is known, before its number. */
  readonly mark: string;
}

/** Arrivals by number of the change. */
const arrivals = new Map<number, number[]>();
/** The last change that each reader has seen. */
const last: number[] = [];

process.on('message', (message: Readers | 'report') => {
  if (message !== 'report') return open(message);
  process.send?.({ arrivals: [...arrivals], last });
  arrivals.clear();
});

function open({ url, key, readers, mark }: Readers): void {
  const { hostname, port, pathname, search } = new URL(url);
  const head = [`GET ${pathname}${search} HTTP/1.1`, `Host: ${hostname}`];
  if (key !== undefined) head.push(`X-API-Key: ${key}`);
  const request = [...head, '', ''].join('\r\n');
  const isMark = new RegExp(`${mark}(\\d{3})`, 'g');
  let begun = 0;
  let opened = 0;
  // A burst of connections would overflow the queue of the port.
  const next = () => {
    const reader = begun;
    if (reader === readers) return;
    begun += 1;
    last[reader] = -1;
    const socket = connect({ host: hostname, port: Number(port) });
    let isFirst = true;
    socket.on('connect', () => void socket.write(request));
    socket.on('error', (error) => process.send?.({ failed: String(error) }));
    socket.on('data', (bytes: Buffer) => {
      const now = Date.now();
      const text = bytes.toString('latin1');
      if (isFirst) {
        isFirst = false;
        if (!text.startsWith('HTTP/1.1 200')) process.send?.({ failed: text.slice(0, 200) });
        opened += 1;
        if (opened === readers) process.send?.('open');
        next();
      }
      for (const [, number] of text.matchAll(isMark)) {
        const change = Number(number);
        last[reader] = Math.max(last[reader] ?? -1, change);
        const times = arrivals.get(change) ?? [];
        times.push(now);
        arrivals.set(change, times);
      }
    });
  };
  for (let at = 0; at < 64; at += 1) next();
}
