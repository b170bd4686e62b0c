import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import pg from 'pg';
import { request } from 'undici';
import { Chance } from '../faults/chance.ts';
import { keylessAddresses } from '../faults/service/keyless-addresses.ts';
import { OWNER, startServer, stopServer } from '../test/harness/postgres-server.ts';

/**
 * Compares every byte that a commit and this checkout answer to the same requests:
 *
 *   node testkit/compare-answers.ts COMMIT [--pairs 80000] [--seed 1] [--postgres] [--shown 12]
 *
 * Both have the same records, accounts and clock. What is drawn at random in each (keys, ids of
 * requests) is replaced by its name. Exit code 1 when an answer differs.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const START = Date.parse('2026-11-21T12:00:00.000Z');
const ADMIN = { Authorization: 'Bearer admin-token-of-the-comparison' };
const PLANS = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The minute of the plans opens anew after so many pairs. */
const PAIRS_PER_MINUTE = 50;
/** Headers that differ at any two moments. */
const MOVING_HEADERS = ['date', 'keep-alive', 'connection', 'transfer-encoding'];

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface World {
  readonly name: string;
  readonly url: string;
  /** Random texts of this service, by the name that stands for them. */
  readonly own: Map<string, string>;
  tell<T>(message: object): Promise<T>;
  end(): void;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '80000' },
    seed: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
    shown: { type: 'string', default: '12' },
  },
});
const commit = positionals[0] ?? 'HEAD';
const folder = mkdtempSync(join(tmpdir(), 'vesfx-compare-'));
const chance = new Chance(values.seed);
const pick = <T>(list: readonly T[]): T => chance.pick(list);

