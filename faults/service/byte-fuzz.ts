import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { changedLine } from '../changed-line.ts';
import { type Holdings, holdingsOf } from '../data/leftovers.ts';
import { accountWithKey, serve } from '../process.ts';
import { inTurns, scenario, type Trial } from '../scenario.ts';
import { Client, pause, statusOf } from '../wire.ts';
import { anyStream, type Stream } from './byte-streams.ts';

/** Concurrent streams. */
const LANES = 64;
/** Longest wait of a client for an answer. */
const MAX_WAIT_MS = 300;
/** How long a half-open client reads before it leaves. */
const HALF_OPEN_MS = 100;
/** Time for leftovers of a batch to disappear: a refused connection lingers for 0.5 s. */
const SETTLED_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 100;
/** The fastest of these counts, to exclude other work of the machine. */
const PROBES = 5;
const MAX_HEALTH_MS = 50;
/** Longest wait for one of them. */
const HEALTH_WAIT_MS = 5_000;
/** Share of a run that only warms the process up. */
const WARM_SHARE = 0.2;
/** Most growth of memory after the warm-up. */
const MAX_GROWTH_MB = 100;
/** Timers that vary with the service's own work. */
const MAX_MORE_TIMERS = 5;

/** Without the listener, a reset of a connection that Node handed over terminates the process. */
const WITHOUT_ERROR_LISTENER = changedLine(
  '/http/framework/server/connection.ts',
  "socket.on('error', () => undefined);",
  '',
);

export const wire = scenario({
  name: 'wire',
  title: 'Mutated byte streams, every way to end a connection',
  promise:
    'After each batch no descriptor, timer or memory is left, and `/healthz` answers within 50 ms.',
  control: 'its sockets have no listener for errors',
  full: { streams: 100_000, batch: 2_000 },
  quick: { streams: 2_000, batch: 500 },
  shown: ({ streams }) => `${streams.toLocaleString('en-US')} streams`,
  whyNot: () => (process.platform === 'linux' ? undefined : 'it reads descriptors in /proc'),
  run: async (trial, { streams, batch }, subject) => {
    const data = join(trial.dir, 'data');
    const { key } = await accountWithKey(data, 'Escala');
    const served = await serve(trial, data, subject === 'control' ? WITHOUT_ERROR_LISTENER : {});
    const client = new Client(1);
    trial.onEnd(() => client.close());
    const answers = { some: 0, none: 0 };
    let before: Holdings | undefined;
    let last: Holdings | undefined;
    for (let sent = 0; sent < streams && !trial.isSettled; sent += batch) {
      const chance = trial.chance.of(`batch ${sent}`);
      const all = Array.from({ length: batch }, () => anyStream(chance, key));
      await inTurns(all, LANES, async (stream) => {
        const bytes = await send(served.url, stream);
        answers[bytes > 0 ? 'some' : 'none'] += 1;
      });
      if (!served.running.isRunning) {
        trial.failed(`the service ended: ${served.running.err.slice(-500)}`);
        return;
      }
      const health = await healthMs(client, served.url, trial.within(HEALTH_WAIT_MS));
      trial.expect(health <= trial.within(MAX_HEALTH_MS), `/healthz took ${health.toFixed(0)} ms`);
      if (!Number.isFinite(health)) return;
      const look = () => holdingsOf(served, client);
      // During the warm-up code is compiled, files are opened and the heap grows.
      if (sent + batch < streams * WARM_SHARE) continue;
      if (before === undefined) before = await settled(look);
      else last = await expectNothingLeft(trial, before, look);
      trial.progress(
        `${sent + batch} of ${streams}: ${Math.round((last ?? before).residentMegabytes)} MB`,
      );
    }
    if (subject === 'product') {
      trial.measured(`${answers.some} answered, ${answers.none} left without an answer`);
      const growth = (last?.residentMegabytes ?? 0) - (before?.residentMegabytes ?? 0);
      trial.measured(`memory grew by ${Math.round(growth)} MB`);
    }
    const { code } = await served.running.stop();
    trial.expect(code === 0, `the service ended with ${code}`);
  },
});

/** @returns the number of received bytes. */
async function send(url: string, { pieces, ending }: Stream): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname,
    port: Number(port),
    allowHalfOpen: ending === 'half-open',
  });
  let received = 0;
  const answered = Promise.withResolvers<void>();
  socket.on('data', (part: Buffer) => {
    received += part.length;
    answered.resolve();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  void closed.then(answered.resolve);
  for (const piece of pieces) {
    if (!socket.writable) break;
    await new Promise<void>((resolve) => {
      socket.write(piece, () => resolve());
    });
  }
  switch (ending) {
    case 'end':
      socket.end();
      await Promise.race([closed, pause(MAX_WAIT_MS)]);
      break;
    case 'answered':
      await Promise.race([answered.promise, pause(MAX_WAIT_MS)]);
      break;
    case 'half-open':
      await Promise.race([closed, pause(HALF_OPEN_MS)]);
      reset(socket);
      break;
    case 'reset':
      reset(socket);
      break;
    case 'destroy':
      break;
    default:
      ending satisfies never;
  }
  socket.destroy();
  await closed;
  return received;
}

/** Closes with SO_LINGER 0, so that the other side gets ECONNRESET. */
function reset(socket: Socket): void {
  if (!socket.destroyed) socket.resetAndDestroy();
}

/** The fastest of some answers; Infinity when none came in time. */
async function healthMs(client: Client, url: string, timeoutMs: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let probe = 0; probe < PROBES; probe += 1) {
    const since = performance.now();
    const status = statusOf(await client.send(`${url}/healthz`, { timeoutMs }));
    if (status === 200) best = Math.min(best, performance.now() - since);
  }
  return best;
}

/** The holdings after all leftovers had time to disappear. */
async function settled(look: () => Promise<Holdings>): Promise<Holdings> {
  await pause(SETTLED_WITHIN_MS);
  return look();
}

async function expectNothingLeft(
  trial: Trial,
  before: Holdings,
  look: () => Promise<Holdings>,
): Promise<Holdings> {
  const until = performance.now() + trial.within(SETTLED_WITHIN_MS);
  const isLeft = ({ descriptors, timers }: Holdings) =>
    descriptors > before.descriptors || timers > before.timers + MAX_MORE_TIMERS;
  let now = await look();
  while (isLeft(now) && performance.now() < until) {
    await pause(LOOK_EVERY_MS);
    now = await look();
  }
  trial.expect(
    now.descriptors <= before.descriptors,
    `${now.descriptors} descriptors, ${before.descriptors} before`,
  );
  trial.expect(
    now.timers <= before.timers + MAX_MORE_TIMERS,
    `${now.timers} timers, ${before.timers} before`,
  );
  const growth = now.residentMegabytes - before.residentMegabytes;
  trial.expect(growth <= MAX_GROWTH_MB, `memory grew by ${growth.toFixed(0)} MB`);
  return now;
}
