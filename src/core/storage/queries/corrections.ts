import { sql } from 'kysely';
import type { Store } from '../../app/ports/store.ts';
import type { Correction, CorrectionReason } from '../../domain/history/corrections.ts';
import { OFFICIAL_EUR, OFFICIAL_USD } from '../../domain/markets.ts';
import type { Instant } from '../../domain/time.ts';
import type { Engine, Queries } from '../engine.ts';
import type { Tables } from '../schema.ts';
import { digestOf, storedDay } from './record-rows.ts';
import { partsOf } from './upsert.ts';

/** Rates looked up, or corrections stored, by one statement. */
const ROWS_PER_STATEMENT = 100;

export function storedCorrections(engine: Engine) {
  return {
    corrections: ({ since, markets, limit }) =>
      engine.read(async (db) => {
        const rows = await db
          .selectFrom('correction')
          .selectAll()
          .where('corrected_at', '>=', since)
          .where((the) =>
            the.or([
              ...(markets.length > 0 ? [the('market', 'in', markets)] : []),
              // Other publications stand under the code of a currency.
              the.and([
                the('kind', '=', 'publication'),
                the('market', 'not in', [OFFICIAL_USD, OFFICIAL_EUR]),
              ]),
            ]),
          )
          .orderBy('corrected_at', 'desc')
          .orderBy('value_date', 'desc')
          // The currencies of a publication in its order.
          .orderBy(sql`(select number from market where id = correction.market)`)
          .orderBy('id')
          .limit(limit)
          .execute();
        return rows.map(correctionOf);
      }),
  } satisfies Partial<Store>;
}

function correctionOf(row: Tables['correction']): Correction {
  return {
    kind: row.kind,
    name: row.market,
    ...(row.value_date !== '' && { valueDate: storedDay(row.value_date) }),
    was: row.was,
    is: row.is_now ?? undefined,
    correctedAt: row.corrected_at,
    why: row.why,
  };
}

type RateKey = Pick<Tables['official_rate'], 'market' | 'effective_date'>;
type Rate = RateKey & Pick<Tables['official_rate'], 'mid'>;

interface Change extends RateKey {
  /** The figure before the transaction; undefined when there was none. */
  readonly was: number | undefined;
  readonly why: CorrectionReason;
}

/**
 * The official rates that a transaction may change, as they were before it. At its end those that
 * differ become corrections: a figure that only the transaction saw was never published.
 */
export class ChangedRates {
  readonly #changes = new Map<string, Change>();

  /** Call before the rates are written. */
  async expect(
    db: Queries,
    rates: readonly (RateKey & { readonly why: CorrectionReason })[],
  ): Promise<void> {
    const stored = new Map((await ratesOf(db, rates)).map((rate) => [keyOf(rate), rate.mid]));
    for (const rate of rates) this.#note(rate, stored.get(keyOf(rate)));
  }

  /** Takes a rate that was removed. */
  removed(rate: Rate & { readonly why: CorrectionReason }): void {
    this.#note(rate, rate.mid);
  }

  /** The last reason counts, and the first figure. */
  #note(change: Omit<Change, 'was'>, was: number | undefined): void {
    const { market, effective_date, why } = change;
    const noted = this.#changes.get(keyOf(change));
    const before = noted === undefined ? was : noted.was;
    this.#changes.set(keyOf(change), { market, effective_date, why, was: before });
  }

  /** Stores the corrections, and returns them. Call after every change of the transaction. */
  async store(db: Queries, at: Instant): Promise<readonly Tables['correction'][]> {
    const published = [...this.#changes.values()].filter(({ was }) => was !== undefined);
    if (published.length === 0) return [];
    const now = new Map((await ratesOf(db, published)).map((rate) => [keyOf(rate), rate.mid]));
    const names = await db.selectFrom('market').select(['id', 'number']).execute();
    const nameOf = new Map(names.map(({ id, number }) => [number, id]));
    const rows = published.flatMap(({ market, effective_date, was, why }) => {
      const is = now.get(keyOf({ market, effective_date })) ?? null;
      if (was === undefined || is === was) return [];
      const name = nameOf.get(market) ?? '';
      return [
        correctionRow({
          ...{ kind: 'publication', market: name, value_date: effective_date },
          ...{ was, is_now: is, corrected_at: at, why },
        }),
      ];
    });
    await storeCorrections(db, rows);
    return rows;
  }
}

function keyOf({ market, effective_date: date }: RateKey): string {
  return `${market} ${date}`;
}

async function ratesOf(db: Queries, keys: readonly RateKey[]): Promise<readonly Rate[]> {
  const rates: Rate[] = [];
  for (const part of partsOf(keys, ROWS_PER_STATEMENT)) {
    const found = await db
      .selectFrom('official_rate')
      .select(['market', 'effective_date', 'mid'])
      .where((the) =>
        the.or(part.map(({ market, effective_date }) => the.and({ market, effective_date }))),
      )
      .execute();
    rates.push(...found);
  }
  return rates;
}

/** The same content is one correction, so that nothing stands in the list twice. */
export function correctionRow(content: Omit<Tables['correction'], 'id'>): Tables['correction'] {
  const { kind, market, value_date, was, is_now, corrected_at, why } = content;
  return {
    id: digestOf(kind, market, value_date, was, is_now ?? '', corrected_at, why),
    ...content,
  };
}

export async function storeCorrections(
  db: Queries,
  rows: readonly Tables['correction'][],
): Promise<void> {
  for (const part of partsOf(rows, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('correction')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
