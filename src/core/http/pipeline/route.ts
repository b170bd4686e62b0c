import type { Instant } from '../../domain/time.ts';
import type { WrittenAnswer } from '../framework/encoding/written-answer.ts';
import type { Match } from '../framework/routing/router.ts';
import type { AddressLimit } from './address-limits.ts';
import type { Endpoint } from './endpoint.ts';
import type { InTurn } from './long-answers.ts';

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

/** The endpoints of a path by method, and its page. */
export interface Route {
  readonly path: string;
  readonly pathForms: readonly RegExp[];
  readonly methods: ReadonlyMap<string, Endpoint>;
  readonly page: Page | undefined;
  /** Value for the `Allow` header. */
  readonly allow: string;
  /** Whether the address is one of another service: a key may stand in front of it (contract §12). */
  readonly isForeign: boolean;
  /** Whether a key may stand in `Authorization: Bearer` (contract §25). */
  readonly acceptsBearer: boolean;
}

export function routesOf(endpoints: readonly Endpoint[], pages: readonly Page[]): readonly Route[] {
  const paths = new Set([...endpoints, ...pages].map(({ path }) => path));
  return [...paths].map((path) => {
    const here = endpoints.filter((endpoint) => endpoint.path === path);
    const methods = new Map(here.map((endpoint) => [endpoint.method, endpoint]));
    const page = pages.find((candidate) => candidate.path === path);
    return {
      ...{ path, methods, page, allow: allowOf(methods, page) },
      pathForms: here.flatMap(({ pathForm }) => pathForm ?? []),
      isForeign: here.some(({ pathKey }) => pathKey === true),
      acceptsBearer: here.some(({ bearerKey }) => bearerKey === true),
    };
  });
}

function allowOf(methods: ReadonlyMap<string, Endpoint>, page: Page | undefined): string {
  const names: string[] = [...methods.keys()];
  if (page !== undefined) names.push('GET');
  if (names.includes('GET')) names.push('HEAD');
  return [...names, 'OPTIONS'].join(', ');
}

/** One of its endpoints: all of a route are of the same service. */
export function anEndpointOf({ methods }: Route): Endpoint | undefined {
  const [one] = methods.values();
  return one;
}

/** Where a path leads. */
export interface Place {
  readonly match: Match<Route> | undefined;
  /** Of a path that nothing matches: one of the service to whose addresses it would belong (contract §12). */
  readonly near?: Route | undefined;
  /** Whether it is at the address of another service, or would be. */
  readonly isForeign: boolean;
  /** The keys in the path: in front of it, and in its own place. */
  readonly pathKeys: readonly string[];
}

export const NOWHERE: Place = Object.freeze({ match: undefined, isForeign: false, pathKeys: [] });
