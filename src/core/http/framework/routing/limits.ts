/** Limits on what a request says. `docs/limits.md` lists them. */

// limit: Address (URL) | 8 KB | 414 `uri_too_long`
export const MAX_URL_BYTES = 8 * 1024;
// limit: Headers | 16 KB | 431 `headers_too_large`
export const MAX_HEADER_BYTES = 16 * 1024;
// limit: Body | 64 KB | 413
export const MAX_BODY_BYTES = 64 * 1024;

/** Longest piece of a caller's text that an error message repeats. */
// limit: Caller's text in an error | 64 characters | cut
export const MAX_ECHO_LENGTH = 64;

/** Most ignored parameters that an answer names. */
// limit: Ignored parameters that an answer names | 10, of up to 64 characters | not named
export const MAX_IGNORED_NAMES = 10;

/** Parsed queries kept per endpoint; the least recently used goes first. */
// limit: Parsed queries kept per endpoint | 500, each of up to 200 characters | parsed again | MAX_KNOWN_QUERY_LENGTH
export const MAX_KNOWN_QUERIES = 500;
/** Longer queries are parsed each time. */
export const MAX_KNOWN_QUERY_LENGTH = 200;
