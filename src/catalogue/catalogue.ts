import { statSync } from 'node:fs';
import type { Markets } from '../domain/markets.ts';
import type { Plans } from '../domain/plans.ts';
import { CatalogueError, displayPath, readCatalogueFile } from './file.ts';
import { readMarkets } from './markets.ts';
import { readPlans } from './plans.ts';

export { CatalogueError } from './file.ts';

/** Markets and plans as the operator set them, checked. */
export interface Catalogue {
  readonly markets: Markets;
  readonly plans: Plans;
}

/**
 * Reads `markets.json` and `plans.json` of a folder; a file it lacks is taken from the package.
 * @throws CatalogueError naming file, line and what is wrong.
 */
export function loadCatalogue(folder: string): Catalogue {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CatalogueError(displayPath(folder), [{ problem: 'there is no such folder' }]);
  }
  const allPlans = readPlans(readCatalogueFile(folder, 'plans.json'));
  return {
    plans: allPlans,
    markets: readMarkets(readCatalogueFile(folder, 'markets.json'), allPlans),
  };
}
