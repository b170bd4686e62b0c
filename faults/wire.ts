import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { ADMIN_TOKEN } from './process.ts';

/** The outcome of a request for the client. */
export type Reply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly text: string;
    }
  /** The server was not reached, so nothing happened. */
  | { readonly kind: 'unsent'; readonly reason: string }
  /** The connection ended after sending, so it may or may not have happened. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface Send {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly timeoutMs?: number;
}

/** Ends the wait for an answer that never comes; no promise. */
const TIMEOUT_MS = 60_000;

/** A client with a limited number of kept connections. */
export class Client {
  readonly #agent: Agent;

  constructor(connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Never rejects. */
  send(url: string, { method = 'GET', key, headers, body, timeoutMs }: Send = {}): Promise<Reply> {
    return new Promise((resolve) => {
      const asked = request(url, {
        method,
        agent: this.#agent,
        headers: {
          ...(key !== undefined && { 'X-API-Key': key }),
          ...headers,
          ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
        },
      });
      const cut = (error: NodeJS.ErrnoException) => {
        const reason = error.code ?? error.message;
        resolve({ kind: error.syscall === 'connect' ? 'unsent' : 'unknown', reason });
      };
      asked.setTimeout(timeoutMs ?? TIMEOUT_MS, () =>
        asked.destroy(new Error('no answer in time')),
      );
      asked.on('error', cut);
      asked.on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.on('error', cut);
        answer.on('end', () => {
          const { statusCode: status = 0, headers: told } = answer;
          resolve({ kind: 'answered', status, headers: told, text });
        });
      });
      asked.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Pushes records like an operator. */
export function push(client: Client, url: string, records: readonly object[]): Promise<Reply> {
  return client.send(`${url}/v1/admin/records?trust=true`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/x-ndjson' },
    body: records.map((record) => JSON.stringify(record)).join('\n'),
  });
}

/** The status of an answer; 0 when there was none. */
export function statusOf(reply: Reply): number {
  return reply.kind === 'answered' ? reply.status : 0;
}

/**
 * The body of an answer as JSON.
 * @throws when it is not an object.
 */
export function objectOf(reply: Reply): Readonly<Record<string, unknown>> {
  if (reply.kind !== 'answered') throw new Error(`There was no answer: ${reply.reason}`);
  const body: unknown = JSON.parse(reply.text);
  if (typeof body !== 'object' || body === null) throw new Error(`Not an object: ${reply.text}`);
  return { ...body };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
