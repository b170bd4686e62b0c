import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aMarket } from '../../../test/harness/market.ts';
import {
  isExecutable,
  isOfficial,
  MARKET_TYPES,
  type Market,
  type MarketType,
  markets,
  OFFICIAL_RATES,
  onlyToVes,
} from './markets.ts';

function market(id: string, type: MarketType, aliases: readonly string[] = []): Market {
  return aMarket({ id, type, aliases });
}

describe('the catalogue', () => {
  test('§2.1 markets are ordered by type and keep the given order within one', () => {
    const types = fc.array(fc.constantFrom(...MARKET_TYPES), { maxLength: 30 });
    fc.assert(
      fc.property(types, (given) => {
        const all = given.map((type, position) => market(`m${position}`, type));
        const { list } = markets(all);
        expect(list).toEqual(
          MARKET_TYPES.flatMap((type) => all.filter((one) => one.type === type)),
        );
      }),
    );
  });

  test('§2.1 a market is found by its id and by each alias, byte for byte', () => {
    const catalogue = markets([market('reference', 'reference', ['bcv', 'oficial'])]);
    for (const name of ['reference', 'bcv', 'oficial']) {
      expect(catalogue.find(name)?.id).toBe('reference');
    }
    for (const name of ['BCV', 'bcv ', '', 'Reference', 'constructor', '__proto__', 'toString']) {
      expect([name, catalogue.find(name)]).toEqual([name, undefined]);
    }
  });

  test('§4.5 the official market of a currency is the one used when none is named', () => {
    expect(OFFICIAL_RATES.USD).toBe('reference');
    expect(OFFICIAL_RATES.EUR).toBe('eur_reference');
  });

  test('§2.6 the official and the parallel references are not executable, all others are', () => {
    const executable = MARKET_TYPES.filter((type) => isExecutable(market('m', type)));
    expect(executable).toEqual(['p2p', 'remittance', 'exchange_house', 'cash']);
  });

  test('§4.5 of all types only remittances go one way, and only references are official', () => {
    expect(MARKET_TYPES.filter((type) => onlyToVes(market('m', type)))).toEqual(['remittance']);
    expect(MARKET_TYPES.filter((type) => isOfficial(market('m', type)))).toEqual(['reference']);
  });
});
