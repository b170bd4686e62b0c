import { sql } from 'kysely';
import type { CorrectionReason } from '../../../domain/history/corrections.ts';
import type { Queries } from '../../engine.ts';
import { type CaptureTable, TABLES } from '../../schema.ts';
import type { ChangedRates } from '../corrections.ts';
import { partsOf } from '../upsert.ts';

/** Rows in one `INSERT`: 10 parameters each, far below the limits of both databases. */
// limit: Rows of an insert | 100 | another
const ROWS_PER_INSERT = 100;

const IDENTITY = TABLES.capture.key;

/** The numbers of the markets. A market gets one with its first capture. */
export async function marketNumbers(
  db: Queries,
  ids: Iterable<string>,
): Promise<(market: string) => number> {
  const rows = await db.selectFrom('market').select(['id', 'number']).execute();
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  for (const id of ids) {
    if (numbers.has(id)) continue;
    // The batch has locked the records, so no other batch assigns numbers.
    const number = numbers.size + 1;
    await db.insertInto('market').values({ id, number }).execute();
    numbers.set(id, number);
  }
  return (market) => {
    const number = numbers.get(market);
    if (number === undefined) throw new Error(`${market} has no number.`);
    return number;
  };
}

/**
 * Stores captures. An official rate that is read again before its effect gets the later reading.
 * @returns the lines of those that were new, or read again later.
 */
export async function storeCaptures(
  db: Queries,
  captures: readonly CaptureTable[],
): Promise<ReadonlySet<number>> {
  const stored: { readonly line: number }[] = [];
  const others = captures.filter((row) => !isOfficialRate(row));
  for (const rows of partsOf(others, ROWS_PER_INSERT)) {
    const insert = db.insertInto('capture').values(rows);
    const onlyNew = insert.onConflict((conflict) => conflict.doNothing());
    stored.push(...(await onlyNew.returning('line').execute()));
  }
  for (const rows of withoutRepetitions(captures.filter(isOfficialRate))) {
    const observedAgain = db
      .insertInto('capture')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(IDENTITY)
          .doUpdateSet((the) => ({
            observed_at: the.ref('excluded.observed_at'),
            batch: the.ref('excluded.batch'),
            line: the.ref('excluded.line'),
          }))
          .whereRef('excluded.observed_at', '>', 'capture.observed_at'),
      );
    stored.push(...(await observedAgain.returning('line').execute()));
  }
  return new Set(stored.map(({ line }) => line));
}

export function isOfficialRate({ effective_date: date }: CaptureTable): boolean {
  return date !== '';
}

/** The rows of each `INSERT`, in order. PostgreSQL changes a row only once in a statement. */
function* withoutRepetitions(captures: readonly CaptureTable[]): Iterable<CaptureTable[]> {
  let rows = new Map<string, CaptureTable>();
  for (const capture of captures) {
    const identity = IDENTITY.map((column) => capture[column]).join(' ');
    const same = rows.get(identity);
    // It would change nothing.
    if (same !== undefined && capture.observed_at <= same.observed_at) continue;
    if (same !== undefined || rows.size === ROWS_PER_INSERT) {
      yield [...rows.values()];
      rows = new Map();
    }
    rows.set(identity, capture);
  }
  if (rows.size > 0) yield [...rows.values()];
}

/** A capture of an official rate, and why it may correct a stored one. */
interface RateCapture extends CaptureTable {
  readonly why: CorrectionReason;
}

/**
 * Replaces the official rates of value dates by newer observations. Of two at the same instant the
 * later in order wins, and the current batch comes after all stored ones. `changed` takes what was
 * stored before.
 */
export async function observeOfficialRates(
  db: Queries,
  captures: readonly RateCapture[],
  changed: ChangedRates,
): Promise<void> {
  const newest = new Map<string, RateCapture & { readonly read_at: number }>();
  for (const capture of captures) {
    const identity = `${capture.market} ${capture.effective_date}`;
    const other = newest.get(identity);
    if (other !== undefined && !isAtLeastAsNew(capture, other)) continue;
    const readAt = other?.mid === capture.mid ? other.read_at : capture.observed_at;
    newest.set(identity, { ...capture, read_at: readAt });
  }
  await changed.expect(db, [...newest.values()]);
  const rates = [...newest.values()].map(
    ({ batch: _batch, line: _line, why: _why, ...rate }) => rate,
  );
  for (const rows of partsOf(rates, ROWS_PER_INSERT)) {
    await db.insertInto('official_rate').values(rows).modifyEnd(SUPERSEDES).execute();
  }
}

type Placed = Pick<CaptureTable, 'captured_at' | 'updated_at' | 'observed_at'>;

function isAtLeastAsNew(capture: Placed, other: Placed): boolean {
  const difference =
    capture.captured_at - other.captured_at ||
    capture.updated_at - other.updated_at ||
    capture.observed_at - other.observed_at;
  return difference >= 0;
}

const SUPERSEDES = sql`
  on conflict (market, effective_date) do update set
    captured_at = excluded.captured_at, updated_at = excluded.updated_at,
    mid = excluded.mid, ask = excluded.ask, bid = excluded.bid, observed_at = excluded.observed_at,
    read_at = case when excluded.mid = official_rate.mid and official_rate.read_at > 0
      then official_rate.read_at else excluded.read_at end
  where (excluded.captured_at, excluded.updated_at, excluded.observed_at)
    >= (official_rate.captured_at, official_rate.updated_at, official_rate.observed_at)`;
