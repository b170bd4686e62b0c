import { lowerPriority } from '../../app/lower-priority.ts';

/**
 * Niceness of a parser's thread, unless the process itself has a lower priority. On busy cores the
 * thread still gets a tenth of one, so a workbook takes two seconds, of which 200 ms count.
 */
export const PARSER_NICENESS = 10;

/** Only Linux has a priority of one thread; elsewhere it would be the whole process's. */
export function yieldToAnswers(): void {
  if (process.platform === 'linux') lowerPriority(PARSER_NICENESS);
}
