import type { WitnessedReadings } from '../../app/ports/records.ts';
import type { Store } from '../../app/ports/store.ts';
import { currenciesOf, type Publication } from '../../domain/bcv.ts';
import type {
  SupersededPublication,
  UncheckedPublication,
} from '../../domain/judgement/value-dates.ts';
import { officialNameOf } from '../../domain/markets.ts';
import { PUSHED } from '../../domain/source-health.ts';
import { type CaracasDay, DAY_MS, type Instant, startOfCaracasDay } from '../../domain/time.ts';
import type { Queries, Transactions } from '../engine.ts';
import { TABLES } from '../schema.ts';
import { numberOf } from './captures.ts';
import { requireLease } from './collecting.ts';
import type { ChangedRates } from './corrections.ts';
import {
  publicationOf,
  ratesText,
  storedDay,
  storedJson,
  storedPublicationOf,
} from './record-rows.ts';
import { raiseJudged, raiseVersion } from './versions.ts';

/** Most value dates of which the readings of a witness are kept. */
// limit: Value dates kept of a witness | 10 | the oldest goes
const MAX_WITNESS_DATES = 10;

export function publications(engine: Transactions) {
  return {
    listPublications: ({ from, to, limit }) =>
      engine.read(async (db) => {
        let query = tracedPublications(db).limit(limit);
        if (from !== undefined) query = query.where('publication.value_date', '>=', from);
        if (to !== undefined) query = query.where('publication.value_date', '<=', to);
        const rows = await query.execute();
        return rows.map(({ source, ...row }) => ({
          ...storedPublicationOf(row),
          source: source ?? undefined,
        }));
      }),
    publicationsAround: ({ from, to }, { start, end }) =>
      engine.read(async (db) => {
        const all = db.selectFrom('publication');
        const before = all
          .where('captured_at', '<', start)
          .where('state', '<>', 'withdrawn')
          .orderBy('captured_at', 'desc')
          .orderBy('batch', 'desc')
          .orderBy('line', 'desc')
          .limit(1);
        const rows = await all
          .selectAll()
          .where((the) =>
            the.or([
              the('digest', '=', before.select('digest')),
              the.between('captured_at', start, end),
              the.between('value_date', from, to),
            ]),
          )
          .orderBy('captured_at')
          .orderBy('batch')
          .orderBy('line')
          .execute();
        return rows.map(storedPublicationOf);
      }),
    keepWitnessReading: ({ source, valueDate, rates, capturedAt }, lease) =>
      engine.write({ records: true, collecting: lease !== undefined }, async (db) => {
        await requireLease(db, lease);
        const row = { source, value_date: valueDate, read_at: capturedAt, rates: ratesText(rates) };
        await db
          .insertInto('witness_reading')
          .values(row)
          .onConflict((conflict) => conflict.columns(TABLES.witness_reading.key).doUpdateSet(row))
          .execute();
        const newest = db
          .selectFrom('witness_reading')
          .select('value_date')
          .where('source', '=', source)
          .orderBy('read_at', 'desc')
          .limit(MAX_WITNESS_DATES);
        await db
          .deleteFrom('witness_reading')
          .where('source', '=', source)
          .where('value_date', 'not in', newest)
          .execute();
        await raiseJudged(db);
        // Answers tell which publications witnesses contradict, and for how long.
        const isAboutPublished = (await uncheckedPublication(db, valueDate)) !== undefined;
        if (isAboutPublished) await raiseVersion(db, 'records');
      }),
    witnessedDates: (from, to) => engine.read((db) => witnessedDates(db, from, to)),
  } satisfies Partial<Store>;
}

/** Newest value date first, and of one date the newest reading. */
function tracedPublications(db: Queries) {
  return db
    .selectFrom('publication')
    .leftJoin('batch', 'batch.id', 'publication.batch')
    .selectAll('publication')
    .select('batch.source')
    .orderBy('publication.value_date', 'desc')
    .orderBy('publication.captured_at', 'desc')
    .orderBy('publication.batch', 'desc')
    .orderBy('publication.line', 'desc');
}

