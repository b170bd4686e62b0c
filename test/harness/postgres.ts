import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { LOCK_TABLE } from '../../src/core/storage/postgres/row-locks.ts';
import { OWNER, startServer } from './postgres-server.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** The PostgreSQL of the run. The first test that needs it starts it. */

const MAX_START_MS = 60_000;

/** The port of the run's server. */
export async function postgresPort(): Promise<number> {
  const folder = inject('postgresFolder');
  const ready = join(folder, 'ready');
  if (isFirst(folder)) {
    try {
      writeFileSync(`${ready}.new`, JSON.stringify({ port: await startServer(folder) }));
    } catch (error) {
      writeFileSync(`${ready}.new`, JSON.stringify({ failure: String(error) }));
    }
    renameSync(`${ready}.new`, ready);
  }
  const deadline = performance.now() + MAX_START_MS;
  while (!existsSync(ready)) {
    if (performance.now() > deadline) throw new Error('PostgreSQL was not started in time.');
    await pause(20);
  }
  const { port, failure } = JSON.parse(readFileSync(ready, 'utf8'));
  if (failure !== undefined) throw new Error(failure);
  return port;
}

/** A proxy in front of the run's server, until the test ends. */
export async function postgresProxy(): Promise<TcpProxy> {
  return startTcpProxy(await postgresPort(), onTestFinished);
}

/** The owner's address of a database of the run's server. */
export function addressOf(port: number, database: string, user = OWNER): string {
  return `postgres://${user}@127.0.0.1:${port}/${database}`;
}

/** Runs a query as the superuser. */
export async function asSuperuser<T>(
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const port = await postgresPort();
  const client = new pg.Client({ connectionString: addressOf(port, database, 'postgres') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'started'));
    return true;
  } catch {
    return false;
  }
}

/** Creates a database of the owner. @returns its name. */
export async function createDatabase(template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser('postgres', (client) =>
    // Copying files takes half the time of writing each block to the log too, which nobody reads.
    client.query(`create database ${name} template ${template} strategy file_copy owner ${OWNER}`),
  );
  return name;
}

export async function tablesOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query(
    "select tablename from pg_tables where schemaname = 'public' order by tablename",
  );
  return rows.map(({ tablename }) => tablename);
}

/** Emptied databases of earlier tests, because creating one takes longer than a test. */
const emptyDatabases: string[] = [];

/** A database without rows, which may be one of an earlier test. */
export async function emptyDatabase(): Promise<string> {
  return emptyDatabases.pop() ?? createDatabase();
}

/** Gives a database back. Nothing may be connected to it. */
export async function emptyForReuse(database: string): Promise<void> {
  await asSuperuser(database, async (client) => {
    const tables = (await tablesOf(client)).filter(
      (table) => ![LOCK_TABLE, 'migration', 'version', 'collector', 'exporter'].includes(table),
    );
    await client.query(`
      set session_replication_role = replica;
      ${tables.map((table) => `delete from ${table};`).join(' ')}
      update version set seq = 0, at = 0;
      update collector set token = 0, holder = '', expires_at = 0;
      update exporter set token = 0, holder = '', expires_at = 0;`);
  });
  emptyDatabases.push(database);
}
