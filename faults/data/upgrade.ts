import { openToolbox } from '../../src/compose.ts';
import { changedLine } from '../changed-line.ts';
import { type EngineName, emptyDatabase, onEngine, whyNoPostgres } from '../postgres.ts';
import { argsOf, configOf, type DataLocation, serve, vesfx, withDataAt } from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { checkOutVersionBefore, whyNoVersionBefore } from '../version-before.ts';
import { Client, objectOf, pause, push, type Reply, statusOf } from '../wire.ts';

/** A migration that renames in place, and so breaks processes of the previous version. */
const IN_PLACE = changedLine(
  '/src/storage/migrations/007-market-names.ts',
  'await rewrite(db, pairs);',
  'await rewrite(db, pairs); await sql`update market set id = name`.execute(db);',
);

/** The former id of each market, and its id. */
const MARKETS = [
  ['p2p_market_1', 'binance'],
  ['p2p_market_2', 'bingx'],
  ['p2p_market_3', 'bitget'],
  ['p2p_market_4', 'bybit'],
  ['p2p_market_5', 'mexc'],
  ['p2p_market_6', 'okx'],
  ['p2p_market_7', 'saldo'],
] as const;

/** Markets with quotes before the upgrade. The others get their first quote after it. */
const QUOTED_BEFORE = 4;

/** Processes poll for changes every 200 ms; a busy machine takes longer. */
const SEEN_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 50;

const MARKUP_PERCENT = 10;

/** A process, and its name for a market. */
interface Side {
  readonly url: string;
  readonly nameOf: (pair: (typeof MARKETS)[number]) => string;
  readonly told: string;
}

const upgradeOn = (engine: EngineName) =>
  scenario({
    ...onEngine(engine, 'upgrade', 'Upgrade of a database with former market ids'),
    promise:
      'Two processes of the version before go on beside the new one: each writes and reads every market by the ids that it knows, and nothing is lost.',
    control: 'the migration with one line changed: it renames the markets in place',
    full: { rounds: 60 },
    quick: { rounds: 3 },
    shown: ({ rounds }) => `${rounds} rounds, 2 processes before and 1 after`,
    whyNot: () => whyNoVersionBefore() ?? (engine === 'PostgreSQL' ? whyNoPostgres() : undefined),
    run: async (trial, { rounds }, subject) => {
      const program = checkOutVersionBefore();
      const place = await emptyDatabase(trial, engine);
      const before = [
        await serve(trial, place, { program }),
        await serve(trial, place, { program }),
      ].map(({ url, running }, index) => ({
        side: {
          url,
          nameOf: ([former]: readonly [string, string]) => former,
          told: `old ${index}`,
        },
        running,
      }));
      const client = new Client(8);
      trial.onEnd(() => client.close());
      const run = new Upgrade(trial, client, await accountOf(trial, place, program));
      const [first, second] = before.map(({ side }) => side);
      if (first === undefined || second === undefined) throw new Error('Two were started.');
      for (const pair of MARKETS.slice(0, QUOTED_BEFORE)) await run.quote(first, pair);
      await run.saveRule(second, 'kept', MARKETS[0]);

      const setting = subject === 'control' ? IN_PLACE : {};
      await vesfx(trial, ['migrate', ...argsOf(place)], withDataAt(place, setting));
      const after = await serve(trial, place);
      const newest: Side = { url: after.url, nameOf: ([, id]) => id, told: 'new' };
      const sides = [first, second, newest];
      for (const side of sides) await run.seesAll(side);
      for (let round = 0; round < rounds && !trial.isSettled; round += 1) {
        const side = trial.chance.pick(sides);
        // Both versions write first quotes of markets.
        const pair = MARKETS[round < MARKETS.length ? round : trial.chance.int(0, 6)] ?? MARKETS[0];
        await run.quote(side, pair);
        await run.saveRule(trial.chance.pick(sides), `rule-${round % 3}`, pair);
        for (const one of sides) await run.seesAll(one);
        trial.progress(`${round + 1} of ${rounds} rounds`);
      }
      for (const { running } of before) await running.stop();
      await run.historyIsWhole(newest);
      await after.running.stop();
      if (!trial.isSettled) await isSound(trial, place);
    },
  });

export const upgrade = upgradeOn('SQLite');
export const upgradePg = upgradeOn('PostgreSQL');

/**
 * Creates an account with the previous version, because this one would migrate the database.
 * @returns its key.
 */
async function accountOf(trial: Trial, place: DataLocation, program: string): Promise<string> {
  const setting = { ...withDataAt(place, {}), program };
  const made = ['account', 'create', '--name', 'upgrade', '--plan', 'Escala', ...argsOf(place)];
  const { id } = await vesfx(trial, made, setting);
  const { key } = await vesfx(trial, ['key', 'create', String(id), ...argsOf(place)], setting);
  return String(key);
}

