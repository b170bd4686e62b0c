import { describe, expect, test } from 'vitest';
import type { ToldOfRecord } from '../../src/core/app/ingest/batch.ts';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { ACCEPTED, DUPLICATE, HELD, judging, publicationsOn } from '../harness/judging.ts';
import { bankTable, iso, official, quote } from '../harness/make.ts';
import { START } from '../harness/service.ts';

/** Friday's rates. The banks are closed on Monday 23 November 2026, so Tuesday is next. */
const FRIDAY = { USD: 800, EUR: 920, CNY: 110 };
const TUESDAY = { USD: 804, EUR: 925, CNY: 110.5 };

/** Thursday's page was read on Wednesday, Friday's on Thursday, each in its evening. */
async function publishing() {
  const found = await judging();
  await found.page('2026-11-18T20:00:00Z', '2026-11-19', { USD: 798, EUR: 918, CNY: 109.8 });
  await found.page('2026-11-19T20:00:00Z', '2026-11-20', FRIDAY);
  expect(await found.mid('reference')).toBe(798);
  found.service.clock.set(Date.parse('2026-11-20T12:00:00Z'));
  return {
    ...found,
    usd: () => found.mid('reference'),
    currencies: async () => (await found.get('bcv/currencies')).rates,
  };
}

const EVENING = '2026-11-20T20:00:00Z';

