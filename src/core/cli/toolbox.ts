import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Toolbox } from '../compose.ts';
import { type Config, placeOf } from '../config.ts';
import type { Patience } from '../storage/patience.ts';
import { CommandError, remark } from './output.ts';

/** `refuse` fails, `create` creates one, `try` uses a temporary empty one, for dry runs. */
export type WithoutDatabase = 'refuse' | 'create' | 'try';

/**
 * Opens the toolbox of a command, and closes it after the work.
 * @param withoutDatabase By default `refuse`: a mistyped `--data` must not create a database.
 * @throws CommandError `resource_not_found` without a database that the command may not create.
 */
export async function withToolbox<T>(
  config: Config,
  work: (toolbox: Toolbox) => Promise<T>,
  withoutDatabase: WithoutDatabase = 'refuse',
): Promise<T> {
  // Import on demand, so that help and usage errors appear at once.
  const { commandPatience, openToolbox } = await import('../compose.ts');
  const patience = commandPatience(tellOnce(config));
  if (withoutDatabase !== 'create' && !(await databaseExists(config, patience))) {
    if (withoutDatabase === 'try') return withScratch(config, work);
    const remedy =
      config.postgres === undefined
        ? 'name its folder with --data or VESFX_DATA'
        : 'look at VESFX_DATABASE_URL';
    throw new CommandError(
      'resource_not_found',
      `There is no vesfx database in ${placeOf(config)}: ${remedy}.`,
    );
  }
  const toolbox = await openToolbox(config, { patience });
  try {
    return await work(toolbox);
  } finally {
    await toolbox.store.close();
  }
}

async function withScratch<T>(config: Config, work: (toolbox: Toolbox) => Promise<T>): Promise<T> {
  return onScratch(config, (empty) => withToolbox(empty, work, 'create'));
}

/** Works with settings that lead to an empty folder, which is removed afterwards. */
export async function onScratch<T>(config: Config, work: (config: Config) => Promise<T>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'vesfx-dry-run-'));
  try {
    return await work({ ...config, dataDir, postgres: undefined });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Tells a person at a terminal why the command takes long. */
function tellOnce(config: Config): (failure: Error) => void {
  let isTold = !process.stderr.isTTY;
  return ({ message }) => {
    if (!isTold) remark(`${message} Waiting for ${placeOf(config)}; Ctrl-C ends it.`);
    isTold = true;
  };
}

export async function databaseExists(config: Config, patience?: Patience): Promise<boolean> {
  const { storeExists } = await import('../storage/store.ts');
  return storeExists({ ...config, ...(patience && { patience }) });
}
