import { CFB, read, utils } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import {
  bankTable,
  fullMarket,
  iso,
  official,
  P2P,
  quote,
} from '../../../../../test/harness/make.ts';
import { pixelsOf, pixelsOfPng } from '../../../../../test/harness/pixels.ts';
import {
  START,
  startTestService,
  type TestServiceOptions,
} from '../../../../../test/harness/service.ts';
import { recordsIn } from '../../../../core/app/ingest/ndjson.ts';
import type { Config } from '../../../../core/config.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../core/domain/time.ts';
import { BOARD_REQUESTS_PER_MINUTE } from '../../figures/board.ts';
import { framed, largeFigure, PICTURE_WIDTH } from '../../pages/picture/picture-frame.ts';

/** The figures that anyone may read without a key. */

async function board(options: TestServiceOptions = {}) {
  const service = await startTestService(options);
  await service.push(
    ...fullMarket(),
    official('2026-11-23', { USD: 805.75, EUR: 925.5 }),
    bankTable('2026-11-20', [{ bank: 'Banesco', buy: 799.1, sell: 801.9, date: '2026-11-20' }]),
  );
  return service;
}

/** The text of a piece of markup, with single spaces. */
const words = (markup = ''): string =>
  markup.replaceAll(/<[^>]*>/g, '').replaceAll(/[\s\u00a0]+/g, ' ');

const at = (instant: number) => ({ updated_at: iso(instant), captured_at: iso(instant) });

describe('contract §9, §10: past figures on the board', () => {
  test('contract §10: changes of the board equal those of /v1/fx/changes', async () => {
    const service = await board();
    await service.push(quote('parallel', 800, at(START - DAY_MS)));
    const key = await service.keyFor('Gratis');
    const { json } = await service.call('/v1/fx/changes', { key });
    const { changes } = (await service.call('/board.json')).json;
    const {
      market: _,
      rate: __,
      updated_at: ___,
      ...since
    } = json.changes.find(({ market }: { market: string }) => market === 'parallel');
    expect(changes).toEqual({ parallel: since });
    expect(since.change).toEqual({ amount: 50, percent: 6.25 });
    const { text } = await service.call('/?lang=en');
    expect(text).toMatch(
      /\+6\.25%<\/span> <span class="quiet"><span class="between">· <\/span>24 h/,
    );
  });

  test('contract §10: the board has a new ETag when another capture becomes a day old', async () => {
    const service = await board();
    await service.push(quote('parallel', 800, at(START - DAY_MS + 60_000)));
    const tag = async () => (await service.call('/board.json')).headers.get('etag');
    const first = await tag();
    service.clock.advance(59_999);
    expect(await tag()).toBe(first);
    service.clock.advance(10_000);
    expect(await tag()).not.toBe(first);
  });

  test('contract §9: rates of a past day on the board equal those of the API', async () => {
    const service = await board();
    await service.push(quote('parallel', 800, at(START - 2 * DAY_MS)));
    const key = await service.keyFor('Gratis');
    const date = '2026-11-20';
    const api = await service.call(`/v1/fx/rates?date=${date}`, { key });
    const { json } = await service.call(`/board/rates.json?date=${date}`);
    expect(json.date).toBe(date);
    expect(
      json.rates.map(({ name, name_en, source, ...rate }: Record<string, unknown>) => rate),
    ).toEqual(api.json.rates);
    const page = await service.call(`/?lang=en&amount=2&date=${date}`);
    expect(page.text).toContain('1,601.00');
    expect(page.text).toContain('value date Fri 20 Nov 2026');
  });

  test("contract §9: with rule=next_banking_day the board's rates equal those of the API too", async () => {
    const service = await board();
    // The Monday that follows the Saturday is a bank holiday.
    await service.push(
      quote('parallel', 800, at(START - DAY_MS)),
      official('2026-11-24', { USD: 810.25, EUR: 930 }),
    );
    const key = await service.keyFor('Gratis');
    const query = 'date=2026-11-21&rule=next_banking_day';
    const api = await service.call(`/v1/fx/rates?${query}`, { key });
    const { json } = await service.call(`/board/rates.json?${query}`);
    expect(
      json.rates.map(({ name, name_en, source, ...rate }: Record<string, unknown>) => rate),
    ).toEqual(api.json.rates);
    const text = async (more: string) => (await service.call(`/?lang=en&amount=2&${more}`)).text;
    const next = await text(query);
    expect(next).toContain('1,620.50');
    expect(next).toContain('next business day, Tue 24 Nov 2026');
    expect(next).toContain('&amp;date=2026-11-21&amp;rule=next_banking_day');
    expect(await text('date=2026-11-21')).toContain('1,601.00');
    // A market without value dates has one rate for a day.
    const parallel = await text(`${query}&via=parallel`);
    expect(parallel).toContain('last reading of Sat 21 Nov 2026');
    expect(parallel).toContain(
      'id="share" href="/?amount=2&amp;from=USD&amp;via=parallel&amp;date=2026-11-21&amp;lang=en#',
    );
  });

  test('contract §9: the page says that the next banking day has no rate yet', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const query = 'date=2026-11-21&rule=next_banking_day';
    const { json } = await service.call(`/board/rates.json?${query}`);
    expect([json.code, json.details.value_date]).toEqual(['rate_not_published', '2026-11-24']);
    const { status, text } = await service.call(`/?lang=en&${query}`);
    expect(status).toBe(200);
    expect(text).toContain('We do not have the rate of the next business day yet.');
  });

  test.each([
    ['', 400, 'missing_field'],
    ['?date=2026-11-20&rule=friday', 400, 'invalid_format'],
    ['?rule=value_date', 400, 'missing_field'],
    ['?date=2026-02-30', 400, 'invalid_format'],
    ['?date=2026-11-25', 400, 'invalid_format'],
    ['?date=2026-11-20&x=1', 400, 'unknown_parameter'],
    ['?date=2020-01-02', 403, 'history_out_of_retention'],
    ['?date=2026-10-01', 404, 'resource_not_found'],
  ])('contract §9: /board/rates.json%s is %i %s', async (query, status, code) => {
    const service = await board();
    const reply = await service.call(`/board/rates.json${query}`);
    expect([reply.status, reply.json.code]).toEqual([status, code]);
  });

  test('contract §9: the page says when it has no rate of a day', async () => {
    const service = await board();
    const none = 'We have no rate of that market for that day.';
    for (const [date, told] of [
      ['2026-10-01', none],
      ['2999-01-01', 'That date has not come yet'],
      ['x', 'There is no such date, or we cannot read it.'],
      ['"><b>', 'There is no such date, or we cannot read it.'],
    ] as const) {
      const query = new URLSearchParams({ lang: 'en', date });
      const { status, text } = await service.call(`/?${query}`);
      expect([date, status]).toEqual([date, 200]);
      expect(text).toContain(told);
      expect(text).not.toContain('"><b>');
    }
    // The link that swaps the sides keeps the reader's language.
    const { text } = await service.call('/?lang=en&date=2026-10-01');
    expect(text).toMatch(
      /id="swap" class="swap" href="[^"]*date=2026-10-01&amp;lang=en#converter"/,
    );
  });
});

