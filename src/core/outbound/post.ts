import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP } from 'node:net';
import { forbidden, guardedLookup } from './address.ts';
import { connectionError } from './connection-error.ts';

/** Most bytes of an answer that are kept; the rest is not read. */
// limit: Kept of an answer | 1 KB | cut
export const MAX_EXCERPT_BYTES = 1_024;

export interface Posted {
  readonly status: number;
  /** Its `Retry-After`; '' without one. */
  readonly retryAfter: string;
  /** The beginning of its body, as far as it arrived in time. */
  readonly excerpt: string;
}

interface PostOptions {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** From the name look-up to the end of the answer. */
  readonly timeoutMs: number;
  /** Whether a connection may go to an address. Without it to any, as for one that the operator chose. */
  readonly isAllowed?: ((address: string) => boolean) | undefined;
  /** Aborts it at any point. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends JSON, over HTTP/1.1 and a connection of its own. Everything that the service sends to others
 * by HTTP goes this way. Redirects are not followed, and proxies of the environment not used.
 * @throws Error without an answer; its message repeats nothing of the other side.
 */
export async function post(url: URL, options: PostOptions): Promise<Posted> {
  const { body, headers, timeoutMs, isAllowed, signal: stop } = options;
  // `lookup` is not called for a literal address.
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isAllowed?.(literal) === false && isIP(literal) !== 0) throw forbidden(literal);
  const late = AbortSignal.timeout(timeoutMs);
  const signal = stop === undefined ? late : AbortSignal.any([late, stop]);
  const request = (url.protocol === 'https:' ? requestTls : requestPlain)(url, {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
    ...(isAllowed !== undefined && { lookup: guardedLookup(isAllowed) }),
  });
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', reject).end(body);
    });
    const excerpt = await beginningOf(answer);
    const { statusCode: status = 0, headers: answered } = answer;
    return { status, retryAfter: answered['retry-after'] ?? '', excerpt };
  } catch (error) {
    if (late.aborted) throw new Error(`no answer within ${timeoutMs / 1_000} s`);
    if (stop?.aborted === true) throw new Error('the service is stopping');
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    throw code === undefined ? error : new Error(connectionError(code));
  } finally {
    request.destroy();
  }
}

/** What is cut or late is left out: the status has arrived already. No zero bytes: a text has none. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_EXCERPT_BYTES) break;
    }
  } catch {
    // The excerpt is what arrived.
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_EXCERPT_BYTES).toString('utf8');
  return text.replaceAll('\0', '');
}
