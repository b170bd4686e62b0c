import type { Instant } from '../../core/domain/time.ts';
import type { Engine } from '../../core/storage/engine.ts';
import { upsert } from '../../core/storage/queries/upsert.ts';
import { PLACES_SILENT_MS } from './limits.ts';

/** What a process has of an account, and how many more it wants. */
export interface PlaceClaim {
  readonly accountId: string;
  readonly open: number;
  readonly wanted: number;
  /** Null for no limit. */
  readonly max: number | null;
}

/** How many more it gets; below zero, how many it has to give up. */
export type Granted = ReadonlyMap<string, number>;

/** The open streams of each account over all processes (contract §23). */
export function placeStore(engine: Engine) {
  return {
    /** Stores what the process has, and grants what is left, exactly. */
    claim: (holder: string, claims: readonly PlaceClaim[], now: Instant): Promise<Granted> => {
      const ids = claims.map(({ accountId }) => accountId);
      return engine.write({ usageOf: ids }, async (db) => {
        const rows = await db
          .selectFrom('open_stream')
          .select((the) => ['account_id', the.fn.sum<number | string>('streams').as('streams')])
          .where('account_id', 'in', ids)
          .where('holder', '<>', holder)
          // One that spoke in the future did so before its clock was set back.
          .where('said_at', '>', now - PLACES_SILENT_MS)
          .where('said_at', '<', now + PLACES_SILENT_MS)
          .groupBy('account_id')
          .execute();
        const others = new Map(rows.map((row) => [row.account_id, Number(row.streams)]));
        const granted = new Map(
          claims.map(({ accountId, open, wanted, max }) => {
            const free = (max ?? Infinity) - (others.get(accountId) ?? 0) - open;
            return [accountId, Math.max(Math.min(wanted, free), -open)];
          }),
        );
        const has = claims.map(({ accountId, open }) => ({
          ...{ account_id: accountId, holder, said_at: now },
          streams: open + (granted.get(accountId) ?? 0),
        }));
        const [some, none] = [has.filter(isSome), has.filter((row) => !isSome(row))];
        if (some.length > 0) await upsert(db, 'open_stream', some);
        const gone = none.map((row) => row.account_id);
        if (gone.length > 0) {
          await db
            .deleteFrom('open_stream')
            .where('holder', '=', holder)
            .where('account_id', 'in', gone)
            .execute();
        }
        return granted;
      });
    },

    /** Removes what processes left behind that ended long ago. */
    sweep: (now: Instant): Promise<void> =>
      engine.write({}, async (db) => {
        await db
          .deleteFrom('open_stream')
          .where('said_at', '<', now - 10 * PLACES_SILENT_MS)
          .execute();
      }),
  };
}

export type PlaceStore = ReturnType<typeof placeStore>;

function isSome({ streams }: { readonly streams: number }): boolean {
  return streams > 0;
}