function checkOut(): string {
  const place = join(folder, 'checkout');
  mkdirSync(place);
  const archive = execFileSync('git', ['-C', ROOT, 'archive', commit], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', place], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
  return place;
}

async function startWorld(name: string, root: string, database = ''): Promise<World> {
  const data = join(folder, name);
  mkdirSync(data);
  const script = join(ROOT, 'testkit', 'answering.ts');
  const child = fork(script, [root, String(START - 40 * DAY_MS), data, database]);
  const [{ url }] = await once(child, 'message');
  return {
    name,
    url,
    own: new Map(),
    async tell(message) {
      child.send(message);
      const [answer] = await once(child, 'message');
      return answer;
    },
    end: () => child.disconnect(),
  };
}

/** @returns the server's folder and the address of a database for each world. */
async function postgresDatabases(names: readonly string[]): Promise<readonly string[]> {
  const server = mkdtempSync(join(tmpdir(), 'vesfx-compare-pg-'));
  process.once('exit', () => rmSync(server, { recursive: true, force: true }));
  const port = await startServer(server);
  endings.push(() => stopServer(server));
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
  await client.connect();
  for (const name of names) await client.query(`create database ${name} owner ${OWNER}`);
  await client.end();
  return names.map((name) => `postgres://${OWNER}@127.0.0.1:${port}/${name}`);
}

const endings: (() => unknown)[] = [];

// What is asked

const MARKETS = [
  ...['reference', 'parallel', 'binance', 'bybit', 'okx', 'bingx', 'bitget', 'mexc', 'saldo'],
  ...['remittance_market_1', 'extended_market_1', 'extended_market_4', 'cash', 'cucuta'],
  ...['bcv_eur', 'bcv_cny', 'p2p_market_1', 'paralelo', 'no_such_market', 'BCV', ''],
];
const CURRENCIES = ['USD', 'VES', 'EUR', 'USDT', 'CNY', 'TRY', 'RUB', 'COP', 'usd', 'XXX', ''];
const DAYS = () =>
  pick([
    ...[0, 1, 2, 5, 6, 7, 8, 20, 29, 31, 33, 60].map((ago) => day(ago)),
    ...['2026-11-21T10:00:00Z', '2026-11-22', '2026-02-30', 'yesterday', ''],
  ]);
const day = (ago: number) => new Date(START - ago * DAY_MS).toISOString().slice(0, 10);

/** Values of parameters, good ones more often. */
const VALUES: Readonly<Record<string, () => string>> = {
  amount: () => pick(['1', '100', '0.01', '1234.56', '1e3', '0', '-1', '99999999999', 'x', '1,5']),
  from: () => pick([...CURRENCIES, DAYS(), DAYS()]),
  to: () => pick([...CURRENCIES, DAYS(), DAYS()]),
  via: () => pick([...MARKETS, 'reference,binance']),
  market: () => pick(MARKETS),
  markets: () => [pick(MARKETS), pick(MARKETS)].join(','),
  against: () => pick(MARKETS),
  base: () => pick(MARKETS),
  date: DAYS,
  rule: () => pick(['publication', 'value_date', 'in_force', 'x']),
  markup: () => pick(['store', 'x', 'true', '']),
  format: () => pick(['json', 'csv', 'xml', 'text', 'yaml', '']),
  locale: () => pick(['es', 'en', 'fr']),
  lang: () => pick(['es', 'en', 'fr']),
  details: () => pick(['true', 'false', 'yes']),
  granularity: () => pick(['day', 'hour', 'raw', 'week', 'x']),
  group: () => pick(['day', 'market', 'x']),
  interval: () => pick(['1d', '1h', '1w', 'day', 'x']),
  period: () => pick(['24h', '7d', '30d', '1d', 'x']),
  direction: () => pick(['sell', 'buy', 'x']),
  max_staleness: () => pick(['1h', '3600', '24h', 'x']),
  days: () => pick(['1', '7', '30', '365', '366', 'x']),
  candles: () => pick(['true', 'false']),
  fecha: DAYS,
  Date: DAYS,
  colour: () => 'red',
};

const NAMES: Readonly<Record<string, readonly string[]>> = {
  '/v1/fx/rates': ['date', 'rule', 'markup'],
  '/v1/fx/rates/{market}': ['details', 'date', 'rule'],
  '/v1/fx/rates/{market}/history': ['date', 'from', 'to', 'granularity', 'group'],
  '/v1/fx/rates/{market}/candles': ['interval', 'from', 'to'],
  '/v1/fx/changes': ['period', 'markets'],
  '/v1/fx/markets': [],
  '/v1/fx/convert': ['from', 'to', 'amount', 'via', 'market', 'date', 'rule'],
  '/v1/fx/route': ['from', 'to', 'amount', 'direction', 'max_staleness'],
  '/v1/fx/index': [],
  '/v1/fx/spread': ['against', 'base'],
  '/v1/fx/bcv/banks': [],
  '/v1/fx/bcv/currencies': [],
  '/v1/fx/official': [],
  '/v1/fx/calendar': ['from', 'to'],
  '/v1/fx/public/calculator': ['amount', 'from', 'to'],
  '/v1/account': [],
  '/v1/account/usage': ['from', 'to'],
  '/v1/account/keys': [],
  '/v1/account/markups': [],
  '/v1/status': [],
  '/board.json': [],
  '/': ['amount', 'from', 'to', 'via', 'date', 'lang'],
  '/board/history.json': ['market', 'days', 'candles'],
  '/board/history.csv': ['market', 'days', 'candles', 'locale'],
  '/board/rates.json': ['date'],
};
/** Addresses of other services, with their parameters. */
const FOREIGN: readonly (readonly [string, readonly string[]])[] = [
  ...['/v1/{noun}', '/v1/{noun}/{source}', '/v1/historicos/{noun}', '/v1/cotizaciones'].map(
    (path) => [path, []] as const,
  ),
  ...['/v1/historicos/{noun}/{source}', '/v1/historicos/{noun}/{source}/{day}'].map(
    (path) => [path, []] as const,
  ),
  ['/v1/historicos/{noun}/{day}', []],
  ...(['dollar', 'euro'] as const).flatMap((noun) =>
    [1, 2].map(
      (version) =>
        [`/api/v${version}/${noun}`, ['page', 'monitor', 'format_date', 'rounded_price']] as const,
    ),
  ),
  ['/api/v2/tipo-cambio', ['currency', 'format_date', 'rounded_price']],
  ...['/api/{coin}/{fiat}', '/api/{coin}/{fiat}/', '/api/{coin}/{fiat}/{volume}'].map(
    (path) => [path, ['volume']] as const,
  ),
  ['/api/{venue}/{coin}/{fiat}', []],
  ['/api/{venue}/{coin}/{fiat}/{volume}', []],
  ['/v1/latest', ['from', 'base', 'to', 'symbols', 'amount']],
  ['/v1/currencies', []],
  ['/v1/{date}', ['from', 'base', 'to', 'symbols', 'amount']],
  ['/v1/{date}..{date}', ['from', 'base', 'to', 'symbols', 'amount']],
  ['/v1/{date}..', ['base', 'symbols']],
  ['/v2/rates', ['base', 'quotes', 'providers', 'date', 'from', 'to']],
  ['/v2/currencies', ['scope']],
  ['/v2/rate/{code}/{code}', ['date']],
];

/** What stands in their paths, and the values of their parameters. */
const FOREIGN_VALUES: Readonly<Record<string, () => string>> = {
  noun: () => pick(['dolares', 'dolares', 'euros', 'pesos']),
  source: () => pick(['oficial', 'oficial', 'paralelo', 'paralelo', 'blue']),
  day: () => day(chance.int(0, 60)).replaceAll('-', '/'),
  coin: () => pick(['usdt', 'USDT', 'usdt', 'btc']),
  fiat: () => pick(['ves', 'VES', 'ves', 'ars']),
  venue: () => pick(['binancep2p', 'bybitp2p', 'okexp2p', 'bingx', 'nowhere']),
  volume: () => pick(['1', '0.1', '0', 'x']),
  date: () => pick([day(chance.int(0, 60)), DAYS()]),
  code: () => pick(['USD', 'VES', 'EUR', 'usd', 'XXX']),
  page: () => pick(['bcv', 'bcv', 'criptodolar', 'enparalelovzla', 'alcambio']),
  monitor: () => pick(['usd', 'eur', 'bcv', 'enparalelovzla', 'binance']),
  format_date: () => pick(['default', 'iso', 'timestamp', 'x']),
  rounded_price: () => pick(['true', 'false', 'x']),
  currency: () => pick(['usd', 'EUR', 'try', 'xxx']),
  base: () => pick(['USD', 'VES', 'EUR', 'usd', 'XXX']),
  symbols: () => pick(['VES', 'USD,EUR', 'EUR,USD', 'VES,USD', 'XXX']),
  quotes: () => pick(['VES', 'USD,EUR', 'XXX']),
  providers: () => pick(['BCV', 'ECB', 'ECB,BCV']),
  scope: () => pick(['all', 'x']),
};

/** With a key in the header, before the path, or none. */
function foreignRequest(headers: Record<string, string>): Asked {
  const [form, names] = pick(FOREIGN);
  const filled = form.replaceAll(/\{(\w+)\}/g, (_, name) => FOREIGN_VALUES[name]?.() ?? '');
  const keyed = chance.int(0, 5) === 0 ? `/k/<page key of ${pick(PLANS)}>` : '';
  if (keyed !== '') delete headers['X-API-Key'];
  const method = chance.int(0, 19) === 0 ? pick(['HEAD', 'OPTIONS', 'POST']) : 'GET';
  return { method, path: `${keyed}${filled}${queryOf(names, FOREIGN_VALUES)}`, headers };
}

const COMMON = ['format', 'locale', 'fecha', 'Date', 'colour'];

/** Required parameters are usually there, so that most answers are figures. */
function queryOf(names: readonly string[], values = VALUES): string {
  const isFilled = chance.int(0, 2) > 0;
  const chosen = names.filter(
    (name) => chance.int(0, 3) === 0 || (isFilled && ['from', 'to', 'amount'].includes(name)),
  );
  if (chance.int(0, 4) === 0) chosen.push(pick(COMMON));
  const pairs = chosen.map(
    (name) => `${name}=${encodeURIComponent((values[name] ?? VALUES[name])?.() ?? '')}`,
  );
  if (chance.int(0, 1) === 0) pairs.reverse();
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function someBody(): string {
  const item = () => ({
    ...{ from: pick(CURRENCIES), to: pick(CURRENCIES) },
    amount: pick([1, 10.5, '100', -1, 'x', null, 1e30]),
    ...(chance.int(0, 2) === 0 && { via: pick(MARKETS) }),
    ...(chance.int(0, 6) === 0 && { date: DAYS() }),
  });
  const items = Array.from({ length: chance.int(0, 6) }, item);
  return pick([
    JSON.stringify({ items }),
    JSON.stringify({ items, via: pick(MARKETS) }),
    JSON.stringify({ conversions: items }),
    '{"items": [',
    '[]',
  ]);
}

const OF_PEOPLE = keylessAddresses(START);
const PATHS = Object.keys(NAMES);

function someRequest(): Asked {
  const headers: Record<string, string> = {};
  const plan = pick([...PLANS, 'Escala', 'Escala']);
  if (chance.int(0, 20) > 0) headers['X-API-Key'] = `<key of ${plan}>`;
  if (chance.int(0, 9) === 0)
    headers['Accept'] = pick(['text/csv', 'application/xml', 'text/html']);
  if (chance.int(0, 9) === 0) headers['Origin'] = pick(['https://shop.example', 'null']);
  if (chance.int(0, 9) === 0) headers['Accept-Encoding'] = pick(['gzip', 'br', 'identity']);
  if (chance.int(0, 9) === 0) headers['Accept-Language'] = pick(['es-VE', 'en', 'fr']);
  if (chance.int(0, 19) === 0) headers['If-None-Match'] = pick(['*', '"x"', 'W/"x"']);
  const kind = chance.int(0, 99);
  if (kind < 8) return writeRequest(headers);
  if (kind < 25) {
    const [path, make] = pick(Object.entries(OF_PEOPLE));
    if (!path.includes('.xlsx')) return { method: 'GET', path: make(chance.int(0, 40)), headers };
  }
  if (kind < 45) return foreignRequest(headers);
  const path = pick(PATHS).replace('{market}', () => encodeURIComponent(pick(MARKETS)));
  const names = NAMES[path] ?? NAMES[path.replace(/rates\/[^/]*/, 'rates/{market}')] ?? [];
  const method = chance.int(0, 29) === 0 ? pick(['HEAD', 'OPTIONS', 'POST', 'DELETE']) : 'GET';
  return { method, path: `${path}${queryOf(names)}`, headers };
}

function writeRequest(headers: Record<string, string>): Asked {
  const json = { ...headers, 'Content-Type': 'application/json' };
  const tag = pick(['store', 'shop', 'x y', 'a'.repeat(80)]);
  const rule = {
    ...{ tag, market: pick(MARKETS), percent: pick(['2.5', 3, -1, 'x']) },
    ...(chance.int(0, 4) === 0 && { colour: 'red' }),
  };
  switch (chance.int(0, 6)) {
    case 0:
    case 1:
      return { method: 'POST', path: '/v1/fx/bulk/convert', headers: json, body: someBody() };
    case 2:
      return {
        ...{ method: 'POST', path: '/v1/account/markups', headers: json },
        body: JSON.stringify(rule),
      };
    case 3: {
      const path = `/v1/account/markups/${encodeURIComponent(tag)}`;
      return { method: 'PUT', path, headers: json, body: JSON.stringify(rule) };
    }
    case 4:
      return {
        ...{ method: 'DELETE', path: `/v1/account/markups/${encodeURIComponent(tag)}` },
        headers,
      };
    case 5: {
      const grant = {
        ...(chance.int(0, 1) === 0 && { kind: pick(['publishable', 'restricted', 'full', 'x']) }),
        ...(chance.int(0, 1) === 0 && { scopes: [pick(['rates', 'history', 'convert', 'x'])] }),
        ...(chance.int(0, 1) === 0 && { origins: [pick(['https://shop.example', 'x'])] }),
      };
      const body = JSON.stringify(grant);
      return { method: 'POST', path: '/v1/account/keys', headers: json, body };
    }
    default: {
      const record = quote(pick(MARKETS), 900 + chance.int(-20, 20), START);
      const body = pick([JSON.stringify(record), '{"kind": "quote"}', 'x', '']);
      return { method: 'POST', path: '/v1/admin/records', headers: { ...json, ...ADMIN }, body };
    }
  }
}

// Records, over forty days

function quote(market: string, mid: number, at: number): object {
  const when = new Date(at).toISOString();
  return { kind: 'quote', market, mid, updated_at: when, captured_at: when };
}

function recordsOf(at: number): readonly object[] {
  const step = (at - START) / HOUR_MS;
  const base = 900 + step / 8;
  const quotes = MARKETS.filter((name) => /^[a-z_0-9]+$/.test(name) && !name.startsWith('bcv'))
    .filter((name) => !['reference', 'p2p_market_1', 'paralelo', 'no_such_market'].includes(name))
    .map((name, place) => quote(name, base + place, at - place * 1_000));
  if (step % 24 !== 0) return quotes;
  const value = new Date(at + DAY_MS).toISOString().slice(0, 10);
  const rates = { USD: base - 50, EUR: base + 40, CNY: base / 8, TRY: base / 40, RUB: base / 80 };
  const captured_at = new Date(at).toISOString();
  const rows = [{ bank: 'Banesco', buy: base - 51, sell: base - 49, date: value }];
  return [
    ...quotes,
    { kind: 'official', value_date: value, rates, captured_at },
    { kind: 'bank_table', indicator_date: value, rows, captured_at },
  ];
}

// The comparison

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const RANDOM: readonly (readonly [RegExp, string])[] = [
  // Its hint has an ellipsis before the last characters, here as the bytes of UTF-8.
  [/vfx_[a-z]+_\w*(?:\xe2\x80\xa6\w+)?/g, '<key>'],
  [/\b(?:acc|key)_\w+/g, '<id>'],
  // The name of a script or style tells its contents.
  [/\/assets\/[\w-]+\.(js|css)/g, '/assets/<$1>'],
  [/"aleatorio":\d+/g, '<number>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, '<uuid>'],
];

function withoutChance(world: World, text: string, requestId: string): string {
  let shown = text;
  if (requestId !== '') shown = shown.replaceAll(requestId, '<request>');
  for (const [name, value] of world.own) shown = shown.replaceAll(value, name);
  for (const [pattern, name] of RANDOM) shown = shown.replaceAll(pattern, name);
  return shown.replaceAll(world.url, '<url>').replaceAll(new URL(world.url).host, '<host>');
}

function decoded(encoding: unknown, bytes: ArrayBuffer): Buffer {
  const body = Buffer.from(bytes);
  if (body.length === 0) return body;
  if (encoding === 'gzip') return gunzipSync(body);
  return encoding === 'br' ? brotliDecompressSync(body) : body;
}

async function ask(world: World, asked: Asked): Promise<Answered> {
  const own = (text: string) =>
    text.replace(/<(?:page )?key of \w+>/, (name) => world.own.get(name) ?? name);
  const headers = Object.fromEntries(
    Object.entries(asked.headers).map(([name, value]) => [name, own(value)]),
  );
  const response = await request(world.url + own(asked.path), {
    method: asked.method as 'GET',
    headers,
    ...(asked.body !== undefined && { body: asked.body }),
  });
  const bytes = decoded(response.headers['content-encoding'], await response.body.arrayBuffer());
  const requestId = String(response.headers['x-request-id'] ?? '');
  const shown = (text: string) => withoutChance(world, text, requestId);
  return {
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers)
        .filter(([name]) => !MOVING_HEADERS.includes(name))
        .map(([name, value]) => [name, shown(String(value))]),
    ),
    body: shown(bytes.toString('latin1')),
  };
}

function differenceOf(a: Answered, b: Answered): string | undefined {
  if (a.status !== b.status) return `status ${a.status}, now ${b.status}`;
  if (a.body !== b.body) {
    let at = 0;
    while (a.body[at] === b.body[at]) at += 1;
    const near = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 80));
    return `body at ${at}: ${near(a.body)}, now ${near(b.body)}`;
  }
  for (const name of new Set([...Object.keys(a.headers), ...Object.keys(b.headers)])) {
    const [then, now] = [a.headers[name], b.headers[name]];
    // Contents that differ only by random texts have another tag and another length.
    const isOfContents = ['etag', 'content-length'].includes(name);
    if (then !== now && !isOfContents) return `${name}: ${then}, now ${now}`;
  }
  return undefined;
}

