import { mkdirSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import type { CatalogueFile } from './file.ts';
import { outline } from './source-columns.ts';
import { SOURCES_FILE } from './sources.ts';

/**
 * The text of `sources.json` with other values of `enabled`; every other character stays.
 * @param enabled By the name of the entry.
 */
export function withSwitches(
  { text, value }: Pick<CatalogueFile, 'text' | 'value'>,
  enabled: ReadonlyMap<string, boolean>,
): string {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.reduce<string>((edited, entry, position) => {
    const isOn = enabled.get(outline.parse(entry).name ?? '');
    if (isOn === undefined) return edited;
    return applyEdits(edited, modify(edited, [position, 'enabled'], isOn, {}));
  }, text);
}

/**
 * Writes `sources.json` of a folder, which is made if necessary. A reader finds the former file or
 * the new one, never a part. A link stays one, and the permissions stay.
 * @returns its path.
 */
export function writeSources(folder: string, text: string): string {
  // The data folder may be made by this; only its owner enters it.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, SOURCES_FILE);
  const former = statSync(path, { throwIfNoEntry: false });
  const place = former === undefined ? path : realpathSync(path);
  const beside = `${place}.new`;
  writeFileSync(beside, text, { mode: former?.mode, flush: true });
  renameSync(beside, place);
  return path;
}
