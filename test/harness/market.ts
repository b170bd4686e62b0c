import type { Market } from '../../src/core/domain/markets.ts';

/** A market like in the catalogue. Each test sets the fields that matter to it. */
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