describe('figures of a publication (contract §8)', () => {
  test.each([
    ['over a ratio of 1.1', { USD: 880.01, EUR: 1_012, CNY: 121 }, 'moved'],
    ['without a currency', { USD: 804, EUR: 925 }, 'currency_lost'],
  ])(
    '%s is released by repeated readings from 23:00 on the day before its value date, not earlier',
    async (_, rates, reason) => {
      const { page, reasons, mid, service, usd } = await publishing();
      expect(await page(EVENING, '2026-11-24', rates)).toEqual(HELD);
      expect(await reasons()).toEqual([reason]);
      for (const time of ['2026-11-20T22:00:00Z', '2026-11-22T12:00:00Z', '2026-11-24T02:59:00Z']) {
        expect(await page(time, '2026-11-24', rates)).toEqual(HELD);
      }
      expect(await page('2026-11-24T03:00:00Z', '2026-11-24', rates)).toEqual(ACCEPTED);
      service.clock.set(Date.parse('2026-11-24T04:00:00Z'));
      expect([await usd(), await mid('eur_reference')]).toEqual([rates.USD, rates.EUR]);
      expect(await reasons()).toEqual([]);
    },
  );

  test.each([
    ['EUR over USD off by 3.6 percent', { ...TUESDAY, EUR: 957.9 }, 'cross_moved'],
    ['two currencies in each other’s place', { ...TUESDAY, USD: 925, EUR: 804 }, 'moved'],
    ['all figures times ten', { USD: 8_040, EUR: 9_250, CNY: 1_105 }, 'moved'],
  ])('%s: never released by repeated readings, whatever the decimals', async (_, rates, reason) => {
    const { page, reasons, mid, service, usd } = await publishing();
    for (const time of ['2026-11-20T20:00:00Z', '2026-11-24T03:00:00Z', '2026-11-24T08:00:00Z']) {
      expect(await page(time, '2026-11-24', rates)).toEqual(HELD);
    }
    expect((await reasons()).at(-1)).toBe(reason);
    service.clock.set(Date.parse('2026-11-24T12:00:00Z'));
    expect([await usd(), await mid('eur_reference')]).toEqual([FRIDAY.USD, FRIDAY.EUR]);
  });

  test('EUR over USD may have moved while pages were missed: repeated readings release it then', async () => {
    const { page, mid, service } = await publishing();
    const rates = { ...TUESDAY, EUR: 957.9 };
    for (const time of ['2026-11-24T20:00:00Z', '2026-11-25T02:59:00Z']) {
      expect(await page(time, '2026-11-25', rates)).toEqual(HELD);
    }
    expect(await page('2026-11-25T03:00:00Z', '2026-11-25', rates)).toEqual(ACCEPTED);
    service.clock.set(Date.parse('2026-11-25T04:00:00Z'));
    expect(await mid('eur_reference')).toBe(957.9);
  });

  test('an independent source that agrees releases a held publication at once', async () => {
    const { page, ingestAll } = await publishing();
    const rates = { ...TUESDAY, USD: 900, EUR: 1_035 };
    expect(await page(EVENING, '2026-11-24', rates)).toEqual(HELD);
    const record = official('2026-11-24', rates, { captured_at: iso(Date.parse(EVENING)) });
    expect(await ingestAll([record], { source: 'operator' })).toEqual(ACCEPTED);
  });

  test('another figure for a future value date is published by insistence, and the first one stays listed', async () => {
    const { page, store, usd, service, pastRates } = await publishing();
    expect(await page(EVENING, '2026-11-24', { ...TUESDAY, USD: 806 })).toEqual(ACCEPTED);
    expect(await page('2026-11-20T22:50:00Z', '2026-11-24', TUESDAY)).toEqual(HELD);
    expect(await page('2026-11-20T22:55:00Z', '2026-11-24', TUESDAY)).toEqual(HELD);
    expect(await page('2026-11-20T22:59:59Z', '2026-11-24', TUESDAY)).toEqual(HELD);
    expect(await page('2026-11-20T23:00:00Z', '2026-11-24', TUESDAY)).toEqual(ACCEPTED);
    const [first, second, ...others] = await publicationsOn(store, '2026-11-24');
    expect([first?.state, first?.rates.USD]).toEqual(['replaced', 806]);
    expect([second?.state, second?.rates.USD]).toEqual(['published', 804]);
    expect(others.at(-1)?.insisted).toBe(true);
    service.clock.set(Date.parse('2026-11-24T12:00:00Z'));
    expect(await usd()).toBe(804);
    // A rate that never took effect does not appear in history.
    expect(await pastRates('reference')).toEqual([798, 800, 804]);
  });

  test.each([
    ['in force', '2026-11-20', '2026-11-20T21:49:00Z'],
    ['past', '2026-11-19', '2026-11-20T21:49:00Z'],
  ])(
    'repeated readings never change the figure of a value date that is %s',
    async (_, date, time) => {
      const { page, usd, reasons } = await publishing();
      for (const minutes of [0, 10, 20, 200]) {
        const at = new Date(Date.parse(time) + minutes * MINUTE_MS).toISOString();
        expect(await page(at, date, TUESDAY)).toEqual(HELD);
      }
      expect(await usd()).toBe(800);
      expect(new Set(await reasons())).toEqual(new Set(['other_figure']));
    },
  );
});

