import { KEY_PREFIX } from '../../app/access/keys.ts';
import type { Instant } from '../../domain/time.ts';
import type { InTurn } from '../framework/encoding/long-answers.ts';
import type { WrittenAnswer } from '../framework/encoding/written-answer.ts';
import type { AddressLimit } from '../framework/routing/address-limits.ts';
import { KEY_NAME, withoutPathKey } from '../framework/routing/request-context.ts';
import type { Endpoint } from './endpoint.ts';
import { pathParameters } from './parameters.ts';

/** A page or a file for browsers: open to anyone, GET only, with any query. */
export interface Page {
  readonly path: string;
  /** Those of which its requests take. */
  readonly addressLimits?: readonly AddressLimit[];
  respond(request: PageRequest): WrittenAnswer | Promise<WrittenAnswer>;
}

/** A request for a page. The server itself handles compression and `If-None-Match`. */
export interface PageRequest {
  readonly path: string;
  /** As sent, without its `?`. */
  readonly query: string;
  readonly acceptLanguage: string | undefined;
  /**
   * Counts the request of this client's address.
   * @throws ApiError `rate_limit_exceeded` for one more than the minute admits.
   */
  readonly take: (limit: AddressLimit) => void;
  readonly now: Instant;
  /** Does work of some length in the turn of the client's address. */
  readonly inTurn: InTurn;
}

/** `Allow` of the whole server: for `OPTIONS *` and for methods that no path accepts. */
export const SERVED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** The endpoints of a path by method, and its page. */
export interface Route {
  readonly path: string;
  readonly methods: ReadonlyMap<string, Endpoint>;
  readonly page: Page | undefined;
  /** Value for the `Allow` header. */
  readonly allow: string;
  /** Names of the path's parameters, in order. */
  readonly parameters: readonly string[];
}

export interface Match {
  readonly route: Route;
  /** Path parameters by name, as sent and still percent-encoded. */
  readonly path: Readonly<Record<string, string>>;
}

const NO_PARAMETERS = Object.freeze({});

function allowOf(methods: ReadonlyMap<string, Endpoint>, page: Page | undefined): string {
  const names: string[] = [...methods.keys()];
  if (page !== undefined) names.push('GET');
  if (names.includes('GET')) names.push('HEAD');
  return [...names, 'OPTIONS'].join(', ');
}

/** Where a path leads. */
export interface Place {
  readonly match: Match | undefined;
  /** Of a path that nothing matches: one of the service to whose addresses it would belong (contract §12). */
  readonly near?: Route | undefined;
  /** Whether it is at the address of another service, or would be. */
  readonly isForeign: boolean;
  /** The keys in the path: in front of it, and in its own place. */
  readonly pathKeys: readonly string[];
}

/** Whether the address is one of another service: a key may stand in front of it (contract §12). */
export function isForeign({ methods }: Pick<Route, 'methods'>): boolean {
  return methods.values().some(({ pathKey }) => pathKey === true);
}

/** Whether a key may stand in `Authorization: Bearer` (contract §25). */
export function acceptsBearer({ methods }: Pick<Route, 'methods'>): boolean {
  return methods.values().some(({ bearerKey }) => bearerKey === true);
}

/** The key in its own place of a path. That of another service is no key of ours. */
function keysWithin({ path }: Match): readonly string[] {
  const key = path[KEY_NAME];
  return key?.startsWith(KEY_PREFIX) ? [key] : [];
}

const NOWHERE: Place = Object.freeze({ match: undefined, isForeign: false, pathKeys: [] });

/**
 * Finds the route of a path, byte for byte: letter case, slashes, dots and encodings all matter
 * (contract §4). A path without parameters takes one lookup. No two paths match the same text.
 */
export class Router {
  readonly #exact = new Map<string, Match>();
  #hasForeign = false;
  readonly #withParameters: { readonly route: Route; readonly pattern: RegExp }[] = [];
  /** What addresses of other services begin with, and ours do not, the longest first. */
  readonly #foreign: readonly { readonly prefix: string; readonly route: Route }[];

  constructor(endpoints: readonly Endpoint[], pages: readonly Page[]) {
    const paths = new Set([...endpoints, ...pages].map(({ path }) => path));
    const routes: Route[] = [];
    for (const path of paths) {
      const here = endpoints.filter((endpoint) => endpoint.path === path);
      const methods = new Map<string, Endpoint>(
        here.map((endpoint) => [endpoint.method, endpoint]),
      );
      const page = pages.find((candidate) => candidate.path === path);
      const parameters = pathParameters(path);
      const route = { path, methods, page, allow: allowOf(methods, page), parameters };
      if (parameters.length === 0) this.#exact.set(path, { route, path: NO_PARAMETERS });
      else this.#withParameters.push({ route, pattern: patternOf(path) });
      routes.push(route);
    }
    const own = routes.filter((route) => !isForeign(route));
    this.#foreign = routes
      .filter(isForeign)
      .map((route) => ({ route, prefix: beginningOf(route.path) }))
      .filter(({ prefix }) => !own.some(({ path }) => path.startsWith(prefix)))
      .sort((a, b) => b.prefix.length - a.prefix.length);
    this.#hasForeign = routes.some(isForeign);
  }

  /**
   * Where a path leads. At addresses of other services a key may stand in front of it, a base address may
   * have ended with a slash, and so may the path.
   */
  place(path: string): Place {
    if (!this.#hasForeign) return { ...NOWHERE, match: this.find(path) };
    const place = this.#placeOf(path);
    if (place.match !== undefined) return place;
    const tidy = withoutSpareSlashes(path);
    const tidied = tidy === path ? place : this.#placeOf(tidy);
    return tidied.isForeign ? tidied : place;
  }

  #placeOf(path: string): Place {
    const keyed = withoutPathKey(path);
    const rest = keyed?.path ?? path;
    const match = this.find(rest);
    const pathKeys = keyed === undefined ? [] : [keyed.key];
    if (match !== undefined) {
      if (isForeign(match.route)) {
        return { match, isForeign: true, pathKeys: [...pathKeys, ...keysWithin(match)] };
      }
      return keyed === undefined ? { ...NOWHERE, match } : NOWHERE;
    }
    const near = this.#foreign.find(({ prefix }) => rest.startsWith(prefix))?.route;
    return near === undefined ? NOWHERE : { match, near, isForeign: true, pathKeys };
  }

  find(path: string): Match | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    for (const { route, pattern } of this.#withParameters) {
      const values = pattern.exec(path)?.slice(1);
      if (values === undefined) continue;
      if (route.methods.values().some(({ pathForm }) => pathForm?.test(path) === false)) continue;
      const pairs = route.parameters.map((name, position) => [name, values[position] ?? '']);
      return { route, path: Object.fromEntries(pairs) };
    }
    return undefined;
  }
}

/** What comes before the first parameter of a path, or before its last name. */
function beginningOf(path: string): string {
  const [fixed = ''] = path.split(':');
  return fixed.slice(0, fixed.lastIndexOf('/') + 1);
}

/** The path with single slashes and none at the end. */
function withoutSpareSlashes(path: string): string {
  const single = path.replaceAll(/\/+/g, '/');
  return single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single;
}

/** An empty segment is no parameter, so a slash more or less matches nothing. */
function patternOf(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '([^/]+)' : RegExp.escape(segment)));
  return new RegExp(`^${segments.join('/')}$`);
}
