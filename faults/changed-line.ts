import { fileURLToPath } from 'node:url';
import type { Setting } from './process.ts';

const PRELOAD = fileURLToPath(new URL('./preload/changed-line.ts', import.meta.url));

/** `file` is the end of a file's address; `from` is a text that occurs once in it. */
export interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The changes of all loaded scenarios, for a test that each still matches. */
export const ALL_CHANGES: Change[] = [];

/** The product with one changed line, as the control of a scenario. */
export function changedLine(file: string, from: string, to: string): Setting {
  return changedLines([{ file, from, to }]);
}

/** For a mistake that a second guard would hide. */
export function changedLines(changes: readonly Change[]): Setting {
  ALL_CHANGES.push(...changes);
  return { preload: PRELOAD, env: { CHANGED_LINES: JSON.stringify(changes) } };
}
