import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { REFERENCE_GROUPS } from '../../src/core/http/pipeline/reference-groups.ts';

/**
 * Every address that answers without a key, by its path in the router, with what the n-th of many
 * requests asks. `test/spec/keyless.test.ts` fails when one is missing.
 */

const ROOT = new URL('../../', import.meta.url);

/** All orders of a few of the board's markets, with aliases and repetitions. */
function marketsOf(n: number): string {
  const rest = ['reference', 'paralelo', 'parallel', 'binance', 'bybit', 'okx', 'mexc', 'bcv_eur'];
  const chosen: string[] = [];
  for (let left = n; rest.length > 2; left = Math.floor(left / 3)) {
    chosen.push(...rest.splice(left % rest.length, 1));
  }
  return chosen.join(',');
}

const oneOf = (n: number, ...list: readonly string[]) => list[n % list.length];

/** The parameters of a file, in every order. */
function fileOf(n: number): string {
  const candles = oneOf(n, 'candles=true', 'candles=false');
  const fields = [`market=${marketsOf(n)}`, `days=${365 - (n % 60)}`, candles];
  const locale = oneOf(n, 'locale=es', 'locale=en', '');
  const all = [...fields, locale].filter((field) => field !== '');
  return [...all.slice(n % all.length), ...all.slice(0, n % all.length)].join('&');
}

/** The parameters of a month's file, in both orders. */
function monthOf(n: number, dayOf: (n: number) => string): string {
  const fields = [`month=${dayOf(n).slice(0, 7)}`, `currency=${oneOf(n, 'USD', 'EUR')}`];
  return (n % 3 === 0 ? fields : fields.toReversed()).join('&');
}

const asItIs = (path: string) => (n: number) => `${path}?lang=${oneOf(n, 'es', 'en')}&n=${n}`;
const plain = (path: string) => () => path;

type Addresses = Readonly<Record<string, (n: number) => string>>;

/** The pages of the site, each with a form for each language. */
function pages(): readonly string[] {
  const groups = Object.keys(REFERENCE_GROUPS).map((name) => name.toLowerCase().replace(' ', '-'));
  const guides = globSync('src/capabilities/site/guides/en/*.md', { cwd: ROOT });
  const documents = [
    ...['reference', 'reference/errors', ...groups.map((name) => `reference/${name}`)],
    ...guides.map((file) => basename(file, '.md')),
  ];
  return [
    ...['/console', '/console/operations.json', '/docs', '/docs/search.json'],
    ...['/methodology', '/status'],
    ...documents.flatMap((name) => [`/docs/${name}`, `/docs/${name}.md`]),
    ...[
      '/llms.txt',
      '/llms-full.txt',
      '/manifest.webmanifest',
      '/embed/v1.js',
      '/service-worker.js',
    ],
    ...['/favicon.ico', '/icon.png', '/icon-512.png', '/icon-maskable.png', '/icon.svg'],
    ...['board', 'console', 'docs', 'methodology', 'status'].map((name) => `/picture/${name}.png`),
  ];
}

/**
 * Those of capabilities, by its name.
 * @param dayOf One of the last days, which each plan reaches.
 */
