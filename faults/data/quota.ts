import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  LEASED_RETRY_MS,
  MIN_ALLOWANCE_UNITS,
  UNITS_LEASE_MS,
} from '../../src/app/quota/lease-limits.ts';
import { changedLine } from '../changed-line.ts';
import { plansWith } from '../plans.ts';
import { type EngineName, emptyDatabase, onEngine } from '../postgres.ts';
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

/** Units of the account whose processes are killed, and a minute limit at which a death costs 20. */
const UNITS = 4_000;
const PER_MINUTE = 4_800;
const PROCESSES = 3;
const LANES = 8;
/** Longest time in which all that is left can be used. */
const DRAINED_WITHIN_MS = 30_000;

const REFUNDS_WHAT_WAS_REPORTED = changedLine(
  '/storage/queries/usage/usage.ts',
  'open.taken - reservesOf(dead)',
  'open.taken - reservesOf(dead) - dead.reduce((sum, { allowance }) => sum + allowance, 0)',
);

const quotaOn = (engine: EngineName) =>
  scenario({
    ...onEngine(engine, 'quota', 'Several processes race for the last units, and are killed'),
    promise:
      'An account with limit L is admitted exactly L times, over all its keys. A `kill -9` costs it ' +
      `${MIN_ALLOWANCE_UNITS} units at most and never admits one more; the rest is free within 10 s.`,
    control:
      'the product with one line changed: units of a dead process go back in the number that it ' +
      'last reported as unspent',
    full: { processes: 4, connections: 64, limits: 4, rounds: 5, kills: 6, pauses: 1 },
    quick: { processes: 2, connections: 8, limits: 1, rounds: 1, kills: 2, pauses: 0 },
    controlled: { processes: 2, connections: 8, limits: 0, rounds: 3, kills: 4, pauses: 0 },
    shown: ({ processes, connections, limits, rounds, kills, pauses }) =>
      `${processes} processes x ${connections} connections, limits ${LIMITS.slice(0, limits).join(', ')}; ` +
      `${rounds} x ${kills} kills and ${pauses} pauses of ${PROCESSES} processes`,
    run: async (trial, { processes, connections, limits, rounds, kills, pauses }, subject) => {
      const place = await emptyDatabase(trial, engine);
      const changed = subject === 'control' ? REFUNDS_WHAT_WAS_REPORTED : {};
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
        lost += await withKills(trial, { changed, place, round, kills, pauses });
        trial.progress(`${round + 1} of ${rounds} rounds of kills`);
      }
      if (subject === 'product') {
        trial.measured(`${rounds * kills} kills cost ${lost} units of ${rounds * UNITS}`);
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

/** What the callers of an account saw. */
class Seen {
  answered = 0;
  /** Calls without an answer, because their process was killed. */
  unknown = 0;
  deaths = 0;
  open = 0;
  shortRefusals = 0;

  /** Units that may be spent or lost without an answer. */
  get mayBeMissing(): number {
    return this.unknown + this.open + this.deaths * MIN_ALLOWANCE_UNITS;
  }
}

/**
 * Kills and pauses processes at random instants while all call, then uses up what is left.
 * @returns the units that were lost.
 */
async function withKills(
  trial: Trial,
  {
    round,
    kills,
    pauses,
    ...where
  }: Omit<OnPlan, 'plan'> & { round: number; kills: number; pauses: number },
): Promise<number> {
  const chance = trial.chance.of(`kills ${round}`);
  const plan = { units_per_month: UNITS, requests_per_minute: PER_MINUTE };
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
        await pause(statusOf(reply) === 200 ? chance.int(0, 60) : 50);
      }
    }),
  );
  for (let left = kills + pauses; left > 0; left -= 1) {
    await pause(chance.int(20, 400));
    const slot = chance.int(0, PROCESSES - 1);
    const { running } = slots[slot] ?? {};
    if (running === undefined) continue;
    if (left <= pauses) {
      running.signal('SIGSTOP');
      await pause(UNITS_LEASE_MS + 1_000);
      running.signal('SIGCONT');
      continue;
    }
    running.signal('SIGKILL');
    await running.ended;
    seen.deaths += 1;
    slots[slot] = await start();
  }
  isOver = true;
  await Promise.all(lanes);
  await pause(LEASED_RETRY_MS);
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
  const shortBefore = seen.shortRefusals;
  await drain(trial, { client, urls: slots.map((one) => one.url), key, seen });
  trial.expect(
    seen.shortRefusals === shortBefore,
    'units of a killed process are not free after 10 s',
  );
  trial.expect(seen.answered <= UNITS, `${told(seen)}: more than the limit of ${UNITS}`);
  trial.expect(
    seen.answered + seen.mayBeMissing >= UNITS,
    `${told(seen)}: too few of the limit of ${UNITS}`,
  );
  trial.expect((await used()) >= seen.answered, 'fewer units are counted than were answered');
  await Promise.all(slots.map(({ running }) => running.stop()));
  return UNITS - seen.answered;
}

const told = ({ answered, unknown, deaths }: Seen) =>
  `${answered} answers, ${unknown} calls without an answer and ${deaths} kills`;

/** Counts an answer. @returns whether units may be left. */
function judge(trial: Trial, seen: Seen, reply: Reply): boolean {
  if (reply.kind === 'unknown') seen.unknown += 1;
  if (reply.kind !== 'answered') return true;
  if (reply.status === 200) seen.answered += 1;
  if (reply.status !== 429) return true;
  if (Number(reply.headers['retry-after']) * 1_000 <= LEASED_RETRY_MS) {
    seen.shortRefusals += 1;
    return true;
  }
  trial.expect(
    seen.answered + seen.mayBeMissing >= UNITS,
    `${told(seen)}: refused with Retry-After ${reply.headers['retry-after']}: ${reply.text}`,
  );
  return false;
}

/** Uses up what is left. */
async function drain(
  trial: Trial,
  { client, urls, key, seen }: { client: Client; urls: readonly string[]; key: string; seen: Seen },
): Promise<void> {
  const until = performance.now() + DRAINED_WITHIN_MS;
  const lanes = Array.from({ length: PROCESSES * LANES }, async (_, lane) => {
    while (performance.now() < until) {
      const reply = await client.send(`${urls[lane % urls.length]}/v1/fx/rates`, { key });
      if (!judge(trial, seen, reply)) return true;
      if (statusOf(reply) !== 200) await pause(100);
    }
    return false;
  });
  const ended = await Promise.all(lanes);
  trial.expect(ended.every(Boolean), `units are left over after ${DRAINED_WITHIN_MS} ms`);
}
