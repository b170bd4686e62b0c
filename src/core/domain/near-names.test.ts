import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aMarket } from '../../../test/harness/market.ts';
import { loadCatalogue } from '../catalogue/catalogue.ts';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { markets } from './markets.ts';
import {
  MAX_COMPARED_LENGTH,
  MAX_NEAR_NAMES,
  nearDay,
  nearMarkets,
  nearParameter,
} from './near-names.ts';

const shipped = loadCatalogue(PACKAGED_CATALOGUE).markets;

describe('names that no market has (contract §1)', () => {
  test.each([
    ['BCV', 'reference'],
    ['Binance', 'binance'],
    ['binancep2p', 'binance'],
    ['usdt_okx', 'okx'],
    ['p2p-okx', 'okx'],
    ['binnace', 'binance'],
    ['bybt', 'bybit'],
    ['paralello', 'parallel'],
    ['Paralelo', 'parallel'],
    ['P2P_MARKET_4', 'bybit'],
    ['monitor', 'parallel'],
    ['enparalelovzla', 'parallel'],
    ['EnParaleloVzla', 'parallel'],
    ['okex', 'okx'],
    ['Cúcuta', 'cucuta'],
    ['official_eur', 'eur_reference'],
    ['reference ', 'reference'],
  ])('%j suggests %s first', (name, id) => {
    expect(shipped.find(name)).toBeUndefined();
    expect(nearMarkets(shipped, name)[0]).toBe(id);
  });

  test('a name used by other services for several markets suggests them in catalogue order', () => {
    expect(nearMarkets(shipped, 'usdt')).toEqual(['binance', 'bybit', 'okx']);
  });

  test.each(['', '   ', '💵', 'zzzzzzzzzz', 'kraken_international', '__proto__', '%'])(
    '%j suggests nothing',
    (name) => {
      expect(nearMarkets(shipped, name)).toEqual([]);
    },
  );

  test('a name is compared only up to the maximum length', () => {
    const padded = (length: number) => `binance${'_'.repeat(length - 'binance'.length)}`;
    expect(nearMarkets(shipped, padded(MAX_COMPARED_LENGTH))).toEqual(['binance']);
    expect(nearMarkets(shipped, padded(MAX_COMPARED_LENGTH + 1))).toEqual([]);
  });

  test('one typing error is allowed in a short name, and two only in a long one', () => {
    const all = markets([
      aMarket({ id: 'gold', type: 'cash' }),
      aMarket({ id: 'silver_coin', type: 'cash' }),
    ]);
    expect(nearMarkets(all, 'gild')).toEqual(['gold']);
    expect(nearMarkets(all, 'gilt')).toEqual([]);
    expect(nearMarkets(all, 'silvr_coim')).toEqual(['silver_coin']);
    expect(nearMarkets(all, 'slvr_coim')).toEqual([]);
  });

  test('any name gives at most three ids of the catalogue, each once', () => {
    const ids = new Set(shipped.list.map(({ id }) => id));
    const names = shipped.list.flatMap(({ id, aliases, alsoKnownAs }) => [
      id,
      ...aliases,
      ...alsoKnownAs,
    ]);
    const name = fc.oneof(fc.string(), fc.constantFrom(...names));
    fc.assert(
      fc.property(name, name, (one, other) => {
        const near = nearMarkets(shipped, one + other);
        expect(near.length).toBeLessThanOrEqual(MAX_NEAR_NAMES);
        expect(new Set(near).size).toBe(near.length);
        expect(near.every((id) => ids.has(id))).toBe(true);
      }),
    );
  });
});

/** Every text that one edit makes of a word: a letter more, less or another, or two exchanged. */
function editsOf(word: string): ReadonlySet<string> {
  const places = Array.from({ length: word.length + 1 }, (_, at) => at);
  const made = places.flatMap((at) => {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    const [first = '', second = ''] = tail;
    return [
      ...['a', 'b', 'c'].flatMap((one) => [head + one + tail, head + one + tail.slice(1)]),
      head + tail.slice(1),
      head + second + first + tail.slice(2),
    ];
  });
  return new Set(made);
}

describe('names that are nearly those of parameters (contract §4)', () => {
  test('are those within one edit, in any case, and no others', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(word, word, (name, documented) => {
        const near = nearParameter(name.toUpperCase(), [documented]);
        expect(near).toBe(editsOf(documented).has(name) ? documented : undefined);
      }),
      { numRuns: 2_000 },
    );
  });

  test('the same name comes before one that an edit makes of it', () => {
    expect(nearParameter('Market', ['markets', 'market'])).toBe('market');
    expect(nearParameter('mercado', ['from', 'markets'])).toBe('markets');
  });

  test('accents and other forms of letters do not count, and a long name is near none', () => {
    expect(nearParameter('período', ['period'])).toBe('period');
    expect(nearParameter('ｄａｔｅ', ['date'])).toBe('date');
    for (const name of ['date[]', 'date[0]', 'amp;date', 'fecha[]']) {
      expect([name, nearParameter(name, ['date'])]).toEqual([name, 'date']);
    }
    expect(nearDay('dia[]', ['date'])).toBe('date');
    const long = 'n'.repeat(MAX_COMPARED_LENGTH);
    expect(nearParameter(long, [`${long}x`])).toBe(`${long}x`);
    expect(nearParameter(`${long}n`, [long])).toBeUndefined();
  });

  test.each(['__proto__', 'constructor', '', 'fech', 'dias'])('%j is near none', (name) => {
    expect(nearParameter(name, ['date', 'from', 'to'])).toBeUndefined();
  });
});
