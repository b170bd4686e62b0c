import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../app/access/access.ts';
import type { Reservation } from '../../app/quota/account-meters.ts';
import type { Instant } from '../../domain/time.ts';
import type { Endpoint } from './endpoint.ts';
import type { PresentedKeys } from './presented-key.ts';
import type { RequestHeaders } from './request-headers.ts';

/** A request before its endpoint is known, with all that a refusal needs. */
export interface RequestFrame {
  readonly headers: RequestHeaders;
  readonly presented: PresentedKeys;
  /** Called only for a wrong key. */
  readonly address: () => string;
  readonly requestId: string;
  readonly now: Instant;
  /** Origin whose pages may read the answer; `*` for all. */
  readableBy?: string;
  /** Set once the key is known. Every answer after that has the quota headers. */
  caller?: Caller;
}

export interface RequestContext extends RequestFrame {
  readonly request: IncomingMessage;
  readonly endpoint: Endpoint;
  /** Whether the client has left, so that nobody would read the answer. */
  readonly isGone: () => boolean;
  /** The query without keys. */
  readonly query: string;
  /** Path parameters by name, as sent. */
  readonly path: Readonly<Record<string, string>>;
  /** Parameters and body fields that changed nothing, to be told. */
  ignored?: readonly string[];
  /** The units that the call reserved. */
  reservation?: Reservation;
}
