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
 * By the name of a source and a subject (a market, `bcv.official` or `bcv.banks`): where the figures
 * are first published. Read without the kinds of sources, so that a command that only takes records
 * in starts at once; what is wrong with an entry is told by `loadSources`. A name without an entry,
 * such as `operator`, is an origin of its own.
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
