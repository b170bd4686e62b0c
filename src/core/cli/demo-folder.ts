import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { CommandError } from './output.ts';

/** A file that marks the data folder of a demonstration. */
export const DEMO_MARKER = 'demo.json';

/** Whether the folder contains a demonstration, whose rates are not current. */
export function isDemoFolder(dataDir: string): boolean {
  return existsSync(join(dataDir, DEMO_MARKER));
}

/** @throws CommandError `invalid_format` for a folder of a demonstration: real rates must not mix in. */
export function requireNoDemonstration({ dataDir, postgres }: Config): void {
  if (postgres !== undefined || !isDemoFolder(dataDir)) return;
  throw new CommandError(
    'invalid_format',
    `${dataDir} holds a demonstration: run "vesfx demo --data" on it.`,
  );
}
