import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  BLOCK_SHARE,
  COMES_BACK_RETRY_MS,
  IDLE_MS,
  MAY_COME_BACK_MS,
} from '../../src/core/app/quota/block-limits.ts';
import { DATABASE_FILE } from '../../src/core/storage/store.ts';
import type { Chance } from '../chance.ts';
import { changedLine } from '../changed-line.ts';
import { plansWith } from '../plans.ts';
import { type EngineName, onEngine, startPostgres } from '../postgres.ts';
import {
  accountWithKey,
  alsoWith,
  anotherKey,
  type DataLocation,
  type Served,
  type Setting,
  serve,
} from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { Client, objectOf, pause, type Reply, statusOf } from '../wire.ts';

/** A quick run uses only the first limit. */
const LIMITS = [300, 1, 10, 1_500];
const KEYS = 2;

/** Units of the account whose processes are killed. */
const UNITS = 4_000;
const PROCESSES = 3;
const LANES = 8;
/** Most units of a block, and so what the death of a process may cost. */
const MAX_BLOCK = UNITS / BLOCK_SHARE;
/** A lost answer may cost a block, and the units of the calls that waited for it. */
const MAX_LOST_ANSWER = MAX_BLOCK + LANES;
/** In an outage each process may lose the answer to a block, and that to units that go back. */
const MAX_LOST_IN_OUTAGE = 2 * PROCESSES * MAX_LOST_ANSWER;
/** Longest time in which all that is left can be used. */
const DRAINED_WITHIN_MS = 30_000;
/** After so long without an answer nothing is left: idle processes have given theirs back. */
const NOTHING_LEFT_MS = IDLE_MS + 3_000;

const COUNTS_LATE = changedLine(
  '/storage/queries/usage/usage.ts',
  'const taken = before + granted;',
  'const taken = before + Math.min(granted, need);',
);

const quotaOn = (engine: EngineName) =>
  scenario({
    ...onEngine(engine, 'quota', 'Several processes race for the last units, and are killed'),
    promise:
      'An account with limit L is admitted exactly L times, over all its keys. Whatever is killed, ' +
      'and whatever the database does meanwhile, never once more; a `kill -9` costs it a block at ' +
      'most, and `units_used` is never below what was answered.',
    control: 'units of a block are not counted when it is taken, only those that calls wait for',
    full: { processes: 4, connections: 64, limits: 4, rounds: 5, kills: 6, outages: 3, waits: 1 },
    quick: { processes: 2, connections: 8, limits: 1, rounds: 1, kills: 2, outages: 1, waits: 0 },
    controlled: {
      processes: 2,
      connections: 8,
      limits: 0,
      rounds: 3,
      kills: 4,
      outages: 1,
      waits: 0,
    },
    shown: ({ processes, connections, limits, rounds, kills, outages }) =>
      `${processes} processes x ${connections} connections, limits ${LIMITS.slice(0, limits).join(', ')}; ` +
      `${rounds} x ${kills} kills and ${outages} outages of the database of ${PROCESSES} processes`,
    run: async (trial, { processes, connections, limits, rounds, waits, ...faults }, subject) => {
      const { place, outage } = await database(trial, engine);
      const changed = subject === 'control' ? COUNTS_LATE : {};
      for (const limit of LIMITS.slice(0, limits)) {
        const plan = { units_per_month: limit, requests_per_minute: null };
        const { start, keys } = await account(trial, { changed, place, plan });
        const urls = (await Promise.all(Array.from({ length: processes }, start))).map(
          ({ url }) => url,
        );
        const clients = urls.map(() => new Client(connections));
        trial.onEnd(() => clients.map((client) => client.close()));
        const counts = { admitted: 0, refused: 0, other: 0 };
        // Every process gets more requests than the limit, so that each reaches it.
        const each = Math.ceil((limit * 1.5 + connections * 2) / processes / connections);
        const lanes = urls.flatMap((url, place) =>
          Array.from({ length: connections }, async (_, lane) => {
            const client = clients[place];
            const key = keys[lane % keys.length] ?? '';
            for (let left = each + 1; left > 0; left -= 1) {
              const status = client && statusOf(await client.send(`${url}/v1/fx/rates`, { key }));
              if (status === 200) counts.admitted += 1;
              else if (status === 429) counts.refused += 1;
              else counts.other += 1;
            }
          }),
        );
        await Promise.all(lanes);
        const told = `${counts.admitted} admitted, ${counts.refused} refused, ${counts.other} other`;
        // A 503 of a busy store means that the call was not admitted and may be retried.
        const isExact = counts.admitted === limit && counts.refused > 0;
        trial.expect(isExact, `limit ${limit}: ${told}`);
        if (subject === 'product') trial.measured(`${limit}: ${told}`);
        trial.progress(`limit ${limit}`);
      }
      let lost = 0;
      for (let round = 0; round < rounds && !trial.isSettled; round += 1) {
        const isWaiting = round < waits;
        lost += await withKills(trial, { changed, place, outage, round, isWaiting, ...faults });
        trial.progress(`${round + 1} of ${rounds} rounds of kills`);
      }
      if (subject === 'product') {
        const { kills, outages } = faults;
        const times = `${rounds * kills} kills and ${rounds * outages} outages`;
        trial.measured(`${times} cost ${lost} units of ${rounds * UNITS}`);
      }
    },
  });

