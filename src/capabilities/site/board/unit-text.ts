import type { UnitChange } from '../../../client/types.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import { countText, dateInWords } from '../frame/format.ts';
import { BOARD_TEXTS } from '../texts/texts.ts';

/** A change of the unit, in a sentence. */
export function unitChangeText({ on, factor }: UnitChange, language: Language): string {
  return BOARD_TEXTS[language].unitChange(dateInWords(on, language), countText(factor, language));
}
