import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../../../domain/errors.ts';
import type { Answer } from '../routing/answer.ts';
import type { AddressOf, RequestContext } from '../routing/request-context.ts';

/** What a service does with the requests of the server. */
export interface Application<Request extends RequestContext> {
  /** The request as the service sees it, sound or not. Never throws. */
  open(message: IncomingMessage, requestId: string, now: number, addressOf: AddressOf): Request;
  /**
   * Answers a sound request.
   * @param refusal The error of one that the server does not accept.
   */
  answer(request: Request, refusal: ApiError | undefined): Answer | Promise<Answer>;
  /** The path of its route, under which it is counted; undefined for an unknown one. */
  routeOf(request: Request): string | undefined;
  /** What the access log shows of a request, without its secrets. */
  shown(request: Request): Shown;
  readonly headers: CommonHeaders;
}

interface Shown {
  readonly path: string;
  readonly query: string | undefined;
  readonly [more: string]: unknown;
}

/** Headers of every answer. */
export interface CommonHeaders {
  /** Origins whose pages may read every answer. */
  readonly corsOrigins: readonly string[];
  /** The headers that pages may read, as `Access-Control-Expose-Headers` lists them. */
  readonly readable: string;
  /** Names and values alternating. */
  readonly more: readonly string[];
}

/** What changes while the server runs. */
export class ServerState {
  url = '';
  /** Requests so far. */
  requests = 0;
  /** Whether the server is stopping. */
  closing = false;
  portClosed = false;
}
