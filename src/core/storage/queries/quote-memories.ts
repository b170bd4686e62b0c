import { sql } from 'kysely';
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

/** What judgement reads of quotes and remembers of them. */
export function quoteMemories(engine: Transactions) {
  return {
    quotesRead: ({ from, to }, limit) =>
      engine.read(async (db) => {
        type Row = QuoteColumns & {
          readonly source: string | null;
          readonly trusted: number | null;
        };
        const { rows } = await sql<Row>`
          select ${QUOTE_COLUMNS}, b.source, b.trusted
          from market m
          cross join capture c
          left join batch b on b.id = c.batch
          where c.market = m.number and c.effective_date = ''
            and c.captured_at >= ${from - DAY_MS} and c.captured_at <= ${to}
            and case when c.observed_at > 0 then c.observed_at else c.captured_at end
              between ${from} and ${to}
          order by c.captured_at desc, c.updated_at desc, c.batch desc, c.line desc
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
