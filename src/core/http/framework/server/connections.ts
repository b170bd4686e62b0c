import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../app/ports/clock.ts';
import type { Log } from '../../../app/ports/log.ts';
import { ThrottledLog } from '../../../app/throttled-log.ts';
import { Connection } from './connection.ts';
import { descriptorProblem } from './descriptors.ts';
import {
  CONNECTIONS_EVICTED_AT_ONCE,
  DESCRIPTORS_CHECK_MS,
  MAX_UNSENT_BYTES,
  MAX_WAITING_REQUESTS,
  TIMEOUT_CHECK_MS,
} from './limits.ts';

interface ConnectionsParts {
  /** Most connections. */
  readonly max: number;
  /** Most pipelined requests that may wait on all of them, in units. */
  readonly maxWaiting?: number;
  /** Most bytes of answers that all clients together have not read. */
  readonly maxUnsent?: number;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The open connections of a server, up to a limit. At the limit, the connections that have kept the
 * service waiting longest are closed. Node reads up to 64 KB of a connection at once and makes
 * objects of all requests in it, so those that wait are bounded as well.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #parts: Required<ConnectionsParts>;
  readonly #fullLog: ThrottledLog;
  readonly #refusedLog: ThrottledLog;
  readonly #waitingLog: ThrottledLog;
  readonly #unsentLog: ThrottledLog;
  /** Number of connections since the start. */
  accepted = 0;
  /** Pipelined requests that wait on all connections, in units. */
  #waiting = 0;

  constructor(server: Server, parts: ConnectionsParts) {
    const { max, log } = parts;
    this.#parts = { maxWaiting: MAX_WAITING_REQUESTS, maxUnsent: MAX_UNSENT_BYTES, ...parts };
    this.#fullLog = new ThrottledLog(log, 'the limit of open connections is reached');
    this.#refusedLog = new ThrottledLog(log, 'no descriptor is left; new connections are closed');
    this.#waitingLog = new ThrottledLog(log, 'the limit of pipelined requests is reached');
    this.#unsentLog = new ThrottledLog(log, 'the limit of unread answers is reached');
    server.maxConnections = max;
    server.on('connection', (socket: Socket) => this.#add(socket));
    // When the last place was taken every connection was being served. By now some may be waiting.
    server.on('drop', () => this.#makeRoom());
    const timers = [
      setInterval(() => this.check(performance.now()), TIMEOUT_CHECK_MS),
      setInterval(() => this.#checkDescriptors(), DESCRIPTORS_CHECK_MS),
    ];
    for (const timer of timers) timer.unref();
    server.once('close', () => timers.forEach(clearInterval));
  }

  /** The connection of a socket. A closed socket gets a new one, which is not counted. */
  of(socket: Socket): Connection {
    return this.#open.get(socket) ?? new Connection(socket);
  }

  [Symbol.iterator](): MapIterator<Connection> {
    return this.#open.values();
  }

  #add(socket: Socket): void {
    this.accepted += 1;
    const connection = new Connection(socket, (change) => this.#countWaiting(change));
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      connection.abandon();
    });
    // Make room before the last place is taken, so that the next client finds one.
    if (this.#open.size >= this.#parts.max) this.#makeRoom();
  }

  #makeRoom(): void {
    this.#fullLog.warn({ max_connections: this.#parts.max }, this.#parts.clock.now());
    this.#evict();
  }

  /** Files or requests may have used the descriptors up. Only connections can be closed. */
  #checkDescriptors(): void {
    const err = descriptorProblem();
    if (err === undefined) return;
    this.#refusedLog.warn({ err }, this.#parts.clock.now());
    this.#evict();
  }

  /** At the limit, the connection on which most requests wait is closed. */
  #countWaiting(change: number): void {
    this.#waiting += change;
    if (this.#waiting <= this.#parts.maxWaiting) return;
    this.#waitingLog.warn(
      { max_waiting_requests: this.#parts.maxWaiting },
      this.#parts.clock.now(),
    );
    const [first, ...others] = this;
    const most = others.reduce((a, b) => (b.waitingUnits > (a?.waitingUnits ?? 0) ? b : a), first);
    most?.abandon();
  }

  /** Ends all streams, one after another, so that their clients do not come back at once. */
  endStreams(withinMs: number): void {
    for (const { stream } of this) {
      if (stream !== undefined) setTimeout(() => stream.end(), Math.random() * withinMs);
    }
  }

  /** Closes the connections that have kept the service waiting longest. */
  #evict(): void {
    const now = performance.now();
    const waiting = [...this].flatMap((connection) => {
      const since = connection.waitingSince(now);
      return since === undefined ? [] : { connection, since };
    });
    waiting.sort((a, b) => a.since - b.since);
    const evicted = waiting.slice(0, Math.min(CONNECTIONS_EVICTED_AT_ONCE, this.#parts.max / 2));
    for (const { connection } of evicted) connection.socket.destroy();
  }

  /** Checks the deadlines, and that the answers which clients do not read fit into memory. */
  check(now: number): void {
    let unsent = 0;
    for (const connection of this) {
      connection.check(now);
      unsent += connection.unsentBytes;
    }
    if (unsent > this.#parts.maxUnsent) this.#closeUnread(unsent);
  }

  /** Closes the clients that have read nothing for longest, until the rest is within the limit. */
  #closeUnread(unsent: number): void {
    this.#unsentLog.warn({ max_unsent_bytes: this.#parts.maxUnsent }, this.#parts.clock.now());
    let left = unsent;
    const unread = [...this].filter(({ unsentBytes }) => unsentBytes > 0);
    for (const connection of unread.sort((a, b) => a.stuckSince - b.stuckSince)) {
      if (left <= this.#parts.maxUnsent) return;
      left -= connection.unsentBytes;
      connection.abandon();
    }
  }
}
