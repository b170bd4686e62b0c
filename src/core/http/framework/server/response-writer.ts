import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../../app/ports/log.ts';
import type { Answer } from '../routing/answer.ts';
import type { RequestHeaders } from '../routing/request-context.ts';
import type { CommonHeaders, ServerState } from './application.ts';
import { BufferedRequest } from './buffered-request.ts';
import type { Connection } from './connection.ts';
import { ResponseStream } from './response-stream.ts';

/** An answer that is about to be written. */
interface PendingResponse {
  readonly connection: Connection;
  readonly response: ServerResponse;
  readonly answer: Answer;
  readonly headers: RequestHeaders;
  /** Whether the connection ends with it, whatever the client has sent after the request. */
  readonly isFinal: boolean;
}

/**
 * Writes all answers of one turn of the event loop together. A client on several connections then
 * wakes up once, which halves the cost of an answer under load.
 */
export class ResponseWriter {
  readonly #common: CommonHeaders;
  readonly #state: Pick<ServerState, 'portClosed'>;
  readonly #log: Log;
  /** Answers of this turn of the event loop: at most one per connection. */
  #pending: PendingResponse[] = [];

  constructor(common: CommonHeaders, state: Pick<ServerState, 'portClosed'>, log: Log) {
    this.#common = common;
    this.#state = state;
    this.#log = log;
  }

  writeSoon(pending: PendingResponse): void {
    if (this.#pending.length === 0) setImmediate(() => this.writeAll());
    this.#pending.push(pending);
  }

  writeAll(): void {
    const pending = this.#pending;
    this.#pending = [];
    for (const response of pending) {
      try {
        this.#write(response);
      } catch (error) {
        this.#log.error({ err: error }, 'an answer could not be written');
        response.response.destroy();
        response.answer.stream?.closed();
      }
    }
  }

  /** Drops answers to incomplete requests of the connection. They get another answer. */
  dropIncomplete(connection: Connection): void {
    const isDropped = (pending: PendingResponse) =>
      pending.connection === connection && !pending.response.req.complete;
    for (const { answer } of this.#pending.filter(isDropped)) answer.stream?.closed();
    this.#pending = this.#pending.filter((pending) => !isDropped(pending));
  }

  #write({ connection, response, answer, headers, isFinal }: PendingResponse): void {
    const { req: request } = response;
    const upgradeBytes = bytesOfUpgrade(request, headers);
    const isCut =
      (request instanceof BufferedRequest && request.isCut) ||
      (upgradeBytes !== undefined && !connection.hasReadOnly(upgradeBytes));
    const isLast = connection.answered(request);
    const { stream } = answer;
    if (connection.isEnding || response.headersSent || response.destroyed) {
      stream?.closed();
      return;
    }
    const lines = [...answer.headers, 'X-Content-Type-Options', 'nosniff'];
    if (answer.body !== undefined) lines.push('Content-Length', `${answer.body.length}`);
    lines.push(...this.#common.more, ...corsHeaders(this.#common, headers.origin, answer.cors));
    // The connection ends too, but only after the requests that were pipelined behind this one.
    const isEnd = isLast && (this.#state.portClosed || connection.parserError !== undefined);
    // The rest of a body that was refused is not read.
    const isLasting = stream !== undefined && request.method !== 'HEAD';
    if (isFinal || isCut || isEnd || isLasting || !request.complete)
      lines.push('Connection', 'close');
    response.writeHead(answer.status, lines);
    if (isLasting) {
      response.flushHeaders();
      connection.stream = new ResponseStream(response, stream);
      if (this.#state.portClosed) connection.stream.end();
      return;
    }
    response.end(request.method === 'HEAD' ? undefined : answer.body, 'latin1');
    stream?.closed();
  }
}

function readableBy(origin: string, readable: string): readonly string[] {
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', readable];
}

const VARY = ['Vary', 'Origin'] as const;

/**
 * CORS headers of an answer to a page of `origin`: for the origins that the operator configured,
 * and for the one that the answer is granted to.
 */
function corsHeaders(
  { corsOrigins, readable }: CommonHeaders,
  origin: string | undefined,
  grant: Answer['cors'],
): readonly string[] {
  if (grant?.origin === '*') return readableBy('*', readable);
  if (corsOrigins.length === 0 && grant === undefined) return [];
  // Sends the configured text, never the text of the request.
  const granted = corsOrigins.find((configured) => configured === origin) ?? grant?.origin;
  return granted === undefined ? VARY : [...readableBy(granted, readable), ...VARY];
}

/**
 * The bytes of a request that asks for another protocol, as clients write it; undefined for any
 * other. The service stays with HTTP, but Node's parser drops what it read behind such a request.
 */
function bytesOfUpgrade(
  { method = '', url = '' }: IncomingMessage,
  { upgrade, connection = '', bytes, contentLength = '0' }: RequestHeaders,
): number | undefined {
  if (upgrade === undefined || !/upgrade/i.test(connection)) return undefined;
  const line = `${method} ${url} HTTP/1.1\r\n`;
  // A chunked body matches no length: the connection ends.
  return line.length + bytes + '\r\n'.length + Number(contentLength);
}