const added = (dayOf: (n: number) => string): Readonly<Record<string, Addresses>> => ({
  site: {
    '/board/history.xlsx': (n) => `/board/history.xlsx?${fileOf(n)}`,
    '/board/history.csv': (n) => `/board/history.csv?${fileOf(n)}`,
    '/board/history.json': (n) => `/board/history.json?${fileOf(n)}`,
    '/board/month.csv': (n) => `/board/month.csv?${monthOf(n, dayOf)}`,
    '/board/month.xlsx': (n) => `/board/month.xlsx?${monthOf(n, dayOf)}`,
    '/mes': (n) => `/mes?currency=${oneOf(n, 'USD', 'EUR')}&lang=${oneOf(n, 'es', 'en')}`,
    '/mes/:month': (n) => `/mes/${dayOf(n).slice(0, 7)}?currency=${oneOf(n, 'USD', 'EUR')}`,
    '/': (n) => `/?amount=${1 + n}&from=USD${n % 2 === 0 ? '' : `&date=${dayOf(n)}`}`,
    '/board.json': asItIs('/board.json'),
    '/board/picture.png': (n) =>
      `/board/picture.png?amount=${1 + n}&from=USD&lang=${oneOf(n, 'es', 'en')}`,
    '/board/rates.json': (n) => `/board/rates.json?date=${dayOf(n)}`,
    '/embed/example/:state/v1/latest.json': (n) =>
      `/embed/example/${oneOf(n, 'now', 'late', 'doubt')}/v1/latest.json?n=${n}`,
    '/assets/:file': (n) => `/assets/${n}.js`,
    ...Object.fromEntries(pages().map((path) => [path, asItIs(path)])),
  },
  assistants: {
    '/mcp': plain('/mcp'),
    '/.well-known/api-catalog': asItIs('/.well-known/api-catalog'),
  },
  handouts: Object.fromEntries(
    [
      ...['vesfx-client.tgz', 'vesfx.py', 'vesfx.php', 'vesfx-odoo.zip'],
      'vesfx-woocommerce.zip',
      'vesfx-till.zip',
      'vesfx-invoice.php',
    ].map((name) => [`/client/${name}`, plain(`/client/${name}`)]),
  ),
  compat: {
    '/v1/cotizaciones': plain('/v1/cotizaciones'),
    '/v1/estado': plain('/v1/estado'),
    ...Object.fromEntries(
      ['dolares', 'euros'].flatMap((noun) => {
        const history = `/v1/historicos/${noun}`;
        // The parallel euro has no history.
        const source = (n: number) =>
          noun === 'dolares' ? oneOf(n, 'oficial', 'paralelo') : 'oficial';
        const day = (n: number) => dayOf(n).replaceAll('-', '/');
        return [
          [`/v1/${noun}`, asItIs(`/v1/${noun}`)],
          [`/v1/${noun}/oficial`, asItIs(`/v1/${noun}/oficial`)],
          [`/v1/${noun}/:fuente`, plain(`/v1/${noun}/paralelo`)],
          [history, asItIs(history)],
          [`${history}/:fuente`, (n: number) => `${history}/${source(n)}?n=${n}`],
          [`${history}/:year/:month/:day`, (n: number) => `${history}/${day(n)}`],
          [
            `${history}/:fuente/:year/:month/:day`,
            (n: number) => `${history}/${source(n)}/${day(n)}`,
          ],
        ] as const;
      }),
    ),
    ...Object.fromEntries(
      ['/api/v1/dollar', '/api/v1/euro', '/api/v2/dollar', '/api/v2/euro'].flatMap((path) => {
        const page = (n: number) => `page=${oneOf(n, 'bcv', 'criptodolar')}&n=${n}`;
        return [
          [path, (n: number) => `${path}?${page(n)}`],
          [`${path}/page`, (n: number) => `${path}/page?${page(n)}`],
          [`${path}/unit/:monitor`, (n: number) => `${path}/unit/bcv?n=${n}`],
          [`${path}/history`, (n: number) => `${path}/history?${page(n)}&start_date=${dayOf(n)}`],
          [`${path}/conversion`, (n: number) => `${path}/conversion?type=VES&value=${1 + n}`],
        ] as const;
      }),
    ),
    '/api/v1/tipo-cambio': plain('/api/v1/tipo-cambio'),
    '/api/v2/tipo-cambio': plain('/api/v2/tipo-cambio'),
    '/api/:coin/:fiat': plain('/api/usdt/ves'),
    '/api/:first/:second/:third': (n) => `/api/usdt/ves/${1 + n}`,
    '/api/:exchange/:coin/:fiat/:volume': (n) => `/api/binancep2p/usdt/ves/${1 + n}`,
    '/api/:exchange/:coin/:fiat/:volume/:limit': (n) => `/api/binancep2p/usdt/ves/${1 + n}/5`,
    ...Object.fromEntries(
      ['/v1', ''].flatMap((root) => {
        const amount = (n: number) => `amount=${1 + n}`;
        return [
          [`${root}/latest`, (n: number) => `${root}/latest?base=VES&${amount(n)}`],
          [`${root}/current`, (n: number) => `${root}/current?base=USD&${amount(n)}`],
          [`${root}/currencies`, plain(`${root}/currencies`)],
          [
            `${root}/:date`,
            (n: number) =>
              `${root}/${dayOf(n)}..?base=${oneOf(n, 'VES&symbols=USD,EUR', 'EUR')}&${amount(n)}`,
          ],
        ] as const;
      }),
    ),
    '/v2/rates': (n) => `/v2/rates?base=VES&from=${dayOf(n)}&quotes=${oneOf(n, 'USD', 'EUR')}`,
    '/v2/providers/:provider/rates': (n) =>
      `/v2/providers/bcv/rates?base=VES&from=${dayOf(n)}&quotes=${oneOf(n, 'USD', 'EUR')}`,
    '/v2/providers/:provider/rate/:base/:quote': (n) =>
      `/v2/providers/bcv/rate/USD/${oneOf(n, 'VES', 'EUR')}?date=${dayOf(n)}`,
    '/v2/currencies': plain('/v2/currencies'),
    '/v2/currency/:code': plain('/v2/currency/usd'),
    '/v2/providers': plain('/v2/providers'),
    '/v2/rate/:base/:quote': (n) => `/v2/rate/USD/${oneOf(n, 'VES', 'EUR')}?date=${dayOf(n)}`,
    '/:year/:week/:file': (n) => `/2999/${1 + (n % 52)}/${oneOf(n, 'USD', 'EUR', 'VES')}.json`,
    '/v4/latest/:base': (n) => `/v4/latest/${oneOf(n, 'USD', 'EUR', 'VES')}?n=${n}`,
    '/v6/latest/:base': (n) => `/v6/latest/${oneOf(n, 'USD', 'EUR', 'VES')}?n=${n}`,
    '/v6/:key/codes': (n) => `/v6/other${n}/codes`,
    '/v6/:key/latest/:base': (n) => `/v6/other${n}/latest/VES`,
    '/v6/:key/pair/:base/:target': (n) => `/v6/other${n}/pair/USD/VES`,
    '/v6/:key/pair/:base/:target/:amount': (n) => `/v6/other/pair/VES/USD/${1 + n}`,
    ...Object.fromEntries(
      ['/public/exchange-rate', '/public/bcv/exchange-rate', '/public/usdt/exchange-rate'].flatMap(
        (path) => [
          [path, asItIs(path)],
          [`${path}/list`, (n: number) => `${path}/list?from=${dayOf(n)}&n=${n}`],
        ],
      ),
    ),
    ...Object.fromEntries(
      [
        ...['/bcv/current.json', '/rates', '/rates/'],
        ...['/api/v1/dolar', '/api/v1/dolar/public', '/api/v1/euro/public'],
        ...['/api/v1/rate.json', '/api/v1/history.json', '/markets/quotes/usdves/bcv'],
        '/dolartoday/data.json',
      ].map((path) => [path, plain(path)]),
    ),
    '/rates/history': (n) => `/rates/history?start_date=${dayOf(n)}&n=${n}`,
    '/rates/:date': (n) => `/rates/${dayOf(n)}?n=${n}`,
    '/exrates/:base': (n) => `/exrates/${oneOf(n, 'USD', 'VES')}?n=${n}`,
    '/rate/:quote/:base': (n) => `/rate/${oneOf(n, 'USD/VES', 'VES/USD')}?n=${n}`,
    '/convert/:amount/:from/:to': (n) => `/convert/${1 + n}/USD/VES`,
    '/gh/fawazahmed0/currency-api@1/:version/currencies/:base/:file': (n) =>
      `/gh/fawazahmed0/currency-api@1/latest/currencies/${oneOf(n, 'eur/usd', 'usd/eur')}.json?n=${n}`,
    '/api/v1/history/:day': (n) => `/api/v1/history/${dayOf(n)}.json?n=${n}`,
    ...Object.fromEntries(
      [
        ['/npm/@fawazahmed0/:version/v1', (n: number) => `currency-api@${dayOf(n)}`] as const,
        ['/gh/fawazahmed0/currency-api@1/:version', dayOf] as const,
        ['/v1', dayOf] as const,
      ].flatMap(([declared, versionOf]) => {
        const place = (n: number) => declared.replace(':version', versionOf(n));
        const file = (n: number) => `${oneOf(n, 'usd', 'eur', 'ves')}.json?n=${n}`;
        return [
          [`${declared}/currencies/:file`, (n: number) => `${place(n)}/currencies/${file(n)}`],
          ...['', '.min'].map((kind) => [
            `${declared}/currencies${kind}.json`,
            (n: number) => `${place(n)}/currencies${kind}.json?n=${n}`,
          ]),
        ];
      }),
    ),
  },
});

/** What is sent to those that are not read by GET. */
export const POSTED: Readonly<Record<string, string>> = {
  '/mcp': '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}',
};

/** The headers of a message of assistants. */
export const POSTED_HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

export function keylessAddresses(now: number): Addresses {
  const dayOf = (n: number) => new Date(now - (1 + (n % 6)) * DAY_MS).toISOString().slice(0, 10);
  return {
    ...Object.assign({}, ...CAPABILITIES.map(({ name }) => added(dayOf)[name])),
    '/v1/fx/public/calculator': (n) => `/v1/fx/public/calculator?amount=${1 + n}&from=USD&to=VES`,
    ...Object.fromEntries(
      ['/openapi.json', '/healthz', '/readyz', '/v1/status'].map((path) => [path, asItIs(path)]),
    ),
  };
}