describe('value dates (contract §8)', () => {
  test.each([
    ['after the next business day', '2026-11-25', 'date_ahead'],
    ['a year ahead', '2027-11-24', 'date_ahead'],
    ['on a holiday', '2026-11-23', 'date_closed'],
    ['on a Saturday', '2026-11-21', 'date_closed'],
  ])('repeated readings never release a publication %s', async (_, date, reason) => {
    const { page, usd, reasons, currencies } = await publishing();
    // On Tuesday the 25th is the next business day.
    const days = ['20', '21', '22', '23'].map((day) => `2026-11-${day}`);
    for (const day of days) {
      for (const time of ['20:00', '20:10', '20:20']) {
        expect(await page(`${day}T${time}:00Z`, date, TUESDAY)).toMatchObject({ accepted: 0 });
        if (day === '2026-11-20') expect(await reasons()).toContain(reason);
      }
    }
    expect([await usd(), await currencies()]).toEqual([800, { EUR: 920, CNY: 110 }]);
  });

  test('a computed holiday holds a publication like a listed one, and the message says so', async () => {
    const { page, held, ingestAll, get } = await judging();
    await page('2027-01-07T20:00:00Z', '2027-01-08', FRIDAY);
    // By the rules, Epiphany of 2027, a Wednesday, closes the banks on the following Monday.
    for (const time of ['08T20:00', '08T20:10', '11T02:50', '11T03:10']) {
      expect(await page(`2027-01-${time}:00Z`, '2027-01-11', TUESDAY)).toMatchObject({
        accepted: 0,
      });
    }
    const [first] = await held();
    expect([first?.reason, first?.message]).toEqual([
      'date_closed',
      "banks are closed on the value date 2027-01-11, computed beyond the regulator's list",
    ]);
    // The operator has loaded the list of the new year.
    const record = official('2027-01-11', TUESDAY, { captured_at: '2027-01-11T03:10:00Z' });
    expect(await ingestAll([record], { trust: true })).toEqual(ACCEPTED);
    expect((await get('bcv/currencies')).reference_value_date).toBe('2027-01-11');
  });

  test('the business day after a computed closing is the next value date', async () => {
    const { page } = await judging();
    await page('2027-01-07T20:00:00Z', '2027-01-08', FRIDAY);
    expect(await page('2027-01-08T20:00:00Z', '2027-01-12', TUESDAY)).toEqual(ACCEPTED);
  });

  test('a page that was read too early is no longer held once its figures are published', async () => {
    const { page, held, reasons, store } = await publishing();
    expect(await page('2026-11-20T20:00:00Z', '2026-11-25', TUESDAY)).toEqual(HELD);
    expect(await page('2026-11-20T20:10:00Z', '2026-11-25', { ...TUESDAY, USD: 805 })).toEqual(
      HELD,
    );
    expect(await page('2026-11-24T20:00:00Z', '2026-11-25', TUESDAY)).toEqual(ACCEPTED);
    expect((await held()).map(({ record }) => record['rates'])).toEqual([{ ...TUESDAY, USD: 805 }]);
    expect(await reasons()).toEqual(['date_ahead']);
    expect(await store.listHeld('released', 10)).toHaveLength(1);
    expect(await publicationsOn(store, '2026-11-25')).toHaveLength(1);
  });

  test('of two held readings of a page the operator releases one, and its next reading closes the other', async () => {
    const { page, held, ingest, reasons } = await publishing();
    const jump = { USD: 900, EUR: 1_035, CNY: 123 };
    for (const time of ['20:00', '20:05']) await page(`2026-11-20T${time}:00Z`, '2026-11-24', jump);
    const [first] = await held();
    await ingest.release(first?.id ?? '');
    expect(await reasons()).toEqual(['moved']);
    expect(await page('2026-11-20T20:10:00Z', '2026-11-24', jump)).toEqual(DUPLICATE);
    expect(await reasons()).toEqual([]);
  });

  test('a page with a past value date is held, and the operator may load the past', async () => {
    const { page, ingestAll, reasons, usd, get, service } = await publishing();
    const monday = { USD: 795, EUR: 915, CNY: 109 };
    expect(await page(EVENING, '2026-11-16', monday)).toEqual(HELD);
    expect(await reasons()).toEqual(['date_back']);
    const record = official('2026-11-16', monday, { captured_at: iso(Date.parse(EVENING)) });
    expect(await ingestAll([record], { source: 'operator' })).toEqual(ACCEPTED);
    expect([await usd(), (await get('bcv/currencies')).rates.EUR]).toEqual([800, 920]);
    // A late rate stands at the instant at which it took effect itself (contract §1).
    service.clock.set(Date.parse('2026-11-21T12:00:00Z'));
    const { points } = await get('rates/reference/history?from=2026-11-15&to=2026-11-21');
    expect(points.map((point: { date: string; rate: number }) => [point.date, point.rate])).toEqual(
      [
        ['2026-11-16', 795],
        ['2026-11-19', 798],
        ['2026-11-20', 800],
      ],
    );
  });

  test('a page is compared with the newest rate in force of any of its currencies', async () => {
    const { page, ingestAll, reasons } = await judging();
    const byHand = official('2026-11-20', { USD: 800 }, { captured_at: '2026-11-19T20:00:00Z' });
    expect(await ingestAll([byHand], { source: 'operator' })).toEqual(ACCEPTED);
    const july = { EUR: 844.2, CNY: 109.6, USD: 742.2 };
    expect(await page('2026-11-20T12:00:00Z', '2026-07-27', july)).toEqual(HELD);
    expect(await reasons()).toEqual(['date_back']);
    expect(await page('2026-11-20T13:00:00Z', '2026-11-20', { ...july, USD: 800 })).toEqual(
      ACCEPTED,
    );
  });

  test('an earlier value date in a quote is judged and stored like one in a publication', async () => {
    const { ingestAll, get, usd } = await publishing();
    const late = (mid: number, date: string) =>
      quote('reference', mid, {
        effective_date: date,
        updated_at: undefined,
        captured_at: '2026-11-20T12:00:00Z',
      });
    expect(await ingestAll([late(799, '2026-11-19')], { source: 'operator' })).toEqual(HELD);
    expect(await ingestAll([late(790, '2026-11-16')], { source: 'operator' })).toEqual(ACCEPTED);
    expect(await usd()).toBe(800);
    const { points } = await get('rates/reference/history?from=2026-11-15&to=2026-11-20');
    expect(points.map((point: { date: string; rate: number }) => [point.date, point.rate])).toEqual(
      [
        ['2026-11-16', 790],
        ['2026-11-19', 798],
        ['2026-11-20', 800],
      ],
    );
  });

  test.each([
    ['within the ratio', '2026-11-18', 725.5, ACCEPTED],
    ['over the ratio', '2026-11-18', 725.4, HELD],
    ['over the ratio, seven days before', '2026-11-12', 400, HELD],
    ['over the ratio, too long before to compare', '2026-11-11', 400, ACCEPTED],
  ])(
    'an earlier value date without a rate before it is judged by the next rate: %s',
    async (_, day, usd, counts) => {
      const { ingestAll } = await publishing();
      const read = { captured_at: '2026-11-20T12:00:00Z' };
      const more = { ...read, effective_date: day, updated_at: `${day}T04:00:00Z` };
      expect(await ingestAll([quote('reference', usd, more)])).toEqual(counts);
      const whole = await publishing();
      const rates = { USD: usd, EUR: usd + 120, CNY: 109.8 };
      expect(await whole.ingestAll([official(day, rates, read)])).toEqual(counts);
    },
  );
});

