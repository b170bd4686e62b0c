import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { ACCEPTED, HELD, judging, judgingMarket } from '../harness/judging.ts';
import { iso, official, quote } from '../harness/make.ts';
import { MIDNIGHT, reformCatalogue } from '../harness/reform.ts';
import { faultOf, START, startTestService } from '../harness/service.ts';

const PATH = '/v1/fx/corrections';
const FRIDAY = { USD: 459.4525, EUR: 533.45651417, CNY: 66.78282798 };
const TUESDAY = { USD: 462.6687, EUR: 536.09422269, CNY: 67.10303267 };
/** As the bank computes them from another dollar. */
const OTHER = { USD: 463.1687, EUR: cut(463.1687 * 1.1587), CNY: cut(463.1687 / 6.8949) };
const NEXT = '2026-11-24';

function cut(rate: number): number {
  return Math.floor(rate * 1e8) / 1e8;
}

type Judging = Awaited<ReturnType<typeof judging>>;

/** A bank's page, its corrections, and a witness of it. */
async function published() {
  const found = await judging();
  await found.page('2026-11-19T20:00:00Z', '2026-11-20', FRIDAY);
  expect(await found.page('2026-11-20T20:00:00Z', NEXT, TUESDAY)).toEqual(ACCEPTED);
  return { ...found, ...tools(found) };
}

function tools({ service, ingestAll, page, get }: Judging) {
  return {
    async list(query = '') {
      const { corrections } = await get(`corrections${query}`);
      return corrections.map((row: Record<string, unknown>) => [
        row['market'] ?? row['currency'],
        row['value_date'],
        row['was'],
        row['is'],
        row['why'],
      ]);
    },
    async insist(hour: string, rates: typeof TUESDAY) {
      for (const minute of ['00', '05', '10']) {
        await page(`2026-11-20T${hour}:${minute}:00Z`, NEXT, rates);
      }
    },
    async witness(time: string, rates: Partial<typeof TUESDAY>, source = 'relay') {
      service.clock.set(Date.parse(time));
      const record = official(NEXT, rates, { captured_at: time });
      await ingestAll([record], { source, isWitness: true });
      await service.service.changePoller.poll();
    },
  };
}

/** The rows of a publication that took the place of another one, or of none. */
function rowsOf(was: typeof TUESDAY, is: Partial<typeof TUESDAY> | undefined, why: string) {
  return [
    ['reference', NEXT, was.USD, is?.USD ?? null, why],
    ['eur_reference', NEXT, was.EUR, is?.EUR ?? null, why],
    ['CNY', NEXT, was.CNY, is?.CNY ?? null, why],
  ];
}

