import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { changedLine } from '../changed-line.ts';
import { withoutLimits } from '../plans.ts';
import { type EngineName, emptyDatabase, onEngine } from '../postgres.ts';
import {
  accountWithKey,
  alsoWith,
  argsOf,
  begin,
  type DataLocation,
  serve,
  withDataAt,
} from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { Client, pause, statusOf } from '../wire.ts';
import { Ledger } from './ledger.ts';

const READY_WITHIN_MS = 1_500;

const WRITES_BEHIND = changedLine(
  '/http/endpoints/admin.ts',
  'const counts = await services.ingest.ingest(',
  `const counts = { refused: 0 };
  ((...batch) => setTimeout(() => services.ingest.ingest(...batch), 50))(`,
);

const killOn = (engine: EngineName) =>
  scenario({
    ...onEngine(engine, 'kill', '`kill -9` under load'),
    promise:
      'No acknowledged record, key or revocation is lost, no batch is stored in part, and the ' +
      'service is ready again within 1.5 s.',
    control: 'it acknowledges a batch and stores it 50 ms later',
    full: { cycles: engine === 'SQLite' ? 200 : 50 },
    quick: { cycles: 1 },
    controlled: { cycles: 8 },
    shown: ({ cycles }) => `${cycles} kills`,
    run: async (trial, { cycles }, subject) => {
      const place = await emptyDatabase(trial, engine);
      const setting = alsoWith(withoutLimits(trial), subject === 'control' ? WRITES_BEHIND : {});
      const start = () => serve(trial, place, setting);
      const client = new Client(16);
      trial.onEnd(() => client.close());
      const keys = await Keys.create(trial, place);
      const all = new Ledger();
      let slowest = 0;
      let served = await start();
      for (let cycle = 0; cycle < cycles && !trial.isSettled; cycle += 1) {
        const chance = trial.chance.of(`cycle ${cycle}`);
        const ledger = new Ledger();
        let over = false;
        const { url } = served;
        const load = ledger.write(client, { url, cycle, chance, isOver: () => over });
        const command = keys.begin(chance);
        await pause(chance.int(20, 600));
        over = true;
        served.running.signal('SIGKILL');
        await Promise.all([served.running.ended, load, command]);
        if (chance.int(1, 10) === 1) await killWhileStarting(trial, place, chance.int(0, 500));
        served = await start();
        slowest = Math.max(slowest, served.readyMs);
        if (served.readyMs > trial.within(READY_WITHIN_MS))
          trial.failed(`ready only after ${Math.round(served.readyMs)} ms`);
        await ledger.check(trial, client, served.url, keys.own);
        await keys.check(client, served.url);
        all.add(ledger);
        trial.progress(`${cycle + 1} of ${cycles} kills`);
      }
      if (!trial.isSettled) await all.check(trial, client, served.url, keys.own);
      await served.running.stop();
      if (typeof place === 'string') checkFile(trial, join(place, 'vesfx.db'));
      trial.measured(`ready after ${Math.round(slowest)} ms at most`);
    },
  });

export const kill = killOn('SQLite');
export const killPg = killOn('PostgreSQL');

async function killWhileStarting(
  trial: Trial,
  place: DataLocation,
  afterMs: number,
): Promise<void> {
  const line = ['serve', '--no-collect', '--port', '0', ...argsOf(place)];
  const running = begin(trial, line, withDataAt(place, {}));
  await pause(afterMs);
  await running.kill();
}

function checkFile(trial: Trial, file: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('PRAGMA integrity_check').all();
  db.close();
  trial.expect(
    JSON.stringify(rows).includes('"ok"'),
    `the file is damaged: ${JSON.stringify(rows)}`,
  );
}

interface KnownKey {
  readonly id: string;
  readonly key: string;
  state: 'live' | 'revoked' | 'unknown';
}

/** Keys created and revoked by commands while the service, and some of the commands, are killed. */
class Keys {
  readonly own: string;
  readonly #trial: Trial;
  readonly #place: DataLocation;
  readonly #account: string;
  readonly #keys: KnownKey[] = [];

  private constructor(trial: Trial, place: DataLocation, account: string, own: string) {
    this.#trial = trial;
    this.#place = place;
    this.#account = account;
    this.own = own;
  }

  static async create(trial: Trial, place: DataLocation): Promise<Keys> {
    const { account, key } = await accountWithKey(place, 'Escala');
    return new Keys(trial, place, account, key);
  }

  async begin(chance: { int(min: number, max: number): number }): Promise<void> {
    const live = this.#keys.filter(({ state }) => state === 'live');
    const victim =
      live.length > 20 || chance.int(0, 1) === 1 ? live[chance.int(0, live.length - 1)] : undefined;
    const line = victim === undefined ? ['create', this.#account] : ['revoke', victim.id];
    const args = ['key', ...line, ...argsOf(this.#place), '--json'];
    const command = begin(this.#trial, args, withDataAt(this.#place, {}));
    const isKilled = chance.int(1, 3) === 1;
    if (isKilled) void pause(chance.int(100, 500)).then(() => command.kill());
    const { code, out } = await command.ended;
    if (victim !== undefined) victim.state = code === 0 ? 'revoked' : 'unknown';
    // A printed key is acknowledged, even if the command was killed afterwards.
    else if (out.endsWith('\n')) {
      const made: { id: string; key: string } = JSON.parse(out);
      this.#keys.push({ id: made.id, key: made.key, state: 'live' });
    } else if (!isKilled) {
      this.#trial.failed(`a key could not be made: code ${code}`);
    }
  }

  async check(client: Client, url: string): Promise<void> {
    for (const { id, key, state } of this.#keys) {
      const status = statusOf(await client.send(`${url}/v1/account/markups`, { key }));
      if (state === 'unknown') this.#trial.unknown();
      // Many wrong keys from one address in a minute give 429.
      else if (state === 'revoked')
        this.#trial.expect(
          status === 401 || status === 429,
          `the revoked key ${id} gets ${status}`,
        );
      else this.#trial.expect(status === 200, `the key ${id} gets ${status}`);
    }
  }
}
