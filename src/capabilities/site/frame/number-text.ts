import type { Language, Texts } from '../../../core/domain/words/language.ts';

/** Writes numbers and rates, also for the element of other sites: so it imports nothing that is large. */

const LOCALES: Texts<string> = { es: 'es-VE', en: 'en-US' };

export interface Decimals {
  readonly min: number;
  readonly max: number;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormat(
  language: Language,
  { min, max }: Decimals,
  signDisplay: 'auto' | 'exceptZero',
): Intl.NumberFormat {
  const name = `${language} ${min} ${max} ${signDisplay}`;
  let format = numberFormats.get(name);
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALES[language], {
      // By default Spanish omits the point in thousands: 1012,35 beside 12.012,35.
      useGrouping: 'always',
      signDisplay,
      minimumFractionDigits: min,
      maximumFractionDigits: max,
    });
    numberFormats.set(name, format);
  }
  return format;
}

/** A real minus sign: `−`. */
export const MINUS = '\u2212';

/** `1.012,35` or `1,012.35`, with between `min` and `max` decimals. */
export function numberText(value: number, language: Language, decimals: Decimals): string {
  return numberFormat(language, decimals, 'auto').format(value).replace('-', MINUS);
}

/** The same with its sign, also `+`. What is shown as zero has none. */
export function signedNumber(value: number, language: Language, decimals: Decimals): string {
  return numberFormat(language, decimals, 'exceptZero').format(value).replace('-', MINUS);
}

/** Decimals of a shown rate, always as many, so that columns align. */
const SHOWN_RATE_DECIMALS = 4;
/** More decimals than any rate has, so that none is rounded. */
export const ALL_DECIMALS = 20;

/**
 * A rate, as every page, picture and text of ours writes it: with 4 decimals. A rate below 1 keeps all
 * its decimals, because 4 could show only zeros.
 */
export function rateText(rate: number, language: Language): string {
  const max = Math.abs(rate) < 1 ? ALL_DECIMALS : SHOWN_RATE_DECIMALS;
  return numberText(rate, language, { min: SHOWN_RATE_DECIMALS, max });
}

/**
 * The rate with all its decimals, as the API gives it, where `rateText` rounds it.
 * @returns undefined where both are the same.
 */
export function wholeRateText(rate: number, language: Language): string | undefined {
  const whole = numberText(rate, language, { min: SHOWN_RATE_DECIMALS, max: ALL_DECIMALS });
  return whole === rateText(rate, language) ? undefined : whole;
}
