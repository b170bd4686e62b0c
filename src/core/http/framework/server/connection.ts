import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError, PlainErrorCode } from '../../../domain/errors.ts';
import type { Sink } from '../encoding/answer-stream.ts';
import { MAX_URL_BYTES } from '../routing/limits.ts';
import {
  ANSWER_TIMEOUT_MS,
  LINGER_MS,
  MAX_PIPELINED_REQUESTS,
  MAX_STRAY_BYTES_MS,
  WAITING_UNIT_BYTES,
  WAITING_UNIT_FIELDS,
} from './limits.ts';

/** How much of the memory for waiting requests one of them takes; 1 for an ordinary one. */
function unitsOf({ rawHeaders, url = '' }: IncomingMessage): number {
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length, url.length);
  const fields = rawHeaders.length / 2;
  return 1 + Math.floor(fields / WAITING_UNIT_FIELDS) + Math.floor(bytes / WAITING_UNIT_BYTES);
}

/**
 * The state of one client's connection: the request being answered, the requests behind it, and the
 * deadlines. Times are those of `performance.now()`.
 */
export class Connection {
  readonly socket: Socket;
  /** The request that is being answered. */
  #current: IncomingMessage | undefined;
  /** The last request read, until it is answered. */
  #newest: IncomingMessage | undefined;
  #lastResponse: ServerResponse | undefined;
  #waiting = 0;
  #waitingUnits = 0;
  #isAbandoned = false;
  readonly #onWaiting: (change: number) => void;
  /** Why the parser rejected the bytes behind the requests that are still to be answered. */
  parserError: ApiError | undefined = undefined;
  /** The answer that goes on, after which the connection ends. */
  stream: Sink | undefined = undefined;
  /** Whether the last bytes are being sent. Nothing may follow them. */
  isEnding = false;
  /** Bytes read when the last answer was written, where the next request begins. */
  #readBefore = 0;
  /** When the service began to wait for this client, as last seen by `check`. */
  #waitingSince: number | undefined;
  /** Bytes read when the connection was first seen idle, and when more came. */
  #idle: { readonly read: number; readonly moreSince: number | undefined } | undefined;
  /** Bytes that the kernel had accepted at the last progress, and when that was. */
  #stuck: { readonly taken: number; readonly since: number } | undefined;

