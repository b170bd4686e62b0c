import type { Language } from '../frame/language.ts';
import type { ConsoleTexts } from './texts-es.ts';

/**
 * The language of the page and its texts. The page carries both, because its scripts have no texts.
 */
export interface ConsoleReader {
  readonly language: Language;
  readonly texts: ConsoleTexts;
}

/** A text with its blanks filled in: `{n}`. */
export function filled(text: string, blanks: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (blank, name: string) => blanks[name] ?? blank);
}
