import type { IncomingMessage } from 'node:http';
import type { RequestFrame } from '../routing/request-context.ts';
import type { RequestHeaders } from '../routing/request-headers.ts';
import { prefersHtml } from './accept.ts';
import type { RequestTarget } from './request-frame.ts';

/** A request with a sound frame, before its route is known. */
export interface Received extends RequestTarget {
  readonly request: IncomingMessage;
  readonly headers: RequestHeaders;
  readonly requestId: string;
  /** Keys found in the path. The route was matched without them. */
  readonly pathKeys: readonly string[];
  /** Set with the first check. It has the caller once the key is known. */
  frame: RequestFrame | undefined;
}

/** Whether a 404 is a page for a person. Programs get JSON. */
export function wantsPage({ request: { method }, headers, path }: Received): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/v1(?:\/|$)/.test(path) && prefersHtml(headers.accept);
}
