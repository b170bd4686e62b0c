import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { changedLines } from '../changed-line.ts';
import { plansWith } from '../plans.ts';
import { accountWithKey, alsoWith, type Served, serve } from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { type ShiftedClock, shiftedClock } from '../shifted-clock.ts';
import { Client, objectOf, pause, push, statusOf } from '../wire.ts';

const LIMIT = 20;
/** Largest jump that stays within a window of one minute, including the time of the run. */
const WITHIN_WINDOW_MS = 25_000;

/** The clock is checked every second. */
const STEP_SEEN_WITHIN_MS = 1_500;
const LOOK_EVERY_MS = 50;

/** Each of the two guards hides the other's mistake. */
const BELIEVES_THE_CLOCK = changedLines([
  {
    file: '/domain/time.ts',
    from: 'return Math.max(0, Math.floor((now - since) / SECOND_MS));',
    to: 'return Math.floor((now - since) / SECOND_MS);',
  },
  {
    file: '/domain/quotes.ts',
    from: 'return time <= now ? time : Math.min(readAt, now);',
    to: 'return time;',
  },
]);

export const clock = scenario({
  name: 'clock',
  title: 'Clock jumps in both directions',
  promise:
    'No age is negative, no window is opened twice, captures keep the order in which they came, and readings of the new time are published at once.',
  control: 'two lines: ages and times are whatever the clock says',
  full: { jumps: 60 },
  quick: { jumps: 5 },
  shown: ({ jumps }) => `${jumps} jumps, from 1 s to a day`,
  run: async (trial, { jumps }, subject) => {
    const wall = shiftedClock(trial);
    const data = join(trial.dir, 'data');
    const client = new Client(2);
    trial.onEnd(() => client.close());
    const folder = join(trial.dir, 'catalogue');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'plans.json'),
      plansWith({ requests_per_minute: LIMIT }, 'Esencial'),
    );
    const { env, preload } = wall.setting;
    const setting = { preload, env: { ...env, VESFX_CATALOG: folder } };
    const keyOf = async (plan: string) => (await accountWithKey(data, plan, setting)).key;
    const key = await keyOf('Escala');
    const changed = subject === 'control' ? BELIEVES_THE_CLOCK : {};
    const served = await serve(trial, data, alsoWith(setting, changed));
    const site: Site = { trial, client, served, wall };
    for (let jump = 0; jump < jumps && !trial.isSettled; jump += 1) {
      const chance = trial.chance.of(`jump ${jump}`);
      if (jump % 5 === 4) await publishedAtOnce(site, key, jump, chance.int(61_000, DAY_MS));
      else if (jump % 4 === 3)
        await oneWindow(site, await keyOf('Esencial'), chance.int(1, WITHIN_WINDOW_MS));
      else if (jump % 4 === 2) await inOrder(site, key, jump, chance.int(1_000, 280_000));
      else await noNegativeAge(site, key, jump, chance.int(1_000, DAY_MS));
      trial.progress(`${jump + 1} of ${jumps} jumps`);
    }
    await served.running.stop();
  },
});

interface Site {
  readonly trial: Trial;
  readonly client: Client;
  readonly served: Served;
  readonly wall: ShiftedClock;
}

async function noNegativeAge(
  { trial, client, served, wall }: Site,
  key: string,
  turn: number,
  jumpMs: number,
): Promise<void> {
  await push(client, served.url, [{ kind: 'quote', market: 'parallel', mid: 900 + turn }]);
  const ageNow = async () => {
    const url = `${served.url}/v1/fx/convert?from=USD&to=VES&amount=1&via=parallel`;
    return Number(objectOf(await client.send(url, { key }))['staleness_sec']);
  };
  for (const by of [-jumpMs, jumpMs, jumpMs, -jumpMs]) {
    await wall.move(by);
    const age = await ageNow();
    trial.expect(age >= 0, `after a jump of ${by} ms the age is ${age} s`);
  }
}

/** The clock jumps back and forth within one window, which must admit its limit only once. */
async function oneWindow(
  { trial, client, served, wall }: Site,
  key: string,
  jumpMs: number,
): Promise<void> {
  let admitted = 0;
  for (const by of [0, -jumpMs, jumpMs, jumpMs, -jumpMs, 0]) {
    await wall.move(by);
    for (let call = 0; call < LIMIT; call += 1) {
      const status = statusOf(await client.send(`${served.url}/v1/fx/rates`, { key }));
      if (status === 200) admitted += 1;
    }
  }
  const told = `jumps of ${jumpMs} ms: a window of ${LIMIT} admitted ${admitted}`;
  trial.expect(admitted === LIMIT, told);
}

/** A reading of the new time is published at once, whatever the quotes before it are dated. */
async function publishedAtOnce(
  { trial, client, served, wall }: Site,
  key: string,
  turn: number,
  backMs: number,
): Promise<void> {
  const read = async (mid: number) => {
    const at = new Date(wall.now()).toISOString();
    const record = { kind: 'quote', market: 'bybit', mid, updated_at: at, captured_at: at };
    await push(client, served.url, [record]);
    const url = `${served.url}/v1/fx/rates/bybit?details=true`;
    const rate = objectOf(await client.send(url, { key }));
    const told = `${backMs} ms after a step back`;
    trial.expect(rate['mid'] === mid, `${told} the older quote still counts`);
    const isPast = Date.parse(String(rate['updated_at'])) <= wall.now();
    trial.expect(isPast, `${told} an updated_at is after the request`);
  };
  await read(1_200 + turn);
  await wall.move(-backMs);
  await read(1_210 + turn);
  await read(1_220 + turn);
  const until = performance.now() + trial.within(STEP_SEEN_WITHIN_MS);
  const isTold = async () =>
    'clock_stepped' in objectOf(await client.send(`${served.url}/v1/status`));
  while (!(await isTold()) && performance.now() < until) await pause(LOOK_EVERY_MS);
  trial.expect(await isTold(), `a step of ${backMs} ms is not told`);
  await wall.move(backMs);
}

/** A later quote must count even though the clock went back in between. */
async function inOrder(
  { trial, client, served, wall }: Site,
  key: string,
  turn: number,
  backMs: number,
): Promise<void> {
  const mids = [1_000 + turn, 1_100 + turn];
  for (const mid of mids) {
    await push(client, served.url, [{ kind: 'quote', market: 'binance', mid }]);
    await wall.move(-backMs);
  }
  const rate = objectOf(await client.send(`${served.url}/v1/fx/rates/binance`, { key }));
  trial.expect(rate['mid'] === mids[1], `after ${backMs} ms back the older quote still counts`);
  await wall.move(2 * backMs);
  const url = `${served.url}/v1/fx/rates/binance/history?granularity=raw`;
  const points = JSON.stringify(objectOf(await client.send(url, { key }))['points']);
  const places = mids.map((mid) => points.indexOf(`"rate":${mid},`));
  trial.expect(
    places.every((place) => place >= 0) && (places[0] ?? 0) < (places[1] ?? 0),
    `after ${backMs} ms back the history has another order`,
  );
}
