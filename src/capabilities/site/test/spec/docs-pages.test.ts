import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fullMarket, iso, official, quote } from '../../../../../test/harness/make.ts';
import {
  START,
  sharedService,
  startTestService,
  type TestService,
} from '../../../../../test/harness/service.ts';
import { LEASE_MS } from '../../../../core/app/collecting/collector-lease.ts';
import { recordsIn } from '../../../../core/app/ingest/ndjson.ts';
import { DAY_MS, MINUTE_MS } from '../../../../core/domain/time.ts';
import {
  groupPath,
  REFERENCE,
  REFERENCE_ERRORS,
  REFERENCE_TAGS,
} from '../../docs/docs-addresses.ts';
import {
  excerptParts,
  foldedEntry,
  type SearchEntry,
  searchIn,
  searchNear,
} from '../../docs/search/search.ts';
import { SEARCH_NAMES } from '../../docs/search/search-name-texts.ts';
import { GUIDE_NAMES } from '../../guides/guides.ts';

/** `/docs`, its Markdown, `/llms.txt` and `/status`, as they are sent. */

const GUIDES = GUIDE_NAMES.map((name) => `/docs/${name}`);
const REFERENCE_PAGES = [REFERENCE, ...REFERENCE_TAGS.map(groupPath), REFERENCE_ERRORS];
const DOCS = [...GUIDES, ...REFERENCE_PAGES];
const PAGES = ['/docs', ...DOCS, '/methodology', '/status'];
const FILES = DOCS.map((path) => `${path}.md`);

/** The service of these tests has no `VESFX_SECRET`. */
const WEBHOOKS = `${groupPath('Webhooks')}.md`;

/** Bytes that a phone loads on the first use of the search. */
const MAX_INDEX_BYTES = 48_000;

/** Bytes of all scripts of a page. */
const MAX_SCRIPT_BYTES = 10_000;

async function get(service: TestService, path: string, language: 'es' | 'en') {
  return service.call(path, { headers: { 'Accept-Language': language } });
}

