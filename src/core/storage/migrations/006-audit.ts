import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';
import { createTable } from '../table.ts';
import { AUDIT } from './tables/006.ts';

/** The audit log. */
export const auditLog: Migration = {
  name: '006-audit',
  release: '0.3.0',
  async up(db, dialect) {
    await sql.raw(createTable('audit', AUDIT, dialect)).execute(db);
  },
};
