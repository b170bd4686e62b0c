import type { RequestHeaders } from './request-headers.ts';

export interface PresentedKeys {
  /** All keys sent, wherever they stand. A request is only accepted with exactly one. */
  readonly keys: readonly string[];
  /** Those in the URL, which proxies log and browsers store: only publishable ones may stand there. */
  readonly inAddress: readonly string[];
}

/** A query without its keys, so that no parameter reader ever sees one. */
export interface KeylessQuery {
  readonly query: string;
  /** Values of `key`; an empty one counts as absent (decisions §2). */
  readonly keys: readonly string[];
}

const NAME = 'key';
const NONE: readonly string[] = Object.freeze([]);

/** Removes `key=` from a query. */
export function withoutKeys(query: string): KeylessQuery {
  // The name may be percent-encoded.
  if (!query.includes(NAME) && !query.includes('%')) return { query, keys: NONE };
  const keys: string[] = [];
  const others = query.split('&').filter((pair) => {
    const [[name, value] = ['', '']] = new URLSearchParams(pair);
    if (name !== NAME) return true;
    if (value !== '') keys.push(value);
    return false;
  });
  return { query: others.join('&'), keys };
}

/** A base URL may contain a key, for programs that can only set that (decisions §12). */
const KEYED_PATH = /^\/k\/([^/]+)(\/.*)$/;

/** Removes a key from the beginning of a path; undefined when there is none. */
export function withoutPathKey(
  path: string,
): { readonly path: string; readonly key: string } | undefined {
  const [, key, rest] = KEYED_PATH.exec(path) ?? [];
  return key === undefined || rest === undefined ? undefined : { path: rest, key };
}

export function presentedKeys(
  { apiKey, severalKeys }: Pick<RequestHeaders, 'apiKey' | 'severalKeys'>,
  inAddress: readonly string[],
): PresentedKeys {
  if (!apiKey && !severalKeys) return { keys: inAddress, inAddress };
  const inHeaders = severalKeys ? ['', ''] : [apiKey ?? ''];
  return { keys: [...inHeaders, ...inAddress], inAddress };
}
