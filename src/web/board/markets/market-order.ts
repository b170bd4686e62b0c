import type { BoardRate } from '../../../client/types.ts';
import type { Language } from '../../frame/language.ts';
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

function figureOf(row: BoardRate, column: MarketColumn, language: Language) {
  switch (column) {
    case 'market':
      return nameIn(row, language);
    case 'rate':
      return row.mid;
    case 'buy':
      return row.ask;
    case 'sell':
      return row.bid;
    case 'premium':
      return row.gap_percent;
    case 'age':
      // The smallest age first.
      return -Date.parse(row.updated_at);
    default:
      return column satisfies never;
  }
}

/** The rows in that order. Those without the figure stand last, reversed or not. */
export function ordered<Row extends BoardRate>(
  rows: readonly Row[],
  order: MarketOrder | undefined,
  language: Language,
): readonly Row[] {
  if (order === undefined) return rows;
  const { column, isReversed } = order;
  const compare = new Intl.Collator(language, { numeric: true }).compare;
  return rows.toSorted((one, other) => {
    const [a, b] = [figureOf(one, column, language), figureOf(other, column, language)];
    if (a === undefined || b === undefined)
      return Number(a === undefined) - Number(b === undefined);
    const way = typeof a === 'string' ? compare(a, String(b)) : a - Number(b);
    return isReversed ? -way : way;
  });
}
