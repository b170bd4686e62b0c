import type { Store } from '../../app/ports/store.ts';
import type { Engine } from '../engine.ts';

/** The leases of one process at a time: to collect, and to write the static copy. */
export function leases(engine: Engine) {
  return {
    takeLease: async (holder, now, until, table = 'collector') => {
      // A lease with a far longer end was taken by a process whose clock was ahead.
      const tooLong = until + (until - now);
      // Waiting processes ask every second, so this is a read while another process has the lease.
      const current = await engine.read((db) =>
        db.selectFrom(table).selectAll().executeTakeFirstOrThrow(),
      );
      const isOver = current.holder === '' || current.expires_at <= now;
      const isTaken = !isOver && current.expires_at <= tooLong;
      if (current.holder !== holder && isTaken) return undefined;
      return engine.write({ collecting: true }, async (db) => {
        const row = await db
          .updateTable(table)
          .set((the) => ({
            // A renewal keeps the token; a new holder gets a greater one.
            token: the
              .case()
              .when('holder', '=', holder)
              .then(the.ref('token'))
              .else(the('token', '+', 1))
              .end(),
            holder,
            expires_at: until,
          }))
          .where((the) =>
            the.or([
              the('holder', 'in', [holder, '']),
              the('expires_at', '<=', now),
              the('expires_at', '>', tooLong),
            ]),
          )
          .returning('token')
          .executeTakeFirst();
        return row === undefined ? undefined : { holder, token: row.token };
      });
    },
    dropLease: ({ holder, token }, now, table = 'collector') =>
      engine.write({ collecting: true }, async (db) => {
        await db
          .updateTable(table)
          .set({ holder: '', expires_at: now })
          .where((the) => the.and({ holder, token }))
          .execute();
      }),
  } satisfies Partial<Store>;
}
