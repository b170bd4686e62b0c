import { changedLine } from '../changed-line.ts';
import { residentMegabytes } from '../data/leftovers.ts';
import { scenario } from '../scenario.ts';
import { pause } from '../wire.ts';
import { burstService } from './burst-service.ts';

/** What the bursts to an address may add to what the first one has left in caches. */
const MAX_ADDED_MB = 6;
/** What all bursts may add to the memory of a quiet process. */
const MAX_GROWTH_MB = 60;
/** Time for the service to end its work. */
const SETTLE_MS = 15_000;
const LOOK_MS = 1_000;
const SLOW_MS = 3_000;

const KEEPS_REQUESTS = changedLine(
  '/framework/server/server.ts',
  'const answer = application.answer(request, refusal);',
  'const answer = application.answer(request, refusal); (globalThis.kept ??= []).push(request);',
);

/** Clients that leave as soon as they have asked, or that read a byte a second and then leave. */
type Kind = 'leaves' | 'slow';

export const leaving = scenario({
  name: 'leaving',
  title: 'Bursts of clients that leave, or that read a byte a second',
  promise:
    'Burst after burst the service keeps nothing of clients that have left, and once it is quiet it stands where the first bursts have brought it.',
  control: 'it keeps each request in a list',
  // V8 gives its free pages back some ten seconds after a collection.
  full: { rounds: 10, requests: 600, addresses: 9, quietSec: 20 },
  quick: { rounds: 4, requests: 100, addresses: 1, quietSec: 1 },
  controlled: { rounds: 6, requests: 600, addresses: 1, quietSec: 1 },
  shown: ({ rounds, requests, addresses }) =>
    `${rounds} bursts of ${requests} clients at each of ${addresses} addresses`,
  whyNot: () => (process.platform === 'linux' ? undefined : 'it reads memory in /proc'),
  run: async (trial, { rounds, requests, addresses, quietSec }, subject) => {
    const changed = subject === 'control' ? KEEPS_REQUESTS : {};
    const { served, key, kept, burst } = await burstService(trial, requests, changed);
    const paths = ['/board.json', '/', '/mes', '/board/history.csv', '/docs', '/mcp'];
    const bursts: readonly (readonly [string, Kind])[] = [
      ...[...paths, '/board/stream'].map((path) => [path, 'leaves'] as const),
      ['/board/stream', 'slow'],
      [`/v1/fx/stream?key=${key}`, 'leaves'],
    ];
    const chosen = bursts.slice(0, addresses);
    const one = async ([path, kind]: (typeof bursts)[number]) => {
      const leaves = kind === 'leaves';
      const statuses = await burst(path, { leaves, slowMs: leaves ? 0 : SLOW_MS, each: true });
      trial.expect(statuses !== undefined, `${path}: not over in a minute`);
      await pause(LOOK_MS);
    };
    /** Resident memory once nothing that is not held is left in it. */
    const quiet = async () => {
      await kept();
      await pause(quietSec * 1_000);
      return residentMegabytes(served.pid);
    };
    for (const which of chosen) await one(which);
    const before = await quiet();
    const most = { added: 0, resident: 0 };
    for (const which of chosen) {
      if (trial.isSettled) break;
      const [path, kind] = which;
      const how = `${path.split('?')[0]}, ${kind}`;
      const first = await settled(kept);
      for (let round = 0; round < rounds; round += 1) {
        await one(which);
        // Before a collection, which would hide what the process takes without one.
        most.resident = Math.max(most.resident, residentMegabytes(served.pid));
      }
      const added = (await settled(kept)) - first;
      trial.expect(added <= MAX_ADDED_MB, `${how}: ${added.toFixed(1)} MB more are kept`);
      most.added = Math.max(most.added, added);
      trial.progress(`${how}: ${added.toFixed(1)} MB more kept`);
    }
    const growth = (await quiet()) - before;
    trial.expect(growth <= MAX_GROWTH_MB, `the quiet process grew by ${growth.toFixed(0)} MB`);
    trial.measured(`${most.added.toFixed(1)} MB more were kept at most`);
    trial.measured(`the quiet process grew from ${before.toFixed(0)} MB by ${growth.toFixed(0)}`);
    trial.measured(`it took ${most.resident.toFixed(0)} MB at most`);
    await served.running.stop();
  },
});

/** What is held once the service has ended its work, so that it falls no more. */
async function settled(kept: () => Promise<number>): Promise<number> {
  const until = performance.now() + SETTLE_MS;
  let last = Infinity;
  for (;;) {
    const held = await kept();
    if (last - held < 1 || performance.now() > until) return held;
    last = held;
    await pause(LOOK_MS);
  }
}
