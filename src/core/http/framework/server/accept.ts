import { weightedRanges } from '../encoding/accept-language.ts';
import type { RequestContext } from '../routing/request-context.ts';

/** Most ranges of an `Accept` header that are read. */
// limit: Ranges of `Accept` | 20 | ignored
export const MAX_ACCEPT_RANGES = 20;

/** Whether a 404 is a page for a person. Programs get JSON. */
export function wantsPage({ message: { method }, headers, path }: RequestContext): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/v1(?:\/|$)/.test(path) && prefersHtml(headers.accept);
}

/** Whether an `Accept` wants HTML rather than JSON, as that of a browser does (RFC 9110 §12.5.1). */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = weightedRanges(accept, MAX_ACCEPT_RANGES);
  // The most specific matching range decides.
  const weightOf = (type: string) =>
    [type, `${type.split('/')[0]}/*`, '*/*']
      .map((name) => ranges.find(({ range }) => range === name)?.weight)
      .find((weight) => weight !== undefined) ?? 0;
  return weightOf('text/html') > weightOf('application/json');
}