describe('the documentation', () => {
  const docs = sharedService(async () => undefined);

  test('is available in Spanish and English, as pages and as Markdown, without a key', async () => {
    const service = docs();
    for (const path of [...PAGES, ...FILES, '/llms.txt', '/llms-full.txt']) {
      const texts = new Set<string>();
      for (const language of ['es', 'en'] as const) {
        const { status, headers, text } = await get(service, path, language);
        expect([path, status, headers.get('content-language')]).toEqual([path, 200, language]);
        expect(headers.get('vary')).toContain('Accept-Language');
        // Shown programs may say it.
        const words = text.replaceAll(/<pre[\s\S]*?<\/pre>|```[\s\S]*?```/g, '');
        expect(words).not.toMatch(/undefined|\[object|NaN|\{\{/);
        texts.add(text);
      }
      expect(texts.size, path).toBe(2);
    }
  });

  test('has the media type of Markdown and the address of this service', async () => {
    const service = docs();
    for (const path of FILES) {
      const { headers, text } = await get(service, path, 'es');
      expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(text).toMatch(/^# /);
      const withoutAddress = ['/docs/self-hosting.md', `${REFERENCE_ERRORS}.md`, WEBHOOKS];
      if (!withoutAddress.includes(path)) expect(text).toContain(service.url);
    }
    expect((await service.call('/docs/nothing.md')).status).toBe(404);
  });

  test('says on the page of a group that this service does not have its addresses', async () => {
    const { text } = await get(docs(), WEBHOOKS, 'en');
    expect(text).toContain('This service does not have these addresses.');
    expect(text).not.toContain('examples');
    const page = await get(docs(), groupPath('Webhooks'), 'es');
    expect(page.text).toContain('Este servicio no tiene estas direcciones.');
    const other = await get(docs(), groupPath('Status'), 'es');
    expect(other.text).not.toContain('no tiene estas direcciones');
  });

  test('has a command that asks this service, at an operation of the reference', async () => {
    const service = docs();
    const { text } = await service.call('/docs/reference/status.md');
    expect(text).toContain(`curl '${service.url}/v1/status'`);
  });

  test.each(['es', 'en'] as const)(
    'is marked in the navigation, on its sub-pages too (%s)',
    async (language) => {
      const service = docs();
      const marked = async (path: string) => {
        const { text } = await get(service, path, language);
        const nav = /<nav aria-label[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '';
        return [...nav.matchAll(/href="([^"]*)" aria-current="(\w+)"/g)].map((one) => one.slice(1));
      };
      expect(await marked('/docs')).toEqual([['/docs', 'page']]);
      expect(await marked('/methodology')).toEqual([['/methodology', 'page']]);
      for (const path of DOCS) expect(await marked(path)).toEqual([['/docs', 'true']]);
      expect(await marked('/docs/nothing')).toEqual([]);
    },
  );

  test.each(['/docs', '/docs/first-request', '/docs/reference/rates', '/methodology'])(
    '%s has at most 10 kB of scripts, compressed',
    async (path) => {
      const service = docs();
      const { text } = await get(service, path, 'es');
      const scripts = [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src = '']) => src);
      expect(scripts.length).toBeGreaterThan(1);
      const bodies = await Promise.all(scripts.map((src) => service.call(src)));
      const sizes = bodies.map(({ text: script }) => gzipSync(script, { level: 9 }).length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
    },
  );

  test('has no dead link on any page', async () => {
    const service = docs();
    const links = new Set<string>();
    for (const path of PAGES) {
      const { text } = await get(service, path, 'es');
      for (const [, target = ''] of text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)) {
        links.add(target.replaceAll('&amp;', '&'));
      }
    }
    expect(links.size).toBeGreaterThan(20);
    for (const link of links)
      expect([link, (await service.call(link)).status]).toEqual([link, 200]);
  });

  test.each(['es', 'en'] as const)(
    'has a small search index in %s whose targets exist',
    async (language) => {
      const service = docs();
      const { headers, text, json } = await get(service, '/docs/search.json', language);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('content-language')).toBe(language);
      expect(brotliCompressSync(text).length).toBeLessThan(MAX_INDEX_BYTES);
      const entries: { title: string; place: string; path: string; about: string }[] = json;
      expect(entries.length).toBeGreaterThan(100);
      const pages = new Map<string, string>();
      const dead: string[] = [];
      for (const { title, place, path, about } of entries) {
        expect([path, title !== '', place !== '']).toEqual([path, true, true]);
        expect(about).not.toMatch(/[`|]|undefined|\{\{/);
        const [page = '', anchor] = path.split('#');
        const shown = pages.get(page) ?? (await get(service, page, language)).text;
        pages.set(page, shown);
        if (anchor !== undefined && !shown.includes(` id="${anchor}"`)) dead.push(path);
      }
      expect(dead).toEqual([]);
      expect([...pages.keys()].sort()).toEqual(['/methodology', ...DOCS].sort());
      const titles = entries.map(({ title }) => title);
      expect(titles).toContain('rate_not_published');
      expect(titles).toContain(language === 'es' ? 'Convertir un monto' : 'Convert an amount');
    },
  );

  test.each([
    ['es', 'cuota', '/docs/limits'],
    ['es', 'límite', '/docs/limits'],
    ['es', 'rate limit', '/docs/limits'],
    ['es', 'clave', '/docs/first-request'],
    ['es', 'crear clave', '/docs/reference/account#createKey'],
    ['es', 'obtener clave', '/docs/first-request'],
    ['es', 'history csv', '/docs/history'],
    ['es', 'excel', '/docs/history'],
    ['es', 'brecha', '/docs/reference/analysis#getSpread'],
    ...(['corrección', 'correcciones', 'corrections'] as const).map(
      (query) => ['es', query, '/docs/reference/rates#listCorrections'] as const,
    ),
    ...(['cobertura', 'huecos', 'días faltantes', 'gaps'] as const).map(
      (query) => ['es', query, '/docs/reference/rates#getCoverage'] as const,
    ),
    ['en', 'gaps', '/docs/reference/rates#getCoverage'],
    ['en', 'missing days', '/docs/reference/rates#getCoverage'],
    ['en', 'corrections', '/docs/reference/rates#listCorrections'],
    ['es', 'historico', '/docs/history'],
    ['es', 'histórico', '/docs/history'],
    ['es', 'invoice', '/docs/invoice-rate'],
    ['es', 'rate of a past day', '/docs/invoice-rate#la-tasa-de-un-día-pasado'],
    ['en', 'factura', '/docs/invoice-rate'],
    ['en', 'convertir un monto', '/docs/reference/conversion#convert'],
    ['en', 'histórico', '/docs/history'],
    ['es', 'factura', '/docs/invoice-rate'],
    ['es', 'reintentar', '/docs/errors'],
    ...(
      ['pandas', 'google sheets', 'excel', 'odoo', 'woocommerce', 'wordpress', 'php'] as const
    ).flatMap((query) => {
      const page = { 'google sheets': 'google-sheets', wordpress: 'woocommerce', php: 'examples' };
      const path = `/docs/${page[query as keyof typeof page] ?? query}`;
      return [['es', query, path] as const, ['en', query, path] as const];
    }),
    ['en', 'widget', '/docs/website'],
    ...(['cierre de mes', 'revalorización', 'revaluation', 'vlookup', 'buscarv'] as const).flatMap(
      (query) =>
        (['es', 'en'] as const).map((language) => [language, query, '/docs/month-end'] as const),
    ),
    ['en', 'quota', '/docs/limits'],
    ['en', 'rate limit', '/docs/limits'],
    ['en', 'api key', '/docs/first-request'],
    ['en', 'history csv', '/docs/history'],
    ['en', 'premium', '/docs/reference/analysis#getSpread'],
    ['en', 'spread', '/docs/reference/analysis#getSpread'],
    ['en', 'gap', '/docs/reference/analysis#getSpread'],
    ['en', 'google sheets', '/docs/public-keys'],
    ['en', 'invoice', '/docs/invoice-rate'],
    ['en', 'retry', '/docs/errors'],
  ] as const)(
    'the search in %s for "%s" shows %s among its first three',
    async (language, query, path) => {
      const service = docs();
      const { json } = await get(service, '/docs/search.json', language);
      const entries: readonly SearchEntry[] = json;
      const found = searchIn(entries.map(foldedEntry), query).map((one) => one.path);
      expect(found.slice(0, 3)).toContain(path);
    },
  );

  test.each([
    ['es', 'csv', '/docs/history#para-una-hoja-de-cálculo'],
    ['en', 'csv', '/docs/history#for-a-spreadsheet'],
    ['es', '429', '/docs/errors#cómo-reintentar'],
    ['en', '429', '/docs/errors#how-to-retry'],
    ['es', 'tasa de ayer', '/docs/invoice-rate#la-tasa-de-un-día-pasado'],
    ['en', 'rate of yesterday', '/docs/invoice-rate#the-rate-of-a-past-day'],
    ['es', 'docker', '/docs/self-hosting#lo-que-puede-cambiar'],
    ['en', 'docker', '/docs/self-hosting#what-you-may-change'],
    ...(['errores y reintentos', 'reintentos'] as const).map(
      (query) => ['es', query, '/docs/errors'] as const,
    ),
    ...(['errors retries', 'errors and retries', 'handle errors'] as const).map(
      (query) => ['en', query, '/docs/errors'] as const,
    ),
    ...(
      [
        ...['autohospedar', 'selfhost', 'hospedar', 'alojar', 'instalar en mi servidor'],
        ...['servidor propio', 'mi propio servidor'],
      ] as const
    ).map((query) => ['es', query, '/docs/self-hosting'] as const),
    ...(['self host', 'self-hosting', 'host'] as const).map(
      (query) => ['en', query, '/docs/self-hosting'] as const,
    ),
    ['es', 'sandbox', '/docs/self-hosting#verlo-primero'],
    ['es', 'zelle', '/docs/markets'],
    ['en', 'laravel', '/docs/examples'],
    ...(['página web', 'mostrar tasa en mi pagina web'] as const).map(
      (query) => ['es', query, '/docs/website'] as const,
    ),
    ...(['show a rate on a web page', 'web page', 'website'] as const).map(
      (query) => ['en', query, '/docs/website'] as const,
    ),
    ['es', 'tasa de mañana', '/docs/invoice-rate#publicada-no-es-la-que-rige'],
    ['en', 'rate of tomorrow', '/docs/invoice-rate#published-is-not-in-force'],
    ['es', 'reembolso', '/docs/php-invoice#un-reembolso'],
    ['en', 'refund', '/docs/php-invoice#a-refund'],
    ['es', 'conversión fecha pasada', '/docs/invoice-rate'],
    ['en', 'conversion historical date', '/docs/invoice-rate'],
  ] as const)('the search in %s for "%s" begins with %s', async (language, query, path) => {
    const service = docs();
    const { json } = await get(service, '/docs/search.json', language);
    expect(searchIn(json.map(foldedEntry), query)[0]?.path).toBe(path);
  });

  test.each([
    [
      'es',
      'IGTF',
      '/docs/invoice-rate#qué-dice-la-ley-y-quién-lo-dice',
      /IGTF.*3 %.*Gaceta 6\.687/,
    ],
    [
      'es',
      'impuestos',
      '/docs/invoice-rate#qué-dice-la-ley-y-quién-lo-dice',
      /no calcula impuestos/,
    ],
    ['es', 'SENIAT', '/docs/invoice-rate#qué-dice-la-ley-y-quién-lo-dice', /SNAT\/2011\/00071/],
    ['es', 'IVA', '/docs/invoice-rate', /Ley de IVA/],
    ['es', 'vuelto', '/docs/till', /El vuelto se da/],
    ['es', 'redondeo', '/docs/till', /redondeo/],
    ['es', 'punto de venta', '/docs/till', /punto de venta/],
    ['es', 'caja', '/docs/till', /caja/],
    [
      'es',
      'nota de crédito',
      '/docs/invoice-rate#guardar-la-tasa-con-la-factura',
      /nota de crédito/,
    ],
    ['es', 'diferencial cambiario', '/docs/month-end', /diferencial cambiario/],
    ['es', 'diferencia en cambio', '/docs/month-end', /diferencia en cambio/i],
    ['es', 'tasa de cierre', '/docs/month-end', /tasa de cierre/],
    ['es', 'Excel', '/docs/excel', /Excel/],
    ['es', 'lista de precios', '/docs/excel#una-lista-de-precios', /precio/],
    [
      'es',
      'libro de ventas',
      '/docs/invoice-rate#qué-dirección-para-una-tasa-pasada',
      /Muchos días/,
    ],
    ['es', 'tasa BCV de hoy', '/docs/first-request', /tasa/],
    [
      'en',
      'IGTF',
      '/docs/invoice-rate#what-the-law-says-and-who-says-it',
      /IGTF.*3%.*gazette 6\.687/,
    ],
    ['en', 'tax', '/docs/invoice-rate#what-the-law-says-and-who-says-it', /calculates no tax/],
    ['en', 'SENIAT', '/docs/invoice-rate#what-the-law-says-and-who-says-it', /SNAT\/2011\/00071/],
    ['en', 'VAT', '/docs/invoice-rate', /VAT law/],
    ['en', 'rounding', '/docs/till', /rounding/],
    ['en', 'point of sale', '/docs/till', /point of sale/],
    ['en', 'credit note', '/docs/invoice-rate#store-the-rate-with-the-invoice', /credit note/],
    ['en', 'exchange difference', '/docs/month-end', /exchange difference/],
    ['en', 'closing rate', '/docs/month-end', /closing rate/],
    ['en', 'Excel', '/docs/excel', /Excel/],
    ['en', 'price list', '/docs/excel#a-price-list', /price/],
  ] as const)(
    'an accountant or a shop that searches in %s for "%s" finds first %s, which answers',
    async (language, query, path, answer) => {
      const { json } = await get(docs(), '/docs/search.json', language);
      const { query: searched, entries } = searchNear(json.map(foldedEntry), query);
      expect([searched, entries[0]?.path]).toEqual([query, path]);
      const { text } = await get(docs(), path.replace(/(?:#.*)?$/, '.md'), language);
      expect(text.replaceAll(/\s+/g, ' ')).toMatch(answer);
    },
  );

  test.each(['es', 'en'] as const)(
    'the search for "429" shows it in each result (%s)',
    async (language) => {
      const service = docs();
      const { json } = await get(service, '/docs/search.json', language);
      const found = searchIn(json.map(foldedEntry), '429');
      expect(found.length).toBeGreaterThan(3);
      for (const { about } of found) {
        const excerpt = excerptParts(about, '429');
        expect(excerpt.filter(({ isHit }) => isHit).map(({ part }) => part)).toContain('429');
      }
    },
  );

  test('the index names the same places in both languages', async () => {
    const service = docs();
    const [es, en] = await Promise.all(
      (['es', 'en'] as const).map(async (language) => {
        const { json } = await get(service, '/docs/search.json', language);
        return json.map(({ path }: SearchEntry) =>
          path.replace(/(?<=docs\/[\w-]+|methodology)#.*/, ''),
        );
      }),
    );
    expect(es).toEqual(en);
  });

  test('the names by which readers call a place are those of places that exist', async () => {
    const service = docs();
    const { json } = await get(service, '/docs/search.json', 'es');
    const paths = json.map(({ path }: SearchEntry) => path);
    expect(paths).toEqual(expect.arrayContaining(Object.keys(SEARCH_NAMES)));
  });

  test('contract §25 /llms-full.txt has every guide, the reference and the methodology, in less than 1 MB', async () => {
    const service = docs();
    const { headers, text } = await get(service, '/llms-full.txt', 'en');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text.length).toBeLessThan(1_000_000);
    const parts = [...GUIDES.map((path) => `${path}.md`), `${REFERENCE}.md`];
    for (const path of parts) expect(text).toContain((await get(service, path, 'en')).text.trim());
    expect(text).toContain('# Methodology');
    expect(text).not.toContain('<!--');
  });

  test('/llms.txt has a title, a summary and no dead link to Markdown', async () => {
    const service = docs();
    const { headers, text } = await get(service, '/llms.txt', 'en');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# vesfx\n\n> .+\n\n## /);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    // The parts of the reference are in one file.
    expect(links.filter((link) => link.includes('.md'))).toHaveLength(GUIDES.length + 1);
    for (const link of links) {
      expect(link.startsWith(service.url)).toBe(true);
      expect([link, (await service.call(link.slice(service.url.length))).status]).toEqual([
        link,
        200,
      ]);
    }
  });
});

describe('/openapi.json', () => {
  test('is in English, and with lang=es has the same operations with Spanish texts', async () => {
    const service = await startTestService();
    const [english, spanish] = await Promise.all(
      ['', '?lang=es'].map(async (query) => (await service.call(`/openapi.json${query}`)).json),
    );
    expect(Object.keys(spanish.paths)).toEqual(Object.keys(english.paths));
    const summaryOf = (document: typeof english) => document.paths['/v1/fx/convert'].get.summary;
    expect([summaryOf(english), summaryOf(spanish)]).toEqual([
      'Convert an amount',
      'Convertir un monto',
    ]);
  });
});

describe('/status', () => {
  /** As a collector leaves it, `minutes` after a day's start. */
  async function read(service: TestService, source: string, given: object = {}): Promise<void> {
    const { store } = service.service;
    await store.takeLease('collector', START, START + LEASE_MS);
    await store.saveSourceState({
      source,
      lastAttemptAt: START - MINUTE_MS,
      lastSuccessAt: START - 3 * MINUTE_MS,
      lastChangeAt: START - 5 * MINUTE_MS,
      consecutiveFailures: 0,
      nextRunAt: START + 2 * MINUTE_MS,
      ...given,
    });
  }

  const nextRates = () =>
    official('2026-11-24', { USD: 801, EUR: 921, CNY: 110.2, TRY: 19.5, RUB: 9.9 });

  const failure = { reason: 'timeout', message: 'no answer from https://secret.example' } as const;

  test('says in plain words what works, what fails and since when', async () => {
    const service = await startTestService();
    await service.push(official('2026-11-19', { USD: 1 }), official('2026-11-20', { USD: 2 }));
    await read(service, 'bcv-official');
    await read(service, 'yadio', { consecutiveFailures: 3, failure });
    await read(service, 'criptoya');
    const { text } = await get(service, '/status', 'es');
    const words = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');
    expect(words).toContain('Tasa oficial del BCV Atrasada Una publicación del BCV está atrasada');
    expect(words).toContain(
      'Dólar paralelo Yadio Falla Sus últimas 3 lecturas fallaron: no respondió a',
    );
    expect(words).toContain('Binance P2P, BingX P2P y 5 más Funciona CriptoYa');
    expect(words).toContain('Última lectura correcta hace 3 min (21/11/2026 07:57)');
    expect(words).toContain('Próxima lectura en 2 min');
    expect(words).toContain('Publicaciones atrasadas 1');
    expect(words).toContain('El operador no la usa: en su lugar usa CriptoYa.');
    expect(text).not.toContain('secret.example');
    const english = await get(service, '/status', 'en');
    expect(english.text).toContain('Yadio <span class="state failing">Failing</span>');
    expect(english.text).not.toContain('Dólar paralelo');
  });

  test('says that old figures are not to be used, and which are missing', async () => {
    const service = await startTestService();
    const captured_at = iso(START - 8 * DAY_MS);
    const old = { captured_at, updated_at: captured_at };
    await service.push(
      official('2026-11-13', { USD: 800, EUR: 900 }, { captured_at }),
      ...['parallel', 'cash'].map((market) => quote(market, 900, old)),
    );
    const { text } = await get(service, '/status', 'es');
    expect(text).toContain('Estas cifras no están al día: no las use sin comprobarlas.');
    expect(text).toContain('6 publicaciones del BCV están atrasadas');
    expect(text).toContain('No hay cifra de: Dólar paralelo, Efectivo');
  });

  test('shows the last 90 days of each source, the oldest first', async () => {
    const service = await startTestService();
    const day = (ago: number, given: object = {}) =>
      read(service, 'criptoya', { lastAttemptAt: START - ago * DAY_MS, ...given });
    await day(90);
    await day(89);
    await day(2, { failure });
    await day(1);
    await day(1, { failure });
    await day(0);
    const { text } = await get(service, '/status', 'en');
    const card = /id="criptoya">([\s\S]*?)<\/li>/.exec(text)?.[1] ?? '';
    const marks = [...card.matchAll(/<i class="(\w+)"/g)].map(([, mark]) => mark);
    expect(marks).toHaveLength(90);
    expect([marks[0], ...marks.slice(-3)]).toEqual(['good', 'bad', 'some', 'good']);
    expect(marks.slice(1, -3).every((mark) => mark === 'none')).toBe(true);
    expect(card).toContain(
      'days with few or no failures: 2; with some: 1; with failures only: 1; without data: 86',
    );
    expect(card).toContain('title="20 Nov 2026: some failures (1 good, 1 failed)"');
  });

  test('begins with what is wrong, since when and what is being done, and lists failing sources first', async () => {
    const service = await startTestService();
    await service.push(...fullMarket(), nextRates());
    await read(service, 'bcv-official');
    await read(service, 'yadio', { consecutiveFailures: 3, failure });
    const { text } = await get(service, '/status', 'en');
    const words = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');
    expect(words).toContain('The rates are up to date, but one source has problems.');
    expect(words).toContain('Since 21 Nov 2026 07:57 (3 min ago)');
    expect(words).toContain('Failing source: Yadio (Parallel dollar) since 21 Nov 2026 07:57');
    expect(words).toContain('We keep retrying. Meanwhile we show the last good rate with its age.');
    expect(words).toContain('by 19:30 on Tuesday 24, with value date Wednesday 25');
    const ids = [...text.matchAll(/<(?:li class="source"|section) id="([\w-]+)"/g)].map(
      ([, id]) => id,
    );
    expect(ids.indexOf('yadio')).toBe(0);
    expect(ids).toContain('bcv-official');
  });

  test('says when a reading last failed, even while all is well', async () => {
    const service = await startTestService();
    await service.push(...fullMarket(), nextRates());
    await read(service, 'bcv-official', { lastAttemptAt: START - 9 * DAY_MS, failure });
    await read(service, 'bcv-official');
    const { text } = await get(service, '/status', 'en');
    const words = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');
    expect(words).toContain('The figures are up to date.');
    expect(words).toContain('Last failed reading 12 Nov 2026');
  });

  test('lists market, reason and time of each held record, never its figure', async () => {
    const service = await startTestService();
    await service.push(...fullMarket(), nextRates());
    service.clock.advance(MINUTE_MS);
    const at = iso(START + MINUTE_MS);
    const { ingest } = service.service;
    const line = quote('cash', 3_456.78, { captured_at: at, updated_at: at });
    await ingest.ingest(recordsIn([JSON.stringify(line)]), {
      source: 'simulated',
      trust: false,
    });
    service.clock.advance(5 * MINUTE_MS);
    const { text } = await get(service, '/status', 'es');
    const words = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');
    expect(words).toContain('Una cifra retenida');
    expect(words).toMatch(/Efectivo[^:]*: cambió demasiado de golpe · simulada · hace 5 min/);
    expect(words).not.toContain('3.456');
  });

  test('shows the last known state and its age while the database is down', async () => {
    const service = await startTestService();
    await read(service, 'criptoya');
    await get(service, '/status', 'es');
    await service.service.store.close();
    service.clock.advance(7 * MINUTE_MS);
    const { status, text } = await get(service, '/status', 'es');
    expect(status).toBe(200);
    const words = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');
    expect(words).toContain('Comprobado hace 7 min');
    expect(words).toContain(
      'La base de datos no responde desde el 21/11/2026 08:00 (hora de Caracas), hace 7 min Seguimos intentando conectar.',
    );
    expect(text).toContain('Binance P2P, BingX P2P y 5 más');
  });

  test('says that nothing is known when the database has never answered', async () => {
    const service = await startTestService();
    await service.service.store.close();
    const { status, headers, text } = await get(service, '/status', 'es');
    expect([status, headers.get('cache-control')]).toEqual([503, 'no-store']);
    expect(text).toContain('todavía no se sabe nada de las fuentes');
  });
});
