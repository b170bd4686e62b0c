import { sql } from 'kysely';
import type { Settlement } from '../../app/ports/held.ts';
import type { StoredMemory, UnpublishedQuote } from '../../app/ports/quotes.ts';
import type { Store } from '../../app/ports/store.ts';
import { DAY_MS, type Instant } from '../../domain/time.ts';
import type { Queries, Transactions } from '../engine.ts';
import type { Tables } from '../schema.ts';
import { leaveDay } from './capture-days.ts';
import { correctionRow, storeCorrections } from './corrections.ts';
import {
  captureColumns,
  heldOf,
  QUOTE_COLUMNS,
  type QuoteColumns,
  quoteOf,
  storedJson,
} from './record-rows.ts';
import { upsert } from './upsert.ts';

/** How long checkpoints are kept, after the first day one of each UTC day: as long as a record is held. */
// limit: Checkpoints of judgement | 30 days | late readings of before are judged by those of a day before
const CHECKPOINTS_KEPT_MS = 30 * DAY_MS;

/** What judgement reads of quotes and remembers of them. */
export function quoteMemories(engine: Transactions) {
  return {
    checkpointBefore: (before) =>
      engine.read((db) =>
        db
          .selectFrom('quote_checkpoint')
          .selectAll()
          .where('at', '<', before)
          .orderBy('at', 'desc')
          .limit(1)
          .executeTakeFirst(),
      ),
    quotesRead: ({ from, to }, limit) =>
      engine.read(async (db) => {
        type Row = QuoteColumns & {
          readonly source: string | null;
          readonly trusted: number | null;
        };
        const columns = sql`${QUOTE_COLUMNS}, b.source, b.trusted`;
        // Few count at an earlier instant than they were read, and an index has only these.
        const { rows } = await sql<Row>`
          select ${columns}
          from market m cross join capture c left join batch b on b.id = c.batch
          where c.market = m.number and c.effective_date = '' and c.observed_at <= c.captured_at
            and c.captured_at >= ${from} and c.captured_at <= ${to}
          union all
          select ${columns}
          from capture c cross join market m left join batch b on b.id = c.batch
          where m.number = c.market and c.effective_date = '' and c.observed_at > c.captured_at
            and c.observed_at >= ${from} and c.observed_at <= ${to}
          order by captured_at desc, updated_at desc
          limit ${limit}`.execute(db);
        const held = await db
          .selectFrom('held')
          .selectAll()
          .where('status', '=', 'held')
          .where('captured_at', '>=', from)
          .where('captured_at', '<=', to)
          .orderBy('captured_at', 'desc')
          .limit(limit)
          .execute();
        return {
          captures: rows.map((row) => ({
            quote: quoteOf(row),
            source: row.source ?? '',
            isTrusted: row.trusted === 1,
          })),
          held: held.map(heldOf),
        };
      }),
  } satisfies Partial<Store>;
}

/** What is remembered of each market without value dates; of one of an older release, little. */
export async function storedMemories(db: Queries): Promise<readonly StoredMemory[]> {
  const rows = await db.selectFrom('quote_state').selectAll().execute();
  return rows.map(({ market, unchanged_since: unchangedSince, memory }) =>
    memory === null
      ? { market, unchangedSince, at: 0, past: [], insisted: [] }
      : { market, unchangedSince, ...storedJson<Omit<StoredMemory, 'market'>>(memory) },
  );
}

export function memoryRow({
  market,
  unchangedSince = 0,
  ...memory
}: StoredMemory): Tables['quote_state'] {
  return { market, unchanged_since: unchangedSince, memory: JSON.stringify(memory) };
}

/** Stores checkpoints in the place of those that are no longer true. */
export async function storeCheckpoints(
  db: Queries,
  { outdated, checkpoints = [] }: Settlement,
): Promise<void> {
  const table = 'quote_checkpoint';
  if (outdated !== undefined) {
    const [from, to] = outdated;
    await db.deleteFrom(table).where('at', '>=', from).where('at', '<=', to).execute();
  }
  const newest = checkpoints.at(-1)?.at;
  if (newest === undefined) return;
  await upsert(db, table, checkpoints);
  const dayOf = sql`at / ${sql.lit(DAY_MS)}`;
  await sql`
    delete from quote_checkpoint
    where at < ${newest - CHECKPOINTS_KEPT_MS}
      or at < ${newest - DAY_MS} and at not in (
        select max(at) from quote_checkpoint group by ${dayOf})`.execute(db);
}

/** Removes published quotes, and says so among the corrections; or moves them into the past. */
export async function unpublishQuotes(
  db: Queries,
  unpublished: readonly UnpublishedQuote[],
  at: Instant,
): Promise<void> {
  for (const { quote, ...now } of unpublished) {
    const { number: market } = await db
      .selectFrom('market')
      .select('number')
      .where('id', '=', quote.market)
      .executeTakeFirstOrThrow();
    const { captured_at, updated_at, mid, ask, bid } = captureColumns(quote, market);
    const [row] = await db
      .deleteFrom('capture')
      .where((the) => the.and({ market, captured_at, updated_at, mid, ask, bid }))
      .returningAll()
      .execute();
    if (row !== undefined) await leaveDay(db, row);
    if (now.placedAt !== undefined && row !== undefined) {
      const isDated = quote.observedAt !== quote.capturedAt;
      const placed = {
        ...row,
        ...{ captured_at: now.placedAt, updated_at: now.updatedAt },
        observed_at: isDated && now.placedAt === now.readAt ? 0 : now.readAt,
      };
      await db
        .insertInto('capture')
        .values(placed)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    if (now.placedAt !== undefined) continue;
    const content = { kind: 'quote' as const, market: quote.market, value_date: '', was: mid };
    const why = 'restored' as const;
    await storeCorrections(db, [
      correctionRow({ ...content, is_now: now.is ?? null, corrected_at: at, why }),
    ]);
  }
}
