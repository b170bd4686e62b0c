import { haveMoved, type Move } from '../../domain/frozen.ts';
import type { CatalogueRules } from '../../domain/judgement.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { StoredQuote } from '../ports/quotes.ts';
import type { Source } from '../ports/sources.ts';
import type { Store } from '../ports/store.ts';

/** A market whose figures stayed steady (see `isSteady`) while most other venues moved. */
export interface StuckVenue {
  readonly source: string;
  readonly market: string;
  readonly since: Instant;
}

/**
 * The P2P venues whose figures have been steady for longer than `frozenAfterSec`, although most
 * other venues moved. Queries the store only for venues that may be stuck.
 */
export async function stuckVenues(
  sources: readonly Source[],
  {
    states,
    quotes,
  }: {
    readonly states: readonly SourceState[];
    readonly quotes: readonly StoredQuote[];
  },
  { markets, thresholds }: Pick<CatalogueRules, 'markets' | 'thresholds'>,
  store: Pick<Store, 'lastCaptureBefore'>,
): Promise<readonly StuckVenue[]> {
  const isVenue = (market: string) => markets.find(market)?.type === 'p2p';
  const limitMs = thresholds.frozenAfterSec.p2p * SECOND_MS;
  const suspects = sources
    .filter(({ enabled }) => enabled)
    .flatMap(({ name, markets: quoted }) => {
      const { standing = {}, lastSuccessAt = 0 } =
        states.find(({ source }) => source === name) ?? {};
      return quoted.filter(isVenue).flatMap((market) => {
        const since = standing[market]?.steady?.since;
        const isLong = since !== undefined && lastSuccessAt - since > limitMs;
        return isLong ? [{ source: name, market, since }] : [];
      });
    });
  const stuck: StuckVenue[] = [];
  for (const suspect of suspects) {
    const moves: Move[] = [];
    for (const { market, mid: now } of quotes) {
      if (market === suspect.market || !isVenue(market)) continue;
      const before = await store.lastCaptureBefore(market, suspect.since + 1);
      if (before !== undefined) moves.push({ before: before.mid, now });
    }
    if (haveMoved(moves)) stuck.push(suspect);
  }
  return stuck;
}
