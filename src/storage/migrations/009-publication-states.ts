import type { Migration } from '../migrate.ts';

/**
 * What became of a publication: another figure for its value date replaced it, or its date was
 * corrected and it was withdrawn. The version before passes over the column.
 */
export const publicationStates: Migration = {
  name: '009-publication-states',
  async up(db) {
    await db.schema
      .alterTable('publication')
      .addColumn('state', 'text', (column) => column.notNull().defaultTo('published'))
      .execute();
    await db.schema
      .createIndex('publication_value_date')
      .on('publication')
      .columns(['value_date', 'captured_at'])
      .execute();
  },
};
