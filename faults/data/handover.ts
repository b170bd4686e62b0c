import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { VesfxProcess } from '../../testkit/vesfx-process.ts';
import { changedLines } from '../changed-line.ts';
import { alsoWith, begin, load } from '../process.ts';
import { inTurns, type Subject, scenario, type Trial } from '../scenario.ts';
import { type ShiftedClock, shiftedClock } from '../shifted-clock.ts';
import { pause } from '../wire.ts';

/** The source is due every minute, and a lease ends after half a minute. */
const NEXT_TURN_MS = 61_000;
/** Ends a wait in vain; no promise. */
const WITHIN_MS = 100_000;
const LOOK_EVERY_MS = 20;
/** A write takes less than this unless its process is paused. */
const LOCK_WAIT_MS = 500;
const PAIRS = 2;
/**
 * Timeout of a request to the feed: the longest allowed. Time passes while the process is paused,
 * and the timer fires before the waiting answer is read: with a shorter timeout the reading would
 * fail and write nothing.
 */
const FEED_TIMEOUT_SEC = 120;

/** The official rate for the feed's figures. Without it each would be held. */
const OFFICIAL = { kind: 'official', value_date: '2026-01-05', rates: { USD: 800 } };

const NO_FENCE = changedLines([
  {
    file: '/storage/queries/collecting.ts',
    from: 'if (row === undefined) throw new LeaseLost();',
    to: '',
  },
  {
    file: '/app/collecting/collect.ts',
    from: 'session.abort.abort(new LeaseLost());',
    to: '',
  },
]);

export const handover = scenario({
  name: 'handover',
  title: 'Collectors hand over while the holder is paused',
  promise:
    'The other collector takes over, and what the paused one writes when it goes on is refused.',
  control: 'two lines: a turn goes on, and a batch is stored, without the lease',
  // After a collector has lost its lease, the scenario watches for writes for this long. The
  // control writes sooner or later.
  full: { handovers: 100, writesWithinMs: 1_000 },
  quick: { handovers: 1, writesWithinMs: 1_000 },
  controlled: { handovers: 3, writesWithinMs: 60_000 },
  shown: ({ handovers }) => `${handovers} hand-overs`,
  run: async (trial, { handovers, writesWithinMs }, subject) => {
    const pairs = Math.min(PAIRS, handovers);
    const names = Array.from({ length: pairs }, (_, index) => `pair-${index}`);
    let done = 0;
    await inTurns(names, pairs, async (name) => {
      const pair = await Pair.start(trial, subject, name);
      for (let turn = 0; turn < handovers / pairs && !trial.isSettled; turn += 1) {
        await pair.handOver(turn, writesWithinMs);
        done += 1;
        trial.progress(`${done} of ${handovers} hand-overs`);
      }
      await pair.stop();
    });
  },
});

/** An upstream that answers on demand, with a new figure each time. */
interface Feed {
  readonly url: string;
  /** Requests waiting for an answer. */
  readonly asked: ServerResponse[];
  /** @returns the figure in the answer. */
  answer(response: ServerResponse): number;
}

async function startFeed(trial: Trial): Promise<Feed> {
  const asked: ServerResponse[] = [];
  let given = 0;
  const server = createServer((_request, response) => {
    asked.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  trial.onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    answer(response) {
      given += 1;
      // Small steps, which judgement does not hold.
      const rate = 900 + given / 1_000;
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ rate }));
      return rate;
    },
  };
}

/** Two collectors of one database. */
class Pair {
  readonly #trial: Trial;
  readonly #file: string;
  readonly #feed: Feed;
  readonly #wall: ShiftedClock;
  readonly #both: readonly VesfxProcess[];

  private constructor(
    trial: Trial,
    parts: { file: string; feed: Feed; wall: ShiftedClock; both: readonly VesfxProcess[] },
  ) {
    this.#trial = trial;
    this.#file = parts.file;
    this.#feed = parts.feed;
    this.#wall = parts.wall;
    this.#both = parts.both;
  }

