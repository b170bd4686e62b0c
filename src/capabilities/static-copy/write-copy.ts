import type { Edition } from '../../core/capability.ts';
import { systemClock, type Toolbox } from '../../core/compose.ts';
import { type Config, ConfigError } from '../../core/config.ts';
import type { Market } from '../../core/domain/markets.ts';
import { type CopyReport, StaticCopy } from './copy.ts';
import { EndpointFiles } from './copy-content.ts';
import { FolderChanged, ForeignFolder } from './copy-failures.ts';
import { DiskFolder, listCopy } from './copy-folder.ts';

/** Most attempts of a command while other processes write the same folder. */
// limit: Attempts while another process writes | 5 | exit code 1, the folder whole
const MAX_COPY_ATTEMPTS = 5;

/**
 * The copy of a folder, which is created if it is missing.
 * @throws ConfigError when the folder holds anything that is not of an export.
 */
export async function openStaticCopy(dir: string): Promise<StaticCopy> {
  try {
    await listCopy(dir);
  } catch (error) {
    if (error instanceof ForeignFolder) throw new ConfigError(error.message);
    // A disk that fails now may work later, and each update looks again.
  }
  return new StaticCopy(new DiskFolder(dir, systemClock));
}

/** @param chosen By default the markets of the cheapest plan, which every plan has. */
export function copyContent(
  edition: Omit<Edition, 'watch'>,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  chosen: readonly Market[] = edition.markets.list.filter((one) => one.requiredPlan === undefined),
): EndpointFiles {
  return new EndpointFiles({ ...edition, chosen, publicUrl });
}

/** Writes the static copy of this moment into a folder. */
export async function writeStaticCopy(
  toolbox: Toolbox,
  config: Config,
  { dir, markets }: { readonly dir: string; readonly markets?: readonly Market[] | undefined },
): Promise<CopyReport> {
  const copy = await openStaticCopy(dir);
  const content = copyContent(toolbox, config, markets);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await copy.update(content, systemClock.now());
    } catch (error) {
      if (!(error instanceof FolderChanged) || attempt === MAX_COPY_ATTEMPTS) throw error;
    }
  }
}