  /** @param onWaiting Gets the change in the units of pipelined requests that wait. */
  constructor(socket: Socket, onWaiting: (change: number) => void = () => undefined) {
    this.socket = socket;
    this.#onWaiting = onWaiting;
    // Node removes its own listener from a socket that it hands over. Without this one a reset
    // would end the process.
    socket.on('error', () => undefined);
    // Node itself notices the end of the stream, except after a request that asks for an upgrade.
    socket.on('end', () => {
      if (this.#current?.complete === false) this.end();
    });
    // Node resumes the socket after each request that it has parsed, and after each answer.
    socket.on('resume', () => {
      if (this.isPaused) socket.pause();
    });
    // Node calls this to close a connection after its last answer.
    socket.destroySoon = () => this.end();
  }

  /**
   * Answers the requests of the connection one at a time. A client that pipelines and does not read
   * its answers therefore keeps one of them in memory, not all.
   */
  take(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    if (this.#isAbandoned || this.isEnding) return;
    const previous = this.#lastResponse;
    this.#lastResponse = response;
    this.#newest = request;
    this.#waitingSince = undefined;
    this.#idle = undefined;
    if (previous === undefined || previous.writableFinished) {
      this.#current = request;
      answer();
      return;
    }
    const units = unitsOf(request);
    previous.once('finish', () => {
      if (this.#isAbandoned) return;
      const wasPaused = this.isPaused;
      this.#countWaiting(-1, -units);
      if (this.isEnding) return;
      if (wasPaused && !this.isPaused) this.socket.resume();
      this.#current = request;
      answer();
    });
    this.#countWaiting(1, units);
    if (this.isPaused) this.socket.pause();
  }

  /** Pipelined requests that wait for earlier answers, in units. */
  get waitingUnits(): number {
    return this.#waitingUnits;
  }

  /** Whether so many requests wait that no more bytes are read. */
  get isPaused(): boolean {
    return this.#waiting >= MAX_PIPELINED_REQUESTS && !this.isEnding;
  }

  /**
   * Whether the error says that a request is late, but only because no more bytes are read: Node has
   * the beginning of a request behind those that wait.
   */
  hasDelayed({ code }: NodeJS.ErrnoException): boolean {
    return this.isPaused && code === 'ERR_HTTP_REQUEST_TIMEOUT';
  }

  /** Destroys the socket and drops the requests that wait. */
  abandon(): void {
    if (this.#isAbandoned) return;
    this.#isAbandoned = true;
    this.socket.destroy();
    this.#countWaiting(-this.#waiting, -this.#waitingUnits);
  }

  #countWaiting(requests: number, units: number): void {
    this.#waiting += requests;
    this.#waitingUnits += units;
    this.#onWaiting(units);
  }

  /** The answer to a request is being written. @returns whether no other request waits. */
  answered(request: IncomingMessage): boolean {
    if (this.#current === request) this.#current = undefined;
    if (this.#newest !== request) return false;
    this.#newest = undefined;
    this.#readBefore = this.socket.bytesRead;
    return true;
  }

  /** The request whose body is still being read. */
  get unfinished(): IncomingMessage | undefined {
    return this.#newest?.complete === false ? this.#newest : undefined;
  }

  /** Whether exactly this many bytes were read since the last answer. */
  hasReadOnly(bytes: number): boolean {
    return this.socket.bytesRead - this.#readBefore === bytes;
  }

  /** Whether an answer to this client is being made, so that only the service can end the wait. */
  get isServed(): boolean {
    return this.#current?.complete === true || this.#waiting > 0 || this.stream !== undefined;
  }

  /** Whether a request has begun and its answer is not being written yet. */
  get isInUse(): boolean {
    return this.#current !== undefined || this.#waiting > 0 || this.stream !== undefined;
  }

  /** Ends the connection once those requests are answered. The first error stays. */
  endAfterAnswers(error: ApiError): void {
    this.parserError ??= error;
  }

  /**
   * Writes the last bytes and closes the connection, whether or not the client closes its side.
   * Incoming bytes are read and discarded for `LINGER_MS`: closing with unread bytes resets the
   * connection, and a client that is still sending would never see the answer (RFC 9112 §9.6).
   */
  end(bytes = ''): void {
    if (this.isEnding) return;
    this.isEnding = true;
    this.socket.end(bytes, 'latin1');
    // A listener of the bytes takes them from Node's parser, which would make objects of them.
    this.socket.removeAllListeners('data').on('data', () => undefined);
    this.socket.resume();
    setTimeout(() => this.socket.destroy(), LINGER_MS).unref();
  }

  /** When the service began to wait for this client; undefined while it works for the client. */
  waitingSince(now: number): number | undefined {
    return this.isServed ? undefined : (this.#waitingSince ?? now);
  }

  /** Bytes of answers that the kernel has not accepted, because the client does not read them. */
  get unsentBytes(): number {
    return this.socket.destroyed ? 0 : this.socket.writableLength;
  }

  /** Since when the client has read nothing of its answers, as last seen by `check`. */
  get stuckSince(): number {
    return this.#stuck?.since ?? Number.POSITIVE_INFINITY;
  }

  /** Destroys the socket after a deadline that no activity of the client extends. */
  check(now: number): void {
    this.#waitingSince = this.waitingSince(now);
    if (this.#isLate(now)) this.socket.destroy();
  }

  #isLate(now: number): boolean {
    if (this.socket.writableLength > 0) return this.#isStuck(now);
    this.#stuck = undefined;
    return this.#hasStrayBytes(now);
  }

  /**
   * Whether bytes that begin no request have come for too long. The parser skips line ends after an
   * answer. They keep the connection from being idle, and no deadline of Node counts them.
   */
  #hasStrayBytes(now: number): boolean {
    if (this.isInUse) return false;
    const { bytesRead } = this.socket;
    this.#idle ??= { read: bytesRead, moreSince: undefined };
    const { read, moreSince } = this.#idle;
    if (moreSince === undefined) {
      if (bytesRead > read) this.#idle = { read, moreSince: now };
      return false;
    }
    return now - moreSince >= MAX_STRAY_BYTES_MS;
  }

  #isStuck(now: number): boolean {
    const taken = this.socket.bytesWritten - this.socket.writableLength;
    if (this.#stuck?.taken !== taken) this.#stuck = { taken, since: now };
    return now - this.#stuck.since >= ANSWER_TIMEOUT_MS;
  }
}

/** The error code for bytes that the parser rejected. */
export function codeOfParserError(
  error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer },
): PlainErrorCode {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': {
      // The parser has one limit for URL and headers. If no line ends in its first packet, the URL
      // was too long.
      const packet = error.rawPacket ?? Buffer.alloc(0);
      const firstLine = packet.indexOf('\r\n');
      const isAddress = /^[A-Z]+ \//.test(packet.toString('latin1', 0, 16));
      return isAddress && (firstLine < 0 || firstLine > MAX_URL_BYTES)
        ? 'uri_too_long'
        : 'headers_too_large';
    }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'payload_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return 'invalid_request';
  }
}
