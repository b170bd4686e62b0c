import { boundedCache } from '../../app/bounded-cache.ts';
import { StoreUnavailable } from '../../app/failures.ts';
import type { Store } from '../../app/ports/store.ts';
import { RequestLimit } from '../../app/request-limit.ts';
import { ApiError } from '../../domain/errors.ts';
import { isOrigin } from '../../domain/keys.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import type { Answer } from '../framework/routing/answer.ts';
import { takesPublishableKeys } from '../pipeline/endpoint.ts';
import type { Route } from '../pipeline/route.ts';
import type { ServiceRequest } from '../pipeline/service-request.ts';

/** Preflights per minute and address, in each process, for which the store is asked. */
// limit: Preflights: of an address, origins kept | 60 a minute, 10,000 for 5 s | no CORS headers; asked again | MAX_KNOWN_ORIGINS
export const PREFLIGHTS_PER_MINUTE = 60;
/** Origins of keys kept in memory; the least recently used goes first. */
export const MAX_KNOWN_ORIGINS = 10_000;
/** Kept as long as a revoked key may still be accepted elsewhere. */
const KEPT_MS = 5 * SECOND_MS;

/** Headers of answers that pages of other sites may read. */
export const READABLE_HEADERS = [
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Ignored-Parameters',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Cost',
  'X-RateLimit-Scope',
  'X-Bulk-Operations',
  'X-Bulk-RateLimit-Limit',
  'X-Bulk-RateLimit-Remaining',
  'X-Vesfx-Derived',
  'X-Vesfx-Stale',
  'X-Vesfx-Unit-Changes',
  'X-Vesfx-In-Doubt',
  'X-Vesfx-Frozen',
].join(', ');

/** How long a browser may remember a preflight. */
const PREFLIGHT_MAX_AGE_SEC = 600;

const OWN_HEADERS = 'X-API-Key, Content-Type, If-None-Match, Last-Event-ID';

/** Headers that programs for other services send besides, each for a reason of its own. */
const FOREIGN_HEADERS = `${OWN_HEADERS}, Authorization, Accept, Cache-Control, Pragma, Expires, X-Requested-With`;

/**
 * Headers that pages may send to an endpoint that needs no key. Clients of other services send
 * their own there, and the wildcard does not cover `Authorization`.
 */
const ANY_HEADERS = '*, Authorization';

/** Additional headers of a preflight that is granted. */
function preflightHeaders(methods: string, headers: string): readonly string[] {
  return [
    'Access-Control-Allow-Methods',
    methods,
    'Access-Control-Allow-Headers',
    headers,
    'Access-Control-Max-Age',
    String(PREFLIGHT_MAX_AGE_SEC),
  ];
}

/**
 * Answers `OPTIONS`, and so decides which pages may send a key at all. A preflight carries no key, so
 * one live publishable key with that origin is enough. The request itself is checked against its own
 * key.
 * @param corsOrigins Origins that the operator configured.
 */
export function preflights(store: Pick<Store, 'isKeyOrigin'>, corsOrigins: readonly string[]) {
  /** When each origin was last found. Origins of no key are looked up every time. */
  const knownOrigins = boundedCache<{ readonly foundAt: Instant }>(MAX_KNOWN_ORIGINS);
  const limit = new RequestLimit(PREFLIGHTS_PER_MINUTE, {});

  /** Also false while the store does not answer, and for an address with too many preflights. */
  async function admits(origin: string, { address, now }: ServiceRequest): Promise<boolean> {
    if (!isOrigin(origin)) return false;
    const knownOrigin = knownOrigins.get(origin);
    if (knownOrigin !== undefined && Math.abs(now - knownOrigin.foundAt) < KEPT_MS) return true;
    try {
      limit.take(address(), now);
      const admitted = await store.isKeyOrigin(origin, now);
      if (admitted) knownOrigins.set(origin, { foundAt: now });
      return admitted;
    } catch (error) {
      if (error instanceof ApiError || error instanceof StoreUnavailable) return false;
      throw error;
    }
  }

  return async (route: Route, request: ServiceRequest): Promise<Answer> => {
    const { origin } = request.headers;
    const { allow } = route;
    const endpoints = [...route.methods.values()];
    const headers = ['X-Request-Id', request.requestId, 'Allow', allow];
    const answer = noContent(headers);
    const isOptional = endpoints.some(({ access }) => access === 'optional');
    if (isOptional && endpoints.some(({ anyOrigin }) => anyOrigin === true)) {
      const open = [...headers, ...preflightHeaders(allow, ANY_HEADERS)];
      return { ...answer, headers: open, cors: { origin: '*' } };
    }
    if (origin === undefined) return answer;
    const common = route.isForeign ? FOREIGN_HEADERS : OWN_HEADERS;
    const allowed = isOptional
      ? ANY_HEADERS
      : [common, ...endpoints.flatMap(({ keyHeader }) => keyHeader ?? [])].join(', ');
    const permitted = { ...answer, headers: [...headers, ...preflightHeaders(allow, allowed)] };
    // Pages of any origin may read the answers.
    if (endpoints.some(({ access, anyOrigin }) => access === 'open' && anyOrigin === true)) {
      return { ...permitted, cors: { origin: '*' } };
    }
    if (corsOrigins.includes(origin)) return permitted;
    if (!endpoints.some(takesPublishableKeys)) return answer;
    return (await admits(origin, request))
      ? { ...permitted, cors: { origin } }
      : { ...answer, cors: { origin: undefined } };
  };
}

export function noContent(headers: readonly string[]) {
  return { status: 204, headers, body: undefined };
}
