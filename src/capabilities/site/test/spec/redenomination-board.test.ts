import { read } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { MIDNIGHT, reformCatalogue } from '../../../../../test/harness/reform.ts';
import { serviceWith } from '../../../../../test/harness/service.ts';
import { recordsIn } from '../../../../core/app/ingest/ndjson.ts';
import { DAY_MS, HOUR_MS } from '../../../../core/domain/time.ts';
import { ratesInForce } from '../../board/rates-in-force.ts';

const parallel = (mid: number, at: number) =>
  quote('parallel', mid, { updated_at: iso(at), captured_at: iso(at) });

const bcv = (day: string, rate: number) =>
  official(day, { USD: rate }, { captured_at: iso(Date.parse(`${day}T00:00:00Z`) - 4 * HOUR_MS) });

/** Two days of the old unit, the day of the change with captures of both, and one of the new. */
const RECORDS = [
  bcv('2026-11-18', 795),
  bcv('2026-11-20', 800),
  parallel(900, MIDNIGHT - 40 * HOUR_MS),
  parallel(950, MIDNIGHT - 3 * HOUR_MS),
  parallel(940, MIDNIGHT - HOUR_MS),
  parallel(0.96, MIDNIGHT + HOUR_MS),
  parallel(0.93, MIDNIGHT + 2 * HOUR_MS),
  bcv('2026-11-23', 0.81),
  parallel(0.97, MIDNIGHT + DAY_MS),
];

const CHANGE = [{ on: '2026-11-22', factor: 1_000 }];

async function boardOver(on?: string) {
  const world = await serviceWith(RECORDS, {
    config: { catalogueDir: await reformCatalogue(on) },
    start: MIDNIGHT + DAY_MS,
  });
  const ask = (query: string, format = 'json') =>
    world.service.call(`/board/history.${format}?market=reference,parallel&${query}`);
  return { ...world, ask };
}

describe("the board's history over a redenomination (contract §10)", () => {
  test('has every figure in the unit of today, and names the change', async () => {
    const { ask } = await boardOver();
    const { json } = await ask('days=4&candles=true');
    expect(json.unit_changes).toEqual(CHANGE);
    const [reference, market] = json.series;
    const figures = ({ date, rate, open, high, low, gap_percent }: Record<string, unknown>) => [
      ...[date, rate, open, high, low, gap_percent],
    ];
    expect(reference.opening).toBe(0.795);
    expect(reference.points.map(figures)).toEqual([
      ['2026-11-20', 0.8, 0.8, 0.8, 0.8, undefined],
      ['2026-11-23', 0.81, 0.81, 0.81, 0.81, undefined],
    ]);
    expect(market.points.map(figures)).toEqual([
      ['2026-11-20', 0.9, 0.9, 0.9, 0.9, 12.5],
      ['2026-11-22', 0.93, 0.95, 0.96, 0.93, 16.25],
      ['2026-11-23', 0.97, 0.97, 0.97, 0.97, 19.75],
    ]);
  });

  test('its CSV and its workbook are in the unit of today, and all formats name the change in a header', async () => {
    const { service, ask } = await boardOver();
    const csv = await ask('days=3', 'csv');
    expect(csv.text).toContain('parallel,USD,2026-11-20,0.9,12.5,');
    expect(csv.text).toContain('parallel,USD,2026-11-22,0.93,16.25,');
    const address = `${service.url}/board/history.xlsx?market=parallel&days=3`;
    const { Sheets } = read(await (await fetch(address)).arrayBuffer());
    expect(Sheets['Tasas']?.['D2']?.v).toBe(0.9);
    for (const format of ['json', 'csv', 'xlsx', 'csv']) {
      const { headers } = await ask('days=3', format);
      expect(headers.get('X-Vesfx-Unit-Changes')).toBe('2026-11-22=1000');
    }
  });

  test('names a change on the first day of the range, and none beside it', async () => {
    const { ask } = await boardOver();
    expect((await ask('days=1')).json.unit_changes).toEqual(CHANGE);
    const { service } = await boardOver();
    service.clock.advance(DAY_MS);
    const later = await service.call('/board/history.json?market=parallel&days=1');
    expect(later.json).not.toHaveProperty('unit_changes');
    expect(later.headers.get('X-Vesfx-Unit-Changes')).toBeNull();
    const before = await boardOver('2021-10-01');
    expect((await before.ask('days=4')).json).not.toHaveProperty('unit_changes');
  });

  test('changes its unit at midnight in Caracas', async () => {
    const { service, ask } = await boardOver();
    const rates = async () =>
      (await ask('days=2')).json.series[1].points.map(({ rate }: { rate: number }) => rate);
    service.clock.set(MIDNIGHT - 1);
    expect(await rates()).toEqual([900, 940]);
    service.clock.set(MIDNIGHT);
    expect(await rates()).toEqual([0.9, 0.94]);
  });
});

