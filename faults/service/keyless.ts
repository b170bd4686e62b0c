import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { demonstrationTexts } from '../../src/core/cli/added.ts';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { changedLine } from '../changed-line.ts';
import { residentMegabytes } from '../data/leftovers.ts';
import { withoutLimits } from '../plans.ts';
import { accountWithKey, alsoWith, load, serve } from '../process.ts';
import { scenario } from '../scenario.ts';
import { Client, pause, statusOf } from '../wire.ts';
import { keylessAddresses, POSTED } from './keyless-addresses.ts';
import type { Burst } from './keyless-burst.ts';

const BURST = fileURLToPath(new URL('./keyless-burst.ts', import.meta.url));

const CLIENTS = 4;
const MAX_GROWTH_MB = 60;
/**
 * The first load of a process makes its heap and its buffers as large as they stay: files fill the
 * buffers, and pages that are written one by one the heap, with their second burst.
 */
const MAX_WARMING_MB = 270;
const WARMING = ['/board/history.csv', '/board/history.xlsx', '/', '/'];
/** Time for the service to give memory back. */
const SETTLE_MS = 15_000;
/** Longest time for the answers to one burst. */
const BURST_WITHIN_MS = 60_000;
/** How long others ask before a burst, and after it. */
const LOOK_MS = 1_000;
const ASK_EVERY_MS = 5;
/** Times below it say more about the machine than about the service. */
const MIN_MEDIAN_MS = 1;
const DAYS = 365;

const ALL_AT_ONCE = changedLine(
  '/capabilities/site/figures/board.ts',
  'await inTurn(() => bodies.get(name) ?? make())',
  'await make()',
);

