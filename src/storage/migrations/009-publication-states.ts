import type { Migration } from '../migrate.ts';

/**
 * The state of a publication: published, replaced by other figures for its value date, or withdrawn
 * after a correction of its date. The previous version ignores the column.
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
