import type { Store } from '../../../app/ports/store.ts';
import type { ReturnedUnits, UnitsAsk, UnitsGrant } from '../../../app/ports/usage.ts';
import { BLOCK_SHARE, MAY_COME_BACK_MS } from '../../../app/quota/block-limits.ts';
import { HOUR_MS, type Instant, MINUTE_MS, utcMonthOf } from '../../../domain/time.ts';
import type { Engine, Queries } from '../../engine.ts';
import type { Tables } from '../../schema.ts';
import { partsOf, upsert } from '../upsert.ts';

const WINDOW_MS = { minute: MINUTE_MS, hour: HOUR_MS, account: MINUTE_MS } as const;

const ROWS_PER_STATEMENT = 500;

type Row = Tables['usage'];

/** The store's methods for units, counted exactly over all processes. */
export function usage(engine: Engine) {
  return {
    takeUnits: (asks, now) =>
      engine.write({ usageOf: accountsOf(asks) }, async (db) => {
        const grants: UnitsGrant[] = [];
        for (const part of partsOf(asks, ROWS_PER_STATEMENT)) {
          // The month before is the record of it.
          const stored = await rowsOf(db, part, utcMonthOf(now).start);
          const taken = part.map((ask) => take(stored.get(nameOf(ask)) ?? [], ask, now));
          await removeOver(
            db,
            taken.flatMap(({ over }) => over),
            now,
          );
          await upsert(
            db,
            'usage',
            taken.map(({ row }) => row),
          );
          grants.push(...taken.map(({ grant }) => grant));
        }
        return grants;
      }),
    returnUnits: (returns) =>
      engine.write({ usageOf: accountsOf(returns) }, async (db) => {
        for (const part of partsOf(returns, ROWS_PER_STATEMENT)) {
          const from = Math.min(...part.map(({ openedAt }) => openedAt));
          const stored = await rowsOf(db, part, from);
          const rows = new Map<Row, Row>();
          for (const back of part) {
            const own = stored.get(nameOf(back)) ?? [];
            const row = own.find(({ opened_at }) => opened_at === back.openedAt);
            if (row !== undefined) rows.set(row, giveBack(rows.get(row) ?? row, back));
          }
          if (rows.size > 0) await upsert(db, 'usage', [...rows.values()]);
        }
      }),
    monthUsage: (accountId, now) =>
      engine.read(async (db) => {
        const openedAt = utcMonthOf(now).start;
        const row = await db
          .selectFrom('usage')
          .select('taken')
          .where((the) => the.and({ account_id: accountId, window: 'month', opened_at: openedAt }))
          .executeTakeFirst();
        return { openedAt, taken: row?.taken ?? 0 };
      }),
  } satisfies Partial<Store>;
}

type WindowOf = Pick<UnitsAsk, 'accountId' | 'window'>;

const nameOf = ({ accountId, window }: WindowOf) => `${window} ${accountId}`;

function accountsOf(list: readonly WindowOf[]): readonly string[] {
  return list.map(({ accountId }) => accountId);
}

/** The rows of the accounts by window, the newest first; months only from `from` on. */
async function rowsOf(
  db: Queries,
  asked: readonly WindowOf[],
  from: Instant,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const rows = await db
    .selectFrom('usage')
    .selectAll()
    .where('account_id', 'in', [...new Set(accountsOf(asked))])
    .where((the) => the.or([the('window', '<>', 'month'), the('opened_at', '>=', from)]))
    .orderBy('opened_at', 'desc')
    .execute();
  return Map.groupBy(rows, (row) => nameOf({ accountId: row.account_id, window: row.window }));
}

/** The window of `now`, or one just after it: a clock set back gives no second window. */
function isCurrent({ window, opened_at: openedAt }: Row, now: Instant): boolean {
  if (window === 'month') return openedAt === utcMonthOf(now).start;
  return Math.abs(now - openedAt) < WINDOW_MS[window];
}

function opened({ accountId, window, held }: UnitsAsk, now: Instant): Row {
  const opened_at = window === 'month' ? utcMonthOf(now).start : (held?.openedAt ?? now);
  const none = { taken: 0, wanted: 0, spare: 0, spare_at: 0 };
  return { account_id: accountId, window, opened_at, ...none };
}

/** @param stored The rows of the window, the newest first. */
function take(stored: readonly Row[], ask: UnitsAsk, now: Instant) {
  const { limit, need, want, held } = ask;
  const open = stored.find((row) => isCurrent(row, now)) ?? opened(ask, now);
  const own = held?.openedAt === open.opened_at ? held : undefined;
  // What was spent without the store counts in any window; the rest is of the window it is from.
  const debt = Math.max(0, -(held?.units ?? 0));
  const kept = Math.max(0, own?.units ?? 0);
  const before = open.taken + debt;

  const remaining = Math.max(0, limit - before);
  const share = Math.floor(remaining / BLOCK_SHARE);
  const block = share > 1 ? Math.min(want, share) : 0;
  const granted = Math.min(remaining, Math.max(0, Math.max(need, block) - kept));
  const taken = before + granted;
  const spare = Math.max(0, kept + granted - need);

  const elsewhere = Math.max(0, open.spare - (own?.spare ?? 0));
  const mayComeBack = elsewhere > 0 && Math.abs(now - open.spare_at) < MAY_COME_BACK_MS;
  const spare_at = spare > 0 ? now : open.spare_at;
  return {
    grant: { openedAt: open.opened_at, granted, spare, taken, mayComeBack },
    row: { ...open, taken, spare: elsewhere + spare, spare_at },
    over: open.window === 'month' ? [] : stored.filter((row) => row !== open),
  };
}

function giveBack(row: Row, { units, spare }: ReturnedUnits): Row {
  return {
    ...row,
    taken: Math.max(0, row.taken - units),
    spare: Math.max(0, row.spare - spare),
  };
}

/** Removes the minutes and hours of these accounts that are over, or of the future of a wrong clock. */
async function removeOver(db: Queries, over: readonly Row[], now: Instant): Promise<void> {
  if (over.length === 0) return;
  const accounts = [...new Set(over.map(({ account_id }) => account_id))];
  for (const [lengthMs, windows] of [
    [MINUTE_MS, ['minute', 'account']],
    [HOUR_MS, ['hour']],
  ] as const) {
    if (!over.some(({ window }) => windows.some((one) => one === window))) continue;
    await db
      .deleteFrom('usage')
      .where('account_id', 'in', accounts)
      .where('window', 'in', windows)
      .where((the) =>
        the.or([the('opened_at', '<=', now - lengthMs), the('opened_at', '>=', now + lengthMs)]),
      )
      .execute();
  }
}
