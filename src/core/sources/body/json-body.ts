import type { UpstreamBody } from '../../app/ports/sources.ts';
import { isJsonObject, parseExactJson } from '../../domain/exact-json.ts';
import { contentFailure, excerpt, unexpected } from './excerpt.ts';

/** Most characters of an upstream's text in a message. */
// limit: Upstream's text | 80 characters | cut
export const MAX_EXCERPT_LENGTH = 80;

/**
 * Parses a JSON body in UTF-8. A number that a double would change becomes a `WrittenNumber`.
 * @throws SourceFailure `content` when it is not JSON, or an object with an `error` field, which
 *   several sources send with status 200.
 */
export function jsonOf(body: UpstreamBody): unknown {
  const text = textOf(body);
  const seen = text.trim();
  if (seen === '') throw contentFailure('JSON, the body is empty');
  if (seen.startsWith('<')) throw unexpected('JSON', `a page: ${start(seen)}`);
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    const end = start(seen.slice(-MAX_EXCERPT_LENGTH));
    throw contentFailure(`JSON, the body is cut short or not JSON: …${end}`);
  }
  if (isJsonObject(value) && Object.hasOwn(value, 'error') && value['error']) {
    throw unexpected('figures', `an error: ${start(seen)}`);
  }
  return value;
}

/** The only body of a reading; a SourceFailure when there is not exactly one. */
export function onlyBody(bodies: readonly UpstreamBody[]): UpstreamBody {
  const [body] = bodies;
  if (body !== undefined && bodies.length === 1) return body;
  throw contentFailure(`1 body, there were ${bodies.length}`);
}

/** The start of a body for messages, on one line and without control characters. */
export function excerptOf({ bytes }: UpstreamBody): string {
  // A character has at most four bytes.
  return start(new TextDecoder().decode(bytes.subarray(0, 4 * MAX_EXCERPT_LENGTH)));
}

function textOf({ bytes }: UpstreamBody): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw contentFailure('JSON, there were bytes that are not UTF-8');
  }
}

const start = (text: string) => excerpt(text, MAX_EXCERPT_LENGTH);
