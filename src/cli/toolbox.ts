import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Toolbox } from '../compose.ts';
import { type Config, placeOf, readConfig } from '../config.ts';
import { type ApiError, notFound } from '../domain/errors.ts';
import type { CommonFlags } from './output.ts';

/** `refuse` fails, `create` creates one, `try` uses a temporary empty one, for dry runs. */
type WithoutDatabase = 'refuse' | 'create' | 'try';

interface ToolboxOptions {
  /** Default `refuse`, because a mistyped `--data` must not create an empty database. */
  readonly withoutDatabase?: WithoutDatabase;
}

/**
 * Opens the toolbox of a command, and closes it after the work.
 * @throws ApiError `resource_not_found` without a database that the command may not create.
 */
export async function withToolbox<T>(
  flags: CommonFlags,
  work: (toolbox: Toolbox) => Promise<T>,
  options: ToolboxOptions = {},
): Promise<T> {
  return withToolboxOf(readConfig(flags), work, options);
}

/** The same for a given configuration. */
export async function withToolboxOf<T>(
  config: Config,
  work: (toolbox: Toolbox) => Promise<T>,
  { withoutDatabase = 'refuse' }: ToolboxOptions = {},
): Promise<T> {
  // Import on demand, so that help and usage errors appear at once.
  const { openToolbox } = await import('../compose.ts');
  if (withoutDatabase !== 'create' && !(await databaseExists(config))) {
    if (withoutDatabase === 'try') return withScratch(config, work);
    throw noDatabase(config);
  }
  const toolbox = await openToolbox(config);
  try {
    return await work(toolbox);
  } finally {
    await toolbox.store.close();
  }
}

async function withScratch<T>(config: Config, work: (toolbox: Toolbox) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vesfx-dry-run-'));
  try {
    const scratch = { ...config, dataDir, postgres: undefined };
    return await withToolboxOf(scratch, work, { withoutDatabase: 'create' });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function noDatabase(config: Config): ApiError {
  const remedy =
    config.postgres === undefined
      ? 'name its folder with --data or VESFX_DATA'
      : 'look at VESFX_DATABASE_URL';
  return notFound('no_data', {
    message: `There is no vesfx database in ${placeOf(config)}: ${remedy}.`,
  });
}

export async function databaseExists(config: Config): Promise<boolean> {
  const { storeExists } = await import('../storage/store.ts');
  return storeExists(config);
}