describe('a publication that is already stored (contract §8)', () => {
  test('is always a duplicate, and /bcv/currencies never goes back to it', async () => {
    const { page, currencies, usd, service } = await publishing();
    expect(await page(EVENING, '2026-11-24', TUESDAY)).toEqual(ACCEPTED);
    for (const minutes of [10, 20, 30, 40, 50, 60, 70]) {
      const at = new Date(Date.parse(EVENING) + minutes * MINUTE_MS).toISOString();
      expect(await page(at, '2026-11-20', FRIDAY)).toEqual(DUPLICATE);
      expect(await currencies()).toEqual({ EUR: 925, CNY: 110.5 });
    }
    expect(await page('2026-11-20T21:30:00Z', '2026-11-24', TUESDAY)).toEqual(DUPLICATE);
    service.clock.set(Date.parse('2026-11-24T12:00:00Z'));
    expect(await usd()).toBe(804);
  });

  test('is a duplicate even if the operator has replaced it', async () => {
    const { page, currencies, ingestAll, service } = await publishing();
    await page(EVENING, '2026-11-24', { ...TUESDAY, EUR: 926 });
    service.clock.set(Date.parse('2026-11-20T21:00:00Z'));
    const right = official('2026-11-24', TUESDAY, { captured_at: '2026-11-20T21:00:00Z' });
    expect(await ingestAll([right], { source: 'operator', trust: true })).toEqual(ACCEPTED);
    expect(await page('2026-11-20T22:00:00Z', '2026-11-24', { ...TUESDAY, EUR: 926 })).toEqual(
      DUPLICATE,
    );
    expect(await currencies()).toEqual({ EUR: 925, CNY: 110.5 });
  });

  test('can be restored by the operator if it was replaced', async () => {
    const { page, currencies, ingestAll } = await publishing();
    const first = { ...TUESDAY, EUR: 926 };
    await page(EVENING, '2026-11-24', first);
    for (const minute of ['00', '05', '10']) {
      await page(`2026-11-20T21:${minute}:00Z`, '2026-11-24', TUESDAY);
    }
    expect(await currencies()).toEqual({ EUR: 925, CNY: 110.5 });
    const again = official('2026-11-24', first, { captured_at: '2026-11-20T21:10:00Z' });
    expect(await ingestAll([again], { source: 'operator', trust: true })).toEqual(ACCEPTED);
    expect(await currencies()).toEqual({ EUR: 926, CNY: 110.5 });
    expect(await ingestAll([again], { source: 'operator', trust: true })).toEqual(DUPLICATE);
  });
});

