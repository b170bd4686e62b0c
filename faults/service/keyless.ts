import { fileURLToPath } from 'node:url';
import { changedLine } from '../changed-line.ts';
import { residentMegabytes } from '../data/leftovers.ts';
import { serveProgram } from '../process.ts';
import { scenario } from '../scenario.ts';
import { Client, pause, statusOf } from '../wire.ts';
import { burstService } from './burst-service.ts';
import { keylessAddresses } from './keyless-addresses.ts';

/**
 * How far above a new process its memory may stand. V8 collects at 130 MB, keeps the pages for tens of
 * seconds, and malloc keeps what the threads compressed in (docs/reliability.md, "Memory").
 */
const MAX_RESIDENT_MB = 300;
/** What all addresses together may leave in caches. */
const MAX_KEPT_MB = 80;
/** What the second burst to an address may add to what the first has left in them. */
const MAX_ADDED_MB = 6;
/** Time for the threads that draw and compress to end. */
const SETTLE_MS = 15_000;
/** How long others ask before the bursts to an address, and at least from the beginning of each. */
const LOOK_MS = 500;
const ASK_EVERY_MS = 5;
/** Times below it say more about the machine than about the service. */
const MIN_MEDIAN_MS = 1;

const IDLE_SERVER = fileURLToPath(new URL('./idle-server.ts', import.meta.url));

const KEEPS_HISTORIES = changedLine(
  '/capabilities/site/figures/board.ts',
  'const bytes = await write(',
  '(globalThis.kept ??= []).push(history); const bytes = await write(',
);

export const keyless = scenario({
  name: 'keyless',
  title: 'Six hundred requests without a key at once, at every address',
  promise:
    'Nothing is kept but caches, of 80 MB in all, memory stands 300 MB above that of a new process at most, and others wait three times as long as before at most, also when the clients leave at once.',
  control: 'it keeps the history of each file that it writes',
  full: { requests: 600, addresses: Object.keys(keylessAddresses(0)).length, ratio: 3 },
  // Tests run side by side, so that times mean little there.
  quick: { requests: 100, addresses: 1, ratio: 100 },
  controlled: { requests: 600, addresses: 1, ratio: 100 },
  shown: ({ requests, addresses }) => `${requests} requests at each of ${addresses} addresses`,
  whyNot: () => (process.platform === 'linux' ? undefined : 'it reads memory in /proc'),
  run: async (trial, { requests, addresses, ratio }, subject) => {
    const changed = subject === 'control' ? KEEPS_HISTORIES : {};
    const { served, key, kept, table, burst } = await burstService(trial, requests, changed);
    const idle = await serveProgram(trial, [IDLE_SERVER]);
    const client = new Client(1);
    trial.onEnd(() => client.close());
    const timeOf = async (url: string): Promise<number> => {
      const since = performance.now();
      const status = statusOf(await client.send(url, { key }));
      trial.expect(status === 200, `others get ${status}`);
      return performance.now() - since;
    };
    /** The median times of others until `over`, and those of an idle server at the same instants. */
    const mediansUntil = async (over: Promise<unknown>): Promise<readonly [number, number]> => {
      const times: number[] = [];
      const idleTimes: number[] = [];
      let isOver = false;
      const ending = over.finally(() => {
        isOver = true;
      });
      while (!isOver || times.length === 0) {
        times.push(await timeOf(`${served.url}/v1/fx/rates`));
        idleTimes.push(await timeOf(idle.url));
        await pause(ASK_EVERY_MS);
      }
      await ending;
      return [medianOf(times), medianOf(idleTimes)];
    };
    const cold = residentMegabytes(served.pid);
    const first = await kept();
    const most = { resident: 0, kept: 0, ratio: 0 };
    for (const path of Object.keys(table).slice(0, addresses)) {
      const [before] = await mediansUntil(pause(LOOK_MS));
      let keptBefore = Infinity;
      for (const leaves of [false, true]) {
        if (trial.isSettled) break;
        const told = burst(path, { leaves });
        // Many a burst is over in a tenth of a second, in which others ask a few times only.
        const [busy, machine] = await mediansUntil(Promise.all([told, pause(LOOK_MS)]));
        // What an idle server is late by, the machine is.
        const quiet = Math.max(MIN_MEDIAN_MS, before, machine);
        const statuses = await told;
        const how = `${path}${leaves ? ', clients that leave' : ''}`;
        trial.expect(statuses !== undefined, `${how}: not over in a minute`);
        const answered = Object.keys(statuses ?? {}).some((status) => status < '429');
        trial.expect(leaves || answered, `${how}: nothing is answered`);
        trial.expect(busy <= ratio * quiet, `${how}: others wait ${busy} ms, before ${quiet} ms`);
        // Before the collection that the next line asks for.
        const resident = await within(MAX_RESIDENT_MB, () => residentMegabytes(served.pid) - cold);
        const limit = Math.min(MAX_KEPT_MB, keptBefore + MAX_ADDED_MB);
        const after = await within(limit, async () => (await kept()) - first);
        trial.expect(
          resident <= MAX_RESIDENT_MB,
          `${how}: it stands ${Math.round(resident)} MB above`,
        );
        trial.expect(after <= MAX_KEPT_MB, `${how}: ${after.toFixed(1)} MB are kept`);
        trial.expect(
          after - keptBefore <= MAX_ADDED_MB,
          `${how}: ${(after - keptBefore).toFixed(1)} MB more are kept`,
        );
        keptBefore = after;
        most.resident = Math.max(most.resident, resident);
        most.kept = Math.max(most.kept, after);
        most.ratio = Math.max(most.ratio, busy / quiet);
        trial.progress(
          `${how}: ${JSON.stringify(statuses)}, ${resident.toFixed(0)} MB, ${after.toFixed(1)} kept, ${(busy / quiet).toFixed(1)} times`,
        );
      }
    }
    trial.measured(
      `memory stood ${Math.round(most.resident)} MB above that of a new process at most`,
    );
    trial.measured(`${Math.round(most.kept)} MB were kept at most`);
    trial.measured(`the median of others was ${most.ratio.toFixed(1)} times that before at most`);
    await served.running.stop();
  },
});

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

/** The first figure within the limit, or the last one once threads have had time to end. */
async function within(limit: number, look: () => number | Promise<number>): Promise<number> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const megabytes = await look();
    if (megabytes <= limit || performance.now() > until) return megabytes;
    await pause(LOOK_MS);
  }
}
