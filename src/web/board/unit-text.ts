import type { UnitChange } from '../../client/types.ts';
import { countText, dateInWords } from '../frame/format.ts';
import type { Language, Texts } from '../frame/language.ts';

const TEXTS: Texts<(day: string, factor: string) => string> = {
  es: (day, factor) => `Desde el ${day}, un bolívar nuevo son ${factor} de los anteriores.`,
  en: (day, factor) => `From ${day} on, one new bolívar is ${factor} old ones.`,
};

/** A change of the unit, in a sentence. */
export function unitChangeText({ on, factor }: UnitChange, language: Language): string {
  return TEXTS[language](dateInWords(on, language), countText(factor, language));
}