describe('a corrected date (contract §8)', () => {
  test('withdraws the previous publication from rates and history, and both stay stored', async () => {
    const { page, store, usd, get, service, pastRates } = await publishing();
    // Wednesday's date was published instead of Tuesday's by mistake, and corrected at night.
    expect(await page(EVENING, '2026-11-24', TUESDAY)).toEqual(ACCEPTED);
    const next = official('2026-11-25', TUESDAY, { captured_at: '2026-11-20T23:00:00Z' });
    service.clock.set(Date.parse('2026-11-20T23:00:00Z'));
    const { ingest } = service.service;
    await ingest.ingest(recordsIn([JSON.stringify(next)]), { source: 'bcv-official', trust: true });
    await service.service.changePoller.poll();
    const [withdrawn] = await publicationsOn(store, '2026-11-24');
    const [published] = await publicationsOn(store, '2026-11-25');
    expect([withdrawn?.state, published?.state]).toEqual(['withdrawn', 'published']);
    service.clock.set(Date.parse('2026-11-24T12:00:00Z'));
    expect(await usd()).toBe(800);
    service.clock.set(Date.parse('2026-11-25T12:00:00Z'));
    expect(await usd()).toBe(804);
    expect(await pastRates('reference')).toEqual([798, 800, 804]);
    const daily = (await get('rates/reference/history?from=2026-11-20&to=2026-11-25')).points;
    expect(daily.map(({ date }: { date: string }) => date)).toEqual(['2026-11-20', '2026-11-25']);
    expect(await store.check()).toEqual([]);
  });

  test('closes the held publication, as on the holiday of 1 May 2026', async () => {
    const { page, store, usd, held, service } = await publishing();
    expect(await page(EVENING, '2026-11-23', TUESDAY)).toEqual(HELD);
    const [first] = await held();
    expect(await page('2026-11-20T23:00:00Z', '2026-11-24', TUESDAY)).toEqual(ACCEPTED);
    expect((await store.findHeld(first?.id ?? ''))?.status).toBe('withdrawn');
    expect(await held()).toEqual([]);
    service.clock.set(Date.parse('2026-11-23T12:00:00Z'));
    expect(await usd()).toBe(800);
    service.clock.set(Date.parse('2026-11-24T12:00:00Z'));
    expect(await usd()).toBe(804);
  });
});

