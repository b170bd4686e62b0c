import { fullMarket } from '../../test/harness/make.ts';
import type { TcpProxy } from '../../test/harness/tcp-proxy.ts';
import { changedLine } from '../changed-line.ts';
import { startPostgres, whyNoPostgres } from '../postgres.ts';
import { accountWithKey, type DataLocation, load, type Setting, tryServe } from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { Client, pause, statusOf } from '../wire.ts';

/** Longest time until the process asks the database, which is the start of the fault. */
const MEETS_WITHIN_MS = 15_000;
/** Longer than a request waits for the database. */
const SLOW_MS = [1_000, 4_000] as const;

const ENDS_AT_ONCE = changedLine(
  '/src/core/storage/patience.ts',
  'if (!mayPass(error) || this.#isOver || this.#leftMs < RETRY_PAUSE_MS) throw error;',
  'throw error;',
);

export const slowStart = scenario({
  name: 'slow-start',
  title: 'PostgreSQL slow, stopped or hung when the service starts',
  promise:
    'A start waits, alone and with workers, and is ready by itself when the database answers; a slow ' +
    'one delays it and ends nothing.',
  control: 'a start ends with the first failure',
  full: { rounds: 5, seconds: 5 },
  quick: { rounds: 1, seconds: 1 },
  shown: ({ rounds, seconds }) => `${rounds} x each, ${seconds} s away`,
  whyNot: whyNoPostgres,
  run: async (trial, { rounds, seconds }, subject) => {
    const { place, proxy } = await startPostgres(trial);
    const client = new Client(4);
    trial.onEnd(() => client.close());
    const { key } = await accountWithKey(place, 'Escala');
    await load(place, fullMarket());
    const setting = subject === 'control' ? ENDS_AT_ONCE : {};
    const site: Site = { trial, client, place, proxy, key, setting };
    for (let round = 0; round < rounds && !trial.isSettled; round += 1) {
      for (const how of ['stop', 'hang', 'delay'] as const) {
        for (const workers of [[], ['--workers', '2']]) {
          await startDuring(site, how, { workers, forMs: seconds * 1_000, round });
          if (trial.isSettled) return;
        }
      }
      trial.progress(`${round + 1} of ${rounds} rounds`);
    }
    trial.measured(`${proxy.faults()} connections met a fault`);
  },
});

interface Site {
  readonly trial: Trial;
  readonly client: Client;
  readonly place: DataLocation;
  readonly proxy: TcpProxy;
  readonly key: string;
  readonly setting: Setting;
}

interface During {
  readonly workers: readonly string[];
  readonly forMs: number;
  readonly round: number;
}

async function startDuring(
  { trial, client, place, proxy, key, setting }: Site,
  how: 'stop' | 'hang' | 'delay',
  { workers, forMs, round }: During,
): Promise<void> {
  const what = `${how}${workers.length > 0 ? ' with workers' : ''}, round ${round}`;
  const before = proxy.faults();
  if (how === 'delay') proxy.delay(trial.chance.of(what).int(...SLOW_MS));
  else proxy[how]();
  const starting = tryServe(trial, place, { ...setting, args: ['--no-collect', ...workers] });
  const isMet = await metBy(proxy, before);
  trial.expect(isMet, `${what}: the start met no fault`);
  if (how !== 'delay') {
    await pause(forMs);
    proxy.resume();
  }
  const { running, served } = await starting;
  trial.expect(served !== undefined, `${what}: it ended: ${running.err.slice(-300)}`);
  if (served !== undefined) {
    const status = statusOf(await client.send(`${served.url}/v1/fx/rates`, { key }));
    trial.expect(status === 200, `${what}: /v1/fx/rates got ${status}`);
    const { code } = await running.stop();
    trial.expect(code === 0, `${what}: it stopped with ${code}`);
  }
  proxy.resume();
}

/** Whether a connection met the fault: without one the run would prove nothing. */
async function metBy(proxy: TcpProxy, before: number): Promise<boolean> {
  const limit = performance.now() + MEETS_WITHIN_MS;
  while (proxy.faults() === before && performance.now() < limit) await pause(20);
  return proxy.faults() > before;
}
