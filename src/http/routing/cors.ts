/**
 * Cross-origin access from browsers. It is off except for origins that the operator names
 * (decisions §4), origins of a publishable key, and endpoints that need no key (decisions §11).
 */

/** How long a browser may remember a preflight. */
const PREFLIGHT_MAX_AGE_SEC = 600;

const READABLE = [
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
  'X-Vesfx-Stale',
].join(', ');

/** The pages that may read one answer. */
export interface CorsGrant {
  /** An origin, `*` for any, undefined for none. */
  readonly origin: string | undefined;
}

function readable(origin: string): readonly string[] {
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', READABLE];
}

const VARY = ['Vary', 'Origin'] as const;

/**
 * CORS headers of an answer to a page of `origin`: for the origins that the operator configured,
 * and for the one that the answer is granted to.
 */
export function corsHeaders(
  allowed: readonly string[],
  origin: string | undefined,
  grant?: CorsGrant,
): readonly string[] {
  if (grant?.origin === '*') return readable('*');
  if (allowed.length === 0 && grant === undefined) return [];
  // Sends the configured text, never the text of the request.
  const known = allowed.find((one) => one === origin) ?? grant?.origin;
  return known === undefined ? VARY : [...readable(known), ...VARY];
}

const OWN_HEADERS = 'X-API-Key, Content-Type, If-None-Match';

/**
 * Headers that pages may send to an endpoint that needs no key. Clients of other services send
 * their own there, and the wildcard does not cover `Authorization`.
 */
export const ANY_HEADERS = '*, Authorization';

/** Additional headers of a preflight that is granted. */
export function preflightHeaders(methods: string, headers = OWN_HEADERS): readonly string[] {
  return [
    'Access-Control-Allow-Methods',
    methods,
    'Access-Control-Allow-Headers',
    headers,
    'Access-Control-Max-Age',
    String(PREFLIGHT_MAX_AGE_SEC),
  ];
}
