import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/domain/time.ts';
import { bankTable, iso, official, quotesAt } from '../harness/make.ts';
import { serviceWith, temporaryDir } from '../harness/service.ts';

/** Midnight in Caracas before Sunday, when one new bolívar becomes a thousand old ones. */
const MIDNIGHT = Date.parse('2026-11-22T04:00:00Z');

const OLD = { parallel: 950, binance: 940, bybit: 944, okx: 938 };

const body = (figures: Readonly<Record<string, number>>, at: number) => quotesAt(at, figures);

/** A service with official rates and a minute of quotes before midnight. */
async function onTheEve() {
  const catalogueDir = await temporaryDir();
  const reforms = [{ on: '2026-11-22', factor: 1_000, name: 'bolívar de prueba' }];
  await writeFile(join(catalogueDir, 'redenominations.json'), JSON.stringify(reforms));
  const before = MIDNIGHT - MINUTE_MS;
  const table = bankTable('2026-11-20', [{ bank: 'Banesco', buy: 799.1, sell: 801.9 }]);
  const records = [
    official('2026-11-19', { USD: 800.1234, EUR: 920.5, CNY: 110.1 }),
    official('2026-11-20', { USD: 801.2345, EUR: 921.6, CNY: 110.2 }),
    ...[table, ...body(OLD, before)],
  ];
  const world = await serviceWith(records, { config: { catalogueDir }, start: before });
  const { clock, service } = world.service;
  /** What becomes of the records of a reading, and why. */
  const read = async (at: number, given: readonly object[], more: object = {}) => {
    clock.set(at);
    const lines = recordsIn(given.map((record) => JSON.stringify(record)));
    const counts = await service.ingest.ingest(lines, { source: 'venues', ...more });
    const held = await service.store.listHeld('held', 100);
    return { accepted: counts.accepted, held: held.map(({ reason }) => reason) };
  };
  return { ...world, read };
}

const page = { source: 'bcv-official', isPage: true };

describe('judgement at a redenomination (contract §8)', () => {
  test('quotes still in the old unit are held, and pass until the last minute before', async () => {
    const { read, get } = await onTheEve();
    const last = await read(MIDNIGHT - 1, body(OLD, MIDNIGHT - 1));
    expect(last.held).toEqual([]);
    const late = await read(MIDNIGHT, body(OLD, MIDNIGHT));
    expect(late).toEqual({ accepted: 0, held: Object.keys(OLD).map(() => 'out_of_band') });
    expect((await get('rates/binance')).json.mid).toBe(0.94);
  });

  test('a quote in doubt stays so over midnight', async () => {
    const { read, get, service } = await onTheEve();
    const cash = (minutes: number, mid: number) => {
      const at = MIDNIGHT + minutes * MINUTE_MS;
      return read(at, body({ cash: mid }, at));
    };
    await cash(-30, 1_000);
    for (const minutes of [-20, -15]) expect((await cash(minutes, 1_900)).accepted).toBe(0);
    expect((await cash(-10, 1_900)).accepted).toBe(1);
    const shown = async () => {
      await service.service.changePoller.poll();
      return (await get('rates/cash?details=true')).json;
    };
    expect(await shown()).toMatchObject({ mid: 1_900, in_doubt: true });
    await cash(1, 1.9);
    expect(await shown()).toMatchObject({ mid: 1.9, in_doubt: true });
  });

  test('a page in the unit of its value date passes, before and after midnight', async () => {
    const { read } = await onTheEve();
    const tuesday = official('2026-11-24', { USD: 0.8023, EUR: 0.9226, CNY: 0.1103 });
    for (const at of [MIDNIGHT - 1, MIDNIGHT]) {
      const { captured_at: _, ...bare } = { captured_at: '', ...tuesday };
      const given = [{ ...bare, captured_at: iso(at) }];
      const { accepted } = await read(at, given, { ...page, dryRun: true });
      expect(accepted).toBe(1);
    }
    expect(await read(MIDNIGHT, [tuesday], page)).toEqual({ accepted: 1, held: [] });
  });

  test('a page in the old unit for a value date of the new one is held', async () => {
    const { read, get } = await onTheEve();
    const wrong = official('2026-11-24', { USD: 802.3, EUR: 922.6, CNY: 110.3 });
    expect((await read(MIDNIGHT, [wrong], page)).accepted).toBe(0);
    expect((await get('official')).json.rates.USD).not.toHaveProperty('next');
  });

  test('a bank table of the new unit passes beside the last one of the old', async () => {
    const { read } = await onTheEve();
    await read(MIDNIGHT, [official('2026-11-24', { USD: 0.8023, EUR: 0.9226, CNY: 0.1103 })], page);
    const at = MIDNIGHT + 2 * DAY_MS;
    const row = { bank: 'Banesco', buy: 0.8001, sell: 0.8039 };
    const table = bankTable('2026-11-24', [row], { captured_at: iso(at) });
    expect(await read(at, [table], page)).toEqual({ accepted: 1, held: [] });
  });
});
