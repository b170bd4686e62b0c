import { join } from 'node:path';
import type { Toolbox } from '../compose.ts';
import { type Config, readConfig } from '../config.ts';
import type { CommonFlags } from './output.ts';

/** Opens what commands work with, and closes it when the work is done. */
export async function withToolbox<T>(
  flags: CommonFlags,
  work: (toolbox: Toolbox) => Promise<T>,
): Promise<T> {
  return withToolboxOf(readConfig(flags), work);
}

/** The same for a configuration that was read already. */
export async function withToolboxOf<T>(
  config: Config,
  work: (toolbox: Toolbox) => Promise<T>,
): Promise<T> {
  // Loaded when needed, so that help and usage errors answer at once.
  const { openToolbox } = await import('../compose.ts');
  const toolbox = await openToolbox(config);
  try {
    return await work(toolbox);
  } finally {
    await toolbox.store.close();
  }
}

/** Where the database is, and whether there is one yet. */
export async function databaseOf(config: Config): Promise<{ path: string; exists: boolean }> {
  const { DATABASE_FILE, storeExists } = await import('../storage/store.ts');
  const path = config.postgres?.shown ?? join(config.dataDir, DATABASE_FILE);
  return { path, exists: await storeExists(config) };
}
