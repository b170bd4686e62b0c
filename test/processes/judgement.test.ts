import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { ingestOf } from '../../faults/replay/desk.ts';
import type { IngestOptions } from '../../src/core/app/ingest/batch.ts';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import { SECOND_MS } from '../../src/core/domain/time.ts';
import { sqliteSite } from '../contracts/engines.ts';
import { iso, official, quote } from '../harness/make.ts';
import { type Installation, install } from '../harness/processes.ts';
import { START } from '../harness/service.ts';

/** A batch that releases held ones, killed at each moment (contract §8). */

const MAX_TEST_MS = 120_000;
const ABORT = fileURLToPath(new URL('../../faults/preload/abort.ts', import.meta.url));
const JUMP = { USD: 1_100, EUR: 1_265 };
const FIRST = Date.now() - 3_600 * SECOND_MS;

const reading = (mid: number, seconds: number, first = FIRST) => {
  const at = iso(first + seconds * SECOND_MS);
  return quote('parallel', mid, { captured_at: at, updated_at: at });
};
/** Held until it is repeated for ten minutes. */
const HELD = (first = FIRST) => [0, 200, 400].map((seconds) => reading(1_300, seconds, first));
const LAST = JSON.stringify(reading(1_300, 600));
const BEFORE = { captures: [900], held: [1_300, 1_300, 1_300], official: 1 };
const AFTER = { captures: [900, 1_300, 1_300, 1_300, 1_300], held: [], official: 1 };

async function siteWithHeld(): Promise<Installation> {
  const site = await install();
  const rate = official('2026-01-02', { USD: 800, EUR: 920 }, { captured_at: iso(FIRST - 1e6) });
  await site.load([rate, reading(900, -60)]);
  const held = HELD()
    .map((one) => JSON.stringify(one))
    .join('\n');
  // All of them are held.
  expect(await site.vesfx(['import', '-'], held)).toMatchObject({ code: 3 });
  return site;
}

/** What a process that starts now finds. */
function foundIn(file: string) {
  const db = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => db.close());
  const [captures, held, official] = [
    "select mid from capture where effective_date = '' order by captured_at",
    "select record from held where status = 'held' order by captured_at",
    'select value_date from publication union all select source from witness_reading',
  ].map((query) => db.prepare(query));
  return () => ({
    captures: captures?.all().map(({ mid }) => mid),
    held: held?.all().map(({ record }) => JSON.parse(String(record)).mid),
    official: official?.all().length,
  });
}

/** Calls `after` after each statement of any connection. */
function afterEachStatement(after: () => void): void {
  const restored: (() => void)[] = [];
  const [database, statement] = [DatabaseSync.prototype, StatementSync.prototype];
  let isWithin = false;
  const around = (original: (...given: never[]) => unknown) =>
    function (this: unknown, ...given: never[]) {
      const result = Reflect.apply(original, this, given);
      if (isWithin) return result;
      isWithin = true;
      after();
      isWithin = false;
      return result;
    };
  const { exec } = database;
  const { run, all } = statement;
  Object.assign(database, { exec: around(exec) });
  Object.assign(statement, { run: around(run), all: around(all) });
  restored.push(
    () => Object.assign(database, { exec }),
    () => Object.assign(statement, { run, all }),
  );
  onTestFinished(() => {
    for (const restore of restored) restore();
  });
}

test.each<[string, object, Partial<IngestOptions>]>([
  ['a batch and the held quotes that it releases', reading(1_300, 600, START), {}],
  [
    'the reading of a witness and the publication that it releases',
    official('2026-11-24', JUMP, { captured_at: iso(START) }),
    { source: 'relay', isWitness: true },
  ],
])(
  'after each statement, %s are all stored, or nothing is (contract §8)',
  async (_, last, more) => {
    const site = sqliteSite();
    onTestFinished(() => site.close());
    const store = await site.open();
    const ingest = ingestOf(store, () => START + 600 * SECOND_MS);
    const bring = (records: readonly object[], options: Partial<IngestOptions>) =>
      ingest.ingest(recordsIn(records.map((one) => JSON.stringify(one))), {
        ...{ source: 'yadio', ...options },
      });
    const rate = official('2026-11-20', { USD: 800, EUR: 920 }, { captured_at: iso(START - 1e6) });
    await bring([rate, reading(900, -60, START)], { trust: true });
    const page = official('2026-11-24', JUMP, { captured_at: iso(START - 60_000) });
    expect(await bring([page], { isPage: true })).toMatchObject({ held: 1 });
    expect(await bring(HELD(START), {})).toMatchObject({ held: 3 });
    const found = foundIn(site.path('data/vesfx.db'));
    const seen: string[] = [];
    afterEachStatement(() => {
      const now = JSON.stringify(found());
      if (now !== seen.at(-1)) seen.push(now);
    });
    await bring([last], more);
    expect(seen).toHaveLength(2);
    expect(JSON.parse(seen[1] ?? '').held.length).toBeLessThan(
      JSON.parse(seen[0] ?? '').held.length,
    );
  },
);

test(
  'a process that is killed before or after its commit: the same file once more leaves the same (contract §8)',
  async () => {
    const shifted = { NODE_OPTIONS: `--import=${pathToFileURL(ABORT).href}` };
    const whole = await siteWithHeld();
    const count = join(whole.folder, 'count');
    const importing = (site: Installation, env: NodeJS.ProcessEnv) => {
      const file = join(site.folder, 'last.ndjson');
      writeFileSync(file, LAST);
      return site.begin(['import', file], { ...shifted, ...env }).ended;
    };
    expect(await importing(whole, { ABORT_COUNT: count })).toMatchObject({ code: 0 });
    const statements = Number(readFileSync(count, 'utf8'));
    const seen: object[] = [];
    for (let at = statements; seen.length < 2; at -= 1) {
      const site = await siteWithHeld();
      expect((await importing(site, { ABORT_AT: String(at) })).signal).toBe('SIGKILL');
      const find = foundIn(join(site.folder, 'data', 'vesfx.db'));
      const found = find();
      if (JSON.stringify(found) !== JSON.stringify(seen.at(-1))) seen.push(found);
      await site.json(['import', '-'], LAST);
      expect(find()).toEqual(AFTER);
    }
    expect(seen).toEqual([AFTER, BEFORE]);
  },
  MAX_TEST_MS,
);
