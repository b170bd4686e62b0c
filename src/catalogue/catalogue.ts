import { statSync } from 'node:fs';
import type { Markets } from '../domain/markets.ts';
import type { Plans } from '../domain/plans.ts';
import { CatalogueError, displayPath, readCatalogueFile } from './file.ts';
import { readMarkets } from './markets.ts';
import { readPlans } from './plans.ts';

export { CatalogueError } from './file.ts';

/** The validated markets and plans of the operator. */
export interface Catalogue {
  readonly markets: Markets;
  readonly plans: Plans;
}

/**
 * Reads `markets.json` and `plans.json` of a folder. A missing file is read from the package.
 * @throws CatalogueError naming file, line and fault.
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
