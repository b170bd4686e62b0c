import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitLists } from './documents/limits.ts';
import { plansTable } from './documents/plans-table.ts';
import { settingTable } from './documents/setting-table.ts';
import { markdownOf, withTable } from './documents/table.ts';

/** Writes the tables of the documents from the declarations: `npm run documents`. */

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The tables by document, by their name in it. */
const TABLES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/contract.md': {
    plans: () => markdownOf(plansTable(JSON.parse(read('catalog/plans.json')))),
  },
  'docs/operating.md': { settings: () => markdownOf(settingTable('en')) },
  'docs/operating.es.md': { settings: () => markdownOf(settingTable('es')) },
  'docs/limits.md': { limits: () => limitLists(ROOT) },
};

/** The documents as they should be, by their path. */
export function documents(): ReadonlyMap<string, string> {
  const written = Object.entries(TABLES).map(([file, tables]) => {
    const text = Object.entries(tables).reduce(
      (document, [name, table]) => withTable(document, name, table()),
      read(file),
    );
    return [file, text] as const;
  });
  return new Map(written);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of documents()) writeFileSync(join(ROOT, file), text);
}