describe("the board's history of an official rate read late (contract §10)", () => {
  test.each(['2026-11-22', '2026-11-23'])('on %s: in the unit of that day', async (readOn) => {
    const start = Date.parse(`${readOn}T12:00:00Z`);
    const records = [
      official('2026-11-19', { USD: 800 }, { captured_at: '2026-11-18T21:00:00Z' }),
      official('2026-11-20', { USD: 801.2345 }, { captured_at: iso(start) }),
    ];
    const config = { catalogueDir: await reformCatalogue() };
    const { service } = await serviceWith(records, { config, start });
    const { series } = (await service.call('/board/history.json?market=reference')).json;
    const rates = series[0].points.map(({ rate }: { rate: number }) => rate);
    expect(rates).toEqual([0.8, 0.8012345]);
  });
});

const old = { unit_changes: CHANGE };
const EXPLAINED = 'From 22 November 2026 on, one new bolívar is 1,000 old ones.';

describe('past days on the board over a redenomination (contract §9)', () => {
  const unitsOn = async (board: Awaited<ReturnType<typeof boardOver>>, query: string) => {
    const { json } = await board.service.call(`/board/rates.json?date=${query}`);
    return json.rates.map(({ market, mid, unit_changes }: Record<string, unknown>) => ({
      ...{ market, mid, unit_changes },
    }));
  };

  test('a rate in an older unit names the changes since, a rate in that of today none', async () => {
    const board = await boardOver();
    expect(await unitsOn(board, '2026-11-21')).toEqual([
      { market: 'reference', mid: 800, ...old },
      { market: 'parallel', mid: 940, ...old },
    ]);
    expect(await unitsOn(board, '2026-11-22')).toEqual([
      { market: 'reference', mid: 0.8 },
      { market: 'parallel', mid: 0.93 },
    ]);
    // The rate of the next business day is in the unit of the day asked for; Monday is a bank holiday.
    await board.service.push(official('2026-11-24', { USD: 0.82 }));
    expect(await unitsOn(board, '2026-11-21&rule=next_banking_day')).toEqual([
      { market: 'reference', mid: 820, ...old },
      { market: 'parallel', mid: 940, ...old },
    ]);
  });

  test('the converter says in which bolívares a day is, without scripts too', async () => {
    const { service } = await boardOver();
    await service.push(official('2026-11-24', { USD: 0.82 }));
    const page = async (query: string) => (await service.call(`/?lang=en&amount=2&${query}`)).text;
    const past = await page('date=2026-11-20');
    expect(past).toContain('1,600.00');
    expect(past).toContain(
      `value date Fri 20 Nov 2026, in the bolívares of that day. ${EXPLAINED}`,
    );
    expect(await page('date=2026-11-20&via=parallel')).toContain(EXPLAINED);
    expect(await page('date=2026-11-21&rule=next_banking_day')).toContain('1,640.00');
    for (const query of ['', 'date=2026-11-22']) {
      expect(await page(query)).not.toContain('in the bolívares of that day');
    }
  });

  test.each([
    ['es', ', en bolívares de ese día'],
    ['en', ', in the bolívares of that day'],
  ])('a shared conversion says so in its title and its picture (%s)', async (lang, unit) => {
    const query = `lang=${lang}&amount=2&from=USD&via=reference&date=2026-11-20`;
    const shared = async (on?: string) => {
      const { service } = await boardOver(on);
      const { text } = await service.call(`/?${query}`);
      const picture = await fetch(`${service.url}/board/picture.png?${query}`);
      return { text, picture: Buffer.from(await picture.arrayBuffer()).toString('base64') };
    };
    const [reformed, unchanged] = [await shared(), await shared('2021-10-01')];
    const titleOf = ({ text }: { text: string }) => /og:title" content="([^"]*)"/.exec(text)?.[1];
    expect(titleOf(reformed)).toBe(`${titleOf(unchanged)}${unit}`);
    expect(reformed.picture === unchanged.picture).toBe(false);
  });
});

describe('the cards of the board at a redenomination (contract §1)', () => {
  test('changes and curves are in the unit of today from the first instant of the day', async () => {
    const eve = RECORDS.slice(0, 5);
    const { service } = await serviceWith(eve, {
      config: { catalogueDir: await reformCatalogue() },
      start: MIDNIGHT - 1,
    });
    const trend = async () => (await service.call('/board.json')).json.trends.parallel;
    service.clock.set(MIDNIGHT - 1);
    expect(await trend()).toEqual({ change: { amount: 40, percent: 4.4444 }, closes: [900, 940] });
    service.clock.set(MIDNIGHT);
    expect(await trend()).toEqual({
      change: { amount: 0.04, percent: 4.4444 },
      closes: [0.9, 0.94],
    });
  });

  test('the next rate of a new unit says so, and a page without an answer mixes no units', async () => {
    const { service } = await serviceWith(RECORDS.slice(0, 5), {
      config: { catalogueDir: await reformCatalogue('2026-11-23') },
      start: MIDNIGHT,
    });
    const figures = async () => (await service.call('/board.json')).json;
    expect(await figures()).not.toHaveProperty('unit_changes');
    await service.push(official('2026-11-23', { USD: 0.81 }));
    const eve = await figures();
    expect(eve.unit_changes).toEqual([{ on: '2026-11-23', factor: 1_000 }]);
    expect((await service.call('/')).text).toContain(
      'Desde el 23 de noviembre de 2026, un bolívar nuevo son 1.000 de los anteriores.',
    );
    expect(ratesInForce(eve, MIDNIGHT + DAY_MS)).toBe(eve);
    service.clock.set(MIDNIGHT + DAY_MS);
    expect(await figures()).not.toHaveProperty('unit_changes');
  });

  test('a rate in doubt for a day of a new unit says so', async () => {
    const { service } = await serviceWith(RECORDS.slice(0, 5), {
      config: { catalogueDir: await reformCatalogue('2026-11-23') },
      start: MIDNIGHT,
    });
    const lines = recordsIn([JSON.stringify(official('2026-11-28', { USD: 0.81 }))]);
    await service.service.ingest.ingest(lines, { source: 'bcv-official', isPage: true });
    await service.service.changePoller.poll();
    const { in_doubt: doubts, unit_changes: changes } = (await service.call('/board.json')).json;
    expect(doubts).toMatchObject([{ currency: 'USD', rate: 0.81 }]);
    expect(changes).toEqual([{ on: '2026-11-23', factor: 1_000 }]);
  });

  test('a past day keeps its unit on the eve, also with the rate of a day of a new one', async () => {
    const { service } = await serviceWith(RECORDS.slice(0, 5), {
      config: { catalogueDir: await reformCatalogue('2026-11-23') },
      start: MIDNIGHT,
    });
    await service.push(official('2026-11-24', { USD: 0.82 }));
    const query = 'date=2026-11-22&rule=next_banking_day';
    const { rates } = (await service.call(`/board/rates.json?${query}`)).json;
    expect(rates[0].mid).toBe(820);
    expect(rates[0]).not.toHaveProperty('unit_changes');
    expect((await service.call(`/?lang=en&amount=2&${query}`)).text).toContain('1,640.00');
  });
});