  static async start(trial: Trial, subject: Subject, name: string): Promise<Pair> {
    const folder = join(trial.dir, name);
    const data = join(folder, 'data');
    mkdirSync(data, { recursive: true, mode: 0o700 });
    const file = join(data, 'vesfx.db');
    const feed = await startFeed(trial);
    const source = {
      ...{ name: 'feed', kind: 'json-feed', origin: 'feed', enabled: true, url: feed.url },
      ...{ schedule: [{ cron: '* * * * *' }], timeout_sec: FEED_TIMEOUT_SEC },
      quotes: [{ market: 'parallel', mid: 'rate', between: [1, 1_000_000] }],
    };
    writeFileSync(join(folder, 'sources.json'), JSON.stringify([source]));
    const wall = shiftedClock(trial, `clock-${name}`);
    const setting = {
      preload: wall.setting.preload,
      env: { ...wall.setting.env, VESFX_CATALOG: folder, VESFX_ALLOW_LOOPBACK_SOURCES: '1' },
    };
    await load(data, [OFFICIAL]);
    const changed = alsoWith(setting, subject === 'control' ? NO_FENCE : {});
    const startOne = () => begin(trial, ['collect', '--data', data], changed);
    const first = startOne();
    await until(() => collects(first), 'a collector takes the lease');
    return new Pair(trial, { file, feed, wall, both: [first, startOne()] });
  }

  async handOver(turn: number, writesWithinMs: number): Promise<void> {
    const { asked } = this.#feed;
    if (turn > 0) await this.#wall.move(NEXT_TURN_MS);
    await until(() => asked.length > 0, 'the holder reads its source');
    // The lease has ended by then too, and either one may have taken it.
    await until(() => this.#holders.length === 1, 'one of them collects');
    const [holder] = this.#holders;
    const other = this.#both.find((one) => one !== holder);
    if (holder === undefined || other === undefined) return;
    const late = asked.shift();
    await this.#stop(holder);
    const toldBefore = other.err.length;
    await this.#wall.move(NEXT_TURN_MS);
    await until(() => collects(other, toldBefore), 'the other takes over');
    await until(() => asked.length > 0, 'the other reads the source');
    const next = asked.shift();
    if (late === undefined || next === undefined) return;
    const fresh = this.#feed.answer(next);
    await until(() => this.#isStored(fresh), 'the new holder stores what it read');
    this.#trial.ok();
    const stale = this.#feed.answer(late);
    const pausedBefore = holder.err.length;
    holder.signal('SIGCONT');
    const hasLost = () => /lease was lost|another process/.test(holder.err.slice(pausedBefore));
    // It logs that it lost the lease or that another process collects, or it writes, which is the
    // fault.
    await until(() => this.#isStored(stale) || hasLost(), 'the paused one goes on');
    const limit = performance.now() + writesWithinMs;
    const mayWrite = () => !this.#trial.isSettled && performance.now() < limit;
    while (!this.#isStored(stale) && mayWrite()) await pause(LOOK_EVERY_MS);
    this.#trial.expect(!this.#isStored(stale), 'the paused collector has written after all');
  }

  /**
   * Pauses a process between two writes. A process paused within a write keeps SQLite's lock, so
   * every other process would wait and no handover would happen.
   */
  async #stop(process: VesfxProcess): Promise<void> {
    const limit = performance.now() + WITHIN_MS;
    for (;;) {
      process.signal('SIGSTOP');
      if (this.#isWritable()) return;
      process.signal('SIGCONT');
      if (performance.now() > limit) throw new Error('The holder never stops writing.');
      await pause(LOOK_EVERY_MS);
    }
  }

  get #holders(): readonly VesfxProcess[] {
    return this.#both.filter(({ err }) => {
      const took = err.lastIndexOf('"this process collects"');
      return took > Math.max(err.lastIndexOf('another process'), err.lastIndexOf('lease was lost'));
    });
  }

  #isWritable(): boolean {
    const db = new DatabaseSync(this.#file, { timeout: LOCK_WAIT_MS });
    try {
      db.exec('BEGIN IMMEDIATE');
      db.exec('ROLLBACK');
      return true;
    } catch (error) {
      if (error instanceof Error && /locked/.test(error.message)) return false;
      throw error;
    } finally {
      db.close();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#both.map((one) => one.kill()));
  }

  #isStored(rate: number): boolean {
    const db = new DatabaseSync(this.#file, { readOnly: true });
    try {
      return db.prepare('SELECT 1 FROM capture WHERE mid = ?').get(rate) !== undefined;
    } finally {
      db.close();
    }
  }
}

const collects = ({ err }: VesfxProcess, from = 0) =>
  err.slice(from).includes('"this process collects"');

async function until(holds: () => boolean, what: string): Promise<void> {
  const limit = performance.now() + WITHIN_MS;
  while (!holds()) {
    if (performance.now() > limit) throw new Error(`Waited in vain until ${what}.`);
    await pause(LOOK_EVERY_MS);
  }
}