describe('rows of a bank table (contract §8)', () => {
  const table = (date: string, rows: Readonly<Record<string, number>>, minutes = 0) =>
    bankTable(
      date,
      Object.entries(rows).map(([bank, buy]) => ({ bank, buy, sell: buy })),
      { captured_at: iso(START + minutes * MINUTE_MS) },
    );
  const banks = async (
    get: (path: string) => Promise<{ bank_rates: { bank: string; buy: number }[] }>,
  ) => Object.fromEntries((await get('bcv/banks')).bank_rates.map(({ bank, buy }) => [bank, buy]));

  async function banking() {
    const found = await judging();
    await found.service.push(
      official('2026-11-20', FRIDAY),
      table('2026-11-19', { Uno: 800, Dos: 801, Tres: 802 }),
    );
    found.service.clock.advance(30 * MINUTE_MS);
    return found;
  }

  test('a row times ten is held, and the other rows are accepted', async () => {
    const { ingestAll, get, held } = await banking();
    const rows = { Uno: 8_000, Dos: 803, Tres: 804 };
    expect(await ingestAll([table('2026-11-20', rows, 1)])).toMatchObject({ accepted: 1, held: 1 });
    expect(await banks(get)).toEqual({ Dos: 803, Tres: 804 });
    expect(await held()).toMatchObject([
      {
        subject: 'bcv.banks',
        reason: 'row_apart',
        record: { rows: [{ bank: 'Uno', buy: 8_000 }] },
      },
    ]);
  });

  test('a table with a bank twice is refused, because it has one row per institution (§2.8)', async () => {
    const { ingestAll, get } = await banking();
    const rows = ['Uno', 'Dos', 'Uno'].map((bank) => ({ bank, buy: 803, sell: 803 }));
    const twice = bankTable('2026-11-20', rows, { captured_at: iso(START + MINUTE_MS) });
    await expect(ingestAll([twice])).rejects.toThrow('rows: Uno is given twice');
    expect(await banks(get)).toEqual({ Uno: 800, Dos: 801, Tres: 802 });
  });

  test('rows all divided by a thousand are held, although they agree with each other', async () => {
    const { ingestAll, get } = await banking();
    const rows = { Uno: 0.8, Dos: 0.801, Tres: 0.802 };
    for (const minute of [1, 7, 14, 21]) {
      expect(await ingestAll([table('2026-11-20', rows, minute)])).toMatchObject({ accepted: 0 });
    }
    expect(await banks(get)).toEqual({ Uno: 800, Dos: 801, Tres: 802 });
  });

  test('a row that two tables repeat is released', async () => {
    const { ingestAll, get } = await banking();
    await ingestAll([table('2026-11-19', { Uno: 1_290, Dos: 801, Tres: 802 }, 1)]);
    const second = table('2026-11-20', { Uno: 1_300, Dos: 801, Tres: 802 }, 2);
    expect(await ingestAll([second])).toMatchObject({ accepted: 1, held: 0 });
    expect((await banks(get))['Uno']).toBe(1_300);
  });

  test('a good row in between stops the release of an earlier held row', async () => {
    const { ingestAll, get } = await banking();
    await ingestAll([table('2026-11-19', { Uno: 8_000, Dos: 801, Tres: 802 }, 1)]);
    await ingestAll([table('2026-11-20', { Uno: 803, Dos: 801, Tres: 802 }, 2)]);
    const again = table('2026-11-23', { Uno: 8_000, Dos: 801, Tres: 802 }, 3);
    expect(await ingestAll([again])).toMatchObject({ accepted: 1, held: 1 });
    expect((await banks(get))['Uno']).toBeUndefined();
  });

  test('a row that the operator releases joins its table', async () => {
    const { ingestAll, ingest, get, held, service } = await banking();
    await ingestAll([table('2026-11-20', { Uno: 8_000, Dos: 803, Tres: 804 }, 1)]);
    const [row] = await held();
    await ingest.release(row?.id ?? '');
    await service.service.changePoller.poll();
    expect(await banks(get)).toEqual({ Dos: 803, Tres: 804, Uno: 8_000 });
  });
});

