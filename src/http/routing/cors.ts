/**
 * Cross-origin reading from browsers: off but for the origins that the operator names (decisions §4)
 * or that a publishable key has, and for what needs no key (decisions §11).
 */

/** How long a browser may remember a preflight. */
const PREFLIGHT_MAX_AGE_SEC = 600;

const READABLE = [
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Cost',
  'X-RateLimit-Scope',
  'X-Bulk-Operations',
  'X-Bulk-RateLimit-Limit',
  'X-Bulk-RateLimit-Remaining',
].join(', ');

/** Pages that may read one answer. */
export interface CorsGrant {
  /** An origin, `*` for any, undefined for none. */
  readonly origin: string | undefined;
}

function readable(origin: string): readonly string[] {
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', READABLE];
}

const VARY = ['Vary', 'Origin'] as const;

/**
 * Headers for an answer to a page of `origin`: for the origins that the operator configured, and the
 * one that the answer itself is granted to.
 */
export function corsHeaders(
  allowed: readonly string[],
  origin: string | undefined,
  grant?: CorsGrant,
): readonly string[] {
  if (grant?.origin === '*') return readable('*');
  if (allowed.length === 0 && grant === undefined) return [];
  // The configured text is sent, never the request's own.
  const known = allowed.find((one) => one === origin) ?? grant?.origin;
  return known === undefined ? VARY : [...readable(known), ...VARY];
}

/** More of them for a preflight of a page that may send the request. */
export function preflightHeaders(methods: string): readonly string[] {
  return [
    'Access-Control-Allow-Methods',
    methods,
    'Access-Control-Allow-Headers',
    'X-API-Key, Content-Type, If-None-Match',
    'Access-Control-Max-Age',
    String(PREFLIGHT_MAX_AGE_SEC),
  ];
}

/**
 * The same for what any page may ask without a key. Programs send headers of their own making there,
 * and the wildcard does not cover `Authorization`.
 */
export function openPreflightHeaders(methods: string): readonly string[] {
  return [
    'Access-Control-Allow-Methods',
    methods,
    'Access-Control-Allow-Headers',
    '*, Authorization',
    'Access-Control-Max-Age',
    String(PREFLIGHT_MAX_AGE_SEC),
  ];
}
