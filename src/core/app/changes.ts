import { type Period, startOfPeriod } from '../domain/history/changes.ts';
import { isOfficial, type Market } from '../domain/markets.ts';
import { changeOf, type RateChange } from '../domain/official.ts';
import type { Quote } from '../domain/quotes.ts';
import {
  dayOfCapture,
  type Redenominations,
  storedUnitOf,
  unitAt,
} from '../domain/redenomination.ts';
import type { Instant } from '../domain/time.ts';
import type { StoredQuote } from './ports/quotes.ts';
import type { Store } from './ports/store.ts';

/** The change of a rate since the last capture up to the start of a period. */
export interface ChangeSince {
  readonly before: StoredQuote;
  /** Absent when the two rates are in different units. */
  readonly change?: RateChange;
}

/**
 * The changes of quotes over a period. A market without a capture that early has no entry, and none
 * that is not official and whose quote is older than the period: it would be compared with itself.
 */
export async function changesSince(
  quotes: readonly Quote[],
  period: Period,
  {
    store,
    redenominations,
    now,
    isAdjusted,
  }: {
    readonly store: Pick<Store, 'lastQuotesBefore'>;
    readonly redenominations: Redenominations;
    readonly now: Instant;
    /** Gives the earlier rate in the unit of now. */
    readonly isAdjusted: boolean;
  },
): Promise<ReadonlyMap<Market, ChangeSince>> {
  const start = startOfPeriod(period, now);
  const compared = quotes.filter(
    ({ market, updatedAt }) => isOfficial(market) || updatedAt >= start,
  );
  if (compared.length === 0) return new Map();
  const ids = compared.map(({ market }) => market.id);
  const stored = await store.lastQuotesBefore(ids, start + 1);
  const storedBefore = new Map(stored.map((one) => [one.market, one]));
  return new Map(
    compared.flatMap(({ market, mid }) => {
      const stored = storedBefore.get(market.id);
      if (stored === undefined) return [];
      const from = storedUnitOf(dayOfCapture(stored));
      const [then, today] = [unitAt(stored.capturedAt), unitAt(now)];
      if (!isAdjusted && redenominations.after({ from: then, to: today }).length > 0) {
        const before = redenominations.rebasedSides(stored, { from, to: then });
        return [[market, { before }] as const];
      }
      const before = redenominations.rebasedSides(stored, { from, to: today });
      return [[market, { before, change: changeOf(mid, { from: before.mid }) }] as const];
    }),
  );
}
