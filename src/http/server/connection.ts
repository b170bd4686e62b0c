import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../../domain/errors.ts';
import {
  ANSWER_TIMEOUT_MS,
  LINGER_MS,
  MAX_PIPELINED_REQUESTS,
  MAX_STRAY_BYTES_MS,
} from './limits.ts';

/**
 * One client's connection: which of its requests is being answered, which wait behind it, and by when
 * it must be gone. Times are those of `performance.now()`.
 */
export class Connection {
  readonly socket: Socket;
  /** The request whose answer is being made. */
  #current: IncomingMessage | undefined;
  /** The last request that was read, until it is answered. */
  #newest: IncomingMessage | undefined;
  #lastResponse: ServerResponse | undefined;
  #waiting = 0;
  #spoiltBy: ApiError | undefined;
  #isEnding = false;
  /** Since when the service has been waiting for this client, as `check` last found it. */
  #waitingSince: number | undefined;
  /** Bytes that were read when the connection was first seen idle, and since when there are more. */
  #idle: { readonly read: number; readonly moreSince: number | undefined } | undefined;
  /** Bytes that the system had taken when that last changed, and since when it has not. */
  #stuck: { readonly taken: number; readonly since: number } | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    // Node takes its own listener away from a socket that it hands over. A reset would then end the
    // process.
    socket.on('error', () => undefined);
    // Node says so itself, but not of a request that asks for an upgrade.
    socket.on('end', () => {
      if (this.#current?.complete === false) this.end();
    });
    // What Node closes a connection with after its last answer.
    socket.destroySoon = () => this.end();
  }

  /**
   * Takes the requests of the connection one at a time: a client that does not read its answers has
   * one of them in memory, not one for each request.
   */
  take(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
    if (this.#isEnding) return;
    const before = this.#lastResponse;
    this.#lastResponse = response;
    this.#newest = request;
    this.#waitingSince = undefined;
    this.#idle = undefined;
    if (before === undefined || before.writableFinished) {
      this.#current = request;
      answer();
      return;
    }
    this.#waiting += 1;
    if (this.#waiting === MAX_PIPELINED_REQUESTS) this.socket.pause();
    before.once('finish', () => {
      if (this.#waiting === MAX_PIPELINED_REQUESTS) this.socket.resume();
      this.#waiting -= 1;
      this.#current = request;
      answer();
    });
  }

  /** Says that the request's answer is being written. @returns whether no other request waits. */
  answered(request: IncomingMessage): boolean {
    if (this.#current === request) this.#current = undefined;
    if (this.#newest !== request) return false;
    this.#newest = undefined;
    return true;
  }

  /** Whether an answer to this client is being made, and only the service can end that. */
  get isServed(): boolean {
    return this.#current?.complete === true || this.#waiting > 0;
  }

  /** Whether a request was begun whose answer is not being written yet. */
  get isInUse(): boolean {
    return this.#current !== undefined || this.#waiting > 0;
  }

  /** Whether the last bytes are on their way: nothing may follow them. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** What is wrong with the bytes behind the requests that are still to be answered. */
  get spoiltBy(): ApiError | undefined {
    return this.#spoiltBy;
  }

  /** The connection ends once those requests are answered. */
  spoil(error: ApiError): void {
    this.#spoiltBy ??= error;
  }

  /**
   * Writes the last bytes and closes, whether or not the client closes its own side. For a moment what
   * still comes is read and thrown away: to close with unread bytes resets the connection, and a client
   * that is sending would never see why (RFC 9112 §9.6).
   */
  end(bytes = ''): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.socket.end(bytes, 'latin1');
    this.socket.resume();
    setTimeout(() => this.socket.destroy(), LINGER_MS).unref();
  }

  /** Since when the service has waited for this client; undefined while it works for it. */
  waitingSince(now: number): number | undefined {
    return this.isServed ? undefined : (this.#waitingSince ?? now);
  }

  /** Destroys the socket when a time is over that no activity of the client makes longer. */
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
   * Whether bytes have come for too long that begin no request: line ends after an answer, which the
   * parser passes over. They keep the connection from being idle, and no deadline of Node counts them.
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
