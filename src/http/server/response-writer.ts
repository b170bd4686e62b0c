import type { ServerResponse } from 'node:http';
import type { Log } from '../../app/ports/log.ts';
import type { Answer } from '../routing/answer.ts';
import { corsHeaders } from '../routing/cors.ts';
import type { RequestHeaders } from '../routing/request-headers.ts';
import { BufferedRequest } from './buffered-request.ts';
import type { Connection } from './connection.ts';
import { bytesOfUpgrade } from './request-frame.ts';

/** An answer that is about to be written. */
export interface PendingResponse {
  readonly connection: Connection;
  readonly response: ServerResponse;
  readonly answer: Answer;
  readonly headers: RequestHeaders;
  /** Whether the connection ends with it, whatever the client has sent after the request. */
  readonly isFinal: boolean;
}

export interface WriterParts {
  readonly corsOrigins: readonly string[];
  /** Text of `X-Vesfx-Notice`, which the demonstration sends with every answer. */
  readonly notice: string | undefined;
  /** Whether the port is closed, so that every answer ends its connection. */
  readonly isPortClosed: () => boolean;
  readonly log: Log;
}

/**
 * Writes all answers of one turn of the event loop together. A client on several connections then
 * wakes up once, which halves the cost of an answer under load.
 */
export class ResponseWriter {
  readonly #parts: WriterParts;
  /** Answers of this turn of the event loop: at most one per connection. */
  #pending: PendingResponse[] = [];

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  writeSoon(pending: PendingResponse): void {
    if (this.#pending.length === 0) setImmediate(() => this.writeAll());
    this.#pending.push(pending);
  }

  writeAll(): void {
    const pending = this.#pending;
    this.#pending = [];
    for (const one of pending) {
      try {
        this.#write(one);
      } catch (error) {
        this.#parts.log.error({ err: error }, 'an answer could not be written');
        one.response.destroy();
      }
    }
  }

  /** Drops answers to incomplete requests of the connection. They get another answer. */
  dropIncomplete(connection: Connection): void {
    this.#pending = this.#pending.filter(
      (one) => one.connection !== connection || one.response.req.complete,
    );
  }

  #write({ connection, response, answer, headers, isFinal }: PendingResponse): void {
    const { req: request } = response;
    const upgradeBytes = bytesOfUpgrade(request, headers);
    const isCut =
      (request instanceof BufferedRequest && request.isCut) ||
      (upgradeBytes !== undefined && !connection.hasReadOnly(upgradeBytes));
    const isLast = connection.answered(request);
    if (connection.isEnding || response.headersSent || response.destroyed) return;
    const { corsOrigins, notice, isPortClosed } = this.#parts;
    const lines = [...answer.headers, 'X-Content-Type-Options', 'nosniff'];
    if (answer.body !== undefined) lines.push('Content-Length', `${answer.body.length}`);
    if (notice !== undefined) lines.push('X-Vesfx-Notice', notice);
    lines.push(...corsHeaders(corsOrigins, headers.origin, answer.cors));
    // The connection ends too, but only after the requests that were pipelined behind this one.
    const isEnd = isLast && (isPortClosed() || connection.parserError !== undefined);
    // The rest of a body that was refused is not read.
    if (isFinal || isCut || isEnd || !request.complete) lines.push('Connection', 'close');
    response.writeHead(answer.status, lines);
    response.end(request.method === 'HEAD' ? undefined : answer.body, 'latin1');
  }
}