describe('contract §21 corrections of publications', () => {
  test('without any the list is empty, from 30 days ago', async () => {
    const { get } = await published();
    expect(await get('corrections')).toEqual({ since: '2026-10-21', count: 0, corrections: [] });
  });

  test('a figure that the page insisted on: one row for each currency, and none for repetitions', async () => {
    const { insist, page, get, list } = await published();
    await insist('21', OTHER);
    await page('2026-11-20T21:20:00Z', NEXT, OTHER);
    const { corrections, count } = await get('corrections');
    expect(count).toBe(3);
    expect(corrections[0]).toEqual({
      kind: 'publication',
      market: 'reference',
      currency: 'USD',
      value_date: NEXT,
      was: TUESDAY.USD,
      is: OTHER.USD,
      corrected_at: corrections[0].corrected_at,
      why: 'insisted',
    });
    expect(corrections[0].corrected_at).toMatch(/^2026-11-20T21:10:00\.\d{3}Z$/);
    expect(corrections[2]).not.toHaveProperty('market');
    expect(corrections[2].currency).toBe('CNY');
    expect(await list()).toEqual(rowsOf(TUESDAY, OTHER, 'insisted'));
  });

  test('only the currencies whose figure changed', async () => {
    const { insist, list } = await published();
    await insist('21', { ...TUESDAY, EUR: 536.55689139 });
    expect(await list()).toEqual([['eur_reference', NEXT, TUESDAY.EUR, 536.55689139, 'insisted']]);
  });

  test('a figure that a witness confirmed after 23:00', async () => {
    const { page, witness, list } = await published();
    expect(await page('2026-11-24T03:10:00Z', NEXT, OTHER)).toEqual(HELD);
    await witness('2026-11-24T03:20:00Z', OTHER);
    expect(await list()).toEqual(rowsOf(TUESDAY, OTHER, 'confirmed'));
  });

  test('a figure that two witnesses refute is withdrawn, and the next one corrects nothing', async () => {
    const { page, witness, list } = await published();
    await witness('2026-11-20T20:30:00Z', { USD: 470 });
    expect(await list()).toEqual([]);
    await witness('2026-11-20T20:30:00Z', { USD: 470 }, 'other-relay');
    expect(await list()).toEqual(rowsOf(TUESDAY, undefined, 'witness_differs'));
    await page('2026-11-20T21:00:00Z', NEXT, OTHER);
    await witness('2026-11-20T21:10:00Z', OTHER);
    expect(await list()).toEqual(rowsOf(TUESDAY, undefined, 'witness_differs'));
  });

  test('a page that returns to its first figures: both changes, the newest first', async () => {
    const { insist, list } = await published();
    await insist('21', OTHER);
    await insist('22', TUESDAY);
    expect(await list()).toEqual([
      ...rowsOf(OTHER, TUESDAY, 'page_returned'),
      ...rowsOf(TUESDAY, OTHER, 'insisted'),
    ]);
  });

  test('the same figures under another date withdraw those of the first one', async () => {
    const { ingestAll, service, list } = await published();
    const time = '2026-11-20T23:00:00Z';
    service.clock.set(Date.parse(time));
    const record = official('2026-11-25', TUESDAY, { captured_at: time });
    expect(await ingestAll([record], { source: 'bcv-official', trust: true })).toEqual(ACCEPTED);
    expect(await list()).toEqual(rowsOf(TUESDAY, undefined, 'wrong_date'));
  });

  test('the operator, with trust or by releasing a held record', async () => {
    const { page, held, ingest, ingestAll, service, list } = await published();
    expect(await page('2026-11-20T21:00:00Z', NEXT, OTHER)).toEqual(HELD);
    const [one] = await held();
    await ingest.release(one?.id ?? '', { why: 'operator' });
    service.clock.set(Date.parse('2026-11-20T22:00:00Z'));
    const at = '2026-11-20T22:00:00.000Z';
    const times = { captured_at: at, updated_at: undefined, effective_date: NEXT };
    const rate = quote('reference', 463.5, times);
    expect(await ingestAll([rate], { source: 'operator', trust: true })).toEqual(ACCEPTED);
    expect(await list()).toEqual([
      ['reference', NEXT, OTHER.USD, 463.5, 'operator'],
      ...rowsOf(TUESDAY, OTHER, 'operator'),
    ]);
  });

  test('an archive only when the operator accepts its corrections', async () => {
    const { ingestAll, service, list } = await published();
    service.clock.set(Date.parse('2026-11-25T12:00:00Z'));
    const archive = [official(NEXT, { ...TUESDAY, USD: 462.6688 })];
    const options = { source: 'bcv-archive', onlyNewValueDates: true };
    await ingestAll(archive, options);
    expect(await list()).toEqual([]);
    await ingestAll(archive, { ...options, acceptCorrections: true });
    await ingestAll(archive, { ...options, acceptCorrections: true });
    expect(await list()).toEqual([['reference', NEXT, TUESDAY.USD, 462.6688, 'archive']]);
  });

  test('a dry run corrects nothing', async () => {
    const { ingestAll, list, service } = await published();
    service.clock.set(START);
    await ingestAll([official(NEXT, OTHER)], { source: 'operator', trust: true, dryRun: true });
    expect(await list()).toEqual([]);
  });
});

