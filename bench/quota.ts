import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Quota } from '../src/core/app/quota/quota.ts';
import { readPostgresUrl } from '../src/core/storage/postgres/url.ts';
import { openStore } from '../src/core/storage/store.ts';
import { startPostgres } from './postgres.ts';

/**
 * What the units of many accounts in many processes cost the database: statements, transactions, rows
 * and bytes of its log. Every process looks for units to give back five times a second, as the service.
 *
 *   node bench/quota.ts [--processes 8] [--accounts 1000] [--seconds 60]
 */

const LIMITS = { minute: 1_200, month: 300_000 };
const TICK_MS = 10;
const TEND_MS = 200;
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
  const tending = setInterval(() => void quota.tend(Date.now()).catch(silent), TEND_MS);
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
  clearInterval(tending);
  await Promise.race([Promise.all(pending), pause(MAX_WAIT_MS)]);
  const told = { calls, waited, failed, statements };
  await Promise.race([quota.close().catch(silent), pause(MAX_WAIT_MS)]);
  return told;
}

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

async function told(child: ChildProcess, asked: Work): Promise<Told> {
  child.send(asked);
  const [answer] = (await once(child, 'message')) as [Told];
  return answer;
}

async function measure(): Promise<void> {
  const [processes, accounts] = [option('processes', 8), option('accounts', 1_000)];
  const seconds = option('seconds', 60);
  console.log(
    `| ${processes} processes, ${accounts} accounts: each makes | calls a second | of them waited | failed | statements a second | transactions a second | rows written a second | log, KB a second |`,
  );
  console.log('| - | - | - | - | - | - | - | - |');
  for (const load of LOADS) {
    const { url, stop } = await startPostgres();
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
      return rows[0] ?? {};
    };
    const before = await figures();
    const children = Array.from({ length: processes }, () =>
      fork(fileURLToPath(import.meta.url), ['--child']),
    );
    const all = await Promise.all(
      children.map((child, place) =>
        told(child, { ...load, url, accounts, place, processes, seconds }),
      ),
    );
    const after = await figures();
    const sum = (of: keyof Told) => all.reduce((total, one) => total + one[of], 0);
    const each = (count: number) => Math.round(count / seconds).toLocaleString('en-US');
    const share = (count: number) => `${((100 * count) / sum('calls')).toFixed(1)} %`;
    const more = (name: string) => Number(after[name]) - Number(before[name]);
    console.log(
      `| ${load.name} | ${each(sum('calls'))} | ${share(sum('waited'))} | ${share(sum('failed'))} | ${each(sum('statements'))} | ${each(more('transactions'))} | ${each(more('written'))} | ${each(more('log') / 1_000)} |`,
    );
    for (const child of children) child.kill();
    await client.end();
    await stop();
  }
}

if (process.argv.includes('--child')) {
  process.once('message', (asked: Work) => {
    void work(asked).then((answer) => process.send?.(answer));
  });
} else await measure();
