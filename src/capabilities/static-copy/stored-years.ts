import { sql } from 'kysely';
import { ownTurn } from '../../core/app/lower-priority.ts';
import { yearOf } from '../../core/domain/time.ts';
import type { Engine } from '../../core/storage/engine.ts';
import { storedDay } from '../../core/storage/queries/record-rows.ts';
import type { OfficialYear, StoredYear, StoredYears } from './copy-types.ts';

/** Sums stand for the rows: every change raises a time or a batch of one of them, or removes one. */
export function storedYears(engine: Engine): StoredYears {
  return {
    officialYears: () =>
      engine.read(async (db) => {
        const found: OfficialYear[] = [];
        const markets = await db.selectFrom('market').selectAll().orderBy('id').execute();
        for (const { id: name, number } of markets) {
          await ownTurn();
          const year = sql<string>`substr(effective_date, 1, 4)`;
          const rows = await db
            .selectFrom('official_rate')
            .where('market', '=', number)
            .select((the) => [
              year.as('year'),
              the.fn.min('effective_date').as('first'),
              the.fn.countAll().as('rates'),
              the.fn.sum('mid').as('mids'),
              the.fn.sum('captured_at').as('captured'),
              the.fn.sum('observed_at').as('observed'),
            ])
            .groupBy(year)
            .orderBy(year)
            .execute();
          for (const { year, first, ...sums } of rows) {
            const digest = Object.values(sums).join(' ');
            found.push({ name, year: Number(year), first: storedDay(first), digest });
          }
        }
        return found;
      }),
    captureYears: (market, before) =>
      engine.read(async (db) => {
        const found: StoredYear[] = [];
        const days = db
          .selectFrom('capture_day')
          .innerJoin('market', 'market.number', 'capture_day.market')
          .where('market.id', '=', market);
        const first = await days.select('day_start').orderBy('day_start').limit(1).execute();
        const begin = first[0]?.day_start ?? before;
        for (let year = yearOf(begin); begin < before && year <= yearOf(before - 1); year += 1) {
          await ownTurn();
          const sums = await days
            .where('day_start', '>=', Date.UTC(year, 0))
            .where('day_start', '<', Date.UTC(year + 1, 0))
            .select((the) => [
              the.fn.countAll().as('days'),
              the.fn.sum('mid').as('mids'),
              the.fn.sum('captured_at').as('captured'),
              the.fn.sum('updated_at').as('updated'),
              the.fn.sum('batch').as('batches'),
            ])
            .executeTakeFirstOrThrow();
          if (Number(sums.days) > 0) found.push({ year, digest: Object.values(sums).join(' ') });
        }
        return found;
      }),
  };
}