describe('contract §11: the figures of the board', () => {
  const PATHS = [
    '/board.json',
    '/board/rates.json?date=2026-11-20',
    '/board/history.json?market=reference',
    '/board/history.csv?market=reference',
    '/board/history.xlsx?market=reference',
  ];
  const Origin = 'https://shop.example';

  test.each(PATHS)('contract §11: pages of any origin may read %s and its errors', async (path) => {
    const service = await board();
    const answer = await service.call(path, { headers: { Origin } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    for (let at = 1; at < BOARD_REQUESTS_PER_MINUTE; at += 1) await service.call('/board.json');
    const refused = await service.call(path, { headers: { Origin } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      429,
      '*',
    ]);
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
  });

  test('contract §11: a preflight of /board.json lets If-None-Match through', async () => {
    const service = await board();
    const asked = { Origin, 'Access-Control-Request-Method': 'GET' };
    const { status, headers } = await service.call('/board.json', {
      method: 'OPTIONS',
      headers: asked,
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(headers.get('access-control-allow-headers')).toContain('If-None-Match');
  });

  test('contract §11: pages of other origins may not read any other page', async () => {
    const service = await board();
    for (const path of ['/', '/docs', '/console', '/metrics']) {
      const { headers } = await service.call(path, { headers: { Origin } });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });
});

describe('/board.json', () => {
  test('has the markets of the cheapest plan, with the figures of the API', async () => {
    const service = await board();
    const key = await service.keyFor('Gratis');
    const api = async (path: string) => (await service.call(`/v1/fx/${path}`, { key })).json;
    const { json, status } = await service.call('/board.json');
    expect(status).toBe(200);
    const { rates } = await api('rates');
    expect(
      json.rates.map(
        ({
          name,
          name_en,
          staleness_sec,
          stale,
          gap_percent,
          unchanged_since,
          source,
          details,
          ...rate
        }: Record<string, unknown>) => rate,
      ),
    ).toEqual(rates);
    expect(json.official).toEqual((await api('official')).rates);
    expect(json.index).toEqual(await api('index'));
    expect(json.banks).toEqual(await api('bcv/banks'));
    const escala = await service.keyFor('Escala');
    const spread = await service.call('/v1/fx/spread', { key: escala });
    expect(json.gap.spread).toEqual(spread.json.spread);
    const parallel = json.rates.find((rate: { market: string }) => rate.market === 'parallel');
    expect(parallel).toMatchObject({
      name: 'Dólar paralelo',
      staleness_sec: 0,
      stale: false,
      gap_percent: spread.json.spread.percentage,
      source: { name: 'test', kind: 'operator' },
    });
    expect(json.rates[0].source).toEqual({ name: 'Banco Central de Venezuela', kind: 'official' });
    expect(json.p2p).toEqual({
      median: json.index.p2p_median,
      count: 7,
      updated_at: iso(START),
      stale_count: 0,
    });
    expect(json.history_days).toBe(365);
  });

  test('§4.2 has the details of each rate, and the page shows them in both languages', async () => {
    const service = await board();
    const key = await service.keyFor('Gratis');
    const detailsOf = async (market: string) => {
      const api = await service.call(`/v1/fx/rates/${market}?details=true`, { key });
      const { source, sources, observed_at, held, evidence } = api.json;
      return { source, sources, observed_at, held, evidence };
    };
    const onBoard = async (market: string) => {
      const { json, headers } = await service.call('/board.json');
      const row = json.rates.find((rate: { market: string }) => rate.market === market);
      return { details: row.details, tag: headers.get('etag') };
    };
    for (const market of ['reference', 'binance']) {
      expect((await onBoard(market)).details).toEqual(await detailsOf(market));
    }
    const before = await onBoard('binance');
    service.clock.advance(10_000);
    const { ingest } = service.service;
    const jump = quote('binance', 1_400, at(START + 10_000));
    await ingest.ingest(recordsIn([JSON.stringify(jump)]), { source: 'binance' });
    const after = await onBoard('binance');
    expect(after.details).toEqual(await detailsOf('binance'));
    expect(after.details.held).toMatchObject({ reason: 'venues_differ' });
    expect(after.tag).not.toBe(before.tag);

    const told = async (language: string) => {
      const { text } = await service.call(`/?lang=${language}`);
      return words(text.split('id="origin-binance"')[1]?.split('</tr>')[0]);
    };
    const english = await told('en');
    for (const part of [
      'Source' + 'test',
      'Read' + '21 Nov 2026 08:00',
      'Only one source has it',
      'The reading of 21 Nov 2026 08:00 is held: it is too far from the other P2P markets',
    ]) {
      expect(english).toContain(part);
    }
    expect(await told('es')).toContain('se aparta demasiado de los demás mercados P2P');
    expect((await service.call('/?lang=es')).text).toContain('Última lectura retenida');
  });

  test('counts ages, and changes its ETag when a quote becomes stale, not earlier', async () => {
    const service = await board();
    const first = await service.call('/board.json');
    const etag = first.headers.get('etag') ?? '';
    service.clock.advance(10 * MINUTE_MS);
    const unchanged = await service.call('/board.json', { headers: { 'If-None-Match': etag } });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(unchanged.headers.get('date')).toBe(new Date(START + 10 * MINUTE_MS).toUTCString());
    const fresh = await service.call('/board.json');
    expect(fresh.json.rates[2]).toMatchObject({ staleness_sec: 600, stale: false });
    service.clock.advance(6 * MINUTE_MS);
    const changed = await service.call('/board.json', { headers: { 'If-None-Match': etag } });
    expect(changed.status).toBe(200);
    expect(changed.json.p2p.stale_count).toBe(7);
    expect(changed.headers.get('cache-control')).toBe('public, max-age=5');
  });

  test('is 200 without figures before the first record', async () => {
    const service = await startTestService();
    const { json, status } = await service.call('/board.json');
    expect(status).toBe(200);
    expect(json).toMatchObject({ official: {}, rates: [] });
    for (const name of ['index', 'gap', 'p2p', 'banks']) expect(json).not.toHaveProperty(name);
  });

  test('admits its number of requests a minute from one address, and again in the next minute', async () => {
    const service = await board();
    for (let count = 1; count < BOARD_REQUESTS_PER_MINUTE; count += 1) {
      await service.call('/board.json', { method: 'HEAD' });
    }
    expect((await service.call('/board.json')).status).toBe(200);
    service.clock.advance(MINUTE_MS - 1);
    for (const path of ['/board.json', '/', '/board/history.csv?market=reference']) {
      const { status, json, headers } = await service.call(path);
      expect([status, json.code]).toEqual([429, 'rate_limit_exceeded']);
      expect(headers.get('retry-after')).toBe('1');
    }
    expect((await service.call('/methodology')).status).toBe(200);
    service.clock.advance(1);
    expect((await service.call('/board.json')).status).toBe(200);
  });

  test('is 404 when the operator turns it off, and the front page has no figures', async () => {
    const service = await board({ config: { added: { VESFX_BOARD: '0' } } });
    for (const path of ['/board.json', '/board/history.json?market=reference']) {
      expect((await service.call(path)).status).toBe(404);
    }
    const { status, text } = await service.call('/');
    expect(status).toBe(200);
    expect(text).not.toMatch(/800[.,]5/);
  });
});

describe('the preview of a link to the board', () => {
  const tag = (text: string, name: string) =>
    new RegExp(`<meta property="${name}" content="([^"]*)"/?>`)
      .exec(text)?.[1]
      ?.replaceAll('&amp;', '&');

  test('shows the official rate or the linked conversion, and a picture', async () => {
    const service = await board();
    const { text } = await service.call('/?lang=es');
    expect(tag(text, 'og:title')).toBe('Dólar BCV: Bs. 800,5000');
    const shared = await service.call('/?amount=100&from=USD&via=reference&lang=en');
    expect(tag(shared.text, 'og:title')).toBe('100 USD = Bs. 80,050.00 · BCV, dollar');
    const typed = await service.call('/?amount=100.10&from=USD&via=reference&lang=en');
    expect(tag(typed.text, 'og:title')).toBe('100.10 USD = Bs. 80,130.05 · BCV, dollar');
    const picture = await fetch(tag(text, 'og:image') ?? '');
    expect(picture.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(bytes.length).toBeLessThan(100_000);
  });

  test.each(['es', 'en'])(
    'has a picture that marks an official rate whose successor is missing (%s)',
    async (lang) => {
      const service = await startTestService();
      const captured = { captured_at: iso(START - 2 * DAY_MS) };
      await service.push(official('2026-11-20', { USD: 800, EUR: 900 }, captured));
      const picture = async () => {
        const { text } = await service.call(`/?lang=${lang}`);
        const answer = await fetch(tag(text, 'og:image') ?? '');
        return Buffer.from(await answer.arrayBuffer()).toString('base64');
      };
      const fresh = await picture();
      // A publication missing since Friday replaces nothing before Tuesday: Monday is a bank holiday.
      service.clock.advance(2 * DAY_MS);
      expect(await picture()).toBe(fresh);
      service.clock.advance(DAY_MS);
      expect(await picture()).not.toBe(fresh);
    },
  );

  test.each([
    ['amount=20&from=USD&via=paralelo', 'es'],
    ['amount=1234567.89&from=VES&via=binance', 'en'],
    ['amount=999999999999&from=USD&via=p2p_median', 'es'],
    ['amount=3&from=EUR&via=eur_reference&date=2026-11-20', 'en'],
  ])('draws the figure of its title: %s (%s)', async (query, lang) => {
    const service = await board();
    const { text } = await service.call(`/?${query}&lang=${lang}`);
    const [, figure = ''] = /= (.+?) · /.exec(tag(text, 'og:title') ?? '') ?? [];
    const answer = await fetch(tag(text, 'og:image') ?? '');
    const drawn = Buffer.from(await answer.arrayBuffer());
    // The rows in which only the figure stands.
    const large = (pixels: Buffer) =>
      pixels.subarray(230 * PICTURE_WIDTH * 4, 430 * PICTURE_WIDTH * 4);
    const expected = framed(largeFigure(figure), { language: 'es', isDemo: false });
    const shown = large(await pixelsOfPng(drawn));
    expect(shown.equals(large(await pixelsOf(expected, PICTURE_WIDTH)))).toBe(true);
  });

  test('draws 60 conversions a minute for an address, and the rates beyond', async () => {
    const service = await board();
    const path = '/board/picture.png?lang=es';
    const one = async () => (await service.call(`${path}&amount=20&via=parallel`)).status;
    for (let count = 0; count < 60; count += 1) expect(await one()).toBe(200);
    expect(await one()).toBe(429);
    expect((await service.call(path)).status).toBe(200);
  });

  test.each(['es', 'en'])('says that a demonstration is one (%s)', async (lang) => {
    const preview = async (config: Partial<Config>) => {
      const service = await startTestService({ config });
      await service.push(...fullMarket());
      const { text } = await service.call(`/?lang=${lang}`);
      const picture = await fetch(tag(text, 'og:image') ?? '');
      return { text, picture: Buffer.from(await picture.arrayBuffer()).toString('base64') };
    };
    const notice = { en: 'A demonstration', es: 'Una demostración' };
    const [demo, real] = [await preview({ notice }), await preview({})];
    expect(tag(demo.text, 'og:description')).toBe(notice[lang === 'en' ? 'en' : 'es']);
    expect(tag(demo.text, 'og:title')).toBe(tag(real.text, 'og:title'));
    expect(demo.picture).not.toBe(real.picture);
  });

  test('has a picture without figures too', async () => {
    const { url } = await startTestService();
    expect((await fetch(`${url}/board/picture.png?lang=en`)).status).toBe(200);
  });
});

describe('problems of the figures', () => {
  const page = async (hours: number, lang = 'es') => {
    const service = await board();
    await service.push(official('2026-11-24', { USD: 805.75, EUR: 925.5 }));
    service.clock.advance(hours * HOUR_MS);
    const { text } = await service.call(`/?lang=${lang}`);
    const { json } = await service.call('/board.json');
    const part = (id: string) => text.split(`id="${id}"`)[1]?.split('</section>')[0] ?? '';
    return { text, json, warning: text.split('id="warning"')[1]?.split('id="cut-off"')[0], part };
  };

  test('appear in a banner with their start and a link to /status', async () => {
    const { warning, json } = await page(1);
    expect(json.state).toMatchObject({ status: 'degraded', reasons: [{ name: 'quotes_stale' }] });
    expect(warning).toContain('Algunas cifras no están al día.');
    expect(warning).toContain('Cifras desactualizadas: Binance P2P');
    expect(words(warning)).toContain('desde hace 44 min');
    expect(warning).toContain('title="21/11/2026 08:15"');
    expect(warning).toContain('href="/status?lang=es"');
    const english = await page(1, 'en');
    expect(words(english.warning)).toContain('for 44 min');
  });

  test('name only markets of the board, whatever others the service has', async () => {
    const service = await startTestService();
    const old = at(START - 3 * DAY_MS);
    await service.push(
      official('2026-11-20', { USD: 800, EUR: 900 }),
      official('2026-11-24', { USD: 805.75, EUR: 925.5 }),
      quote('parallel', 850),
      quote('remittance_market_1', 850, old),
      quote('cash', 860, old),
    );
    const warningOf = async () =>
      words((await service.call('/?lang=es')).text.split('id="warning"')[1]?.split('</div>')[0]);
    const { json } = await service.call('/board.json');
    expect(json.state.reasons).toMatchObject([{ name: 'quotes_stale' }]);
    expect(json.rates.map((rate: { market: string }) => rate.market)).not.toContain('cash');
    expect(json.missing).toBeUndefined();
    expect(await warningOf()).not.toContain('Cifras');
    service.clock.advance(2 * HOUR_MS + MINUTE_MS);
    expect(await warningOf()).toContain('Cifras desactualizadas: Dólar paralelo · desde');
  });

  test.each([
    ['es', 'desactualizada'],
    ['en', 'out of date'],
  ])(
    'an official rate whose successor is missing is marked wherever it stands (%s)',
    async (lang, mark) => {
      const service = await startTestService();
      const captured = { captured_at: iso(START - 2 * DAY_MS) };
      await service.push(
        official('2026-11-20', { USD: 800, EUR: 900 }, captured),
        quote('parallel', 900),
      );
      // A publication of Friday evening is missing; it takes effect on Tuesday, after a bank holiday.
      const marksOf = async () => {
        const { text } = await service.call(`/?lang=${lang}`);
        const part = (id: string) =>
          text.split(`id="${id}"`)[1]?.split(/<\/section>|<\/tbody>|<\/form>/)[0];
        const shown = (id: string) =>
          [...(part(id) ?? '').matchAll(/<span class="stale"([^>]*)>([^<]*)</g)].filter(
            ([, attributes, text]) => text === mark && !attributes?.includes(' hidden'),
          ).length;
        return {
          official: shown('official'),
          rows: shown('market-rows'),
          converter: shown('converter'),
        };
      };
      expect(await marksOf()).toEqual({ official: 0, rows: 0, converter: 0 });
      const wait = async (days: number) => {
        service.clock.advance(days * DAY_MS);
        const now = iso(service.clock.now());
        await service.push(quote('parallel', 900, { updated_at: now, captured_at: now }));
      };
      await wait(2);
      expect(await marksOf()).toEqual({ official: 0, rows: 0, converter: 0 });
      await wait(1);
      // The premium of the parallel rate rests on it too.
      expect(await marksOf()).toEqual({ official: 2, rows: 3, converter: 1 });
    },
  );

  test('show no banner while there are none', async () => {
    const { warning, json } = await page(0);
    expect(json.state).toEqual({ status: 'ok', reasons: [] });
    expect(warning).toMatch(/^ role="status"><\/div>/);
  });

  test('the board lists markets without a rate by their names, not by their ids', async () => {
    const service = await startTestService();
    const at = iso(START - 8 * DAY_MS);
    await service.push(
      official('2026-11-13', { USD: 800, EUR: 900 }, { captured_at: at }),
      quote('parallel', 900, { captured_at: at, updated_at: at }),
    );
    const warningOf = async (language: string) =>
      (await service.call(`/?lang=${language}`)).text.split('id="warning"')[1]?.split('</div>')[0];
    expect(await warningOf('es')).toContain('No hay cifra de: Dólar paralelo');
    expect(await warningOf('en')).toContain('No figure for: Parallel dollar');
    const { json } = await service.call('/board.json');
    const names = { name: 'Dólar paralelo', name_en: 'Parallel dollar' };
    expect(json.missing).toEqual([{ market: 'parallel', ...names, type: 'parallel', base: 'USD' }]);
  });

  test.each([
    ['es', 'sin cifra reciente', 'Sin cifra reciente', 'Oficial y paralelo · sin P2P'],
    ['en', 'no recent figure', 'No recent figure', 'Official and parallel · without P2P'],
  ])(
    'a market whose rate grew too old keeps its row, and a card says it (%s)',
    async (lang, row, card, index) => {
      const service = await board();
      service.clock.advance(2 * DAY_MS + MINUTE_MS);
      await service.push(quote('parallel', 900, at(START + 2 * DAY_MS)));
      const { text } = await service.call(`/?lang=${lang}`);
      const rows = text.split('id="market-rows"')[1]?.split('</tbody>')[0] ?? '';
      const binance = rows.split('Binance P2P')[1]?.split('</tr>')[0] ?? '';
      expect(rows.split('<tr class="row').length - 1).toBe(3 + P2P.length);
      expect(binance).toContain(row);
      // The filter of the table still has their type.
      expect(text).toContain('name="kind" value="p2p"');
      const cards = words(text.split('id="market"')[1]?.split('</section>')[0]);
      expect(cards).toContain(card);
      expect(cards).toContain(index);
    },
  );

  test('a stale input is marked at the index and the premium too, in cards and table', async () => {
    const marks = (html: string) => html.match(/class="stale"[^>]*>/g) ?? [];
    const hidden = (html: string) => marks(html).filter((mark) => mark.includes(' hidden'));
    const fresh = await page(0);
    expect(hidden(fresh.text)).toEqual(marks(fresh.text));
    const stale = await page(3);
    const cards = stale.part('market');
    for (const name of ['Paralelo', 'Promedio ponderado', 'Brecha']) {
      const card = cards.split(`<h3>${name}</h3>`)[1]?.split('<h3>')[0] ?? '';
      expect([name, marks(card).length, hidden(card).length]).toEqual([name, 1, 0]);
    }
    const row = stale.part('market-rows').split('Dólar paralelo')[1]?.split('</tr>')[0] ?? '';
    expect([marks(row).length, hidden(row).length]).toEqual([2, 0]);
  });
});

describe('/board/history', () => {
  async function withPast(options: TestServiceOptions = {}) {
    const service = await startTestService(options);
    for (let day = 10; day >= 0; day -= 1) {
      const at = iso(START - day * DAY_MS);
      const times = { updated_at: at, captured_at: at };
      // The central bank publishes on weekdays only.
      if (![0, 6].includes(new Date(at).getUTCDay())) {
        const rates = { USD: 800 - day, EUR: 900 };
        await service.push(official(at.slice(0, 10), rates, { captured_at: at }));
      }
      await service.push(quote('parallel', 880 - day, times));
    }
    return service;
  }

  test('§4.3 has the points of the API, with the premium over the rate in force on each day', async () => {
    const service = await withPast();
    const key = await service.keyFor('Gratis');
    const { json } = await service.call('/board/history.json?market=reference,paralelo&days=7');
    const [reference, parallel] = json.series;
    for (const series of [reference, parallel]) {
      const api = await service.call(`/v1/fx/rates/${series.market}/history`, { key });
      const bare = series.points.map(({ gap_percent, ...point }: Record<string, unknown>) => point);
      expect(bare).toEqual(api.json.points);
      expect([json.from, json.to]).toEqual([api.json.from, api.json.to]);
    }
    const today = parallel.points.at(-1);
    // Saturday: the official rate is Friday's, 799.
    expect(today).toMatchObject({ date: '2026-11-21', rate: 880, gap_percent: 10.14 });
    expect(reference.points[0]).not.toHaveProperty('gap_percent');
  });

  test('has the same points as CSV', async () => {
    const service = await withPast();
    const { text, headers } = await service.call('/board/history.csv?market=parallel&days=1');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(text.split('\r\n')).toEqual([
      'market,base,date,rate,gap_percent,updated_at,captured_at',
      'parallel,USD,2026-11-20,879,10.01,2026-11-20T12:00:00.000Z,2026-11-20T12:00:00.000Z',
      'parallel,USD,2026-11-21,880,10.14,2026-11-21T12:00:00.000Z,2026-11-21T12:00:00.000Z',
      '',
    ]);
  });

  test('has the same points as CSV in Spanish, with its headers, `;` and decimal commas', async () => {
    const service = await withPast();
    const address = '/board/history.csv?market=parallel&days=1&locale=es';
    const { text } = await service.call(address);
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'Mercado;Divisa;Fecha;Tasa (Bs.);Brecha (%);Actualizada (UTC);Capturada (UTC)',
      'Dólar paralelo;USD;2026-11-20;879;10,01;2026-11-20T12:00:00.000Z;2026-11-20T12:00:00.000Z',
    ]);
    // The byte order mark, by which spreadsheets recognise UTF-8.
    const bytes = await (await fetch(service.url + address)).bytes();
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  test('contract §21: files have the official rate of each day with its value date, over weekends too', async () => {
    const service = await withPast();
    const { text } = await service.call('/board/history.csv?market=reference&days=8');
    const rows = text.split('\r\n').map((line) => line.split(','));
    // Both rules of contract §9.
    const both = ['value_date', 'next_banking_day', 'next_banking_day_rate'];
    expect(rows[0]?.slice(-3)).toEqual(both);
    const byDate = new Map(rows.slice(1).map((row) => [row[2], [row[3], ...row.slice(-3)]]));
    expect(byDate.get('2026-11-13')).toEqual(['792', '2026-11-13', '2026-11-13', '792']);
    expect(byDate.get('2026-11-15')).toEqual(['792', '2026-11-13', '2026-11-16', '795']);
    expect(byDate.get('2026-11-21')).toEqual(['799', '2026-11-20', '', '']);
    const spanish = await service.call('/board/history.csv?market=reference&days=1&locale=es');
    expect(spanish.text.split('\r\n')[0]).toMatch(
      /;Fecha valor;Próximo día hábil;Tasa del próximo día hábil \(Bs\.\)$/,
    );
  });

  test('contract §10: with candles=true each point has the figures of /candles, also in the files', async () => {
    const service = await withPast();
    const at = iso(START - 3 * HOUR_MS);
    await service.push(quote('parallel', 891.25, { updated_at: at, captured_at: at }));
    const query = 'market=reference,parallel&days=2';
    const plain = await service.call(`/board/history.json?${query}`);
    const { json } = await service.call(`/board/history.json?${query}&candles=true`);
    const key = await service.keyFor('Gratis');
    const parts = ({ open, high, low, close, date }: Record<string, unknown>) => ({
      ...{ date, open, high, low, close },
    });
    for (const series of json.series) {
      const from = '2026-11-19';
      const api = await service.call(`/v1/fx/rates/${series.market}/candles?from=${from}`, { key });
      expect(
        series.points.map((one: { rate: number }) => parts({ ...one, close: one.rate })),
      ).toEqual(api.json.candles.map(parts));
    }
    expect(json.series[1].points.at(-1)).toMatchObject({ open: 891.25, high: 891.25, low: 880 });
    for (const { points } of json.series) {
      for (const point of points) for (const name of ['open', 'high', 'low']) delete point[name];
    }
    expect(json).toEqual(plain.json);
    const csv = async (more: string) =>
      (await service.call(`/board/history.csv?market=parallel&days=1&candles=true${more}`)).text;
    expect((await csv('')).split('\r\n').slice(0, 3)).toEqual([
      'market,base,date,rate,open,high,low,gap_percent,updated_at,captured_at',
      'parallel,USD,2026-11-20,879,879,879,879,10.01,2026-11-20T12:00:00.000Z,2026-11-20T12:00:00.000Z',
      'parallel,USD,2026-11-21,880,891.25,891.25,880,10.14,2026-11-21T12:00:00.000Z,2026-11-21T12:00:00.000Z',
    ]);
    expect(await csv('&locale=es')).toContain('Tasa (Bs.);Apertura;Máximo;Mínimo;Brecha (%)');
  });

  test('has the same points as a workbook, with numbers as numbers, rates with four decimals and dates as dates in UTC', async () => {
    const { url } = await withPast();
    const answer = await fetch(`${url}/board/history.xlsx?market=parallel&days=1&locale=en`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="vesfx-parallel-2026-11-20_2026-11-21.xlsx"',
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    const { Sheets } = read(bytes, { cellDates: true, cellNF: true, UTC: true });
    const sheet = Sheets['Rates'] ?? {};
    expect([sheet['C2'], sheet['F2']]).toMatchObject([{ t: 'd' }, { t: 'd' }]);
    expect(sheet['D2']).toMatchObject({ t: 'n', z: '#,##0.0000', w: '879.0000' });
    const xml = `${CFB.find(CFB.read(bytes, { type: 'buffer' }), '/xl/worksheets/sheet1.xml')?.content}`;
    expect(xml).toContain('state="frozen"');
    // The style of the header is the bold one.
    expect(xml).toContain('<c r="A1" s="4"');
    expect(utils.sheet_to_json(sheet, { header: 1, raw: true, UTC: true })).toEqual([
      [
        ...['Market', 'Currency', 'Date', 'Rate (Bs.)', 'Premium (%)'],
        ...['Updated (UTC)', 'Captured (UTC)'],
      ],
      ...[
        ['2026-11-20', 879, 10.01],
        ['2026-11-21', 880, 10.14],
      ].map(([date, ...figures]) => {
        const [day, at] = [new Date(`${date}`), new Date(`${date}T12:00:00.000Z`)];
        return ['Parallel dollar', 'USD', day, ...figures, at, at];
      }),
    ]);
  });

  test('the cards show the change over 24 hours and the closes of the days', async () => {
    const service = await withPast();
    const { json } = await service.call('/board.json');
    const { parallel, index, gap, p2p } = json.trends;
    expect(parallel).toEqual({
      change: { amount: 1, percent: 0.1138 },
      closes: [870, 871, 872, 873, 874, 875, 876, 877, 878, 879, 880],
    });
    // 880 and 879 over the 799 of Friday: 10.14 % and 10.01 %.
    expect(gap.change).toEqual({ amount: 0.13 });
    // 0.3 of 799 and 0.2 of the parallel rate, of 0.5 in all.
    expect(index.closes.slice(-2)).toEqual([831, 831.4]);
    expect(index.change.amount).toBe(0.4);
    expect(p2p).toBeUndefined();
  });

  test('a figure that no reading of the last day brought has no change over it', async () => {
    const service = await withPast();
    const trends = async () => (await service.call('/board.json')).json.trends;
    service.clock.advance(DAY_MS - 1);
    const before = await trends();
    expect([before.parallel, before.index, before.gap].map((one) => 'change' in one)).toEqual([
      true,
      true,
      true,
    ]);
    service.clock.advance(1 + MINUTE_MS);
    const after = await trends();
    expect([after.parallel, after.index, after.gap].map((one) => 'change' in one)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('an index is compared only with those of the same components', async () => {
    const service = await withPast();
    const past = (await service.call('/board.json')).json.trends.index;
    expect(past.closes.length).toBeGreaterThan(2);
    // A day without a market rate has an index of the official rate alone: no close of this one.
    service.clock.advance(3 * DAY_MS);
    const { index } = (await service.call('/board.json')).json.trends;
    expect(index.closes).not.toContain(799);
    // With P2P it is another figure, which has no closes yet.
    await service.push(...P2P.map((market) => quote(market, 900, at(START + 3 * DAY_MS))));
    const now = (await service.call('/board.json')).json;
    expect(now.trends.index).toEqual({ closes: [now.index.value] });
  });

  test('reaches exactly as far back as the operator allows', async () => {
    const service = await withPast({ config: { added: { VESFX_BOARD_HISTORY_DAYS: '9' } } });
    const ask = (days: number) => service.call(`/board/history.json?market=parallel&days=${days}`);
    expect((await ask(9)).json.series[0].points).toHaveLength(10);
    const beyond = await ask(10);
    expect([beyond.status, beyond.json.code]).toEqual([403, 'history_out_of_retention']);
    expect(beyond.json.details).toMatchObject({ max_days: 9 });
    const unsaid = await service.call('/board/history.json?market=parallel');
    expect(unsaid.json.days).toBe(9);
  });

  test('is 503 while the store does not answer, and the board itself still works', async () => {
    const service = await withPast();
    await service.service.store.close();
    const { status, json, headers } = await service.call('/board/history.json?market=parallel');
    expect([status, json.code]).toEqual([503, 'service_unavailable']);
    expect(headers.get('retry-after')).toBe('1');
    for (const path of ['/', '/board.json']) expect((await service.call(path)).status).toBe(200);
  });

  test.each([
    ['market=reference&days=0', 400, 'invalid_format'],
    ['market=reference&days=1.5', 400, 'invalid_format'],
    ['market=reference&colour=red', 400, 'unknown_parameter'],
    ['market=reference&locale=fr', 400, 'invalid_format'],
    ['market=reference&candles=yes', 400, 'invalid_format'],
    ['days=7', 400, 'missing_field'],
    ['market=a,b,c,d,e,f,g', 400, 'invalid_format'],
    ['market=nothing', 404, 'resource_not_found'],
    ['market=cash', 402, 'feature_not_in_plan'],
  ])('%s is answered with %i %s', async (query, status, code) => {
    const service = await startTestService();
    const reply = await service.call(`/board/history.json?${query}`);
    expect([reply.status, reply.json.code]).toEqual([status, code]);
  });
});