async function isSound(trial: Trial, place: DataLocation): Promise<void> {
  const { store } = await openToolbox(configOf(place));
  try {
    const findings = await store.check();
    trial.expect(findings.length === 0, `the database is not sound: ${findings.join('; ')}`);
  } finally {
    await store.close();
  }
}

/** The data written by both versions, to compare with the answers of each process. */
class Upgrade {
  readonly #trial: Trial;
  readonly #client: Client;
  readonly #key: string;
  /** Every rate by market id, the last one last. */
  readonly #rates = new Map<string, number[]>();
  /** The market id of each rule, by tag. */
  readonly #rules = new Map<string, string>();
  #at = Date.now() - 3_600_000;

  constructor(trial: Trial, client: Client, key: string) {
    this.#trial = trial;
    this.#client = client;
    this.#key = key;
  }

  async quote(side: Side, pair: (typeof MARKETS)[number]): Promise<void> {
    const [, id] = pair;
    const rates = this.#rates.get(id) ?? [];
    const mid = 900 + rates.length;
    this.#at += 1_000;
    const at = new Date(this.#at).toISOString();
    const record = { kind: 'quote', mid, updated_at: at, captured_at: at };
    const reply = await push(this.#client, side.url, [{ ...record, market: side.nameOf(pair) }]);
    const status = statusOf(reply);
    this.#trial.expect(status === 200, `${side.told}: a quote of ${id} gets ${status}`);
    if (status === 200) this.#rates.set(id, [...rates, mid]);
  }

  async saveRule(side: Side, tag: string, pair: (typeof MARKETS)[number]): Promise<void> {
    const rule = { kind: 'percent', value: MARKUP_PERCENT, markets: [side.nameOf(pair)] };
    const isNew = !this.#rules.has(tag);
    const reply = await this.#client.send(
      `${side.url}/v1/account/markups${isNew ? '' : `/${tag}`}`,
      {
        method: isNew ? 'POST' : 'PUT',
        key: this.#key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(isNew ? { ...rule, tag } : rule),
      },
    );
    const status = statusOf(reply);
    this.#trial.expect(
      status === (isNew ? 201 : 200),
      `${side.told}: a rule for ${pair[1]} gets ${status}`,
    );
    if (status < 300) this.#rules.set(tag, pair[1]);
  }

  /** Waits until the process answers the newest rate of every market, with the right markup. */
  async seesAll(side: Side): Promise<void> {
    const since = performance.now();
    for (const tag of this.#rules.keys()) {
      const expected = this.#expected(side, tag);
      let found = '';
      while (found !== expected && performance.now() - since < SEEN_WITHIN_MS) {
        found = rowsOf(await this.#get(side, `/v1/fx/rates?markup=${tag}`));
        if (found !== expected) await pause(LOOK_EVERY_MS);
      }
      this.#trial.expect(
        found === expected,
        `${side.told}, rule ${tag}: ${found} instead of ${expected}`,
      );
      if (this.#trial.isSettled) return;
    }
  }

  /** Checks that every acknowledged quote is in the history of its market, under id and alias. */
  async historyIsWhole(side: Side): Promise<void> {
    const from = new Date(this.#at - 86_400_000).toISOString().slice(0, 10);
    for (const [former, id] of MARKETS) {
      const rates = this.#rates.get(id);
      if (rates === undefined) continue;
      for (const name of [former, id]) {
        const path = `/v1/fx/rates/${name}/history?granularity=raw&from=${from}`;
        const { market, points } = objectOf(await this.#get(side, path));
        const found = Array.isArray(points) ? points.map(({ rate }) => rate) : [];
        this.#trial.expect(
          market === id && found.join() === rates.join(),
          `the history of ${name} is ${String(market)}: ${found.join()}, not ${rates.join()}`,
        );
      }
    }
  }

  #get(side: Side, path: string): Promise<Reply> {
    return this.#client.send(`${side.url}${path}`, { key: this.#key });
  }

  #expected(side: Side, tag: string): string {
    return MARKETS.flatMap((pair) => {
      const mid = this.#rates.get(pair[1])?.at(-1);
      if (mid === undefined) return [];
      const marked =
        this.#rules.get(tag) === pair[1] ? mid * (1 + MARKUP_PERCENT / 100) : undefined;
      return rowText(side.nameOf(pair), mid, marked);
    }).join(', ');
  }
}

function rowText(market: string, mid: number, marked: number | undefined): string {
  return `${market} ${mid}${marked === undefined ? '' : ` (${marked.toFixed(4)})`}`;
}

function rowsOf(reply: Reply): string {
  if (statusOf(reply) !== 200) return `status ${statusOf(reply)}`;
  const { rates } = objectOf(reply);
  if (!Array.isArray(rates)) return 'no rates';
  return rates
    .map(({ market, mid, mid_with_markup: marked }) => rowText(market, mid, marked))
    .join(', ');
}
