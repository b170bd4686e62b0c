import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGED_CATALOGUE } from '../../src/core/config.ts';
import { temporaryDir } from './service.ts';

type Limits = Record<string, number | null | string[]> & { features: string[] };
type MarketRow = { id: string; name: string; base: string; type: string };

/** A catalogue folder with edited plans or markets. The other files are the packaged ones. */
export async function catalogueWith(edits: {
  readonly plans?: (plans: Record<string, Limits>) => void;
  readonly markets?: (markets: MarketRow[]) => void;
}): Promise<string> {
  const folder = await temporaryDir();
  const edited = async (name: string, edit: ((value: never) => void) | undefined) => {
    if (edit === undefined) return;
    // The files have these types.
    const value = JSON.parse(await readFile(join(PACKAGED_CATALOGUE, name), 'utf8')) as never;
    edit(value);
    await writeFile(join(folder, name), JSON.stringify(value));
  };
  await edited('plans.json', edits.plans);
  await edited('markets.json', edits.markets);
  return folder;
}

/** Gives plans other limits. */
export function limitsOf(changes: Record<string, Readonly<Record<string, number | null>>>) {
  return (plans: Record<string, Limits>) => {
    for (const [plan, limits] of Object.entries(changes)) Object.assign(plans[plan] ?? {}, limits);
  };
}
