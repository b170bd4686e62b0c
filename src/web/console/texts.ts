import type { Texts } from '../frame/language.ts';
import { ENGLISH } from './texts-en.ts';
import { type ConsoleTexts, SPANISH } from './texts-es.ts';

export const CONSOLE_TEXTS: Texts<ConsoleTexts> = { es: SPANISH, en: ENGLISH };

/** A text with its blanks filled in: `{n}`. */
export function filled(text: string, blanks: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (blank, name: string) => blanks[name] ?? blank);
}
