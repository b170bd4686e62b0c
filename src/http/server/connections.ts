import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { Connection } from './connection.ts';
import { CONNECTIONS_EVICTED_AT_ONCE, TIMEOUT_CHECK_MS } from './limits.ts';

/**
 * The open connections of a server. There is room for so many: when a new one has none, those that
 * have kept the service waiting longest are closed.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #max: number;
  readonly #clock: Clock;
  readonly #fullLog: ThrottledLog;
  #accepted = 0;

  constructor(
    server: Server,
    { max, clock, log }: { readonly max: number; readonly clock: Clock; readonly log: Log },
  ) {
    this.#max = max;
    this.#clock = clock;
    this.#fullLog = new ThrottledLog(log, 'as many connections are open as may be');
    server.maxConnections = max;
    server.on('connection', (socket: Socket) => this.#add(socket));
    // All of them were being served when the last place was taken: some may not be any more.
    server.on('drop', () => this.#makeRoom());
    const timer = setInterval(() => this.#check(), TIMEOUT_CHECK_MS);
    timer.unref();
    server.once('close', () => clearInterval(timer));
  }

  /** How many connections there were since the start. */
  get accepted(): number {
    return this.#accepted;
  }

  /** The connection of a socket; one that is closed already is not counted any more. */
  of(socket: Socket): Connection {
    return this.#open.get(socket) ?? new Connection(socket);
  }

  [Symbol.iterator](): MapIterator<Connection> {
    return this.#open.values();
  }

  #add(socket: Socket): void {
    this.#accepted += 1;
    this.#open.set(socket, new Connection(socket));
    socket.once('close', () => this.#open.delete(socket));
    // Before the last place is taken, so that the next client finds one.
    if (this.#open.size >= this.#max) this.#makeRoom();
  }

  #makeRoom(): void {
    this.#fullLog.warn({ max_connections: this.#max }, this.#clock.now());
    const now = performance.now();
    const waiting = [...this].flatMap((connection) => {
      const since = connection.waitingSince(now);
      return since === undefined ? [] : { connection, since };
    });
    waiting.sort((a, b) => a.since - b.since);
    const evicted = waiting.slice(0, Math.min(CONNECTIONS_EVICTED_AT_ONCE, this.#max / 2));
    for (const { connection } of evicted) connection.socket.destroy();
  }

  #check(): void {
    const now = performance.now();
    for (const connection of this) connection.check(now);
  }
}