export const keyless = scenario({
  name: 'keyless',
  title: 'Six hundred requests without a key at once, at every address',
  promise:
    'Memory grows by 60 MB at most once the process has been under load, and others wait three times as long as before at most, also when the clients leave at once.',
  control: 'it writes all files of the history at once',
  full: { requests: 600, addresses: Object.keys(keylessAddresses(0)).length, ratio: 3 },
  // Tests run side by side, so that times mean little there.
  quick: { requests: 100, addresses: 1, ratio: 100 },
  controlled: { requests: 400, addresses: 1, ratio: 100 },
  shown: ({ requests, addresses }) => `${requests} requests at each of ${addresses} addresses`,
  whyNot: () => (process.platform === 'linux' ? undefined : 'it reads memory in /proc'),
  run: async (trial, { requests, addresses, ratio }, subject) => {
    const data = join(trial.dir, 'data');
    const unlimited = withoutLimits(trial);
    const { key } = await accountWithKey(data, 'Escala', unlimited);
    const now = Date.now();
    await load(data, yearOf(now), unlimited);
    const open = {
      env: {
        VESFX_TRUST_PROXY: '1',
        ...demonstrationTexts(CAPABILITIES),
        VESFX_COMPAT_OPEN: '1',
      },
    };
    const changed = subject === 'control' ? ALL_AT_ONCE : {};
    const served = await serve(trial, data, alsoWith(alsoWith(unlimited, open), changed));
    const port = Number(new URL(served.url).port);
    const child = fork(BURST);
    trial.onEnd(() => child.kill());
    const client = new Client(1);
    trial.onEnd(() => client.close());
    /** The median time of others, until `over`. */
    const medianUntil = async (over: Promise<unknown>): Promise<number> => {
      const times: number[] = [];
      let isOver = false;
      const ending = over.finally(() => {
        isOver = true;
      });
      while (!isOver || times.length === 0) {
        const since = performance.now();
        const status = statusOf(await client.send(`${served.url}/v1/fx/rates`, { key }));
        times.push(performance.now() - since);
        trial.expect(status === 200, `others get ${status}`);
        await pause(ASK_EVERY_MS);
      }
      await ending;
      return times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
    };
    const table = keylessAddresses(now);
    let bursts = 0;
    /** Sends a burst. @returns the answers by status; undefined when it is not over in time. */
    const burst = async (path: string, leaves: boolean): Promise<unknown> => {
      const targetOf = table[path] ?? (() => path);
      bursts += 1;
      const message: Burst = {
        port,
        leaves,
        posted: POSTED[path],
        targets: Array.from({ length: requests }, (_, n) => targetOf(n)),
        // Others each time, because the limits by address count for a minute.
        clients: Array.from({ length: CLIENTS }, (_, n) => `198.51.${bursts}.${n}`),
      };
      child.send(message);
      const [statuses] =
        (await Promise.race([once(child, 'message'), pause(BURST_WITHIN_MS)])) ?? [];
      return statuses;
    };
    const cold = residentMegabytes(served.pid);
    let warmed = 0;
    for (const path of WARMING) {
      if (trial.isSettled) break;
      await burst(path, false);
      warmed = residentMegabytes(served.pid) - cold;
      trial.expect(warmed <= MAX_WARMING_MB, `the first bursts take ${Math.round(warmed)} MB`);
    }
    // Not from before each burst: what a process gave back it may take again, and what the bursts take
    // together must stay within the limit too.
    const warm = cold + warmed;
    const most = { growth: 0, ratio: 0 };
    for (const path of Object.keys(table).slice(0, addresses)) {
      for (const leaves of [true, false]) {
        if (trial.isSettled) break;
        const quiet = Math.max(MIN_MEDIAN_MS, await medianUntil(pause(LOOK_MS)));
        const told = burst(path, leaves);
        // Many a burst is over in a tenth of a second, in which others ask a few times only.
        const busy = await medianUntil(Promise.all([told, pause(LOOK_MS)]));
        const statuses = await told;
        const how = `${path}${leaves ? ', clients that leave' : ''}`;
        trial.expect(statuses !== undefined, `${how}: not over after ${BURST_WITHIN_MS} ms`);
        trial.expect(busy <= ratio * quiet, `${how}: others wait ${busy} ms, before ${quiet} ms`);
        const growth = await grownBy(warm, served.pid);
        trial.expect(growth <= MAX_GROWTH_MB, `${how}: memory grew by ${Math.round(growth)} MB`);
        most.growth = Math.max(most.growth, growth);
        most.ratio = Math.max(most.ratio, busy / quiet);
        trial.progress(
          `${how}: ${JSON.stringify(statuses)}, ${growth.toFixed(0)} MB, ${(busy / quiet).toFixed(1)} times`,
        );
      }
    }
    trial.measured(`the first bursts took ${Math.round(warmed)} MB`);
    trial.measured(`then memory grew by ${Math.round(most.growth)} MB at most`);
    trial.measured(`the median of others was ${most.ratio.toFixed(1)} times that before at most`);
    await served.running.stop();
  },
});

/** By how much the memory has grown, once the service has had time to give some back. */
async function grownBy(before: number, pid: number): Promise<number> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const growth = residentMegabytes(pid) - before;
    if (growth <= MAX_GROWTH_MB || performance.now() > until) return growth;
    await pause(LOOK_MS);
  }
}

/** A year of the board's markets. */
function yearOf(now: number): readonly object[] {
  const days = Array.from({ length: DAYS }, (_, day) => {
    return new Date(now - (DAYS - 1 - day) * DAY_MS - LOOK_MS).toISOString();
  });
  return days.flatMap((at, day) => [
    {
      kind: 'official',
      value_date: at.slice(0, 10),
      rates: { USD: 300 + day / 8, EUR: 350 + day / 8 },
      captured_at: at,
    },
    ...['parallel', 'binance', 'bybit', 'okx', 'mexc', 'bitget'].map((market, place) => ({
      kind: 'quote',
      market,
      ...{ mid: 330 + place + day / 8, ask: 331 + place + day / 8, bid: 329 + place + day / 8 },
      ...{ updated_at: at, captured_at: at },
    })),
  ]);
}
