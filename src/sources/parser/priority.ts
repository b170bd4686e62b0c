import { getPriority, setPriority } from 'node:os';

/**
 * Niceness of a parser's thread, unless the process has a lower priority itself. On cores that other
 * threads keep busy it still gets a tenth of one: a workbook takes two of its five seconds then.
 */
export const PARSER_NICENESS = 10;

/**
 * Gives the calling thread a lower priority than the threads that answer callers. Only Linux has a
 * priority of one thread; elsewhere it would be the whole process's.
 */
export function yieldToAnswers(): void {
  if (process.platform !== 'linux') return;
  try {
    // To raise a priority needs a privilege, and would put the parsers first.
    if (getPriority() < PARSER_NICENESS) setPriority(PARSER_NICENESS);
  } catch {
    // A sandbox may forbid it. The parsers then compete with the answers, which is no reason to stop.
  }
}
