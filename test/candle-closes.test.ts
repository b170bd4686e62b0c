import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordsIn } from '../src/core/app/ingest/ndjson.ts';
import { prune } from '../src/core/app/prune.ts';
import { DAY_MS, HOUR_MS } from '../src/core/domain/time.ts';
import { readPostgresUrl } from '../src/core/storage/postgres/url.ts';
import { restoreStore } from '../src/core/storage/store.ts';
import { hasCapability } from './harness/capabilities.ts';
import { runHere } from './harness/commands.ts';
import { publicationsOn } from './harness/judging.ts';
import { iso, official, quote } from './harness/make.ts';
import { addressOf, createDatabase, postgresPort } from './harness/postgres.ts';
import { startTestService, type TestService, temporaryDir } from './harness/service.ts';

/** After any change of stored data, a candle closes with the point of history (contract §10). */

const NOON = Date.parse('2026-11-20T12:00:00Z');
const TUESDAY = { USD: 804, EUR: 925, CNY: 110.5 };
const MARKETS = ['reference', 'eur_reference', 'parallel'];

async function postgresUrl(): Promise<string> {
  return addressOf(await postgresPort(), await createDatabase());
}

/** Two weeks with several captures of most days, pushed out of order. */
async function fill({ push }: TestService): Promise<void> {
  for (const ago of [3, 9, 1, 14, 2, 7, 8, 10, 4, 0]) {
    const at = NOON - ago * DAY_MS;
    const isWeekday = ![0, 6].includes(new Date(at).getUTCDay());
    const rates = { USD: 800 - ago, EUR: 920 - ago };
    if (isWeekday) {
      await push(official(iso(at).slice(0, 10), rates, { captured_at: iso(at - 15 * HOUR_MS) }));
    }
    for (const [hours, mid] of [
      [5, 900],
      [-3, 905 - ago],
      [0, 880 + ago],
    ] as const) {
      const time = iso(Math.min(at + hours * HOUR_MS, NOON));
      await push(quote('parallel', mid, { updated_at: time, captured_at: time }));
    }
  }
}

interface Shown {
  readonly date: string;
  readonly rate: number;
  readonly at: string;
}

/** The API's candles, after checking that they agree with history. */
async function closes({ call, keyFor, service }: TestService): Promise<readonly Shown[]> {
  const key = await keyFor('Escala');
  const all: Shown[] = [];
  for (const market of MARKETS) {
    for (const [interval, group] of [
      ['day', ''],
      ['week', '&group=week'],
      ['month', '&group=month'],
    ]) {
      const from = `from=2026-11-01${group}`;
      const history = await call(`/v1/fx/rates/${market}/history?${from}`, { key });
      const candles = await call(
        `/v1/fx/rates/${market}/candles?from=2026-11-01&interval=${interval}`,
        { key },
      );
      const points: Shown[] = history.json.points.map(
        ({ date, rate, captured_at: at }: Record<string, never>) => ({ date, rate, at }),
      );
      const found: Shown[] = candles.json.candles.map(
        ({ date, close: rate, closed_at: at }: Record<string, never>) => ({ date, rate, at }),
      );
      expect(found).toEqual(points);
      all.push(...points);
    }
  }
  expect(await service.store.check()).toEqual([]);
  return all;
}

const DATABASES = [
  { name: 'SQLite', setting: async () => ({}) },
  { name: 'PostgreSQL', setting: async () => ({ postgres: readPostgresUrl(await postgresUrl()) }) },
];

describe.each(DATABASES)(
  'candles close with the daily points of history on $name',
  ({ setting }) => {
    test('after corrections, replacements, releases and thinning (contract §10)', async () => {
      const site = await startTestService({ start: NOON, config: await setting() });
      const { store, ingest, changePoller } = site.service;
      await fill(site);
      const first = await closes(site);
      expect(first.length).toBeGreaterThan(30);

      // Wednesday's date was published instead of Tuesday's by mistake: its rates are withdrawn.
      const read = (hours: number) => ({ captured_at: iso(NOON + hours * HOUR_MS) });
      site.clock.advance(12 * HOUR_MS);
      await site.push(official('2026-11-24', TUESDAY, read(9)));
      await site.push(official('2026-11-25', TUESDAY, read(11)));
      const [wrong] = await publicationsOn(store, '2026-11-24');
      expect(wrong?.state).toBe('withdrawn');
      // It is replaced before it takes effect.
      await site.push(official('2026-11-25', { ...TUESDAY, USD: 806 }, read(11.5)));
      // A jump is held, and released by the operator.
      const time = iso(site.clock.now() - HOUR_MS);
      const jump = quote('parallel', 1_600, { updated_at: time, captured_at: time });
      await ingest.ingest(recordsIn([JSON.stringify(jump)]), { source: 'test' });
      const [held] = await store.listHeld('held', 10);
      await closes(site);
      await ingest.release(held?.id ?? '');
      await changePoller.poll();

      site.clock.set(Date.parse('2026-11-25T20:00:00Z'));
      const before = await closes(site);
      const of = (date: string, rate: number) =>
        expect.objectContaining({ date, rate, at: expect.any(String) });
      expect(before).toContainEqual(of('2026-11-25', 806));
      expect(before).not.toContainEqual(of('2026-11-24', 804));
      expect(before).toContainEqual(of('2026-11-20', 1_600));
      const { markets } = await prune(store, { before: NOON - 3 * DAY_MS });
      expect(markets.some(({ thinned }) => thinned > 0)).toBe(true);
      expect(await closes(site)).toEqual(before);
    });
  },
);

test('candles close with the points of history after a restore and a move (contract §10)', async () => {
  const site = await startTestService({ start: NOON });
  await fill(site);
  const shown = await closes(site);
  const folder = await temporaryDir();
  const copy = join(folder, 'backup.db');
  await site.service.store.backup(copy);
  const dataDir = join(folder, 'data');
  await restoreStore({ dataDir, from: copy });
  const moved = [];
  if (hasCapability('move')) {
    const url = await postgresUrl();
    expect((await runHere(['move', '--data', dataDir, '--to', url], {})).code).toBe(0);
    moved.push({ config: { postgres: readPostgresUrl(url) } });
  }
  for (const setting of [{ dataDir }, ...moved]) {
    expect(await closes(await startTestService({ start: NOON, ...setting }))).toEqual(shown);
  }
});