describe('contract §21 corrections of quotes', () => {
  test('a quote that is restored, once; a quote that moves is none', async () => {
    const found = await judgingMarket();
    const { list } = tools(found);
    for (const minute of [1, 6, 11]) await found.read(1_400, minute);
    expect(await found.mid()).toBe(1_400);
    expect(await list()).toEqual([]);
    for (const minute of [20, 21, 22]) expect(await found.read(1_010, minute)).toEqual(ACCEPTED);
    const { corrections } = await found.get('corrections');
    expect(corrections).toEqual([
      {
        kind: 'quote',
        market: 'parallel',
        was: 1_400,
        is: 1_010,
        corrected_at: iso(START + 20 * MINUTE_MS),
        why: 'restored',
      },
    ]);
  });

  test('a jump that stays for longer than an hour and goes back is a move', async () => {
    const found = await judgingMarket();
    for (const minute of [1, 6, 11]) await found.read(1_400, minute);
    for (const minute of [80, 85, 90]) await found.read(1_010, minute);
    expect([await found.mid(), await tools(found).list()]).toEqual([1_010, []]);
  });

  test('a file of the past with a jump and its end corrects nothing', async () => {
    const found = await judgingMarket();
    const { clock } = found.service;
    clock.set(START + 60 * MINUTE_MS);
    const mids = [775, 775, 1_010];
    const file = mids.map((mid, minute) => {
      const at = iso(START + (minute + 1) * MINUTE_MS);
      return quote('parallel', mid, { updated_at: at, captured_at: at });
    });
    expect(await found.ingestAll(file)).toMatchObject({ accepted: 3 });
    expect(await tools(found).list()).toEqual([]);
  });

  test('the operator restores one with trust', async () => {
    const found = await judgingMarket();
    for (const minute of [1, 6, 11]) await found.read(1_400, minute);
    found.service.clock.set(START + 20 * MINUTE_MS);
    const at = iso(START + 20 * MINUTE_MS);
    const right = quote('parallel', 1_000, { updated_at: at, captured_at: at });
    await found.ingestAll([right], { source: 'operator', trust: true });
    expect(await tools(found).list()).toEqual([['parallel', undefined, 1_400, 1_000, 'operator']]);
  });
});

