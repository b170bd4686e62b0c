import type { Socket } from 'node:net';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { StoreAway, type StoreUnavailable } from '../../app/failures.ts';
import type { Queries } from '../engine.ts';
import { failureKindOf, unavailable } from './errors.ts';

/** Runs `then` after the event loop has read arrived data. */
function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then));
}

/**
 * A connection of the pool with a deadline for each statement. After the deadline the connection is
 * closed, because a server that hangs does not answer a cancel request either.
 */
export class PostgresConnection {
  readonly db: Queries;
  readonly #client: pg.PoolClient;
  readonly #socket: Socket;
  /** Deadline of the statement that starts now, in `performance.now()` time. */
  #deadline: () => number = () => 0;
  #lost: StoreUnavailable | undefined;
  #answers = 0;
  #answersBefore = 0;
  #timedOut = false;

  constructor(client: pg.PoolClient, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    this.db = queriesOn(this);
  }

  /** Why the connection can no longer be used; undefined while it can. */
  get lost(): StoreUnavailable | undefined {
    return this.#lost;
  }

  startUse(): void {
    this.#answersBefore = this.#answers;
  }

  /** Whether the connection died before this use: nothing was answered, all can be repeated. */
  get wasDead(): boolean {
    const isOld = this.#answersBefore > 0 && this.#answers === this.#answersBefore;
    return isOld && this.#lost !== undefined && !this.#timedOut;
  }

  /** Sets the deadline of the following statements. Evaluated at each statement. */
  setDeadline(deadline: () => number): void {
    this.#deadline = deadline;
  }

  /** Marks the connection as unusable, because its state is unknown. */
  abandon(reason: unknown): void {
    this.#lost ??= unavailable(reason);
  }

  /** @throws StoreUnavailable, or the server's error about the statement. */
  run(text: string, values?: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const left = this.#deadline() - performance.now();
    return new Promise((resolve, reject) => {
      let isDone = false;
      const end = () => {
        if (isDone) return;
        this.#timedOut = true;
        this.#lost = new StoreAway('The database cannot be reached: it does not answer.');
        reject(this.#lost);
        this.#socket.destroy();
      };
      // If this process was busy, the answer may have arrived and be unread.
      const timer = setTimeout(() => afterReading(end), Math.max(0, left));
      this.#client.query(text, values === undefined ? undefined : [...values]).then(
        (result) => {
          isDone = true;
          clearTimeout(timer);
          this.#answers += 1;
          resolve(result);
        },
        (error: unknown) => {
          isDone = true;
          clearTimeout(timer);
          reject(this.#explained(error));
        },
      );
    });
  }

  /** Returns the connection to the pool, which removes one that can no longer be used. */
  release(): void {
    this.#client.release(this.#lost);
  }

  #explained(error: unknown): unknown {
    const kind = failureKindOf(error);
    switch (kind) {
      case 'lost':
        this.#lost ??= unavailable(error);
        return this.#lost;
      case 'refused':
        return unavailable(error);
      case 'conflict':
      case 'other':
        return error;
      default:
        return kind satisfies never;
    }
  }
}

/**
 * Kysely's queries on the connection. The engine begins and ends transactions. The cast is safe: the
 * type of the library only lacks the commands that Kysely does not send.
 */
function queriesOn(connection: PostgresConnection): Queries {
  const client = {
    query: (text: string, values: readonly unknown[]) => connection.run(text, values),
    release: () => undefined,
  } as unknown as PostgresPoolClient;
  const pool = { connect: async () => client, end: async () => undefined, options: {} };
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}
