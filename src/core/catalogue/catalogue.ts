import { statSync } from 'node:fs';
import { z } from 'zod';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { CatalogueError, displayPath, readCatalogueFile } from './file.ts';
import { readMarkets } from './markets.ts';
import { readPlans } from './plans.ts';

export { CatalogueError } from './file.ts';

/** The validated markets and plans of the operator. */
export type Catalogue = ReturnType<typeof loadCatalogue>;

/**
 * Reads `markets.json` and `plans.json` of a folder. A missing file is read from the package.
 * @throws CatalogueError naming file, line and fault.
 */
export function loadCatalogue(folder: string) {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  if (folder !== PACKAGED_CATALOGUE && !isFolder) {
    throw new CatalogueError(displayPath(folder), [{ problem: 'there is no such folder' }]);
  }
  const allPlans = readPlans(readCatalogueFile(folder, 'plans.json'));
  return {
    plans: allPlans,
    markets: readMarkets(readCatalogueFile(folder, 'markets.json'), allPlans),
  };
}

const entriesWithOrigin = z.array(
  z
    .looseObject({
      name: z.string(),
      origin: z.union([z.string(), z.record(z.string(), z.string())]),
    })
    .optional()
    .catch(undefined),
);

/**
 * Returns where a source's figures of a subject are first published. A subject is a market,
 * `bcv.official` or `bcv.banks`. A source without an entry, such as `operator`, is its own origin.
 * This reads the file without loading the kinds of sources, so that commands which only import
 * records start fast. `loadSources` reports faulty entries.
 */
export function loadOrigins(folder: string): (source: string, subject: string) => string {
  const rows = entriesWithOrigin.safeParse(readCatalogueFile(folder, 'sources.json').value).data;
  const origins = new Map(
    rows?.flatMap((row) => (row === undefined ? [] : [[row.name, row.origin]])),
  );
  return (source, subject) => {
    const origin = origins.get(source);
    if (typeof origin === 'string') return origin;
    return origin?.[subject] ?? source;
  };
}
