import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Quota } from '../src/core/app/quota/quota.ts';
import { readPostgresUrl } from '../src/core/storage/postgres/url.ts';
import { openStore } from '../src/core/storage/store.ts';
import { startPgBouncer } from '../test/harness/pgbouncer.ts';
import { startPostgres } from './postgres.ts';

/**
 * What the units of many accounts in many processes cost the database: statements, transactions, rows,
 * bytes of its log and its processor time. Every process polls the database and looks for units to give
 * back five times a second, as the service.
 *
 *   node bench/quota.ts [--processes 1,2,4,8] [--accounts 1000] [--seconds 60] [--pgbouncer]
 */

const LIMITS = { minute: 1_200, month: 300_000 };
const TICK_MS = 10;
const POLL_MS = 200;
/** Connections from PgBouncer to the database, for all processes together. */
const POOLED_CONNECTIONS = 20;
/** Longest wait for the last calls of a process. */
const MAX_WAIT_MS = 10_000;

/** How the calls of an account reach the processes, and how many it makes a second. */
interface Load {
  readonly name: string;
  readonly perSecond: number;
  /** Whether all its calls reach one process, as those of one connection do. */
  readonly isLoyal: boolean;
}

const LOADS: readonly Load[] = [
  { name: '1 call a second, on one connection', perSecond: 1, isLoyal: true },
  { name: '1 call a second, to any process', perSecond: 1, isLoyal: false },
  { name: '8 calls a second, to any process', perSecond: 8, isLoyal: false },
];

interface Work extends Load {
  readonly url: string;
  readonly accounts: number;
  readonly place: number;
  readonly processes: number;
  readonly seconds: number;
}

interface Told {
  readonly calls: number;
  readonly waited: number;
  readonly failed: number;
  readonly statements: number;
}

/** In a process: makes the calls, and counts what is sent to the database. */
async function work({
  url,
  accounts,
  place,
  processes,
  seconds,
  perSecond,
  isLoyal,
}: Work): Promise<Told> {
  let statements = 0;
  const query: (this: pg.Client, ...given: never[]) => unknown = pg.Client.prototype.query;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...given: never[]) {
      statements += 1;
      return query.apply(this, given);
    },
  });
  const store = await openStore({ dataDir: '/', postgres: readPostgresUrl(url) });
  const silent = () => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const quota = new Quota({ store, clock: { now: Date.now }, log });
  statements = 0;
  const poll = () => Promise.all([store.versions(), quota.tend(Date.now())]);
  const polling = setInterval(() => void poll().catch(silent), POLL_MS);
  let [calls, waited, failed] = [0, 0, 0];
  const pending: Promise<unknown>[] = [];
  const startedAt = Date.now();
  const own = isLoyal ? Math.floor(accounts / processes) : accounts;
  const callsPerMs = (accounts * perSecond) / processes / 1_000;
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = Date.now() - startedAt) {
    for (; calls < elapsed * callsPerMs; calls += 1) {
      const one = Math.floor(Math.random() * own);
      const account = isLoyal ? place + one * processes : one;
      const reserved = quota.reserve(`acc-${account}`, LIMITS);
      if (!(reserved instanceof Promise)) continue;
      waited += 1;
      pending.push(
        reserved.catch(() => {
          failed += 1;
        }),
      );
    }
    await pause(TICK_MS);
  }
  clearInterval(polling);
  await Promise.race([Promise.all(pending), pause(MAX_WAIT_MS)]);
  const told = { calls, waited, failed, statements };
  await Promise.race([quota.close().catch(silent), pause(MAX_WAIT_MS)]);
  return told;
}

function option(name: string, otherwise: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return (at < 0 ? undefined : process.argv[at + 1]) ?? otherwise;
}

async function told(child: ChildProcess, asked: Work): Promise<Told> {
  child.send(asked);
  const [answer] = (await once(child, 'message')) as [Told];
  return answer;
}

/** @returns a row of the table. */
async function measure(load: Load, processes: number): Promise<string> {
  const accounts = Number(option('accounts', '1000'));
  const seconds = Number(option('seconds', '60'));
  const database = await startPostgres();
  const { url } = database;
  const pooler = process.argv.includes('--pgbouncer')
    ? await startPgBouncer(database.port, POOLED_CONNECTIONS)
    : undefined;
  const asked = url.replace(`:${database.port}/`, `:${pooler?.port ?? database.port}/`);
  await (await openStore({ dataDir: '/', postgres: readPostgresUrl(url) })).close();
  const client = new pg.Client(url);
  await client.connect();
  const figures = async () => {
    // What a connection did is told to others after a second.
    await pause(1_500);
    const { rows } = await client.query<Record<string, string>>(
      `select xact_commit as transactions, tup_inserted + tup_updated + tup_deleted as written,
          pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as log
        from pg_stat_database where datname = current_database()`,
    );
    return { ...rows[0], cpu: await database.cpuMs() };
  };
  const before: Readonly<Record<string, string | number>> = await figures();
  const children = Array.from({ length: processes }, () =>
    fork(fileURLToPath(import.meta.url), ['--child']),
  );
  const all = await Promise.all(
    children.map((child, place) =>
      told(child, { ...load, url: asked, accounts, place, processes, seconds }),
    ),
  );
  const after: Readonly<Record<string, string | number>> = await figures();
  const sum = (of: keyof Told) => all.reduce((total, one) => total + one[of], 0);
  const each = (count: number) => Math.round(count / seconds).toLocaleString('en-US');
  const share = (count: number) => `${((100 * count) / sum('calls')).toFixed(1)} %`;
  const more = (name: string) => Number(after[name]) - Number(before[name]);
  for (const child of children) child.kill();
  await client.end();
  await pooler?.stop();
  await database.stop();
  const figuresOfRow = [
    ...[each(sum('calls')), share(sum('waited')), share(sum('failed')), each(sum('statements'))],
    ...[each(more('transactions')), each(more('written')), each(more('log') / 1_000)],
    `${((100 * more('cpu')) / (seconds * 1_000)).toFixed(1)} %`,
  ];
  return `| ${load.name} | ${processes} | ${figuresOfRow.join(' | ')} |`;
}

if (process.argv.includes('--child')) {
  process.once('message', (asked: Work) => {
    void work(asked).then((answer) => process.send?.(answer));
  });
} else {
  console.log(
    '| Each account makes | processes | calls a second | of them waited | failed | statements a second | transactions a second | rows written a second | log, KB a second | of a core |',
  );
  console.log('| - | - | - | - | - | - | - | - | - | - |');
  for (const load of LOADS) {
    for (const processes of option('processes', '1,2,4,8').split(',')) {
      console.log(await measure(load, Number(processes)));
    }
  }
  console.log(
    `\nLoad of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
}
