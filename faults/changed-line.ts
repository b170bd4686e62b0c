import { fileURLToPath } from 'node:url';
import type { Setting } from './process.ts';

const PRELOAD = fileURLToPath(new URL('./preload/changed-line.ts', import.meta.url));

/**
 * The product with one line changed, as the control of a scenario. `file` is the end of its address;
 * `from` is a text that it has once.
 */
export function changedLine(file: string, from: string, to: string): Setting {
  return { preload: PRELOAD, env: { CHANGE_FILE: file, CHANGE_FROM: from, CHANGE_TO: to } };
}
