import { HELD_REASONS } from '../texts/texts.ts';
import type { Language } from './language.ts';

/** Undefined for a reason of another version. */
export function heldReasonText(reason: string, language: Language): string | undefined {
  const reasons: Readonly<Record<string, string>> = HELD_REASONS[language];
  return Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
}