async function fill(world: World): Promise<void> {
  for (let at = START - 40 * DAY_MS; at <= START - HOUR_MS; at += 6 * HOUR_MS) {
    await world.tell({ set: at });
    const lines = recordsOf(at).map((record) => JSON.stringify(record));
    const { statusCode, body } = await request(`${world.url}/v1/admin/records?trust=true`, {
      method: 'POST',
      headers: { ...ADMIN, 'Content-Type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    const said = await body.text();
    if (statusCode !== 200) throw new Error(`${world.name} refused records: ${said}`);
  }
  await world.tell({ set: START });
  for (const plan of PLANS) {
    const made = await world.tell<{ account: string; key: string; pageKey: string }>({ plan });
    world.own.set(`<key of ${plan}>`, made.key);
    world.own.set(`<page key of ${plan}>`, made.pageKey);
    world.own.set(`<account of ${plan}>`, made.account);
  }
}

async function compare(worlds: readonly [World, World]): Promise<number> {
  const differences = new Map<string, number>();
  const statuses = new Map<number, number>();
  const pairs = Number(values.pairs);
  for (let count = 1; count <= pairs; count += 1) {
    const asked = someRequest();
    // What is made at one instant has no order, so each write has its own.
    if (asked.body !== undefined || count % PAIRS_PER_MINUTE === 0) {
      const set = START + Math.floor((count * 60_000) / PAIRS_PER_MINUTE);
      await Promise.all(worlds.map((world) => world.tell({ set })));
    }
    const [before, now] = await Promise.all([ask(worlds[0], asked), ask(worlds[1], asked)]);
    statuses.set(now.status, (statuses.get(now.status) ?? 0) + 1);
    const difference = differenceOf(before, now);
    if (difference === undefined) continue;
    const place = `${asked.method} ${asked.path.replace(/\?.*/, '')}`;
    const seen = differences.get(place) ?? 0;
    differences.set(place, seen + 1);
    if (seen === 0 && differences.size <= Number(values.shown)) {
      process.stdout.write(`${asked.method} ${asked.path}\n  ${difference}\n`);
    }
  }
  const differing = [...differences.values()].reduce((sum, seen) => sum + seen, 0);
  const told = [...statuses].toSorted(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
  process.stdout.write(`${pairs} pairs (${told.join(', ')}), ${differing} differ\n`);
  return differing;
}

const names = ['before', 'now'] as const;
try {
  const databases = values.postgres ? await postgresDatabases(names) : [];
  const worlds = [
    await startWorld('before', checkOut(), databases[0]),
    await startWorld('now', ROOT, databases[1]),
  ] as const;
  for (const world of worlds) {
    endings.unshift(() => world.end());
    await fill(world);
  }
  process.exitCode = (await compare(worlds)) === 0 ? 0 : 1;
} finally {
  for (const end of endings) await end();
  rmSync(folder, { recursive: true, force: true });
}
