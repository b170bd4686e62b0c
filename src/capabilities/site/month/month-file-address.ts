import type { Language } from '../../../core/domain/words/language.ts';

/** The address of a month's file, in the reader's language. */
export function monthFileAddress(
  format: 'csv' | 'xlsx',
  wanted: { readonly month: string; readonly currency: string; readonly language: Language },
): string {
  const { month, currency, language } = wanted;
  return `/board/month.${format}?month=${month}&currency=${currency}&locale=${language}`;
}
