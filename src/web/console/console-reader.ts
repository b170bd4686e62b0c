import type { Language } from '../frame/language.ts';
import type { ConsoleTexts } from './texts-es.ts';

/** The language of the page and its texts. The page carries them: its scripts have none. */
export interface ConsoleReader {
  readonly language: Language;
  readonly texts: ConsoleTexts;
}

/** A text with its blanks filled in: `{n}`. */
export function filled(text: string, blanks: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (blank, name: string) => blanks[name] ?? blank);
}
