import { newKey } from '../../src/core/app/access/keys.ts';
import { fullMarket } from '../../test/harness/make.ts';
import type { TcpProxy } from '../../test/harness/tcp-proxy.ts';
import { changedLine } from '../changed-line.ts';
import { withLimits } from '../plans.ts';
import { startPostgres, whyNoPostgres } from '../postgres.ts';
import { accountWithKey, alsoWith, load, type Served, serve } from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { Client, pause, statusOf } from '../wire.ts';
import { Ledger } from './ledger.ts';

const WITHIN_MS = 1_000;
const RECOVERS_WITHIN_MS = 5_000;
/** Pause between two rounds of requests while the database is down. */
const BETWEEN_MS = 100;
/** Calls before each time without the database: half of them are more than it will answer then. */
const CALLS_BEFORE = 600;
/** All rounds of a minute fit into it. */
const PER_MINUTE = 60_000;

/** Requests that work without the database, and requests that cannot. */
const GOES_ON = [
  '/v1/fx/rates',
  '/v1/fx/convert?from=USD&to=VES&amount=1',
  '/v1/fx/index',
  '/v1/fx/spread',
  '/v1/fx/route?from=USD&to=VES&amount=1',
];
const HISTORY = '/v1/fx/rates/parallel/history';

const ASKS_EACH_TIME = changedLine(
  '/app/access/access.ts',
  'if (caller !== undefined) return this.#admit(caller, address, now);',
  '',
);

export const database = scenario({
  name: 'database',
  title: 'PostgreSQL stopped, hung, reset in mid-commit',
  promise:
    'Known keys go on for half a minute of their use, history and unknown keys get 503 with ' +
    '`Retry-After` within 1 s, no batch is ' +
    'lost or stored in part, and all is well by itself afterwards.',
  control: 'it asks the database for the key of every request',
  full: { rounds: 10, seconds: 3, slack: 1 },
  quick: { rounds: 1, seconds: 1, slack: 3 },
  shown: ({ rounds, seconds }) => `${rounds} x each, ${seconds} s away`,
  whyNot: whyNoPostgres,
  run: async (trial, { rounds, seconds, slack }, subject) => {
    const { place, proxy } = await startPostgres(trial);
    const client = new Client(16);
    trial.onEnd(() => client.close());
    const { key } = await accountWithKey(place, 'Escala');
    await load(place, fullMarket().map(timely));
    const limits = withLimits(trial, { requests_per_minute: PER_MINUTE });
    const changed = subject === 'control' ? ASKS_EACH_TIME : {};
    const served = await serve(trial, place, alsoWith(changed, limits));
    const site: Site = { trial, client, served, key, proxy, withinMs: WITHIN_MS * slack };
    await recovered(site, 'at the start');
    for (let round = 0; round < rounds && !trial.isSettled; round += 1) {
      for (const how of ['stop', 'hang'] as const) {
        await used(site);
        proxy[how]();
        await away(site, how, seconds * 1_000);
        proxy.resume();
        await recovered(site, `after ${how}`);
        if (trial.isSettled) return;
      }
      await commitsCut(site, round);
      trial.progress(`${round + 1} of ${rounds} rounds`);
    }
    await served.running.stop();
  },
});

interface Site {
  readonly trial: Trial;
  readonly client: Client;
  readonly served: Served;
  readonly key: string;
  readonly proxy: TcpProxy;
  readonly withinMs: number;
}

/** The account takes a block that lasts for the time without the database. */
async function used({ client, served, key }: Site): Promise<void> {
  for (let calls = 0; calls < CALLS_BEFORE; calls += GOES_ON.length) {
    await Promise.all(GOES_ON.map((path) => client.send(served.url + path, { key })));
  }
  // The last block of such a burst is still on its way.
  await pause(BETWEEN_MS * 3);
}

async function away(site: Site, how: string, forMs: number): Promise<void> {
  const { trial, client, served, key, withinMs } = site;
  const timeoutMs = withinMs * 2;
  const until = performance.now() + forMs;
  while (performance.now() < until && !trial.isSettled) {
    const asked = [...GOES_ON.map((path) => ({ path, by: key, status: 200 }))];
    asked.push({ path: HISTORY, by: key, status: 503 });
    asked.push({ path: '/v1/fx/rates', by: newKey(), status: 503 });
    await Promise.all(
      asked.map(async ({ path, by, status }) => {
        const since = performance.now();
        const reply = await client.send(served.url + path, { key: by, timeoutMs });
        const tookMs = Math.round(performance.now() - since);
        const got = statusOf(reply);
        trial.expect(
          got === status && tookMs <= withinMs,
          `${how}: ${path} got ${got} after ${tookMs} ms`,
        );
        if (got !== 503 || reply.kind !== 'answered') return;
        trial.expect(reply.headers['retry-after'] !== undefined, `${how}: no Retry-After`);
      }),
    );
    await pause(BETWEEN_MS);
  }
}

async function recovered({ trial, client, served, key }: Site, when: string): Promise<void> {
  const limit = performance.now() + RECOVERS_WITHIN_MS;
  for (;;) {
    const status = statusOf(await client.send(served.url + HISTORY, { key }));
    if (status === 200) return trial.ok();
    if (performance.now() > limit) return trial.failed(`${when}: history still gets ${status}`);
    await pause(50);
  }
}

/** Pushes batches while commits are cut off before or after they reach the database. */
async function commitsCut(
  { trial, client, served, key, proxy }: Site,
  round: number,
): Promise<void> {
  const chance = trial.chance.of(`round ${round}`);
  const ledger = new Ledger();
  let over = false;
  // A writer ends at its first batch without an answer, so there are several turns.
  for (let turn = 0; turn < 4; turn += 1) {
    over = false;
    const writing = ledger.write(client, {
      ...{ url: served.url, cycle: round, chance: chance.of(`turn ${turn}`) },
      isOver: () => over,
    });
    await pause(chance.int(20, 150));
    proxy.breakAt('commit\0', chance.pick(['before', 'after']));
    await pause(chance.int(50, 250));
    over = true;
    await writing;
  }
  proxy.resume();
  await recovered({ trial, client, served, key, proxy, withinMs: 0 }, 'after a cut commit');
  await ledger.check(trial, client, served.url, key);
}

/** Dates a quote now; other test records keep their own day. */
function timely(record: object): object {
  const at = new Date(Date.now() - 60_000).toISOString();
  return { ...record, captured_at: at, ...('updated_at' in record && { updated_at: at }) };
}
