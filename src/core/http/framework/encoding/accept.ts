import type { Language } from '../../../domain/words/language.ts';

/** The languages and types that a client accepts. Scripts of pages read languages too, so it loads no package. */

/** Most ranges of an `Accept-Language` that are read. */
// limit: Ranges of `Accept-Language` | 20 | ignored
const MAX_LANGUAGE_RANGES = 20;

/** The known language that the browser prefers (RFC 9110 §12.5.4); Spanish without a preference. */
export function preferredLanguage(acceptLanguage = ''): Language {
  const ranges = weightedRanges(acceptLanguage, MAX_LANGUAGE_RANGES);
  const wish = (language: Language) =>
    Math.max(
      0,
      ...ranges.map(({ range, weight }) => (range.split('-')[0] === language ? weight : 0)),
    );
  return wish('en') > wish('es') ? 'en' : 'es';
}

/**
 * The language of messages to programs (RFC 9110 §12.5.4): Spanish if the request prefers it, else
 * English. Of two languages with the same weight the first one named counts.
 */
export function messageLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en';
  const ranges = weightedRanges(acceptLanguage, MAX_LANGUAGE_RANGES);
  const rest = ranges.find(({ range }) => range === '*')?.weight ?? 0;
  const wish = (language: Language) => {
    const isOwn = ({ range }: { readonly range: string }) => range.split('-')[0] === language;
    const own = ranges.filter(isOwn).map(({ weight }) => weight);
    return { place: ranges.findIndex(isOwn), weight: own.length === 0 ? rest : Math.max(...own) };
  };
  const [spanish, english] = [wish('es'), wish('en')];
  if (spanish.weight !== english.weight) return spanish.weight > english.weight ? 'es' : 'en';
  return spanish.weight > 0 && spanish.place < english.place && spanish.place >= 0 ? 'es' : 'en';
}

/**
 * The first `max` ranges of an `Accept` or `Accept-Language`, each with its weight from 0 to 1: 0 if
 * it cannot be parsed (RFC 9110 §12.4.2).
 */
export function weightedRanges(
  header: string,
  max: number,
): readonly { readonly range: string; readonly weight: number }[] {
  return header.split(',', max).map((text) => {
    const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((one) => one.startsWith('q='))?.slice('q='.length) ?? '1';
    const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0;
    return { range, weight };
  });
}

/** Most ranges of an `Accept` header that are read. */
// limit: Ranges of `Accept` | 20 | ignored
export const MAX_ACCEPT_RANGES = 20;

/** Whether an `Accept` wants HTML rather than JSON, as that of a browser does (RFC 9110 §12.5.1). */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = weightedRanges(accept, MAX_ACCEPT_RANGES);
  // The most specific matching range decides.
  const weightOf = (type: string) =>
    [type, `${type.split('/')[0]}/*`, '*/*']
      .map((name) => ranges.find(({ range }) => range === name)?.weight)
      .find((weight) => weight !== undefined) ?? 0;
  return weightOf('text/html') > weightOf('application/json');
}