describe('contract §21 the list of corrections', () => {
  const PLANS = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'];
  const corrected = async () => {
    const service = await startTestService();
    await service.push(official('2026-11-20', { USD: 800, EUR: 920 }));
    await service.push(official('2026-11-20', { USD: 801, EUR: 920 }));
    return service;
  };

  test.each([
    ['2026-11-22', 'since'],
    ['2026-02-30', 'since'],
    ['yesterday', 'since'],
  ])('since=%s is 400 invalid_format', async (since, field) => {
    const service = await corrected();
    const reply = await service.call(`${PATH}?since=${since}`, {
      key: await service.keyFor('Gratis'),
    });
    expect(faultOf(reply)).toEqual([400, 'invalid_format', field]);
  });

  test('since is a day in Caracas, included', async () => {
    const service = await corrected();
    const key = await service.keyFor('Gratis');
    const count = async (since: string) =>
      (await service.call(`${PATH}?since=${since}`, { key })).json.count;
    expect([await count('2020-01-01'), await count('2026-11-21')]).toEqual([1, 1]);
    service.clock.set(Date.parse('2026-11-22T12:00:00Z'));
    expect(await count('2026-11-22')).toBe(0);
  });

  test('unknown parameters are rejected, and a Spanish name gets a hint', async () => {
    const service = await corrected();
    const key = await service.keyFor('Gratis');
    const reply = await service.call(`${PATH}?x=1`, { key });
    expect(faultOf(reply)).toEqual([400, 'unknown_parameter', 'x']);
  });

  test('every plan may ask for one unit, and an unchanged answer is 304', async () => {
    const service = await corrected();
    for (const plan of PLANS) {
      const key = await service.keyFor(plan);
      const reply = await service.call(PATH, { key });
      expect([plan, reply.status, reply.json.count]).toEqual([plan, 200, 1]);
      expect(reply.headers.get('cache-control')).toBe('private, max-age=60');
      const headers = { 'if-none-match': reply.headers.get('etag') ?? '' };
      expect((await service.call(PATH, { key, headers })).status).toBe(304);
      expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(2);
    }
  });

  test('a currency of the archive, which has no market, has its row in every plan', async () => {
    const service = await startTestService();
    await service.push(official('2026-11-20', { USD: 800, JPY: 5.1, GBP: 1_040 }));
    await service.push(official('2026-11-20', { USD: 800, JPY: 5.2, GBP: 1_041 }));
    for (const plan of PLANS) {
      const { json } = await service.call(PATH, { key: await service.keyFor(plan) });
      const publication = { kind: 'publication', value_date: '2026-11-20' };
      const corrected = { corrected_at: iso(START), why: 'operator' };
      expect([plan, json.count, new Set(json.corrections)]).toEqual([
        ...[plan, 2],
        new Set([
          { ...publication, currency: 'GBP', was: 1_040, is: 1_041, ...corrected },
          { ...publication, currency: 'JPY', was: 5.1, is: 5.2, ...corrected },
        ]),
      ]);
    }
  });

  test('markets outside the plan are left out', async () => {
    const service = await startTestService();
    const at = (minute: number) => iso(START + minute * MINUTE_MS);
    await service.push(official('2026-11-20', { USD: 800 }));
    for (const [minute, mid] of [1_000, 1_400, 1_000].entries()) {
      const times = { updated_at: at(minute), captured_at: at(minute) };
      service.clock.set(START + minute * MINUTE_MS);
      await service.push(quote('extended_market_1', mid, times));
    }
    const marketsFor = async (plan: string) => {
      const { json } = await service.call(PATH, { key: await service.keyFor(plan) });
      return json.corrections.map(({ market }: { market: string }) => market);
    };
    expect(await marketsFor('Gratis')).toEqual([]);
    expect(await marketsFor('Escala')).toEqual(['extended_market_1']);
  });

  test('a key needs the scope history', async () => {
    const service = await corrected();
    const key = await service.keyFor('Escala');
    const made = await service.call('/v1/account/keys', {
      ...{ key, method: 'POST' },
      body: { kind: 'restricted', scopes: ['official'] },
    });
    const reply = await service.call(PATH, { key: made.json.key });
    expect([reply.status, reply.json.details]).toMatchObject([403, { scope: 'history' }]);
  });

  test('the CSV has an empty cell for what is absent, and Spanish headers', async () => {
    const service = await corrected();
    const key = await service.keyFor('Inicio');
    const { text } = await service.call(`${PATH}?format=csv`, { key });
    expect(text).toBe(
      'kind,market,currency,value_date,was,is,corrected_at,why,since,count\r\n' +
        `publication,reference,USD,2026-11-20,800,801,${iso(START)},operator,2026-10-22,1\r\n`,
    );
    const spanish = await service.call(`${PATH}?format=csv&locale=es`, { key });
    expect(spanish.text).toContain(';Decía (Bs.);Dice (Bs.);');
  });

  test('figures are in the unit of their value date', async () => {
    const service = await startTestService({
      config: { catalogueDir: await reformCatalogue() },
    });
    const key = await service.keyFor('Gratis');
    await service.push(official('2026-11-20', { USD: 800 }), official('2026-11-24', { USD: 0.8 }));
    await service.push(official('2026-11-20', { USD: 801 }), official('2026-11-24', { USD: 0.9 }));
    service.clock.set(MIDNIGHT);
    const { corrections } = (await service.call(PATH, { key })).json;
    const figures = corrections.map(({ was, is }: Record<string, number>) => [was, is]);
    expect(figures).toEqual([
      [0.8, 0.9],
      [800, 801],
    ]);
  });
});
