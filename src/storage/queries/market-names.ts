import { sql } from 'kysely';
import type { Store } from '../../app/ports/store.ts';
import type { Engine, Queries } from '../engine.ts';

/** Renames stored markets to the ids of the catalogue. */
export function marketNames(engine: Engine) {
  return {
    renameMarkets: async (names) => {
      // Check first, so that a start takes the lock only when the catalogue has renamed a market.
      const pending = await engine.read((db) => renames(db, names));
      if (pending.length === 0) return [];
      return engine.write({ records: true, access: true }, async (db) => {
        const found = await renames(db, names);
        for (const { number, from, to } of found) {
          await db.updateTable('market').set({ name: to }).where('number', '=', number).execute();
          await sql`update markup set market_ids
            = replace(market_ids, ${JSON.stringify(from)}, ${JSON.stringify(to)})`.execute(db);
        }
        return found.map(({ from, to }) => ({ from, to }));
      });
    },
  } satisfies Partial<Store>;
}

interface Rename {
  readonly number: number;
  readonly from: string;
  readonly to: string;
}

/**
 * The markets to rename. A catalogue market without captures gets the captures stored under one of
 * its aliases, unless that alias is the id of another market. When a migration has renamed a market
 * that the catalogue still lists under the former name, the rename is undone.
 */
async function renames(
  db: Queries,
  names: readonly { readonly id: string; readonly aliases: readonly string[] }[],
): Promise<readonly Rename[]> {
  const rows = await db.selectFrom('market').select(['number', 'id', 'name']).execute();
  const ids = new Set(names.map(({ id }) => id));
  const stored = new Set(rows.map(({ name }) => name));
  const free = new Set(rows.filter(({ name }) => !ids.has(name)));
  return names.flatMap(({ id: to, aliases }) => {
    if (stored.has(to)) return [];
    const row =
      [...free].find(({ name }) => aliases.includes(name)) ?? [...free].find(({ id }) => id === to);
    if (row === undefined) return [];
    free.delete(row);
    return [{ number: row.number, from: row.name, to }];
  });
}
