/** Limits on connections and on reading requests. `docs/limits.md` lists them. */

/** Limit of Node's parser: above ours, so that our own error is sent. */
export const PARSER_HEADER_BYTES = 46 * 1024;

/** A client has this long to send its headers, and then its body. */
export const HEADERS_TIMEOUT_MS = 5_000;
export const REQUEST_TIMEOUT_MS = 15_000;
/** A client has this long to take another byte of its answer. Node may notice twice as late. */
export const READER_TIMEOUT_MS = 10_000;
/** Interval of the checks: a stalled client is closed at most this much later. */
export const TIMEOUT_CHECK_MS = 250;
/** An idle connection is kept this long, longer than most proxies keep theirs. */
export const KEEP_ALIVE_MS = 65_000;
/** A client that reads slowly has this long for one answer. */
export const ANSWER_TIMEOUT_MS = 60_000;
/** A connection that sends bytes which begin no request is closed after this long. */
export const MAX_STRAY_BYTES_MS = HEADERS_TIMEOUT_MS + 1_000;
/** After its last answer a client has this long to read it and close its side. */
export const LINGER_MS = 500;
/** Most connections of a process; fewer where the system limits descriptors. */
export const MAX_CONNECTIONS = 10_000;
/** Descriptors reserved for files, the database and outgoing requests. */
export const RESERVED_DESCRIPTORS = 100;
/** Connections closed at once at the limit, those that keep the service waiting longest first. */
export const CONNECTIONS_EVICTED_AT_ONCE = 50;
/** Interval of the check that the process can still open a descriptor. */
export const DESCRIPTORS_CHECK_MS = 1_000;
/** Pipelined requests that may wait on one connection. At this number the connection is paused. */
export const MAX_PIPELINED_REQUESTS = 64;
/** Pipelined requests that may wait on all connections. Each takes some 4 kB of memory. */
export const MAX_WAITING_REQUESTS = 20_000;
/** One with more header fields, or with more bytes of them, counts as several. */
export const WAITING_UNIT_FIELDS = 20;
export const WAITING_UNIT_BYTES = 4 * 1024;
/** Bytes of answers that all clients together have not read yet and the system has not taken. */
export const MAX_UNSENT_BYTES = 128 * 1024 * 1024;
/** Pieces of a body that are read of one connection before the others have their turn. */
export const MAX_PIECES_AT_ONCE = 1_000;
/** Beyond them, a body of pieces that are smaller on average is refused. */
export const MIN_PIECE_BYTES = 16;
/** Pieces read of all connections in one turn, beyond which each may have fewer small ones. */
export const MAX_PIECES_OF_ALL_AT_ONCE = 4_000;
export const MAX_PIECES_WHEN_BUSY = 100;
/** Requests in flight have this long to finish when the service stops. */
export const SHUTDOWN_MS = 10_000;
/** While the service stops, an idle connection has this long to deliver a request already sent. */
export const IDLE_GRACE_MS = 1_000;
/** Turns of the event loop for which new connections may postpone the closing of the port. */
export const MAX_CLOSING_TURNS = 100;
