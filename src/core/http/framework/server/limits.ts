/** Limits on connections and on reading requests. `docs/limits.md` lists them. */

/** Limit of Node's parser: above ours, so that our own error is sent. */
// limit: Headers in the parser | 46 KB | 431, closed
export const PARSER_HEADER_BYTES = 46 * 1024;

/** A client has this long to send its headers, and then its body. */
// limit: Time to send the headers, the request | 5 s, 15 s | 408, closed | REQUEST_TIMEOUT_MS
export const HEADERS_TIMEOUT_MS = 5_000;
export const REQUEST_TIMEOUT_MS = 15_000;
/** A client has this long to take another byte of its answer. Node may notice twice as late. */
// limit: Client reads no byte | 10 s, noticed within 20 s | closed
export const READER_TIMEOUT_MS = 10_000;
/** Interval of the checks: a stalled client is closed at most this much later. */
// limit: Late connection closed | within 0.25 s
export const TIMEOUT_CHECK_MS = 250;
/** An idle connection is kept this long, longer than most proxies keep theirs. */
// limit: Idle connection | 65 s | closed
export const KEEP_ALIVE_MS = 65_000;
/** A client that reads slowly has this long for one answer. */
// limit: Part of an answer written at once, taken | 60 s | closed
export const ANSWER_TIMEOUT_MS = 60_000;
/** A connection that sends bytes which begin no request is closed after this long. */
// limit: Bytes that begin no request | 6 s | closed
export const MAX_STRAY_BYTES_MS = HEADERS_TIMEOUT_MS + 1_000;
/** After its last answer a client has this long to read it and close its side. */
// limit: Last answer read | 0.5 s | closed
export const LINGER_MS = 500;
/** Most connections of a process; fewer where the system limits descriptors. */
// limit: Connections | 10,000, or descriptors minus 100 | those that keep it waiting longest closed
export const MAX_CONNECTIONS = 10_000;
/** Descriptors reserved for files, the database and outgoing requests. */
// limit: Descriptors kept for database and sources | 100, or half of few
export const RESERVED_DESCRIPTORS = 100;
/** Connections closed at once at the limit, those that keep the service waiting longest first. */
// limit: Connections closed at once for room | 50, or half of few
export const CONNECTIONS_EVICTED_AT_ONCE = 50;
/** Interval of the check that the process can still open a descriptor. */
// limit: Lack of descriptors noticed | 1 s | one log line a minute; those that keep it waiting longest closed
export const DESCRIPTORS_CHECK_MS = 1_000;
/** Pipelined requests that may wait on one connection. At this number the connection is paused. */
// limit: Pipelined requests of a connection | 64 | reading stops
export const MAX_PIPELINED_REQUESTS = 64;
/** Pipelined requests that may wait on all connections. Each takes some 4 kB of memory. */
// limit: Pipelined requests of all | 20,000; one more for every 20 header fields and every 4 KB | the connection with most closed | WAITING_UNIT_FIELDS, WAITING_UNIT_BYTES
export const MAX_WAITING_REQUESTS = 20_000;
/** One with more header fields, or with more bytes of them, counts as several. */
export const WAITING_UNIT_FIELDS = 20;
export const WAITING_UNIT_BYTES = 4 * 1024;
/** Bytes of answers that all clients together have not read yet and the system has not taken. */
// limit: Unread answers of a process | 128 MB | the longest unread closed
export const MAX_UNSENT_BYTES = 128 * 1024 * 1024;
/** Pieces of a body that are read of one connection before the others have their turn. */
// limit: Pieces of a body at once, of a connection | 1,000 | others first; too small ones 413, closed
export const MAX_PIECES_AT_ONCE = 1_000;
/** Beyond them, a body of pieces that are smaller on average is refused. */
// limit: Pieces too small, on average | below 16 bytes
export const MIN_PIECE_BYTES = 16;
/** Pieces read of all connections in one turn, beyond which each may have fewer small ones. */
// limit: Pieces at once, of all connections | 4,000 | the next limit
export const MAX_PIECES_OF_ALL_AT_ONCE = 4_000;
// limit: Small pieces of a connection beyond that | 100 | 413, closed
export const MAX_PIECES_WHEN_BUSY = 100;
/** Requests in flight have this long to finish when the service stops. */
// limit: After the port closes: requests, streams, idle connections | 10 s, 1 s, 1 s (or a shorter drain) | closed | STREAMS_END_MS, IDLE_GRACE_MS
export const SHUTDOWN_MS = 10_000;
/** Streams then end one after another. */
export const STREAMS_END_MS = 1_000;
/** While the service stops, an idle connection has this long to deliver a request already sent. */
export const IDLE_GRACE_MS = 1_000;
/** Turns of the event loop for which new connections may postpone the closing of the port. */
// limit: Turns for late connections at closing | 100 | closed
export const MAX_CLOSING_TURNS = 100;
