import type { ServerResponse } from 'node:http';
import type { Log } from '../../app/ports/log.ts';
import type { Answer } from '../routing/answer.ts';
import { corsHeaders } from '../routing/cors.ts';
import type { RequestHeaders } from '../routing/request-headers.ts';
import type { Connection } from './connection.ts';

/** An answer on its way out. */
export interface PendingResponse {
  readonly connection: Connection;
  readonly response: ServerResponse;
  readonly answer: Answer;
  readonly headers: RequestHeaders;
  /** Whether the connection ends with it, whatever was sent behind its request. */
  readonly isFinal: boolean;
}

export interface WriterParts {
  readonly corsOrigins: readonly string[];
  /** A header of every answer: what the demonstration says of itself. */
  readonly notice: string | undefined;
  /** From when on every answer ends its connection. */
  readonly isPortClosed: () => boolean;
  readonly log: Log;
}

/**
 * Writes answers together at the end of a turn of the event loop. A client that waits is then woken
 * once for many and not for each, which halves what an answer costs under load.
 */
export class ResponseWriter {
  readonly #parts: WriterParts;
  /** Answers of this turn of the event loop; at most one a request in flight. */
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

  /** Forgets answers to requests of the connection that are not whole: they get another one. */
  dropIncomplete(connection: Connection): void {
    this.#pending = this.#pending.filter(
      (one) => one.connection !== connection || one.response.req.complete,
    );
  }

  #write({ connection, response, answer, headers, isFinal }: PendingResponse): void {
    const { req: request } = response;
    const isLast = connection.answered(request);
    if (connection.isEnding || response.headersSent || response.destroyed) return;
    const { corsOrigins, notice, isPortClosed } = this.#parts;
    const lines = [...answer.headers, 'X-Content-Type-Options', 'nosniff'];
    if (answer.body !== undefined) lines.push('Content-Length', `${answer.body.length}`);
    if (notice !== undefined) lines.push('X-Vesfx-Notice', notice);
    lines.push(...corsHeaders(corsOrigins, headers.origin, answer.cors));
    // At the end the connection ends too, but not before the requests sent right behind this one.
    const isEnd = isLast && (isPortClosed() || connection.spoiltBy !== undefined);
    // What is left of a body that was not wanted is not read.
    if (isFinal || isEnd || !request.complete) lines.push('Connection', 'close');
    response.writeHead(answer.status, lines);
    response.end(request.method === 'HEAD' ? undefined : answer.body, 'latin1');
  }
}
