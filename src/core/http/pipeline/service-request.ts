import type { Caller } from '../../app/access/access.ts';
import { KEY_PREFIX, keysInCredentials, keysInHostName } from '../../app/access/keys.ts';
import type { Reservation } from '../../app/quota/quota.ts';
import { type PathParameters, RequestContext } from '../framework/routing/request-context.ts';

const NO_KEYS: readonly string[] = Object.freeze([]);

/** Where keys may stand at some addresses. */
export interface KeyPlaces {
  readonly inPath: readonly string[];
  /** What host names end with whose first label may be a key. */
  readonly hosts: readonly string[];
  /** The name of a header, in small letters. */
  readonly header: string | undefined;
}

/** A request, with its keys and what the checks have found out about it. */
export class ServiceRequest extends RequestContext {
  /** The query without keys, so that no parameter reader ever sees one. */
  keylessQuery = '';
  /** All keys sent, wherever they stand. A request is only accepted with exactly one. */
  keys: readonly string[] = NO_KEYS;
  /** Those in the URL, which proxies log and browsers store: only publishable ones may stand there. */
  keysInAddress: readonly string[] = NO_KEYS;
  /** Set once the key is known. Every answer after that has the quota headers. */
  caller: Caller | undefined = undefined;
  /** The units that the call reserved. */
  reservation: Reservation | undefined = undefined;

  /** @param elsewhere Where else keys may stand than in `X-API-Key` and `key=` (contract §12, contract §25). */
  readKeys(elsewhere?: KeyPlaces): void {
    const { query, keys } = withoutKeys(this.query);
    const { apiKey, severalKeys, authorization, host } = this.headers;
    this.keylessQuery = query;
    this.keysInAddress =
      elsewhere === undefined
        ? keys
        : [...keys, ...elsewhere.inPath, ...keysInHostName(host, elsewhere.hosts)];
    const inHeaders =
      elsewhere === undefined
        ? NO_KEYS
        : [...keysInCredentials(authorization), ...this.#keysInHeader(elsewhere.header)];
    const own = severalKeys ? ['', ''] : apiKey ? [apiKey] : NO_KEYS;
    this.keys = [...own, ...inHeaders, ...this.keysInAddress];
  }

  /** A key of another service is no key of ours. */
  #keysInHeader(name: string | undefined): readonly string[] {
    const raw = name === undefined ? NO_KEYS : this.message.rawHeaders;
    return raw.filter(
      (value, position) =>
        value.startsWith(KEY_PREFIX) && raw[position - 1]?.toLowerCase() === name,
    );
  }

  /** A request of the same client by GET, whose answer a handler reads. */
  asking(pathParameters: PathParameters, keylessQuery: string): ServiceRequest {
    const { message, requestId, now, keys, keysInAddress } = this;
    const asked = new ServiceRequest(message, requestId, now, this.addressOf, 'GET');
    Object.assign(asked.headers, { acceptEncoding: undefined, ifNoneMatch: undefined });
    return Object.assign(asked, { pathParameters, keylessQuery, keys, keysInAddress });
  }
}

/** The parameter, in the query or the path, that is a key. */
export const KEY_NAME = 'key';

/** Removes `key=` from a query. An empty value counts as absent (contract §2). */
export function withoutKeys(query: string): {
  readonly query: string;
  readonly keys: readonly string[];
} {
  // The name may be percent-encoded.
  if (!query.includes(KEY_NAME) && !query.includes('%')) return { query, keys: NO_KEYS };
  const keys: string[] = [];
  const others = query.split('&').filter((pair) => {
    const [[name, value] = ['', '']] = new URLSearchParams(pair);
    if (name !== KEY_NAME) return true;
    if (value !== '') keys.push(value);
    return false;
  });
  return { query: others.join('&'), keys };
}

/** A base URL may contain a key, for programs that can only set that (contract §12). */
const KEYED_PATH = /^\/+k\/+([^/]+)(\/.*)$/;

/** Removes a key from the beginning of a path; undefined when there is none. */
export function withoutPathKey(
  path: string,
): { readonly path: string; readonly key: string } | undefined {
  const [, key, rest] = KEYED_PATH.exec(path) ?? [];
  return key === undefined || rest === undefined ? undefined : { path: rest, key };
}
