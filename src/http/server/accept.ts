import type { RequestContext } from '../routing/request-context.ts';

/** Most ranges of an `Accept` header that are read. */
export const MAX_ACCEPT_RANGES = 20;

interface Range {
  readonly type: string;
  /** Weight from 0 to 1; 0 if it cannot be parsed. */
  readonly weight: number;
}

/** Whether a 404 is a page for a person. Programs get JSON. */
export function wantsPage({ message: { method }, headers, path }: RequestContext): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/v1(?:\/|$)/.test(path) && prefersHtml(headers.accept);
}

/** Whether an `Accept` wants HTML rather than JSON, as that of a browser does (RFC 9110 §12.5.1). */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = accept.split(',', MAX_ACCEPT_RANGES).map(rangeOf);
  return weightOf(ranges, 'text/html') > weightOf(ranges, 'application/json');
}

/** The most specific matching range decides. */
function weightOf(ranges: readonly Range[], type: string): number {
  const names = [type, `${type.split('/')[0]}/*`, '*/*'];
  const matching = names.map((name) => ranges.find((range) => range.type === name));
  return matching.find((range) => range !== undefined)?.weight ?? 0;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality =
    parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '1';
  return {
    type,
    weight: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0,
  };
}
