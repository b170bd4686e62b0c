import { currencyOf, type Market, type Markets } from '../domain/markets.ts';
import { didYouMean } from '../domain/near-names.ts';
import { UsageError, visible } from './output.ts';

/** The named markets in catalogue order, each once. @throws UsageError */
export function marketsNamed(markets: Markets, names: readonly string[]): readonly Market[] {
  const found = new Set(
    names.map((name) => {
      const market = markets.find(name);
      if (market !== undefined) return market;
      const isCurrency = currencyOf(name) !== undefined;
      const hint = isCurrency ? ' Its rates come with --official.' : didYouMean(markets, name);
      throw new UsageError(`There is no market "${visible(name)}".${hint}`);
    }),
  );
  return markets.list.filter((market) => found.has(market));
}
