import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { ADDED_USAGE_COLUMNS } from './tables/009.ts';

/**
 * Units are taken in blocks, not leased. The reserves of processes that were killed go back, because
 * nobody would take them over. A process of the version before finds out that it has lost its own, as
 * after a long pause. Its tables `holder` and `lease` stay for it.
 */
export const unitBlocks: Migration = {
  name: '009-unit-blocks',
  release: '0.3.0',
  async up(db) {
    const ofWindow = `l.account_id = usage.account_id and l."window" = usage."window"
      and l.opened_at = usage.opened_at`;
    const statements = [
      ...Object.entries(ADDED_USAGE_COLUMNS).map(
        ([column, definition]) => `alter table usage add column ${column} ${definition}`,
      ),
      `update usage set taken = taken - (select sum(l.units) from lease l where ${ofWindow})
        where exists (select 1 from lease l where ${ofWindow})`,
      'delete from lease',
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
