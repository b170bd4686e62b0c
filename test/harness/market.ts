import type { Market } from '../../src/domain/markets.ts';

/** A market as the catalogue would have it. Each test says what matters to it. */
export function aMarket(given: Partial<Market> & Pick<Market, 'id' | 'type'>): Market {
  return {
    name: given.id,
    nameEn: given.id,
    base: 'USD',
    aliases: [],
    alsoKnownAs: [],
    staleAfterSec: 900,
    dropAfterSec: given.type === 'reference' ? undefined : 604_800,
    requiredPlan: undefined,
    ...given,
  };
}
