import type { RequestHeaders } from './request-headers.ts';

/** The keys of a request. */
export interface PresentedKeys {
  /** All that were sent, from whatever place; each counts only when it is the one. */
  readonly keys: readonly string[];
  /** The key stood in the address. Proxies log addresses and browsers keep them, so only publishable keys may. */
  readonly inAddress: boolean;
}

/** A query without its keys, so that no parameter reader ever sees one. */
export interface KeylessQuery {
  readonly query: string;
  /** Values of `key`; an empty one counts as absent (decisions §2). */
  readonly keys: readonly string[];
}

const NAME = 'key';
const NONE: readonly string[] = Object.freeze([]);

/** Takes `key=` out of a query as it came. */
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

/** A base address may bring its key, for programs whose base is all that can be set (decisions §12). */
const KEYED_PATH = /^\/k\/([^/]+)(\/.*)$/;

/** Takes a key out of the beginning of a path; undefined when there is none. */
export function withoutPathKey(
  path: string,
): { readonly path: string; readonly key: string } | undefined {
  const [, key, rest] = KEYED_PATH.exec(path) ?? [];
  return key === undefined || rest === undefined ? undefined : { path: rest, key };
}

/** The keys of a request from its headers and its address. */
export function presentedKeys(
  { apiKey, severalKeys }: Pick<RequestHeaders, 'apiKey' | 'severalKeys'>,
  inItsAddress: readonly string[],
): PresentedKeys {
  const inAddress = inItsAddress.length > 0;
  if (!apiKey && !severalKeys) return { keys: inItsAddress, inAddress };
  const inHeaders = severalKeys ? ['', ''] : [apiKey ?? ''];
  return { keys: [...inHeaders, ...inItsAddress], inAddress };
}
