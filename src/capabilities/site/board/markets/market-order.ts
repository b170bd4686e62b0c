import type { BoardRate } from '../../../../client/types.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import { nameIn } from '../age.ts';

export const MARKET_COLUMNS = ['market', 'rate', 'buy', 'sell', 'premium', 'age'] as const;
export type MarketColumn = (typeof MARKET_COLUMNS)[number];

export interface MarketOrder {
  readonly column: MarketColumn;
  readonly isReversed: boolean;
}

/** Pressing a heading sorts by its column, then reverses that, then restores the order of the service. */
export function nextOrder(
  order: MarketOrder | undefined,
  column: MarketColumn,
): MarketOrder | undefined {
  if (order?.column !== column) return { column, isReversed: false };
  return order.isReversed ? undefined : { column, isReversed: true };
}

type FigureOf = (row: BoardRate, language: Language) => string | number | undefined;

const FIGURES: Readonly<Record<MarketColumn, FigureOf>> = {
  market: nameIn,
  rate: ({ mid }) => mid,
  buy: ({ ask }) => ask,
  sell: ({ bid }) => bid,
  premium: ({ gap_percent: gap }) => gap,
  // The smallest age first.
  age: ({ updated_at: at }) => -Date.parse(at),
};

/** The rows in that order. Those without the figure stand last, reversed or not. */
export function ordered<Row extends BoardRate>(
  rows: readonly Row[],
  order: MarketOrder | undefined,
  language: Language,
): readonly Row[] {
  if (order === undefined) return rows;
  const { column, isReversed } = order;
  const figureOf = FIGURES[column];
  const compare = new Intl.Collator(language, { numeric: true }).compare;
  return rows.toSorted((one, other) => {
    const [a, b] = [figureOf(one, language), figureOf(other, language)];
    if (a === undefined || b === undefined)
      return Number(a === undefined) - Number(b === undefined);
    const way = typeof a === 'string' ? compare(a, String(b)) : a - Number(b);
    return isReversed ? -way : way;
  });
}
