import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { demonstrationTexts } from '../../src/core/cli/added.ts';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { memoryOf } from '../memory.ts';
import { withoutLimits } from '../plans.ts';
import { accountWithKey, alsoWith, load, type Setting, serve } from '../process.ts';
import type { Trial } from '../scenario.ts';
import { pause } from '../wire.ts';
import { keylessAddresses, POSTED } from './keyless-addresses.ts';
import type { Burst, BurstTold } from './keyless-burst.ts';

const BURST = fileURLToPath(new URL('./keyless-burst.ts', import.meta.url));

const CLIENTS = 4;
/** Longest time for the answers to one burst. */
const BURST_WITHIN_MS = 60_000;
const DAYS = 365;

/** How the clients of a burst behave, and where each is, if four do not suffice. */
type Manners = Pick<Burst, 'leaves'> & Partial<Pick<Burst, 'slowMs'>> & { readonly each?: boolean };

/** The service with a year of rates and all addresses open, and a process that sends bursts. */
export async function burstService(trial: Trial, requests: number, changed: Setting) {
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
  const { setting, kept } = memoryOf(trial);
  const served = await serve(trial, data, [unlimited, open, setting, changed].reduce(alsoWith));
  const port = Number(new URL(served.url).port);
  const child = fork(BURST);
  trial.onEnd(() => child.kill());
  const table = keylessAddresses(now);
  let bursts = 0;
  /** Sends a burst. @returns the answers by status; undefined when it is not over in time. */
  const burst = async (
    path: string,
    { leaves, slowMs = 0, each = false }: Manners,
  ): Promise<BurstTold['statuses'] | undefined> => {
    const targetOf = table[path] ?? (() => path);
    bursts += 1;
    // Others each time, because the limits by address count for a minute.
    const message: Burst = {
      ...{ id: bursts, port, leaves, slowMs },
      posted: POSTED[path],
      targets: Array.from({ length: requests }, (_, n) => targetOf(n)),
      clients: Array.from(
        { length: each ? requests : CLIENTS },
        (_, n) => `2001:db8:${bursts}:${n}::1`,
      ),
    };
    child.send(message);
    const late = pause(BURST_WITHIN_MS).then(() => undefined);
    return Promise.race([toldOf(child, bursts), late]);
  };
  return { served, key, kept, table, burst };
}

/** Of this burst: one that was not over in time may tell later. */
function toldOf(child: ChildProcess, id: number): Promise<BurstTold['statuses']> {
  return new Promise((resolve) => {
    child.on('message', function take(told) {
      const { id: ended, statuses } = toldIn(told);
      if (ended !== id) return;
      child.off('message', take);
      resolve(statuses);
    });
  });
}

/** The cast is safe: only the process of the bursts sends messages. */
const toldIn = (message: unknown) => message as BurstTold;

/** A year of the board's markets. */
function yearOf(now: number): readonly object[] {
  const days = Array.from({ length: DAYS }, (_, day) => {
    return new Date(now - (DAYS - 1 - day) * DAY_MS - 1_000).toISOString();
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
