import { readCatalogueFile } from './file.ts';

const FILES = [
  'markets.json',
  'plans.json',
  'sources.json',
  'judgement.json',
  'holidays.json',
  'redenominations.json',
] as const;

/** What the files of a catalogue hold, by their names. @throws CatalogueError */
export function catalogueValues(folder: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(FILES.map((name) => [name, readCatalogueFile(folder, name).value]));
}
