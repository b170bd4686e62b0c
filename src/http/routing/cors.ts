/** Cross-origin reading from browsers: off unless the operator names origins (decisions §4). */

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

/** Headers for an answer to a page of `origin`; none when no origins are configured. */
export function corsHeaders(
  allowed: readonly string[],
  origin: string | undefined,
): readonly string[] {
  if (allowed.length === 0) return [];
  const known = allowed.find((one) => one === origin);
  if (known === undefined) return ['Vary', 'Origin'];
  // The configured text is sent, never the request's own.
  return [
    'Access-Control-Allow-Origin',
    known,
    'Access-Control-Expose-Headers',
    READABLE,
    'Vary',
    'Origin',
  ];
}

/** More of them for a preflight. */
export function preflightHeaders(
  allowed: readonly string[],
  origin: string,
  methods: string,
): readonly string[] {
  if (!allowed.includes(origin)) return [];
  return [
    'Access-Control-Allow-Methods',
    methods,
    'Access-Control-Allow-Headers',
    'X-API-Key, Content-Type, If-None-Match',
    'Access-Control-Max-Age',
    String(PREFLIGHT_MAX_AGE_SEC),
  ];
}
