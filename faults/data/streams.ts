import type { StreamedRates } from '../../src/client/stream.ts';
import { Vesfx } from '../../src/client/vesfx.ts';
import { openToolbox } from '../../src/core/compose.ts';
import { changedLine } from '../changed-line.ts';
import { type EngineName, emptyDatabase, onEngine } from '../postgres.ts';
import { accountWithKey, configOf, type Served, serve } from '../process.ts';
import { scenario } from '../scenario.ts';
import { Client, pause, push, statusOf } from '../wire.ts';

const MARKETS = ['parallel', 'binance', 'bybit'] as const;
const READERS = 10;
const LOOK_EVERY_MS = 10;
/** Ends the wait for streams that do not begin; no promise. */
const BEGIN_WITHIN_MS = 100_000;
/** Longest time between the change before a kill and the kill. */
const MAX_BEFORE_KILL_MS = 40;

const TRUSTS_EVERY_ID = changedLine(
  '/stream/reader.ts',
  "if (state.hasId(this.#parts.lastEventId ?? '')) this.#told = state;",
  'if (this.#parts.lastEventId !== undefined) this.#told = state;',
);

const streamsOn = (engine: EngineName) =>
  scenario({
    ...onEngine(engine, 'streams', '`kill -9` of a process with streams'),
    promise:
      'A client that comes again, to the restarted process or to another, has the final state, whatever changed meanwhile.',
    control: 'it takes whatever a client knew last for the current state',
    // The pauses of a client between its tries double, up to half a minute.
    full: { kills: 30, withinSec: 60 },
    quick: { kills: 2, withinSec: 60 },
    controlled: { kills: 2, withinSec: 20 },
    shown: ({ kills }) => `${kills} kills, ${READERS} streams each, 2 processes`,
    run: async (trial, { kills, withinSec }, subject) => {
      const until = (holds: () => boolean) => untilWithin(withinSec * 1_000, holds);
      const client = new Client(4);
      trial.onEnd(() => client.close());
      const place = await emptyDatabase(trial, engine);
      await (await openToolbox(configOf(place))).store.close();
      const changed = subject === 'control' ? TRUSTS_EVERY_ID : {};
      const start = () => serve(trial, place, changed);
      const [first, other] = await Promise.all([start(), start()]);
      let mortal: Served = first;
      let mid = 800;
      /** Every change is of all markets, so a state is one of them or between two. */
      const change = async () => {
        mid += 1;
        const at = new Date().toISOString();
        const records = MARKETS.map((market) => ({
          ...{ kind: 'quote', market, mid, updated_at: at, captured_at: at },
        }));
        const status = statusOf(await push(client, other.url, records));
        if (status !== 200) throw new Error(`A push got ${status}.`);
      };
      let slowestMs = 0;
      for (let kill = 0; kill < kills && !trial.isSettled; kill += 1) {
        await change();
        // The places of a killed process count for a minute: each kill has an account of its own.
        const { key } = await accountWithKey(place, 'Escala');
        const stop = new AbortController();
        const readers = Array.from({ length: READERS }, (_, turn) => {
          // After the first time half of them come to the other process.
          const reader = new StreamReader(key, stop.signal, (opened) =>
            opened === 1 || turn % 2 === 0 ? mortal.url : other.url,
          );
          trial.onEnd(() => stop.abort());
          return reader;
        });
        const all = () => readers.every((reader) => reader.has(mid));
        if (!(await untilWithin(BEGIN_WITHIN_MS, all)))
          throw new Error('The streams do not begin.');
        await change();
        await pause(trial.chance.int(0, MAX_BEFORE_KILL_MS));
        await mortal.running.kill();
        // While nobody tells them.
        await change();
        mortal = await start();
        const since = performance.now();
        await until(all);
        slowestMs = Math.max(slowestMs, performance.now() - since);
        for (const reader of readers) {
          trial.expect(reader.has(mid), `a reader has ${reader.shown}, not ${mid}`);
          trial.expect(reader.opened > 1, 'a reader never came again');
        }
        stop.abort();
        await Promise.all(readers.map((reader) => reader.ended));
        trial.progress(`${kill + 1} of ${kills}`);
      }
      trial.measured(`the last reader had it ${Math.round(slowestMs)} ms after the start at most`);
      await Promise.all([mortal.running.stop(), other.running.stop()]);
    },
  });

export const streamKill = streamsOn('SQLite');
export const streamKillPg = streamsOn('PostgreSQL');

/** @returns whether it holds in time. */
async function untilWithin(ms: number, holds: () => boolean): Promise<boolean> {
  const since = performance.now();
  while (!holds()) {
    if (performance.now() - since > ms) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

/** The rates that the published client has told, kept as its guide says. */
class StreamReader {
  readonly #mids = new Map<string, number>();
  readonly ended: Promise<void>;
  /** How often a stream was asked for. */
  opened = 0;

  constructor(key: string, signal: AbortSignal, addressOf: (opened: number) => string) {
    const vesfx = new Vesfx({
      ...{ baseUrl: addressOf(1), key },
      fetch: (asked, init) => {
        this.opened += 1;
        const { pathname, search } = new URL(String(asked));
        return fetch(addressOf(this.opened) + pathname + search, init);
      },
    });
    this.ended = this.#read(vesfx.stream({ markets: MARKETS, signal })).catch(() => undefined);
  }

  has(mid: number): boolean {
    return MARKETS.every((market) => this.#mids.get(market) === mid);
  }

  get shown(): string {
    return JSON.stringify(Object.fromEntries(this.#mids));
  }

  async #read(states: AsyncIterable<StreamedRates>): Promise<void> {
    for await (const { event, rates, removed = [] } of states) {
      if (event === 'snapshot') this.#mids.clear();
      for (const market of removed) this.#mids.delete(market);
      for (const { market, mid } of rates) this.#mids.set(market, mid);
    }
  }
}
