import { describe, expect, test } from 'vitest';
import { bank, FRIDAY, THURSDAY, TUESDAY } from '../harness/bank-figures.ts';
import { ACCEPTED, HELD, judging } from '../harness/judging.ts';
import { official } from '../harness/make.ts';

const EVENING = '2026-11-20T20:00:00Z';
const EVE = ['03:00', '03:10', '03:20', '03:50'].map((time) => `2026-11-24T${time}:00Z`);

function scaled(rates: typeof TUESDAY, factor: number): typeof TUESDAY {
  const { USD, EUR, CNY, TRY, RUB } = rates;
  const by = (rate: number) => Number((rate * factor).toPrecision(12));
  return { USD: by(USD), EUR: by(EUR), CNY: by(CNY), TRY: by(TRY), RUB: by(RUB) };
}

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

describe('a page with figures or a date of another page (contract §8)', () => {
  test.each([
    ['all figures of the page before', FRIDAY, 'figure_repeated'],
    ['all figures of a page of days ago', THURSDAY, 'figure_repeated'],
    ['the euro of the page before', { ...TUESDAY, EUR: FRIDAY.EUR }, 'figure_repeated'],
    ['the euro without its decimals', { ...TUESDAY, EUR: 536 }, 'figures_unrelated'],
    ['a digit of the dollar', { ...TUESDAY, USD: 462.6787 }, 'figures_unrelated'],
    ['a digit of the euro', { ...TUESDAY, EUR: 536.19422269 }, 'figures_unrelated'],
    ['a million times all figures, so that decimals are lost', scaled(TUESDAY, 1e6), 'moved'],
    ['the dollar in the place of the euro', { ...TUESDAY, EUR: TUESDAY.USD }, 'moved'],
    ['ten times the dollar', { ...TUESDAY, USD: 4_626.687 }, 'moved'],
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
    ['the dollar in the place of the euro', { ...TUESDAY, EUR: TUESDAY.USD }],
    [
      'the dollar and the euro in each other’s place',
      { ...TUESDAY, USD: TUESDAY.EUR, EUR: TUESDAY.USD },
    ],
    ['a currency less', { USD: TUESDAY.USD, CNY: TUESDAY.CNY }],
    ['ten times the dollar, which fits', { ...TUESDAY, USD: 4_626.687 }],
    ['a dollar that is 1.5 percent higher', { ...TUESDAY, USD: 469.6087 }],
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

  test('without a right page, insistence releases neither figures that do not fit each other nor a repeated one', async () => {
    const wrong = { ...TUESDAY, USD: 469.6087 };
    const repeated = { ...TUESDAY, EUR: FRIDAY.EUR };
    // Ten times the dollar fits its quotes, which have a decimal to spare.
    const tenTimes = { ...TUESDAY, USD: 4_626.687 };
    const twice = { ...TUESDAY, EUR: TUESDAY.USD };
    const lost = { ...TUESDAY, EUR: 536 };
    const exchanged = { ...TUESDAY, USD: TUESDAY.EUR, EUR: TUESDAY.USD };
    for (const rates of [wrong, repeated, tenTimes, twice, exchanged, lost, scaled(TUESDAY, 1e6)]) {
      const { page, ingestAll } = await publishing();
      expect(await page(EVENING, '2026-11-24', rates)).toEqual(HELD);
      expect(await page('2026-11-24T02:59:00Z', '2026-11-24', rates)).toEqual(HELD);
      expect(await page('2026-11-24T03:00:00Z', '2026-11-24', rates)).toEqual(HELD);
      const record = official('2026-11-24', rates, { captured_at: '2026-11-24T03:00:00Z' });
      expect(await ingestAll([record], { source: 'operator' })).toEqual(ACCEPTED);
    }
  });

  test.each([
    ['the yuan', { CNY: 1.09 }],
    ['the lira', { TRY: 1.5 }],
    ['the ruble', { RUB: 0.7 }],
    ['the dollar alone', { USD: 1.1002 }],
    ['the dollar on a page without the euro', { USD: 1.1002, EUR: 0 }],
  ])('%s moved too far on a page with short figures: no repetition releases it', async (_, by) => {
    const { page, rateOf } = await publishing();
    const factors: Partial<Record<string, number>> = by;
    const figures = Object.entries(TUESDAY).map(([name, rate]) => [
      name,
      Number((rate * (factors[name] ?? 1)).toFixed(4)),
    ]);
    const wrong = Object.fromEntries(figures.filter(([, rate]) => rate !== 0));
    expect(await page(EVENING, '2026-11-24', wrong)).toEqual(HELD);
    for (const time of EVE) expect(await page(time, '2026-11-24', wrong)).toEqual(HELD);
    expect(await rateOf('reference', '2026-11-24T12:00:00Z')).toBe(FRIDAY.USD);
    const right = await page('2026-11-24T12:00:00Z', '2026-11-24', TUESDAY);
    expect(right).toEqual(ACCEPTED);
  });

  test.each([
    ['twice as far as in a day', 1.22, ACCEPTED],
    ['further', 1.25, HELD],
  ])('the euro that a page left out is back the day after, and moved %s', async (_, rate, last) => {
    const { page, rateOf } = await publishing();
    const { EUR: __, ...others } = TUESDAY;
    for (const time of EVE) await page(time, '2026-11-24', others);
    expect(await rateOf('reference', '2026-11-24T12:00:00Z')).toBe(TUESDAY.USD);
    expect(await rateOf('eur_reference', '2026-11-24T12:00:00Z')).toBe(FRIDAY.EUR);
    const back = { ...bank(463), EUR: Number((463 * rate).toFixed(8)) };
    for (const time of ['20:00', '20:10']) {
      expect(await page(`2026-11-24T${time}:00Z`, '2026-11-25', back)).toEqual(HELD);
    }
    expect(await page('2026-11-25T03:00:00Z', '2026-11-25', back)).toEqual(last);
  });

  test('the old figures with the next date undo nothing that is in force', async () => {
    const { page, store, rateOf } = await publishing();
    // Read within a day of the reading that they repeat, so they look like a corrected date.
    expect(await page('2026-11-20T19:50:00Z', '2026-11-24', FRIDAY)).toEqual(HELD);
    expect(await rateOf('reference', '2026-11-20T19:50:00Z')).toBe(FRIDAY.USD);
    const listed = await store.listPublications({ limit: 10 });
    expect(listed.map(({ state }) => state)).toEqual(['published', 'published']);
  });

  test('a page that corrects the date of a holiday, which the operator trusted, passes', async () => {
    const { page, ingestAll, service, store } = await publishing();
    service.clock.set(Date.parse(EVENING));
    const record = official('2026-11-23', TUESDAY, { captured_at: EVENING });
    await ingestAll([record], { source: 'operator', trust: true });
    expect(await page('2026-11-20T23:00:00Z', '2026-11-24', TUESDAY)).toEqual(ACCEPTED);
    const listed = await store.listPublications({ limit: 10 });
    expect(listed.map(({ state }) => state).slice(0, 2)).toEqual(['published', 'withdrawn']);
  });

  test('released after the right page, it leaves no figure in history', async () => {
    const { page, held, ingest, store, pastRates, rateOf, service } = await publishing();
    await page(EVENING, '2026-11-24', { ...TUESDAY, USD: 4_626.687 });
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
      [4_626.687, 'replaced'],
    ]);
    expect(await rateOf('reference', '2026-11-24T12:00:00Z')).toBe(TUESDAY.USD);
    expect(await pastRates('reference')).toEqual([THURSDAY.USD, FRIDAY.USD, TUESDAY.USD]);
    expect(await store.check()).toEqual([]);
  });

  test('what the operator or an archive brings is no page', async () => {
    const { ingestAll, service } = await publishing();
    service.clock.set(Date.parse(EVENING));
    const record = official('2026-11-24', FRIDAY, { captured_at: EVENING });
    expect(await ingestAll([record], { source: 'operator' })).toEqual(ACCEPTED);
  });
});
