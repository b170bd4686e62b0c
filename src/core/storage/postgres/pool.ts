import { Socket } from 'node:net';
import pg from 'pg';
import { StoreAway, StoreBusy, StoreUnavailable } from '../../app/failures.ts';
import type { StoreLoad } from '../../app/ports/store.ts';
import { within } from '../../app/within.ts';
import { PostgresConnection } from './connection.ts';
import { failureKindOf, unavailable } from './errors.ts';
import type { PostgresAddress } from './url.ts';

// limit: PostgreSQL: connections of a process | 10 | calls wait
const MAX_CONNECTIONS = 10;

// limit: PostgreSQL: idle connection | 30 s | closed
const IDLE_CONNECTION_MS = 30_000;

/** TCP keep-alive delay, so that network equipment does not drop idle connections. */
const KEEP_ALIVE_AFTER_MS = 10_000;

// limit: PostgreSQL: orderly close at a stop | 0.3 s | cut
const CLOSE_WAIT_MS = 300;

// limit: Between probes of an absent database | 0.25 s after a failure, 1 s while one waits | calls fail at once | PROBE_EVERY_MS
const PROBE_PAUSE_MS = 250;

/** After this time the next probe starts beside one that is not answered. */
const PROBE_EVERY_MS = 1_000;

/** Types read as numbers: 64-bit integers, sums and counts. Ours are exact as doubles. */
const WHOLE_NUMBERS: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];

const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    WHOLE_NUMBERS.includes(oid) ? Number : pg.types.getTypeParser(oid, format),
};

/** Why a call has no connection: none was free, or made, in the time that it may wait. */
const LATE = new StoreAway('The database cannot be reached: it gives no connection in time.');

/** Exposes its socket, so that it can be destroyed when the server does not answer. */
class CuttableClient extends pg.Client {
  readonly socket: Socket;

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    // The pool makes the password non-enumerable, so it must be copied explicitly.
    super({ ...config, password: config.password, stream: () => socket });
    this.socket = socket;
    // The caller of a statement gets the failure. Without a listener it would end the process.
    this.on('error', () => undefined);
  }
}

function clientConfig(address: PostgresAddress, connectWaitMs: number): pg.ClientConfig {
  const { host, port, user, password, database, options, tls } = address;
  return {
    host,
    port,
    user,
    password,
    database,
    options,
    ssl: tls === undefined ? false : { ca: tls.authorities, rejectUnauthorized: true },
    types: TYPES,
    application_name: 'vesfx',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: connectWaitMs,
  };
}

/**
 * The connections of one store, with a circuit breaker: after a failure calls fail at once, and one
 * probe at a time looks for the database.
 */
export class PostgresPool {
  readonly #pool: pg.Pool;
  readonly #config: pg.ClientConfig;
  /** Why the database cannot be reached; undefined while it can. */
  #failure: StoreUnavailable | undefined;
  #nextProbe: NodeJS.Timeout | undefined;
  readonly #connections = new Map<CuttableClient, PostgresConnection>();
  /** Of all connections, also those that are not made yet. */
  readonly #sockets = new Set<Socket>();
  /** Calls that wait for a new connection; each takes a free one instead. */
  readonly #waiters = new Set<() => void>();
  readonly #busy = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;
  #isStopped = false;

