import { describe, expect, test } from 'vitest';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import { bankTable, official, quote } from '../harness/make.ts';
import { serviceWith } from '../harness/service.ts';

/** The unit of records for days of before 1 October 2021 (contract §7). */

async function importing(...records: object[]) {
  const { service, get } = await serviceWith([]);
  const held: string[] = [];
  const bad: string[] = [];
  const lines = recordsIn(records.map((record) => JSON.stringify(record)));
  const counts = await service.service.ingest.ingest(lines, {
    source: 'operator',
    tell({ held: doubts = [], bad: line }) {
      held.push(...doubts.map(({ reason, message }) => `${reason}: ${message}`));
      if (line !== undefined) bad.push(line.reason);
    },
  });
  await service.service.changePoller.poll();
  return { service, get, counts, held, bad };
}

const AT = { captured_at: '2020-03-30T16:00:00Z' };
const DAY = { unit: 'day', ...AT };

describe('the unit of a record (contract §7)', () => {
  test.each([
    ['2020-03-30', 0.0778934605, {}, 77_893.4605],
    ['2020-03-30', 77_893.4605, { unit: 'day' }, 77_893.4605],
    ['2016-08-24', 6.451234e-9, {}, 645.1234],
    ['2016-08-24', 645.1234, { unit: 'day' }, 645.1234],
    ['2021-10-04', 4.18123457, {}, 4.18123457],
    ['2021-10-04', 4.18123457, { unit: 'day' }, 4.18123457],
  ])(
    'a publication for %s with %d %j is stored in the bolívar of 2021',
    async (day, rate, unit, shown) => {
      const { get, counts, held } = await importing(official(day, { USD: rate, EUR: rate }, unit));
      expect([counts.accepted, held]).toEqual([1, []]);
      expect((await get(`rates/reference?date=${day}`)).json.mid).toBe(shown);
    },
  );

  test('an official rate that comes as a quote, its sides and a bank table may say it too', async () => {
    const rate = { effective_date: '2020-03-30', ...DAY, updated_at: '2020-03-30T04:00:00Z' };
    const { service, get, counts } = await importing(
      quote('reference', 77_893.4605, { ...rate, ask: 77_900, bid: 77_000 }),
      bankTable('2020-03-30', [{ bank: 'Banesco', buy: 77_000, sell: 78_000 }], DAY),
    );
    expect(counts).toMatchObject({ accepted: 2, held: 0 });
    expect((await get('rates/reference?date=2020-03-30')).json).toMatchObject({
      ...{ mid: 77_893.4605, ask: 77_900, bid: 77_000 },
    });
    const { bankTable: stored } = await service.service.store.currentRecords(
      (await get('rates/reference?date=2020-03-30')).json.as_of.date,
    );
    expect(stored?.rows).toMatchObject([{ buy: 0.077, sell: 0.078 }]);
  });

  test.each([
    [official('2020-03-30', { USD: 77_893.4605 }, AT), 'USD 77893.4605', '2020-03-30', 'say'],
    [official('2016-08-24', { USD: 645.1234 }, AT), 'USD 645.1234', '2016-08-24', 'say'],
    [official('2020-03-30', { EUR: 85_900.1 }, AT), 'EUR 85900.1', '2020-03-30', 'say'],
    [
      official('2020-03-30', { USD: 0.0778934605 }, DAY),
      'USD 0.0778934605',
      '2021-10-01',
      'leave out',
    ],
    [
      quote('reference', 77_893.46, {
        ...AT,
        effective_date: '2020-03-30',
        updated_at: '2020-03-30T04:00:00Z',
      }),
      'reference 77893.46',
      '2020-03-30',
      'say',
    ],
    [
      bankTable('2020-03-30', [{ bank: 'Banesco', sell: 78_000 }], AT),
      'Banesco 78000',
      '2020-03-30',
      'say',
    ],
  ])(
    'one that would be right in the other unit is held, and says so: %j',
    async (record, figure, unit, advice) => {
      const { service, counts } = await importing(record);
      expect(counts).toMatchObject({ accepted: 0, held: 1 });
      const held = await service.service.store.listHeld('held', 10);
      const [reason = ''] = held.map((one) => `${one.reason}: ${one.message}`);
      expect(reason).toMatch(/^other_unit: /);
      expect(reason).toContain(figure);
      expect(reason).toMatch(new RegExp(`looks like the bolívar of (?:its day, )?${unit}`));
      expect(reason).toContain(`${advice} "unit": "day"`);
    },
  );

  test('repetition does not release it, and the operator may', async () => {
    const record = official('2020-03-30', { USD: 77_893.4605 }, DAY);
    const wrong = official('2020-03-30', { USD: 0.0778934605 }, DAY);
    const { service, get, counts } = await importing(wrong, wrong, wrong);
    expect(counts.accepted).toBe(0);
    const [held] = await service.service.store.listHeld('held', 10);
    expect(held?.reason).toBe('other_unit');
    await service.service.ingest.release(held?.id ?? '', { why: 'operator' });
    await service.service.changePoller.poll();
    // As it says: in the bolívar of its day.
    expect((await get('rates/reference?date=2020-03-30')).json.mid).toBe(0.0778934605);
    await service.service.ingest.ingest(recordsIn([JSON.stringify(record)]), {
      ...{ source: 'operator', trust: true },
    });
    await service.service.changePoller.poll();
    expect((await get('rates/reference?date=2020-03-30')).json.mid).toBe(77_893.4605);
  });

  test('another word than "day" is refused', async () => {
    const { bad } = await importing(official('2020-03-30', { USD: 1 }, { unit: 'today' }));
    expect(bad).toEqual(['unit: must be "day"']);
  });

  test('a late report in the other unit is not stored, and its line says so', async () => {
    const times = { updated_at: '2020-03-30T16:00:00Z', captured_at: undefined };
    const late = quote('cash', 77_893.4605, times);
    const { service } = await importing();
    await service.push(quote('cash', 900));
    service.clock.advance(60_000);
    const passed: string[] = [];
    const counts = await service.service.ingest.ingest(recordsIn([JSON.stringify(late)]), {
      source: 'operator',
      tell: ({ passedOver }) => passed.push(passedOver?.reason ?? ''),
    });
    expect(counts).toMatchObject({ accepted: 0, duplicate: 1 });
    expect(passed.join()).toContain('bol');
  });
});
