import type { Markets } from '../../domain/markets.ts';
import { nearMarkets } from '../../domain/near-names.ts';

/** What a sentence about a name that no market has ends with: empty where none is near. */
export function didYouMean(markets: Markets, name: string): string {
  const near = nearMarkets(markets, name);
  return near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`;
}
