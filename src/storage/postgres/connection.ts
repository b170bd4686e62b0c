import type { Socket } from 'node:net';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import { StoreUnavailable } from '../../app/failures.ts';
import type { Tables } from '../schema.ts';
import { failureKindOf, unavailable } from './errors.ts';

/** Lets what has arrived meanwhile be read. */
function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then));
}

/**
 * A connection of the pool, on which no statement waits longer than it may: a server that hangs
 * does not answer a request to cancel either, so the connection ends.
 */
export class PostgresConnection {
  readonly db: Kysely<Tables>;
  readonly #client: pg.PoolClient;
  readonly #socket: Socket;
  /** When the statement that starts now has to be done, on the clock of `performance.now()`. */
  #deadline: () => number = () => 0;
  #lost: StoreUnavailable | undefined;
  #answers = 0;
  #answersBefore = 0;
  #isSilent = false;

  constructor(client: pg.PoolClient, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    this.db = new Kysely<Tables>({ dialect: dialectOn(this) });
  }

  /** Why the connection is of no more use; undefined while it is. */
  get lost(): StoreUnavailable | undefined {
    return this.#lost;
  }

  /** Marks the beginning of a use. */
  startUse(): void {
    this.#answersBefore = this.#answers;
  }

  /** Whether the connection was dead when this use began: no statement was answered, so all can be repeated. */
  get wasDead(): boolean {
    const isOld = this.#answersBefore > 0 && this.#answers === this.#answersBefore;
    return isOld && this.#lost !== undefined && !this.#isSilent;
  }

  /** Says how long the statements from now on have; `deadline` is asked when one starts. */
  allow(deadline: () => number): void {
    this.#deadline = deadline;
  }

  /** Its state is not known, so nobody else must get it. */
  abandon(reason: unknown): void {
    this.#lost ??= unavailable(reason);
  }

  /** @throws StoreUnavailable, or the server's error where it is about the statement. */
  run(text: string, values?: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const left = this.#deadline() - performance.now();
    return new Promise((resolve, reject) => {
      let isDone = false;
      const end = () => {
        if (isDone) return;
        this.#isSilent = true;
        this.#lost = new StoreUnavailable('The database cannot be reached: it does not answer.');
        reject(this.#lost);
        this.#socket.destroy();
      };
      // Where this process itself was busy, the answer may be here and only be unread.
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

  /** Gives the connection back to the pool, unless it is of no more use. */
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

/** Hands over what Kysely compiles; when transactions begin and end is the engine's. */
function dialectOn(connection: PostgresConnection): Dialect {
  const only: DatabaseConnection = {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      const { rows, rowCount, command } = await connection.run(sql, parameters);
      // The caller of a query says what its rows are.
      const result = { rows: rows as R[] };
      if (command === 'SELECT' || rowCount === null) return result;
      return { ...result, numAffectedRows: BigInt(rowCount) };
    },
    streamQuery: () => {
      throw new Error('The store reads whole results; none is streamed.');
    },
  };
  const notHere = async () => {
    throw new Error('The engine begins and ends transactions.');
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => only,
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
      beginTransaction: notHere,
      commitTransaction: notHere,
      rollbackTransaction: notHere,
    }),
  };
}
