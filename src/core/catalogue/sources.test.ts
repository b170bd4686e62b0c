import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bodyOf, jsonBody } from '../../../test/harness/bodies.ts';
import { nextTurn } from '../app/collecting/schedule.ts';
import type { UpstreamRequest } from '../app/ports/sources.ts';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { bankCalendar } from '../domain/calendar.ts';
import { HOUR_MS, isoInstant, parseCaracasDay } from '../domain/time.ts';
import { SOURCE_KINDS } from '../sources/registry.ts';
import { loadCatalogue } from './catalogue.ts';
import { CatalogueError } from './file.ts';
import { loadHolidays } from './holidays.ts';
import {
  MAX_JITTER_SEC,
  MAX_SCHEDULE_RULES,
  MAX_SOURCE_TIMEOUT_SEC,
  MAX_SOURCE_URL_LENGTH,
} from './source-columns.ts';
import { loadSources, MAX_SOURCES } from './sources.ts';

const { markets } = loadCatalogue(PACKAGED_CATALOGUE);

const READ_AT = Date.parse('2026-11-20T12:00:00Z');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vesfx-sources-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FEED = {
  name: 'house',
  kind: 'json-feed',
  enabled: true,
  url: 'https://rates.example/v1',
  origin: 'house',
  schedule: [{ cron: '*/5 * * * *' }],
  quotes: [{ market: 'cash', mid: 'rate', between: [1, 1_000_000] }],
};

function load(entries: unknown, { allowLoopback = false } = {}) {
  const text = typeof entries === 'string' ? entries : JSON.stringify(entries, null, 1);
  writeFileSync(join(folder, 'sources.json'), text);
  return loadSources(folder, { markets, kinds: SOURCE_KINDS, allowLoopback });
}

/** The faults, a line each, without the folder. */
function faults(entries: unknown, options?: { allowLoopback: boolean }): string[] {
  try {
    load(entries, options);
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    return error.message.replaceAll(`${folder}/`, '').split('\n');
  }
  return [];
}

/** What is wrong with one entry, without its line. */
const faultsOf = (change: object, options?: { allowLoopback: boolean }) =>
  faults([{ ...FEED, ...change }], options).map((line) => line.replace(/^sources\.json:\d+: /, ''));

function marketExcept(id: string, name: string) {
  const market = markets.find(name);
  return market?.id === id ? undefined : market;
}