describe('trusted records (contract §7)', () => {
  test.each([
    ['quote', quote('cash', 8_000)],
    ['publication', official('2026-11-25', TUESDAY)],
    ['bank table', bankTable('2026-11-20', [{ bank: 'Uno', buy: 8_000 }])],
  ])('a trusted %s closes the held copies of the same content', async (_, record) => {
    const { ingestAll, held, service, get } = await judging();
    await service.push(official('2026-11-20', FRIDAY));
    for (const minutes of [1, 2]) {
      service.clock.set(START + minutes * MINUTE_MS);
      await ingestAll([{ ...record, captured_at: iso(START + minutes * MINUTE_MS) }]);
    }
    expect(await held()).toHaveLength(2);
    await ingestAll([{ ...record, captured_at: iso(START) }], { source: 'operator', trust: true });
    expect(await held()).toEqual([]);
    expect((await get('rates')).rates.length).toBeGreaterThan(0);
  });

  test('a held record with other content stays held', async () => {
    const { ingestAll, held, service } = await judging();
    await service.push(official('2026-11-20', FRIDAY));
    await ingestAll([quote('cash', 8_000)]);
    await ingestAll([quote('cash', 8_001)], { source: 'operator', trust: true });
    expect(await held()).toHaveLength(1);
  });
});

describe('an archive (contract §8)', () => {
  const ARCHIVE = { source: 'bcv-archive', onlyNewValueDates: true };
  const told = () => {
    const found: object[] = [];
    const tell = ({ contradiction: one }: ToldOfRecord) => void (one && found.push(one));
    return { found, tell };
  };

  test('a contradicting figure is reported with both figures, and the stored one stays', async () => {
    const { ingestAll, usd } = await publishing();
    const { found, tell } = told();
    const record = official(
      '2026-11-20',
      { ...FRIDAY, USD: 801 },
      { captured_at: '2026-11-20T04:00:00Z' },
    );
    expect(await ingestAll([record], { ...ARCHIVE, tell })).toEqual(DUPLICATE);
    expect(found).toEqual([
      { valueDate: '2026-11-20', market: 'reference', stored: 800, given: 801 },
    ]);
    expect(await usd()).toBe(800);
  });

  test('the operator may accept the corrections of an archive', async () => {
    const { ingestAll, usd, service, get } = await publishing();
    service.clock.set(Date.parse('2026-11-24T12:00:00Z'));
    const { found, tell } = told();
    const record = official(
      '2026-11-20',
      { ...FRIDAY, USD: 801, EUR: 921 },
      { captured_at: '2026-11-20T04:00:00Z' },
    );
    const options = { ...ARCHIVE, tell, acceptCorrections: true };
    expect(await ingestAll([record], options)).toEqual(ACCEPTED);
    expect([found, await usd(), (await get('bcv/currencies')).rates.EUR]).toEqual([[], 801, 921]);
  });

  test('an archive that agrees releases a held publication', async () => {
    const { page, ingestAll, usd, held } = await publishing();
    const corrected = { ...FRIDAY, USD: 801 };
    expect(await page('2026-11-20T12:00:00Z', '2026-11-20', corrected)).toEqual(HELD);
    const { found, tell } = told();
    const record = official('2026-11-20', corrected, { captured_at: '2026-11-20T04:00:00Z' });
    await ingestAll([record], { ...ARCHIVE, tell });
    expect([await usd(), await held(), found]).toEqual([801, [], []]);
  });

  test('an archive adds new value dates and currencies and leaves known ones', async () => {
    const { ingestAll, get } = await publishing();
    const more = official(
      '2026-11-20',
      { ...FRIDAY, RUB: 11 },
      { captured_at: '2026-11-20T04:00:00Z' },
    );
    expect(await ingestAll([more], ARCHIVE)).toEqual(ACCEPTED);
    expect((await get('official')).rates.RUB.in_force.rate).toBe(11);
  });
});
