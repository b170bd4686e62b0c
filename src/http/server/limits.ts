/** What a request may measure and how long it may take; `docs/limits.md` lists these. */

export const MAX_URL_BYTES = 8 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_BODY_BYTES = 64 * 1024;

/** The parser's own bound: above ours, so that ours is the one that answers. */
export const PARSER_HEADER_BYTES = 46 * 1024;

/** A client has this long to send its headers, and then its body. */
export const HEADERS_TIMEOUT_MS = 5_000;
export const REQUEST_TIMEOUT_MS = 15_000;
/** A client has this long to take another byte of its answer; it may be noticed as much later. */
export const READER_TIMEOUT_MS = 10_000;
/** How often those are checked: a stalled client is gone at most this much later. */
export const TIMEOUT_CHECK_MS = 250;
/** An idle connection is kept this long; longer than most proxies keep theirs. */
export const KEEP_ALIVE_MS = 65_000;
/** A client that does read has this long to take what is written at once. */
export const ANSWER_TIMEOUT_MS = 60_000;
/** A connection on which bytes come that begin no request is kept this long. */
export const MAX_STRAY_BYTES_MS = HEADERS_TIMEOUT_MS + 1_000;
/** After the last bytes the client has this long to read them and close its side. */
export const LINGER_MS = 500;
/** Connections of a process; fewer where the system gives it fewer descriptors. */
export const MAX_CONNECTIONS = 10_000;
/** Descriptors that are not for connections. */
export const RESERVED_DESCRIPTORS = 100;
/** When there is room for no more, so many of those that keep the service waiting are closed. */
export const CONNECTIONS_EVICTED_AT_ONCE = 50;
/** How often it is looked whether the process can still open one. */
export const DESCRIPTORS_CHECK_MS = 1_000;
/** Requests of a connection that may wait for answers before theirs; then it is not read on. */
export const MAX_PIPELINED_REQUESTS = 64;
/** Requests in flight have this long to finish when the service stops. */
export const SHUTDOWN_MS = 10_000;
/** An idle connection has this long then for a request that is on its way. */
export const IDLE_GRACE_MS = 1_000;
/** Turns of the event loop in which new connections may put off that the port is closed. */
export const MAX_CLOSING_TURNS = 100;

/** Longest piece of the caller's own text that an error repeats. */
export const MAX_ECHO_LENGTH = 64;

/** Queries of an endpoint whose parameters are remembered; those not asked again go first. */
export const KNOWN_QUERIES_MAX = 500;
/** Longer queries are read anew each time. */
export const MAX_KNOWN_QUERY_LENGTH = 200;