describe('the packaged sources', () => {
  test('sources of a market that the operator removed are off, with the reason', () => {
    const list = markets.list.filter(({ id }) => id !== 'saldo');
    const fewer = { list, find: (name: string) => marketExcept('saldo', name) };
    const kinds = SOURCE_KINDS;
    const off = loadSources(folder, { markets: fewer, kinds }).filter(({ whyOff }) => whyOff);
    expect(off.map(({ name, enabled }) => [name, enabled])).toEqual([['criptoya', false]]);
    expect(off[0]?.whyOff).toBe('criptoya quotes saldo, which is no market of the catalogue');
  });

  const packaged = () => loadSources(PACKAGED_CATALOGUE, { markets, kinds: SOURCE_KINDS });
  const source = (name: string) => packaged().find((one) => one.name === name);

  test('are on if public and off if the terms of the site forbid reading', () => {
    const switches = packaged().map(({ name, kind, enabled }) => [name, kind, enabled]);
    expect(switches).toEqual([
      ['bcv-official', 'bcv-official', true],
      ['bcv-banks', 'bcv-banks', true],
      ['criptoya', 'criptoya', true],
      ['binance', 'p2p-offers', false],
      ['bybit', 'p2p-offers', false],
      ['okx', 'p2p-offers', false],
      ['yadio', 'json-feed', true],
      ['dolarapi', 'json-feed', true],
      ['bcv-today', 'json-feed', false],
      ['dolarapi-official', 'json-feed', false],
    ]);
  });

  test('contract §8: two witnesses of the official rate are off, and one line switches each on', async () => {
    const today = { USD: 500.4606, EUR: 589.27, CNY: 73.5, TRY: 11.03, RUB: 6.71 };
    const relay = jsonBody({ ...today, effective_date: '2026-05-11' });
    expect(source('bcv-today')).toMatchObject({ role: 'witness', markets: [], enabled: false });
    expect(await source('bcv-today')?.parse([relay], READ_AT)).toEqual([
      { kind: 'official', value_date: '2026-05-11', rates: today },
    ]);
    const row = (moneda: string, promedio: number) => ({
      ...{ moneda, fuente: 'oficial', promedio },
      fechaActualizacion: '2026-08-21T00:00:00-04:00',
    });
    const list = jsonBody([row('USD', 779.9522), row('EUR', 911.21815526)]);
    const inForce = source('dolarapi-official');
    expect(inForce).toMatchObject({ role: 'witness', markets: [], enabled: false });
    expect(await inForce?.parse([list], READ_AT)).toEqual([
      { kind: 'official', value_date: '2026-08-21', rates: { USD: 779.9522, EUR: 911.21815526 } },
    ]);
  });

  test('contract §1: each venue quotes the market that has its name', async () => {
    const named = (name: string) => markets.find(name)?.id;
    for (const name of ['binance', 'bybit', 'okx']) {
      expect(source(name)?.markets).toEqual([named(name)]);
    }
    const venues = ['binance', 'bingx', 'bitget', 'bybit', 'mexc', 'okx', 'saldo'];
    expect(source('criptoya')?.markets).toEqual(venues.map(named));
    const answer = (venue: string) => ({ [venue]: { ask: 901, bid: 900, time: 1795177800 } });
    for (const [id, name] of [
      ['binancep2p', 'binance'],
      ['bingxp2p', 'bingx'],
      ['bitgetp2p', 'bitget'],
      ['bybitp2p', 'bybit'],
      ['mexcp2p', 'mexc'],
      ['okexp2p', 'okx'],
      ['saldo', 'saldo'],
    ] as const) {
      const records = await source('criptoya')?.parse([jsonBody(answer(id))], READ_AT);
      expect(records).toMatchObject([{ market: named(name) }]);
    }
  });

  test('refuse the former format of a venue and name the expected one', () => {
    const text = readFileSync(join(PACKAGED_CATALOGUE, 'sources.json'), 'utf8');
    const entries: { name: string }[] = JSON.parse(text);
    const okx = entries.find(({ name }) => name === 'okx');
    expect(faults([{ ...okx, venue: 'okx' }])).toEqual([
      expect.stringMatching(
        /^sources\.json:\d+: okx\.venue must be an object that describes the venue$/,
      ),
    ]);
  });

  test('contract §8: each direct venue is ranked before the aggregator', () => {
    const direct = packaged().filter(({ kind }) => kind === 'p2p-offers');
    const aggregated = source('criptoya')?.markets;
    expect(direct).toHaveLength(3);
    for (const { rankedBefore, markets: quoted } of direct) {
      expect(rankedBefore).toBe('criptoya');
      expect(aggregated).toEqual(expect.arrayContaining([...quoted]));
    }
  });

  test('have a fallback for the parallel rate', () => {
    expect(source('yadio')).toMatchObject({ markets: ['parallel'] });
    expect(source('yadio')?.fallbackFor).toBeUndefined();
    expect(source('dolarapi')).toMatchObject({ markets: ['parallel'], fallbackFor: 'yadio' });
  });

  test('give the central bank a longer time-out, and read it until it has published', () => {
    const bcv = source('bcv-official');
    expect(bcv?.timeoutMs).toBe(60_000);
    expect(source('criptoya')?.timeoutMs).toBe(10_000);
    expect(bcv?.schedule.filter(({ whileExpected }) => whileExpected)).toHaveLength(2);
    expect(bcv?.schedule.filter(({ whileExpected }) => !whileExpected)).toHaveLength(2);
  });
});

describe('the packaged schedule of the central bank', () => {
  test('keeps the evening pace until midnight while a publication is late (contract §8)', () => {
    const rules = loadSources(PACKAGED_CATALOGUE, { markets, kinds: SOURCE_KINDS }).find(
      ({ name }) => name === 'bcv-official',
    )?.schedule;
    const calendar = bankCalendar(loadHolidays(PACKAGED_CATALOGUE));
    const turns = (valueDate: string) => {
      const newestValueDate = parseCaracasDay(valueDate);
      const found: string[] = [];
      // Friday, 20 November 2026; the next value date is Tuesday, after a holiday.
      let at = Date.parse('2026-11-20T14:30:00-04:00') - 1;
      for (;;) {
        at = nextTurn(rules ?? [], at, { calendar, newestValueDate }) ?? Infinity;
        if (at >= Date.parse('2026-11-21T00:00:00-04:00')) return found;
        found.push(isoInstant(at - 4 * HOUR_MS).slice(11, 16));
      }
    };
    const late = turns('2026-11-20');
    // From 14:30 to 23:50 every ten minutes.
    expect(late).toHaveLength(57);
    expect([late[0], late.at(-1)]).toEqual(['14:30', '23:50']);
    expect(turns('2026-11-24')).toEqual(Array.from({ length: 10 }, (_, hour) => `${14 + hour}:30`));
  });
});

