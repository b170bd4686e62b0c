/** Limits on what a request says. `docs/limits.md` lists them. */

export const MAX_URL_BYTES = 8 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;
// limit: Body, headers, URL | 64 KB, 16 KB, 8 KB | 413, 431, 414 | MAX_HEADER_BYTES, MAX_URL_BYTES
export const MAX_BODY_BYTES = 64 * 1024;

/** Longest piece of a caller's text that an error message repeats. */
// limit: Caller's text in an error | 64 characters | cut
export const MAX_ECHO_LENGTH = 64;

/** Most ignored parameters that an answer names. */
// limit: Ignored parameters named | 10, of up to 64 characters | not named
export const MAX_IGNORED_NAMES = 10;

/** Parsed queries kept per endpoint; the least recently used goes first. */
// limit: Queries kept parsed, per endpoint | 500, of up to 200 characters | parsed again | MAX_KNOWN_QUERY_LENGTH
export const MAX_KNOWN_QUERIES = 500;
/** Longer queries are parsed each time. */
export const MAX_KNOWN_QUERY_LENGTH = 200;
