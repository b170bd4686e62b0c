/** Limits on what a request says. `docs/limits.md` lists them. */

export const MAX_URL_BYTES = 8 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_BODY_BYTES = 64 * 1024;

/** Longest piece of a caller's text that an error message repeats. */
export const MAX_ECHO_LENGTH = 64;

/** Most ignored parameters that an answer names. */
export const MAX_IGNORED_NAMES = 10;

/** Parsed queries kept per endpoint; the least recently used goes first. */
export const MAX_KNOWN_QUERIES = 500;
/** Longer queries are parsed each time. */
export const MAX_KNOWN_QUERY_LENGTH = 200;
