import { ruleWords } from '../../../core/domain/judgement/rule-words.ts';
import type { Language } from '../../../core/domain/words/language.ts';

/** Why a record is held: the end of a sentence about it. Undefined for a code of another version. */
export function heldReasonText(code: string, language: Language): string | undefined {
  return ruleWords(code)?.[language];
}
