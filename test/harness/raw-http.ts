import { connect, type Socket } from 'node:net';

/** HTTP as bytes on a plain socket, for requests that no client sends. */

interface Addressed {
  readonly url: string;
}

export interface RawReply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The answers in a stream of bytes, by their lengths. */
export function repliesIn(bytes: Buffer): RawReply[] {
  const replies: RawReply[] = [];
  let rest = bytes.toString('latin1');
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return replies;
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(head)?.[1]);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    rest = rest.slice(end + 4 + length);
    if (status >= 200) replies.push({ status, head, body });
  }
}

export function open({ url }: Addressed): { socket: Socket; closed: Promise<RawReply[]> } {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const chunks: Uint8Array[] = [];
  const { promise, resolve } = Promise.withResolvers<RawReply[]>();
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
  // A connection that is cut during a write is no failure, because the answers count.
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(repliesIn(Buffer.concat(chunks))));
  return { socket, closed: promise };
}

const inLatin1 = (bytes: string | Uint8Array) =>
  typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;

/** Sends bytes unchanged. Resolves with all answers, once the service has closed the connection. */
export function sendBytes(service: Addressed, bytes: string | Uint8Array): Promise<RawReply[]> {
  const { socket, closed } = open(service);
  socket.write(inLatin1(bytes));
  return closed;
}

/** Sends bytes unchanged and then ends the stream, for incomplete requests. */
export function sendBytesAndEnd(
  service: Addressed,
  bytes: string | Uint8Array,
): Promise<RawReply[]> {
  const { socket, closed } = open(service);
  socket.end(inLatin1(bytes));
  return closed;
}

export const head = (first: string, headers: readonly string[]): string =>
  [first, 'Host: localhost', ...headers, '', ''].join('\r\n');

/** A request after which the connection ends. */
export function lines(first: string, ...headers: string[]): string {
  return head(first, ['Connection: close', ...headers]);
}

/** The code of an error answer. */
export const codeOf = (reply: RawReply | undefined): unknown =>
  JSON.parse(reply?.body || '{}').code;