  /**
   * @param connectMs Longest time to make a connection. A call may wait for less: what is made after
   *   it serves the next one.
   */
  constructor(address: PostgresAddress, connectMs: number) {
    this.#config = clientConfig(address, connectMs);
    const sockets = this.#sockets;
    this.#pool = new pg.Pool({
      ...this.#config,
      Client: class extends CuttableClient {
        constructor(config?: pg.ClientConfig) {
          super(config);
          sockets.add(this.socket);
          this.socket.once('close', () => sockets.delete(this.socket));
        }
      },
      max: MAX_CONNECTIONS,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
    });
    this.#pool.on('error', () => undefined);
    this.#pool.on('remove', (client) => {
      if (client instanceof CuttableClient) this.#connections.delete(client);
    });
  }

  get load(): StoreLoad {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    // The pool gives a free connection a moment later: until then its caller is in the queue.
    const given = Math.min(idleCount, waitingCount);
    const inUse = totalCount - idleCount + given;
    return { inUse, waiting: waitingCount - given, size: MAX_CONNECTIONS };
  }

  /**
   * @param until When a connection must be free, in `performance.now()` time.
   * @throws StoreUnavailable when none is free in time, or the pool is closed.
   */
  use<T>(work: (connection: PostgresConnection) => Promise<T>, until: number): Promise<T> {
    if (this.#closed !== undefined) {
      return Promise.reject(new StoreUnavailable('The store is closed.'));
    }
    const using = this.#use(work, until);
    this.#busy.add(using);
    const done = () => this.#busy.delete(using);
    using.then(done, done);
    return using;
  }

  /** Finishes running work, and refuses further work. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #use<T>(work: (connection: PostgresConnection) => Promise<T>, until: number): Promise<T> {
    if (this.#failure !== undefined) throw this.#failure;
    for (;;) {
      const connection = await this.#acquire(until);
      connection.startUse();
      try {
        return await work(connection);
      } catch (error) {
        // The connection died while idle, so try another one, at last a new one.
        if (!connection.wasDead) throw error;
      } finally {
        connection.release();
        this.#passOn();
        const { lost, wasDead } = connection;
        if (lost !== undefined && !wasDead) this.#trip(lost);
      }
    }
  }

  async #acquire(until: number): Promise<PostgresConnection> {
    const mayConnect = this.#pool.idleCount === 0 && this.#pool.totalCount < MAX_CONNECTIONS;
    let client: pg.PoolClient;
    try {
      client = await this.#connect(until);
    } catch (error) {
      const failure = unavailable(error);
      // When all connections are busy, or the server admits no more, the database is reachable.
      if (failureKindOf(error) !== 'lost') throw failure;
      const isSlow = error === LATE && this.#connections.size > 0;
      if (!mayConnect || isSlow) throw new StoreBusy(failure.message, { cause: error });
      this.#trip(failure);
      throw failure;
    }
    if (!(client instanceof CuttableClient)) throw new Error('The pool makes its own clients.');
    let connection = this.#connections.get(client);
    if (connection === undefined) {
      connection = new PostgresConnection(client, client.socket);
      this.#connections.set(client, connection);
    }
    return connection;
  }

  /**
   * Takes the connection that is made for the call, or one that is free before: the pool waits for
   * the new one, however slow that is. What comes after the call has one, or has given up, is free.
   * @throws LATE, or the driver's error.
   */
  async #connect(until: number): Promise<pg.PoolClient> {
    const { promise: served, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    let isOver = false;
    let given: pg.PoolClient | undefined;
    const serve = (client: pg.PoolClient) => {
      if (!isOver && given === undefined) {
        given = client;
        return resolve(client);
      }
      client.release();
      this.#answers();
      this.#passOn();
    };
    const takeFree = () => void this.#pool.connect().then(serve, () => undefined);
    this.#pool.connect().then(serve, reject);
    this.#waiters.add(takeFree);
    try {
      const client = await within(served, Math.max(0, until - performance.now()));
      if (client !== 'late') return client;
      // It may have come just now.
      if (given === undefined) throw LATE;
      return given;
    } finally {
      isOver = true;
      this.#waiters.delete(takeFree);
    }
  }

  /** Gives a free connection to a call that waits for a new one. */
  #passOn(): void {
    const [takeFree] = this.#waiters;
    if (takeFree === undefined || this.#pool.idleCount === 0) return;
    this.#waiters.delete(takeFree);
    takeFree();
  }

  /** The first probe starts at once, because the failure may have been short. */
  #trip(failure: StoreUnavailable): void {
    if (this.#failure !== undefined || this.#isStopped) return;
    this.#failure = failure;
    this.#probeUntilBack();
  }

  #answers(): void {
    this.#failure = undefined;
    clearTimeout(this.#nextProbe);
  }

  /** One that is lost on the way must not keep a later one from an answer. */
  #probeUntilBack(): void {
    const next = (pauseMs: number) => {
      clearTimeout(this.#nextProbe);
      if (this.#isStopped || this.#failure === undefined) return;
      // The timer must not keep the process alive.
      this.#nextProbe = setTimeout(() => this.#probeUntilBack(), pauseMs).unref();
    };
    next(PROBE_EVERY_MS);
    this.#probe().then(
      () => this.#answers(),
      () => next(PROBE_PAUSE_MS),
    );
  }

  /** Probes on a separate connection, because all of the pool may hang. */
  async #probe(): Promise<void> {
    const client = new CuttableClient(this.#config);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new Error('The probe was not answered.')),
      this.#config.connectionTimeoutMillis,
    );
    try {
      await Promise.race([client.connect().then(() => client.query('select 1')), late]);
    } finally {
      clearTimeout(timer);
      client.socket.destroy();
    }
  }

  async #close(): Promise<void> {
    await Promise.allSettled([...this.#busy]);
    this.#isStopped = true;
    clearTimeout(this.#nextProbe);
    const made = new Set([...this.#connections.keys()].map(({ socket }) => socket));
    for (const socket of this.#sockets) if (!made.has(socket)) socket.destroy();
    const cut = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, CLOSE_WAIT_MS);
    await this.#pool.end();
    clearTimeout(cut);
  }
}
