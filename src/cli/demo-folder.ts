import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Lies in the data folder of a demonstration, and only there. */
export const DEMO_MARKER = 'demo.json';

/** Whether the folder holds a demonstration, whose rates are not of today. */
export function isDemoFolder(dataDir: string): boolean {
  return existsSync(join(dataDir, DEMO_MARKER));
}
