import { describe, expect, test } from 'vitest';
import { capture, iso, official, quote } from '../harness/make.ts';
import { faultOf, startTestService } from '../harness/service.ts';

const PATH = '/v1/fx/coverage';
const PLANS = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'];
const NOW = Date.parse('2026-11-25T12:00:00Z');
const READ = { captured_at: '2026-11-12T20:10:00.000Z' };

/** Friday 13 is missing, Monday 23 is a bank holiday, and Wednesday 25 is not published yet. */
const VALUE_DATES = ['12', '16', '17', '18', '19', '20', '24'].map((date) =>
  official(`2026-11-${date}`, { USD: 800 + Number(date) }, READ),
);

const captures = (...days: string[]) =>
  days.map((day, index) => capture(900 + index, `2026-11-${day}T12:00:00.000Z`));

async function serving(plan: string, ...records: object[]) {
  const service = await startTestService({ start: NOW });
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  const coverage = (query = '', headers = {}) =>
    service.call(`${PATH}${query && `?${query}`}`, { key, headers });
  return { service, key, coverage };
}

const days = (from: string, to = from) => ({ from: `2026-11-${from}`, to: `2026-11-${to}` });

describe('contract §21 the days that are stored', () => {
  test('of an official market its value dates; missing are business days, never a weekend or today', async () => {
    const { coverage } = await serving('Gratis', ...VALUE_DATES);
    const reply = await coverage();
    expect(reply.json).toEqual({
      markets: [
        {
          market: 'reference',
          first_date: '2026-11-12',
          last_date: '2026-11-24',
          days: 7,
          missing: [days('13')],
        },
      ],
    });
    expect(reply.headers.get('cache-control')).toBe('private, max-age=60');
  });

  test('a missing Friday and a missing Monday are two runs, and days in a row are one', async () => {
    const dates = ['12', '17', '24'].map((date) => official(`2026-11-${date}`, { USD: 800 }, READ));
    const { coverage } = await serving('Gratis', ...dates);
    const [reference] = (await coverage()).json.markets;
    expect(reference.missing).toEqual([days('13'), days('16'), days('18', '20')]);
  });

  test('a rate that is published and not in force is no day yet', async () => {
    const { coverage } = await serving(
      'Gratis',
      ...VALUE_DATES,
      official('2026-11-26', { USD: 830 }),
    );
    const [reference] = (await coverage()).json.markets;
    expect([reference.last_date, reference.days]).toEqual(['2026-11-24', 7]);
  });

  test('of another market the UTC days with captures, with gaps up to yesterday', async () => {
    const parallel = captures('18', '19', '22', '22', '23');
    const { coverage } = await serving('Gratis', ...VALUE_DATES, ...parallel);
    expect((await coverage('markets=paralelo')).json).toEqual({
      markets: [
        {
          market: 'parallel',
          first_date: '2026-11-18',
          last_date: '2026-11-23',
          days: 4,
          missing: [days('20', '21'), days('24')],
        },
      ],
    });
  });

  test('the running day counts when it has a capture, and is never missing', async () => {
    const yesterday = await serving('Gratis', ...VALUE_DATES, ...captures('23', '24'));
    const [without] = (await yesterday.coverage('markets=parallel')).json.markets;
    expect([without.last_date, without.days, without.missing]).toEqual(['2026-11-24', 2, []]);
    const today = await serving('Gratis', ...VALUE_DATES, ...captures('24', '25'));
    const [running] = (await today.coverage('markets=parallel')).json.markets;
    expect([running.last_date, running.days, running.missing]).toEqual(['2026-11-25', 2, []]);
  });

  test.each([
    ['Gratis', '2026-11-18', 2, [days('19', '20'), days('22', '24')]],
    ['Inicio', '2026-11-14', 3, [days('15', '17'), days('19', '20'), days('22', '24')]],
  ])(
    '%s sees the days within its history, and what is missing there',
    async (plan, first, count, missing) => {
      const { coverage } = await serving(plan, ...VALUE_DATES, ...captures('14', '18', '21'));
      const [parallel] = (await coverage('markets=parallel')).json.markets;
      expect([parallel.first_date, parallel.days, parallel.missing]).toEqual([
        first,
        count,
        missing,
      ]);
    },
  );

  test('a gap that begins before the history of the plan is told from its first day', async () => {
    const { coverage } = await serving('Gratis', ...VALUE_DATES, ...captures('14', '21'));
    const [parallel] = (await coverage('markets=parallel')).json.markets;
    expect(parallel).toMatchObject({ first_date: '2026-11-21', days: 1 });
    expect(parallel.missing).toEqual([days('18', '20'), days('22', '24')]);
  });

  test('official days reach back as official_days says', async () => {
    const old = official('2026-10-23', { USD: 790 }, { captured_at: '2026-10-22T20:10:00.000Z' });
    const gratis = await serving('Gratis', old, ...VALUE_DATES);
    const [cut] = (await gratis.coverage('markets=reference')).json.markets;
    expect([cut.first_date, cut.missing[0]]).toEqual([
      '2026-11-12',
      // Monday 26 is a bank holiday.
      { from: '2026-10-27', to: '2026-10-30' },
    ]);
    const inicio = await serving('Inicio', old, ...VALUE_DATES);
    const [whole] = (await inicio.coverage('markets=reference')).json.markets;
    expect([whole.first_date, whole.days]).toEqual(['2026-10-23', 8]);
  });

  test('a market without a day has no row, or one without dates when it is named', async () => {
    const { coverage } = await serving('Gratis');
    expect((await coverage()).json).toEqual({ markets: [] });
    const none = { first_date: null, last_date: null, days: 0, missing: [] };
    expect((await coverage('markets=parallel,bcv')).json).toEqual({
      markets: [
        { market: 'reference', ...none },
        { market: 'parallel', ...none },
      ],
    });
  });

  test('all markets of the plan in the order of the catalogue, each named one once', async () => {
    const markets = ['cash', 'extended_market_1', 'parallel'];
    const at = { updated_at: iso(NOW), captured_at: iso(NOW) };
    const quotes = markets.map((market) => quote(market, 900, at));
    const names = async (plan: string, query = '') => {
      const { coverage } = await serving(plan, ...VALUE_DATES, ...quotes);
      const { json } = await coverage(query);
      return json.markets.map(({ market }: { market: string }) => market);
    };
    expect(await names('Escala')).toEqual(['reference', 'parallel', 'extended_market_1', 'cash']);
    expect(await names('Gratis')).not.toContain('extended_market_1');
    expect(await names('Gratis', 'markets=parallel,bcv,reference')).toEqual([
      'reference',
      'parallel',
    ]);
  });

  test('unknown parameters, unknown markets and markets of another plan are refused', async () => {
    const { coverage } = await serving('Gratis');
    expect(faultOf(await coverage('x=1'))).toEqual([400, 'unknown_parameter', 'x']);
    expect(faultOf(await coverage('markets=parallel,'))).toEqual([
      400,
      'invalid_format',
      'markets',
    ]);
    expect(faultOf(await coverage('markets=nowhere'))).toEqual([
      404,
      'resource_not_found',
      'markets',
    ]);
    const other = await coverage('markets=parallel,extended_market_1');
    expect(other.status).toBe(402);
  });

  test('every plan may ask for one unit, and an unchanged answer is 304', async () => {
    const { service } = await serving('Gratis', ...VALUE_DATES);
    for (const plan of PLANS) {
      const key = await service.keyFor(plan);
      const reply = await service.call(PATH, { key });
      expect([plan, reply.status]).toEqual([plan, 200]);
      const headers = { 'if-none-match': reply.headers.get('etag') ?? '' };
      expect((await service.call(PATH, { key, headers })).status).toBe(304);
      expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(2);
    }
  });

  test('a day that begins changes the answer without new data', async () => {
    const { service, coverage } = await serving('Gratis', ...VALUE_DATES, ...captures('24'));
    const missing = async () =>
      (await coverage('markets=reference,parallel')).json.markets.map(
        (one: { missing: object[] }) => one.missing,
      );
    expect(await missing()).toEqual([[days('13')], []]);
    service.clock.set(Date.parse('2026-11-26T00:00:00Z'));
    expect(await missing()).toEqual([[days('13')], [days('25')]]);
    service.clock.set(Date.parse('2026-11-26T04:00:00Z'));
    expect(await missing()).toEqual([[days('13'), days('25')], [days('25')]]);
  });

  test('a key needs the scope history', async () => {
    const { service, key } = await serving('Escala');
    const made = await service.call('/v1/account/keys', {
      ...{ key, method: 'POST' },
      body: { kind: 'restricted', scopes: ['official', 'rates'] },
    });
    const reply = await service.call(PATH, { key: made.json.key });
    expect([reply.status, reply.json.details]).toMatchObject([403, { scope: 'history' }]);
  });

  test('the CSV has a row for each market, with the missing days in one cell', async () => {
    const { coverage } = await serving('Inicio', ...VALUE_DATES, ...captures('18', '21', '23'));
    const plain = await coverage('markets=parallel&format=csv');
    expect(plain.text).toBe(
      'market,first_date,last_date,days,missing\r\n' +
        'parallel,2026-11-18,2026-11-23,3,"2026-11-19/2026-11-20;2026-11-22/2026-11-22;2026-11-24/2026-11-24"\r\n',
    );
    const spanish = await coverage('markets=parallel&format=csv&locale=es');
    expect(spanish.text).toContain('Mercado;Primer día;Último día;Días;Días que faltan');
  });

  test('the XML has an item for each run of missing days', async () => {
    const { coverage } = await serving('Esencial', ...VALUE_DATES);
    const { text } = await coverage('markets=reference&format=xml');
    expect(text).toContain(
      '<missing><item><from>2026-11-13</from><to>2026-11-13</to></item></missing>',
    );
  });
});
