import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import { openToolbox, type Toolbox } from '../../src/core/compose.ts';
import { changedLine } from '../changed-line.ts';
import { type EngineName, emptyDatabase, onEngine } from '../postgres.ts';
import {
  accountWithKey,
  alsoWith,
  argsOf,
  begin,
  configOf,
  type DataLocation,
  type Setting,
  vesfx,
  withDataAt,
} from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { pause } from '../wire.ts';

const SECRET = 'a secret of the faults that is long enough';
const DAY_MS = 86_400_000;
/** A Monday in the bolívar of today. */
const FIRST_DAY = Date.parse('2022-01-03');
const WEEKDAYS = 5;
/** Value dates that are corrected again and again. */
const DATES = 1_000;
const LOOK_EVERY_MS = 5;
/** Longest time without a message; then the run ends. */
const SILENT_MS = 30_000;
/** Most messages between the start of a deliverer and its end. */
const MAX_BEFORE_KILL = 60;

const RECORDS_FIRST = changedLine(
  '/webhooks/delivery/sender.ts',
  'const outcome = await this.#attempt(due);',
  `const outcome: AttemptOutcome = { at: clock.now(), ms: 0, excerpt: '' };
      setTimeout(() => this.#attempt(due), 50);`,
);

const webhooksOn = (engine: EngineName) =>
  scenario({
    ...onEngine(engine, 'webhooks', '`kill -9` of whoever delivers webhooks'),
    promise:
      'Every event arrives, and what arrives twice has the same id and the same body both times.',
    control: 'it records a delivery and sends the message 50 ms later',
    full: { kills: 200, events: 10_000 },
    quick: { kills: 2, events: 100 },
    controlled: { kills: 8, events: 400 },
    shown: ({ kills, events }) => `${kills} kills during ${events.toLocaleString('en-US')} events`,
    run: async (trial, { kills, events }, subject) => {
      const place = await emptyDatabase(trial, engine);
      const toolbox = await openToolbox(configOf(place));
      trial.onEnd(() => toolbox.store.close());
      const receiver = await startReceiver(trial);
      const catalogue = join(trial.dir, 'catalogue');
      mkdirSync(catalogue);
      writeFileSync(join(catalogue, 'sources.json'), '[]');
      const env = {
        ...{ VESFX_SECRET: SECRET, VESFX_ALLOW_LOOPBACK_WEBHOOKS: '1' },
        VESFX_CATALOG: catalogue,
      };
      const changed = alsoWith({ env }, subject === 'control' ? RECORDS_FIRST : {});
      const start = async () => {
        // As if the lease of the killed one had ended, which takes 25 s.
        await toolbox.store.engine.write({ collecting: true }, (db) =>
          db.updateTable('collector').set({ holder: '', expires_at: 0 }).execute(),
        );
        return begin(trial, ['collect', ...argsOf(place)], withDataAt(place, changed));
      };
      const corrections = new Corrections(toolbox);
      await corrections.push(DATES);
      await listen(trial, place, { url: receiver.url, setting: { env } });
      const silentMs = trial.within(SILENT_MS);
      let deliverer = await start();
      for (let kill = 0; kill < kills && !trial.isSettled; kill += 1) {
        await corrections.push(Math.ceil(events / kills));
        const { got } = receiver;
        const enough = got.length + trial.chance.int(1, MAX_BEFORE_KILL);
        const isEnough = () => got.length >= enough || corrections.missing(got) === 0;
        if (!(await until(got, silentMs, isEnough))) break;
        await pause(trial.chance.int(0, 20));
        await deliverer.kill();
        deliverer = await start();
        trial.progress(`${kill + 1} of ${kills} kills, ${got.length} messages`);
      }
      await until(receiver.got, silentMs, () => corrections.missing(receiver.got) === 0);
      await deliverer.stop();
      corrections.check(trial, receiver.got);
    },
  });

export const webhookKill = webhooksOn('SQLite');
export const webhookKillPg = webhooksOn('PostgreSQL');

interface Received {
  readonly id: string;
  readonly text: string;
}

async function startReceiver(trial: Trial) {
  const got: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      got.push({ id: String(request.headers['webhook-id']), text });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  trial.onEnd(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { got, url: `http://127.0.0.1:${port}/` };
}

async function listen(trial: Trial, place: DataLocation, { url, setting }: Listening) {
  const { account } = await accountWithKey(place, 'Escala');
  const args = ['webhook', 'create', account, url, '--event', 'official.corrected'];
  await vesfx(trial, [...args, ...argsOf(place)], withDataAt(place, setting));
}

interface Listening {
  readonly url: string;
  readonly setting: Setting;
}

/** @returns whether it holds. It is false when nothing more arrives for a while. */
async function until(
  got: readonly Received[],
  silentMs: number,
  holds: () => boolean,
): Promise<boolean> {
  let [count, since] = [got.length, performance.now()];
  while (!holds()) {
    if (got.length > count) [count, since] = [got.length, performance.now()];
    if (performance.now() - since > silentMs) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

/** Official rates of past days, each of which is corrected by the next one of its day. */
class Corrections {
  readonly #toolbox: Toolbox;
  /** What must be told: value date and figure. */
  readonly #expected = new Set<string>();
  #pushed = 0;

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** Stores the next rates. Those after the first of each day are corrections. */
  async push(count: number): Promise<void> {
    const lines: string[] = [];
    for (let place = 0; place < count; place += 1) {
      const [day, round] = [this.#pushed % DATES, Math.floor(this.#pushed / DATES)];
      const days = Math.floor(day / WEEKDAYS) * 7 + (day % WEEKDAYS);
      const value_date = new Date(FIRST_DAY + days * DAY_MS).toISOString().slice(0, 10);
      const USD = 100 + day + (round + 1) / 100;
      const captured_at = new Date(Date.now() - 1_000).toISOString();
      lines.push(JSON.stringify({ kind: 'official', value_date, rates: { USD }, captured_at }));
      if (round > 0) this.#expected.add(`${value_date} ${USD}`);
      this.#pushed += 1;
    }
    const options = { source: 'operator', trust: true };
    const counts = await this.#toolbox.ingest.ingest(recordsIn(lines), options);
    if (counts.accepted !== count) throw new Error(`Not all was stored: ${JSON.stringify(counts)}`);
  }

  missing(got: readonly Received[]): number {
    // Most of the time it is enough to count.
    if (got.length < this.#expected.size) return this.#expected.size - got.length;
    const told = new Set(got.map(eventOf));
    return [...this.#expected].filter((event) => !told.has(event)).length;
  }

  check(trial: Trial, got: readonly Received[]): void {
    const ids = Map.groupBy(got, eventOf);
    for (const event of this.#expected) {
      const received = ids.get(event) ?? [];
      const same = new Set(received.map(({ id, text }) => `${id} ${text}`));
      if (same.size === 1) trial.ok();
      else trial.failed(`${event} arrived with ${same.size} ids or bodies`);
    }
    const unknown = [...ids.keys()].filter((event) => !this.#expected.has(event));
    trial.expect(unknown.length === 0, `told without a cause: ${unknown.slice(0, 3).join(', ')}`);
    trial.measured(`${got.length - ids.size} messages arrived twice`);
  }
}

function eventOf({ text }: Received): string {
  const { data } = JSON.parse(text);
  return `${data.value_date} ${data.rates.USD.is}`;
}
