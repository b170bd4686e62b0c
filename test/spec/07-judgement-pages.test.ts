import { describe, expect, test } from 'vitest';
import { ACCEPTED, DUPLICATE, HELD, judging } from '../harness/judging.ts';
import { official } from '../harness/make.ts';

/** Figures as the central bank publishes them. Monday 23 November 2026 is a bank holiday. */
const THURSDAY = {
  USD: 798.2144,
  EUR: 918.01230814,
  CNY: 109.80112753,
  TRY: 18.90115527,
  RUB: 9.84223319,
};
const FRIDAY = {
  USD: 800.5508,
  EUR: 920.40316822,
  CNY: 110.11820644,
  TRY: 18.95330412,
  RUB: 9.87110523,
};
const TUESDAY = {
  USD: 804.2951,
  EUR: 925.19920831,
  CNY: 110.62114075,
  TRY: 19.03872216,
  RUB: 9.90871544,
};

const EVENING = '2026-11-20T20:00:00Z';
const EVE = ['03:00', '03:10', '03:20', '03:50'].map((time) => `2026-11-24T${time}:00Z`);

async function publishing() {
  const found = await judging();
  await found.page('2026-11-18T20:00:00Z', '2026-11-19', THURSDAY);
  await found.page('2026-11-19T20:00:00Z', '2026-11-20', FRIDAY);
  const rateOf = async (market: string, time: string) => {
    found.service.clock.set(Date.parse(time));
    return found.mid(market);
  };
  return { ...found, rateOf };
}

describe('a page with figures or a date of another page (decisions §8)', () => {
  test.each([
    ['all figures of the page before', FRIDAY, 'figure_repeated'],
    ['all figures of a page of days ago', THURSDAY, 'figure_repeated'],
    ['the euro of the page before', { ...TUESDAY, EUR: FRIDAY.EUR }, 'figure_repeated'],
    ['a dollar that is 2 percent higher', { ...TUESDAY, USD: 820.381 }, 'cross_moved'],
  ])('%s: held in the evening, and the right page passes', async (_, wrong, reason) => {
    const { page, reasons, rateOf } = await publishing();
    expect(await page(EVENING, '2026-11-24', wrong)).toEqual(HELD);
    expect(await reasons()).toEqual([reason]);
    expect(await page('2026-11-20T20:10:00Z', '2026-11-24', TUESDAY)).toEqual(ACCEPTED);
    expect(await rateOf('reference', '2026-11-24T12:00:00Z')).toBe(TUESDAY.USD);
  });

  test.each([
    ['all figures of the page before', FRIDAY],
    ['the euro of the page before', { ...TUESDAY, EUR: FRIDAY.EUR }],
    ['a dollar that is 1.5 percent higher', { ...TUESDAY, USD: 816.3595 }],
  ])('%s, after the right page: never released by insistence', async (_, wrong) => {
    const { page, store, get, rateOf } = await publishing();
    expect(await page(EVENING, '2026-11-24', TUESDAY)).toEqual(ACCEPTED);
    for (const time of EVE) expect(await page(time, '2026-11-24', wrong)).toEqual(HELD);
    const [first, ...others] = await store.listPublications({ limit: 10 });
    expect([first?.state, ...others.map(({ state }) => state)]).toEqual(Array(3).fill('published'));
    expect((await get('bcv/currencies')).rates.EUR).toBe(TUESDAY.EUR);
    expect(await rateOf('eur_reference', '2026-11-24T12:00:00Z')).toBe(TUESDAY.EUR);
    expect(await rateOf('reference', '2026-11-24T12:00:00Z')).toBe(TUESDAY.USD);
  });

  test('without a right page, insistence releases a dollar that moved, and no repeated figure', async () => {
    const wrong = { ...TUESDAY, USD: 820.381 };
    const repeated = { ...TUESDAY, EUR: FRIDAY.EUR };
    for (const [rates, counts] of [
      [wrong, ACCEPTED],
      [repeated, HELD],
    ] as const) {
      const { page, ingestAll } = await publishing();
      expect(await page(EVENING, '2026-11-24', rates)).toEqual(HELD);
      expect(await page('2026-11-24T02:59:00Z', '2026-11-24', rates)).toEqual(HELD);
      expect(await page('2026-11-24T03:00:00Z', '2026-11-24', rates)).toEqual(counts);
      const record = official('2026-11-24', rates, { captured_at: '2026-11-24T03:00:00Z' });
      const told = await ingestAll([record], { source: 'operator' });
      expect(told).toEqual(counts === HELD ? ACCEPTED : DUPLICATE);
    }
  });

  test('the old figures with the next date undo nothing that is in force', async () => {
    const { page, store, rateOf } = await publishing();
    // Within a day of the reading that they repeat, so they look like a corrected date.
    expect(await page('2026-11-20T19:50:00Z', '2026-11-24', FRIDAY)).toEqual(HELD);
    expect(await rateOf('reference', '2026-11-20T19:50:00Z')).toBe(FRIDAY.USD);
    const listed = await store.listPublications({ limit: 10 });
    expect(listed.map(({ state }) => state)).toEqual(['published', 'published']);
  });

  test('a corrected date has the same figures, and passes', async () => {
    const { page, held } = await publishing();
    expect(await page(EVENING, '2026-11-23', TUESDAY)).toEqual(HELD);
    expect(await page('2026-11-20T23:00:00Z', '2026-11-24', TUESDAY)).toEqual(ACCEPTED);
    expect(await held()).toEqual([]);
    // The operator trusted the date of a holiday, and the page corrects it.
    const trusting = await publishing();
    trusting.service.clock.set(Date.parse(EVENING));
    const record = official('2026-11-23', TUESDAY, { captured_at: EVENING });
    await trusting.ingestAll([record], { source: 'operator', trust: true });
    expect(await trusting.page('2026-11-20T23:00:00Z', '2026-11-24', TUESDAY)).toEqual(ACCEPTED);
    const listed = await trusting.store.listPublications({ limit: 10 });
    expect(listed.map(({ state }) => state).slice(0, 2)).toEqual(['published', 'withdrawn']);
  });

  test('released after the right page, it leaves no figure in history', async () => {
    const { page, held, ingest, store, get, rateOf, service } = await publishing();
    await page(EVENING, '2026-11-24', { ...TUESDAY, USD: 8_042.951 });
    await page('2026-11-20T20:10:00Z', '2026-11-24', TUESDAY);
    const [first] = await held();
    expect(await ingest.release(first?.id ?? '')).toBe('held');
    await service.service.changePoller.poll();
    const listed = (await store.listPublications({ limit: 2 })).map(({ rates, state }) => [
      rates.USD,
      state,
    ]);
    expect(listed).toEqual([
      [TUESDAY.USD, 'published'],
      [8_042.951, 'replaced'],
    ]);
    expect(await rateOf('reference', '2026-11-24T12:00:00Z')).toBe(TUESDAY.USD);
    const { points } = await get('rates/reference/history?granularity=raw');
    expect(points.map(({ rate }: { rate: number }) => rate)).toEqual([
      THURSDAY.USD,
      FRIDAY.USD,
      TUESDAY.USD,
    ]);
    expect(await store.check()).toEqual([]);
  });

  test('what the operator or an archive brings is no page', async () => {
    const { ingestAll, service } = await publishing();
    service.clock.set(Date.parse(EVENING));
    const record = official('2026-11-24', FRIDAY, { captured_at: EVENING });
    expect(await ingestAll([record], { source: 'operator' })).toEqual(ACCEPTED);
  });
});
