import type { Engine } from '../../core/storage/engine.ts';
import { upsert } from '../../core/storage/queries/upsert.ts';
import type { AlertStore } from './alert-types.ts';

/** The only row of `alert_turn`. */
const LAST_REPORT = 1;

export function alertStore(engine: Engine): AlertStore {
  return {
    reportedAlerts: () =>
      engine.read(async (db) => {
        const rows = await db.selectFrom('alert_told').select('id').orderBy('id').execute();
        return rows.map(({ id }) => id);
      }),

    recordReport: ({ raised, cleared }, { now, pauseMs }) =>
      engine.write({ collecting: true }, async (db) => {
        const last = await db.selectFrom('alert_turn').select('sent_at').executeTakeFirst();
        // A message that seems to be of the future was sent before the clock was set back.
        if (last !== undefined && Math.abs(now - Number(last.sent_at)) < pauseMs) return false;
        const reported = await db.selectFrom('alert_told').select('id').execute();
        const known = new Set(reported.map(({ id }) => id));
        const isNews = raised.every((id) => !known.has(id)) && cleared.every((id) => known.has(id));
        if (!isNews) return false;
        if (raised.length > 0) {
          const rows = raised.map((id) => ({ id, told_at: now }));
          await db.insertInto('alert_told').values(rows).execute();
        }
        if (cleared.length > 0) {
          await db.deleteFrom('alert_told').where('id', 'in', cleared).execute();
        }
        await upsert(db, 'alert_turn', [{ id: LAST_REPORT, sent_at: now }]);
        return true;
      }),

    undoReport: ({ raised, cleared }) =>
      engine.write({ collecting: true }, async (db) => {
        if (raised.length > 0) {
          await db.deleteFrom('alert_told').where('id', 'in', raised).execute();
        }
        if (cleared.length > 0) {
          const rows = cleared.map((id) => ({ id, told_at: 0 }));
          await upsert(db, 'alert_told', rows);
        }
      }),
  };
}