describe('an entry', () => {
  test('becomes a source that requests its address and parses by its kind', async () => {
    const [source] = load([{ ...FEED, jitter_sec: 2.5, timeout_sec: 30, fallback_for: undefined }]);
    expect(source).toMatchObject({
      name: 'house',
      kind: 'json-feed',
      enabled: true,
      url: 'https://rates.example/v1',
      schedule: [{ cron: '*/5 * * * *', whileExpected: false }],
      jitterMs: 2_500,
      timeoutMs: 30_000,
      markets: ['cash'],
      parserVersion: SOURCE_KINDS.get('json-feed')?.parserVersion,
    });
    const asked: UpstreamRequest[] = [];
    const bodies = await source?.read(async (request) => {
      asked.push(request);
      return bodyOf('{"rate":900}');
    }, READ_AT);
    expect(asked.map(({ url }) => url)).toEqual(['https://rates.example/v1']);
    expect(await source?.parse(bodies ?? [], READ_AT)).toEqual([
      { kind: 'quote', market: 'cash', mid: 900 },
    ]);
  });

  test('defaults to no jitter and a time-out of 10 s', () => {
    expect(load([FEED])).toMatchObject([{ jitterMs: 0, timeoutMs: 10_000 }]);
  });

  test.each<[object, string]>([
    [{ name: 'House' }, 'entry 1.name must be 1 to 64 of a-z, 0-9, _ and -'],
    [{ name: 'operator' }, 'operator.name is the name of pushed records'],
    [{ name: undefined }, 'entry 1.name is missing'],
    [{ kind: 'html' }, `house.kind must be one of ${[...SOURCE_KINDS.keys()].join(', ')}`],
    [{ enabled: 'yes' }, 'house.enabled must be true or false'],
    [{ enabled: undefined }, 'house.enabled is missing'],
    [{ schedule: '* * * * *' }, 'house.schedule must be a list of rules, empty for never'],
    [{ schedule: [{}] }, 'house.schedule[0].cron is missing'],
    [{ schedule: [{ cron: '* * * * *', when: 1 }] }, 'house.schedule[0].when is not a known field'],
    [
      { schedule: [{ cron: '* * * * *', while_expected: 1 }] },
      'house.schedule[0].while_expected must be true or false',
    ],
    [{ schedule: [{ cron: '0 0 30 2 *' }] }, 'house.schedule[0].cron is a time that never comes'],
    [{ jitter_sec: -1 }, 'house.jitter_sec must be 0 or more'],
    [{ timeout_sec: 0 }, 'house.timeout_sec must be more than 0'],
    [{ retries: 3 }, 'house.retries is not a known field'],
    [{ quotes: undefined }, 'house.quotes is missing'],
    [{ quotes: [] }, 'house.quotes must have at least one quote'],
    [{ fallback_for: 'nobody' }, 'house.fallback_for names nobody, which is no source'],
    [{ fallback_for: 'house' }, 'house.fallback_for goes round in a circle'],
    [{ before: 'nobody' }, 'house.before names nobody, which is no source'],
    [{ before: 'house' }, 'house.before goes round in a circle'],
    [{ before: 7 }, 'house.before must be text'],
    [{ role: 'judge' }, 'house.role must be witness, or absent'],
    [
      { role: 'witness' },
      'house.role must be absent: a witness gives official rates, and quotes no market',
    ],
  ])('with %j is refused: %s', (change, problem) => {
    expect(faultsOf(change)).toEqual([problem]);
  });

  test.each(['', '* * * *', '* * * * * *', '60 * * * *', '@daily', '2026-01-01T00:00:00', 'x'])(
    'with the cron pattern %j is refused',
    (cron) => {
      expect(faultsOf({ schedule: [{ cron }] })).toEqual([
        'house.schedule[0].cron must be a cron pattern of five fields: minute, hour, day, month, day of the week',
      ]);
    },
  );

  test.each<[string, string]>([
    ['http://rates.example/', 'must begin with https://'],
    ['http://127.0.0.1/', 'must begin with https://'],
    ['ftp://rates.example/', 'must begin with https://'],
    ['rates.example', 'must be an address (URL)'],
    ['', 'must be an address (URL)'],
    ['https://me:secret@rates.example/', 'must not have a user name or password'],
  ])('with the address %j is refused: it %s', (url, problem) => {
    expect(faultsOf({ url })).toEqual([`house.url ${problem}`]);
  });

  test.each(['http://127.0.0.1:8080/x', 'http://localhost/', 'http://[::1]:9/'])(
    'may have the address %s only where loopback is allowed',
    (url) => {
      expect(faultsOf({ url })).toEqual(['house.url must begin with https://']);
      expect(faultsOf({ url }, { allowLoopback: true })).toEqual([]);
    },
  );

  test.each(['http://127.0.0.1.rates.example/', 'http://10.0.0.1/', 'ftp://127.0.0.1/'])(
    'may not have the address %s even where loopback is allowed',
    (url) => {
      expect(faultsOf({ url }, { allowLoopback: true })).toEqual([
        'house.url must begin with https://',
      ]);
    },
  );

  test('is accepted at each maximum and refused beyond it', () => {
    const url = (length: number) => 'https://rates.example/'.padEnd(length, 'x');
    const rules = (count: number) => Array.from({ length: count }, () => ({ cron: '* * * * *' }));
    for (const [within, beyond] of [
      [{ url: url(MAX_SOURCE_URL_LENGTH) }, { url: url(MAX_SOURCE_URL_LENGTH + 1) }],
      [{ schedule: rules(MAX_SCHEDULE_RULES) }, { schedule: rules(MAX_SCHEDULE_RULES + 1) }],
      [{ jitter_sec: MAX_JITTER_SEC }, { jitter_sec: MAX_JITTER_SEC + 0.1 }],
      [{ timeout_sec: MAX_SOURCE_TIMEOUT_SEC }, { timeout_sec: MAX_SOURCE_TIMEOUT_SEC + 0.1 }],
      [{ name: 'x'.repeat(64) }, { name: 'x'.repeat(65) }],
    ] as const) {
      expect(faultsOf(within)).toEqual([]);
      expect(faultsOf(beyond)).toHaveLength(1);
    }
  });

  test('contract §1: quotes markets of the catalogue, by id or alias, while it is on', async () => {
    const quoting = (market: string) => ({ quotes: [{ ...FEED.quotes[0], market }] });
    expect(faultsOf(quoting('gold'))).toEqual([
      'house quotes gold, which is no market of the catalogue',
    ]);
    expect(faultsOf(quoting('Binance'))).toEqual([
      'house quotes Binance, which is no market of the catalogue (did you mean binance?)',
    ]);
    const [former] = load([{ ...FEED, ...quoting('p2p_market_1') }]);
    expect(former?.markets).toEqual(['binance']);
    expect(await former?.parse([jsonBody({ rate: 7 })], READ_AT)).toMatchObject([
      { market: 'binance' },
    ]);
    expect(faultsOf({ ...quoting('gold'), enabled: false })).toEqual([]);
  });

  test('contract §1: its bounds are in the bolívar of 2021, and follow the unit of the day', async () => {
    const reforms = [{ on: '2026-11-22', factor: 1000, name: 'bolívar de prueba' }];
    writeFileSync(join(folder, 'redenominations.json'), JSON.stringify(reforms));
    const [source] = load([{ ...FEED, quotes: [{ ...FEED.quotes[0], between: [1, 20_000] }] }]);
    const midnight = Date.parse('2026-11-22T04:00:00Z');
    const market = source?.markets[0] ?? '';
    expect(source?.between(market, midnight - 1)).toEqual([1, 20_000]);
    expect(source?.between(market, midnight)).toEqual([0.001, 20]);
    const read = async (rate: number, at: number) => source?.parse([jsonBody({ rate })], at);
    expect(await read(940, midnight - 1)).toHaveLength(1);
    expect(await read(0.94, midnight)).toHaveLength(1);
    await expect(read(940, midnight)).rejects.toThrow('a rate between 0.001 and 20');
    await expect(read(0.94, midnight - 1)).rejects.toThrow('a rate between 1 and 20000');
  });

  test('contract §1: so does the ticket of a venue, in its requests too', async () => {
    const reforms = [{ on: '2026-11-22', factor: 1000, name: 'bolívar de prueba' }];
    writeFileSync(join(folder, 'redenominations.json'), JSON.stringify(reforms));
    const [binance] = loadSources(folder, { markets, kinds: SOURCE_KINDS }).filter(
      ({ name }) => name === 'binance',
    );
    const ticketAt = async (at: number) => {
      const sent: unknown[] = [];
      await binance?.read(async ({ url, json }) => {
        sent.push(json);
        return { url, bytes: new Uint8Array() };
      }, at);
      return sent[0];
    };
    const midnight = Date.parse('2026-11-22T04:00:00Z');
    expect(await ticketAt(midnight - 1)).toMatchObject({ transAmount: '100000' });
    expect(await ticketAt(midnight)).toMatchObject({ transAmount: '100' });
  });
});