export const quota = quotaOn('SQLite');
export const quotaPg = quotaOn('PostgreSQL');

interface OnPlan {
  readonly changed: Setting;
  readonly place: DataLocation;
  readonly plan: Readonly<Record<string, number | null>>;
}

/** Makes an account on a plan. @returns its keys, and what starts a process that has the plan. */
async function account(
  trial: Trial,
  { changed, place, plan }: OnPlan,
): Promise<{ readonly start: () => Promise<Served>; readonly keys: readonly string[] }> {
  const folder = join(trial.dir, `units-${plan['units_per_month']}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plans.json'), plansWith(plan));
  const env = { VESFX_CATALOG: folder };
  const { account, key } = await accountWithKey(place, 'Escala', { env });
  const keys = [key];
  while (keys.length < KEYS) keys.push(await anotherKey(place, account, { env }));
  return { start: () => serve(trial, place, alsoWith(changed, { env })), keys };
}

/** Takes the database away for a while, at an instant and in a way of chance. */
type Outage = (chance: Chance) => Promise<void>;

async function database(
  trial: Trial,
  engine: EngineName,
): Promise<{ readonly place: DataLocation; readonly outage: Outage }> {
  if (engine === 'SQLite') {
    const place = join(trial.dir, 'data');
    const outage: Outage = async (chance) => {
      const other = new DatabaseSync(join(place, DATABASE_FILE), { timeout: 5_000 });
      other.exec('begin immediate');
      await pause(chance.int(300, 2_500));
      other.close();
    };
    return { place, outage };
  }
  const { place, proxy } = await startPostgres(trial);
  const outage: Outage = async (chance) => {
    const how = chance.pick(['stop', 'hang', 'before', 'after']);
    if (how === 'stop' || how === 'hang') proxy[how]();
    else proxy.breakAt('commit\0', how === 'before' ? 'before' : 'after');
    await pause(chance.int(300, 2_500));
    proxy.resume();
  };
  return { place, outage };
}

/** What the callers of an account saw. */
class Seen {
  answered = 0;
  /** Calls without an answer, because their process was killed. */
  unknown = 0;
  deaths = 0;
  outages = 0;
  open = 0;
  lastAnswerAt = performance.now();

  /** Units that may be spent or lost without an answer. */
  get mayBeMissing(): number {
    const { unknown, open, deaths, outages } = this;
    return unknown + open + deaths * (MAX_BLOCK + MAX_LOST_ANSWER) + outages * MAX_LOST_IN_OUTAGE;
  }
}

/**
 * Kills processes and takes the database away at random instants while all call, then uses up what
 * is left. @returns the units that were lost.
 */
async function withKills(
  trial: Trial,
  {
    round,
    kills,
    outages,
    outage,
    isWaiting,
    ...where
  }: Omit<OnPlan, 'plan'> &
    Record<'round' | 'kills' | 'outages', number> & {
      isWaiting: boolean;
      outage: Outage;
    },
): Promise<number> {
  const chance = trial.chance.of(`kills ${round}`);
  const plan = { units_per_month: UNITS, requests_per_minute: null };
  const { start, keys } = await account(trial, { ...where, plan });
  const slots = await Promise.all(Array.from({ length: PROCESSES }, start));
  const client = new Client(PROCESSES * LANES);
  trial.onEnd(() => client.close());
  const seen = new Seen();
  let isOver = false;
  const lanes = slots.flatMap((_, slot) =>
    Array.from({ length: LANES }, async (_lane, lane) => {
      const key = keys[lane % keys.length] ?? '';
      while (!isOver) {
        const url = slots[slot]?.url;
        seen.open += 1;
        const reply = await client.send(`${url}/v1/fx/rates`, { key });
        seen.open -= 1;
        if (!judge(trial, seen, reply)) return;
        // The units last for all kills.
        await pause(statusOf(reply) === 200 ? chance.int(0, 200) : 50);
      }
    }),
  );
  for (let left = kills; left > 0; left -= 1) {
    await pause(chance.int(20, 400));
    // Some die while the database is away: what they spent then was counted before.
    const away = left <= outages ? outage(chance) : undefined;
    if (away !== undefined) {
      seen.outages += 1;
      await pause(chance.int(0, 300));
    }
    const slot = chance.int(0, PROCESSES - 1);
    const { running } = slots[slot] ?? {};
    running?.signal('SIGKILL');
    await running?.ended;
    seen.deaths += 1;
    await away;
    slots[slot] = await start();
  }
  isOver = true;
  await Promise.all(lanes);
  await pause(NOTHING_LEFT_MS);
  const url = slots[0]?.url;
  const [key = ''] = keys;
  const used = async () => {
    const { usage } = objectOf(await client.send(`${url}/v1/account`, { key })) as {
      usage: { units_used: number };
    };
    return usage.units_used;
  };
  const counted = await used();
  trial.expect(
    counted >= seen.answered && counted <= seen.answered + seen.mayBeMissing,
    `${counted} units are counted as used after ${told(seen)}`,
  );
  await drain(trial, { client, urls: slots.map((one) => one.url), key, seen });
  trial.expect(seen.answered <= UNITS, `${told(seen)}: more than the limit of ${UNITS}`);
  trial.expect(
    seen.answered + seen.mayBeMissing >= UNITS,
    `${told(seen)}: too few of the limit of ${UNITS}`,
  );
  trial.expect((await used()) >= seen.answered, 'fewer units are counted than were answered');
  if (isWaiting) await refusedUntilTheMonthEnds(trial, { client, url: `${url}`, key });
  await Promise.all(slots.map(({ running }) => running.stop()));
  return UNITS - seen.answered;
}

const told = ({ answered, unknown, deaths, outages }: Seen) =>
  `${answered} answers, ${unknown} calls without an answer, ${deaths} kills and ${outages} outages`;

/** Counts an answer. @returns whether units may be left. */
function judge(trial: Trial, seen: Seen, reply: Reply): boolean {
  if (reply.kind === 'unknown') seen.unknown += 1;
  if (reply.kind !== 'answered') return true;
  if (reply.status === 200) {
    seen.answered += 1;
    seen.lastAnswerAt = performance.now();
  }
  if (reply.status !== 429 || isShort(reply)) return true;
  trial.expect(
    seen.answered + seen.mayBeMissing >= UNITS,
    `${told(seen)}: refused with Retry-After ${reply.headers['retry-after']}: ${reply.text}`,
  );
  return false;
}

function isShort(reply: Extract<Reply, { kind: 'answered' }>): boolean {
  return Number(reply.headers['retry-after']) * 1_000 <= COMES_BACK_RETRY_MS;
}

/** Uses up what is left. */
async function drain(
  trial: Trial,
  { client, urls, key, seen }: { client: Client; urls: readonly string[]; key: string; seen: Seen },
): Promise<void> {
  const until = performance.now() + trial.within(DRAINED_WITHIN_MS);
  seen.lastAnswerAt = performance.now();
  const lanes = Array.from({ length: PROCESSES * LANES }, async (_, lane) => {
    while (performance.now() < until) {
      const reply = await client.send(`${urls[lane % urls.length]}/v1/fx/rates`, { key });
      if (!judge(trial, seen, reply)) return true;
      if (performance.now() - seen.lastAnswerAt > NOTHING_LEFT_MS) return true;
      if (statusOf(reply) !== 200) await pause(100);
    }
    return false;
  });
  const ended = await Promise.all(lanes);
  trial.expect(ended.every(Boolean), `units are left over after ${DRAINED_WITHIN_MS} ms`);
}

/** What the killed processes had does not come back, and callers are told so. */
async function refusedUntilTheMonthEnds(
  trial: Trial,
  { client, url, key }: { client: Client; url: string; key: string },
): Promise<void> {
  const until = performance.now() + MAY_COME_BACK_MS + NOTHING_LEFT_MS;
  while (performance.now() < until) {
    const reply = await client.send(`${url}/v1/fx/rates`, { key });
    if (reply.kind === 'answered' && reply.status === 429 && !isShort(reply)) return trial.ok();
    await pause(500);
  }
  trial.failed(`units of killed processes are still waited for after ${MAY_COME_BACK_MS} ms`);
}
