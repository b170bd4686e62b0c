import { z } from 'zod';
import { readCatalogueFile } from './file.ts';

const entries = z.array(
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
  const found = entries.safeParse(readCatalogueFile(folder, 'sources.json').value);
  const origins = new Map(
    (found.data ?? []).flatMap((entry) =>
      entry === undefined ? [] : [[entry.name, entry.origin]],
    ),
  );
  return (source, subject) => {
    const origin = origins.get(source);
    if (typeof origin === 'string') return origin;
    return origin?.[subject] ?? source;
  };
}