describe('the list of sources', () => {
  const second = { ...FEED, name: 'second' };

  test('keeps its order', () => {
    expect(load([second, FEED]).map(({ name }) => name)).toEqual(['second', 'house']);
    expect(load([])).toEqual([]);
  });

  test('names every fault with the line of what is wrong', () => {
    const text = `[
  { "name": "one", "kind": "json-feed", "enabled": true,
    "url": "http://rates.example/", "origin": "one",
    "schedule": [
      { "cron": "* * * * *" },
      { "cron": "often" }
    ],
    "quotes": [
      { "market": "cash", "mid": "rate", "between": [1, 10] },
      { "market": "gold",
        "mid": 7,
        "between": [1, 10] }
    ]
  },
  { "name": "two", "kind": "criptoya", "enabled": true,
    "url": "https://rates.example/", "origin": "two", "schedule": [], "between": [1, 10],
    "venues": {
      "binancep2p": "binance",
      "bybitp2p": "gold" },
    "fees": true
  },
  7,
  [8]
]`;
    expect(faults(text)).toEqual([
      'sources.json:3: one.url must begin with https://',
      'sources.json:6: one.schedule[1].cron must be a cron pattern of five fields: minute, hour, day, month, day of the week',
      'sources.json:11: one.quotes[1].mid must be a path: keys with dots between them',
      'sources.json:20: two.fees is not a known field',
      'sources.json:22: entry 3 must be an object',
      'sources.json:23: entry 4 must be an object',
    ]);
    expect(faults(text.replace(/,\s+"fees": true/, ''))).toContain(
      'sources.json:15: two quotes gold, which is no market of the catalogue',
    );
  });

  test('has each name once', () => {
    expect(faults([FEED, second, FEED])).toEqual([
      'sources.json:47: the source house is there twice',
    ]);
  });

  test('a source may be ranked before one that is off; a circle is a fault of each in it', () => {
    const off = { ...FEED, enabled: false };
    expect(load([off, { ...second, before: 'house' }])[1]?.rankedBefore).toBe('house');
    const third = { ...FEED, name: 'third', before: 'second' };
    const circle = [{ ...FEED, before: 'third' }, { ...second, before: 'house' }, third];
    expect(faults(circle)).toEqual(
      ['house', 'second', 'third'].map((name) =>
        expect.stringContaining(`${name}.before goes round in a circle`),
      ),
    );
  });

  test('refuses a fallback for a source that is off, and circular fallbacks', () => {
    const waiting = { ...second, fallback_for: 'house' };
    expect(faults([FEED, waiting])).toEqual([]);
    expect(faults([waiting, FEED])).toEqual([]);
    expect(faults([{ ...FEED, enabled: false }, waiting])).toEqual([
      expect.stringContaining(
        'second.fallback_for names house, which is off: as it never fails, this one is never read',
      ),
    ]);
    expect(
      faults([
        { ...FEED, enabled: false },
        { ...waiting, enabled: false },
      ]),
    ).toEqual([]);
    // Catalogues written for the version before have the former name of the column.
    expect(load([FEED, { ...second, instead_of: 'house' }])[1]?.fallbackFor).toBe('house');
    expect(faults([FEED, { ...second, instead_of: 'nobody' }])).toEqual([
      expect.stringContaining('second.instead_of names nobody, which is no source'),
    ]);
    expect(faults([FEED, { ...waiting, instead_of: 'house' }])).toEqual([
      expect.stringContaining('must not have both fallback_for and instead_of'),
    ]);
    const circle = [{ ...FEED, fallback_for: 'third' }, waiting];
    expect(faults([...circle, { ...FEED, name: 'third', fallback_for: 'second' }])).toEqual(
      ['house', 'second', 'third'].map((name) =>
        expect.stringContaining(`${name}.fallback_for goes round in a circle`),
      ),
    );
  });

  test(`has at most ${MAX_SOURCES} entries`, () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, number) => ({ ...FEED, name: `house-${number}` }));
    expect(faults(many(MAX_SOURCES))).toEqual([]);
    expect(faults(many(MAX_SOURCES + 1))).toEqual([
      `sources.json:1: must have at most ${MAX_SOURCES} sources`,
    ]);
  });

  test('is a list', () => {
    expect(faults({})).toEqual(['sources.json:1: must be a list of sources']);
    expect(faults('[')[0]).toMatch(/^sources\.json:1: not JSON/);
  });
});