/** See `WitnessedReadings.unchecked`. */
async function uncheckedPublication(
  db: Queries,
  valueDate: CaracasDay,
): Promise<UncheckedPublication | undefined> {
  const rows = await tracedPublications(db)
    .select('batch.trusted')
    .where('value_date', '=', valueDate)
    .where('state', '=', 'published')
    .execute();
  const [newest] = rows;
  if (newest === undefined || newest.source === null) return undefined;
  const isChecked = rows.some(
    ({ rates, source, trusted }) => rates === newest.rates && (source === PUSHED || trusted === 1),
  );
  return isChecked ? undefined : { ...storedPublicationOf(newest), source: newest.source };
}

/** See `RecordStore.witnessedDates`. */
export async function witnessedDates(
  db: Queries,
  from: CaracasDay,
  to?: CaracasDay,
): Promise<readonly WitnessedReadings[]> {
  const since = db.selectFrom('witness_reading').selectAll().where('value_date', '>=', from);
  const within = to === undefined ? since : since.where('value_date', '<=', to);
  const rows = await within.orderBy('value_date').orderBy('source').execute();
  const read = rows.map((row) => ({
    source: row.source,
    valueDate: storedDay(row.value_date),
    rates: storedJson<Publication['rates']>(row.rates),
    capturedAt: row.read_at,
  }));
  const dates: WitnessedReadings[] = [];
  for (const [valueDate, words] of Map.groupBy(read, (word) => word.valueDate)) {
    dates.push({ valueDate, words, unchecked: await uncheckedPublication(db, valueDate) });
  }
  return dates;
}

/** The newest with other currencies than USD, by value date: an old page replaces nothing. */
export async function lastPublication(db: Queries): Promise<Publication | undefined> {
  const row = await tracedPublications(db)
    .where((the) => the.and({ has_others: 1, state: 'published' }))
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : publicationOf(row);
}

/**
 * Marks publications as replaced or withdrawn. `now` is when the batch was received. `changed` takes
 * the rates that it removes.
 */
export async function supersede(
  db: Queries,
  { valueDate, rates, state, restored = {}, why = 'wrong_date' }: SupersededPublication,
  now: Instant,
  changed: ChangedRates,
): Promise<void> {
  const text = ratesText(rates);
  await db
    .updateTable('publication')
    .set({ state })
    .where((the) => the.and({ value_date: valueDate, state: 'published' }))
    .where('rates', state === 'withdrawn' ? '=' : '<>', text)
    .execute();
  for (const currency of currenciesOf(rates)) {
    const mid = rates[currency];
    if (mid === undefined || mid === restored[currency]) continue;
    const market = numberOf(officialNameOf(currency));
    if (state === 'withdrawn') {
      const withdrawn = await db
        .deleteFrom('official_rate')
        .where('market', '=', market)
        .where((the) => the.and({ effective_date: valueDate, mid }))
        .returning(['market', 'effective_date', 'mid'])
        .execute();
      for (const rate of withdrawn) changed.removed({ ...rate, why });
    }
    const removed = await db
      .deleteFrom('capture')
      .where('market', '=', market)
      .where('captured_at', '>=', state === 'withdrawn' ? startOfCaracasDay(valueDate) : now + 1)
      .where('effective_date', '=', valueDate)
      .where('mid', state === 'withdrawn' ? '=' : '<>', mid)
      .returning(['market', 'captured_at'])
      .execute();
    const [first] = removed;
    if (first !== undefined) await renewDays(db, first.market, removed);
  }
}

/** Rebuilds the stored days after captures were removed or added. */
export async function renewDays(
  db: Queries,
  market: number,
  removed: readonly { readonly captured_at: number }[],
): Promise<void> {
  const days = new Set(removed.map(({ captured_at: at }) => Math.floor(at / DAY_MS) * DAY_MS));
  for (const start of days) {
    await db
      .deleteFrom('capture_day')
      .where((the) => the.and({ market, day_start: start }))
      .execute();
    // An official market has only a few captures a day.
    const captures = await db
      .deleteFrom('capture')
      .where('market', '=', market)
      .where('captured_at', '>=', start)
      .where('captured_at', '<', start + DAY_MS)
      .returningAll()
      .execute();
    // The triggers make the day again.
    if (captures.length > 0) await db.insertInto('capture').values(captures).execute();
  }
}
