import type { Language } from '../../../../core/domain/words/language.ts';

/** Longest range drawn in candles. Over more days they are too narrow to distinguish. */
// limit: Days of candles | 90 | not offered, with a note
export const MAX_CANDLE_DAYS = 90;

export type HistoryFormat = 'json' | 'csv' | 'xlsx';

/** `locale` applies to files for people: Spanish ones have decimal commas. */
export function historyAddress(
  format: HistoryFormat,
  wanted: {
    readonly markets: readonly string[];
    readonly days: number;
    readonly candles?: boolean;
    readonly locale?: Language | undefined;
  },
): string {
  const { markets, days, candles = false, locale } = wanted;
  const query = new URLSearchParams({ market: markets.join(','), days: String(days) });
  if (candles) query.set('candles', 'true');
  if (locale === 'es' || (locale !== undefined && format === 'xlsx')) query.set('locale', locale);
  // A query may contain a plain comma (RFC 3986 §3.4), which is easier to read.
  return `/board/history.${format}?${String(query).replaceAll('%2C', ',')}`;
}
