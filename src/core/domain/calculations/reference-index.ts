import {
  compare,
  type Decimal,
  decimal,
  divide,
  median,
  multiply,
  subtract,
  sum,
  toNumber,
} from '../decimal.ts';
import { OFFICIAL_USD, PARALLEL_MARKET } from '../markets.ts';
import { isStale, type Quote, stalenessSec } from '../quotes.ts';
import { HOUR_MS, type Instant, SECOND_MS } from '../time.ts';

/** The version of the rules below. Any change to them needs a new version. */
export const INDEX_VERSION = 'v1';

/** Weights of the components before normalising (§2.10). */
export const INDEX_WEIGHTS = { bcv: '0.30', paralelo: '0.20', p2p: '0.50' } as const;
type IndexComponent = keyof typeof INDEX_WEIGHTS;
export const INDEX_COMPONENTS = ['bcv', 'paralelo', 'p2p'] as const;

/** An official rate older than this, in seconds, has no weight. */
// limit: Official rate in the index | 132 h | weight 0
export const BCV_STALE_AFTER_SEC = 132 * (HOUR_MS / SECOND_MS);

/** A P2P quote is left out when it differs from the first median by more than this share of it. */
// limit: P2P quote from the median | 50 % | left out of the index
export const MAX_P2P_DEVIATION = '0.5';

/** The index is `degraded` with one to this many P2P quotes. */
export const DEGRADED_P2P_COUNT = 3;

const INDEX_DECIMALS = 4;
/** Enough places for three rounded weights to sum to exactly 1. */
const WEIGHT_DECIMALS = 15;

interface IndexFlags {
  readonly bcv_stale?: true;
  readonly degraded?: true;
  readonly missing_sources?: readonly IndexComponent[];
  readonly outliers_excluded?: readonly string[];
}

export interface ReferenceIndex {
  /** VES per USD, 4 decimals. */
  readonly value: number;
  readonly weights: Readonly<Record<IndexComponent, number>>;
  readonly components: Readonly<Partial<Record<IndexComponent, number>>>;
  readonly p2pMedian?: number;
  readonly p2pCount: number;
  readonly flags: IndexFlags;
  /** Components, without the official rate, of which no quote used is fresh. */
  readonly staleSources: readonly IndexComponent[];
  /** Components of whose quotes half or more are in doubt. */
  readonly inDoubtSources: readonly IndexComponent[];
  /** The components that have a weight, with their quotes. */
  readonly used: readonly { readonly name: IndexComponent; readonly quotes: readonly Quote[] }[];
}

/** The P2P median without outliers, which a first median of all quotes finds (§2.10). */
function p2pMedian(quotes: readonly Quote[]): {
  value: Decimal | undefined;
  kept: readonly Quote[];
  outliers: readonly string[];
} {
  const p2p = quotes.filter(({ market }) => market.type === 'p2p' && market.base === 'USD');
  if (p2p.length === 0) return { value: undefined, kept: [], outliers: [] };
  const first = median(p2p.map(({ mid }) => decimal(mid)));
  const allowed = multiply(first, MAX_P2P_DEVIATION);
  const isOutlier = ({ mid }: Quote) => compare(subtract(mid, first).abs(), allowed) > 0;
  const kept = p2p.filter((quote) => !isOutlier(quote));
  return {
    value: kept.length === 0 ? undefined : median(kept.map(({ mid }) => decimal(mid))),
    kept,
    outliers: p2p.filter(isOutlier).map(({ market }) => market.id),
  };
}

/**
 * The weighted index of the official rate, the parallel market and the P2P median (§2.10).
 * @returns undefined when no component is usable.
 */
export function referenceIndex(quotes: readonly Quote[], now: Instant): ReferenceIndex | undefined {
  const official = quotes.find(({ market }) => market.id === OFFICIAL_USD);
  const parallel = quotes.find(({ market }) => market.id === PARALLEL_MARKET);
  const p2p = p2pMedian(quotes);
  const p2pCount = p2p.kept.length;
  const bcvStale = official !== undefined && stalenessSec(official, now) > BCV_STALE_AFTER_SEC;

  const values: Readonly<Record<IndexComponent, Decimal | undefined>> = {
    bcv: official === undefined ? undefined : decimal(official.mid),
    paralelo: parallel === undefined ? undefined : decimal(parallel.mid),
    p2p: p2p.value,
  };
  const missing = INDEX_COMPONENTS.filter((name) => values[name] === undefined);
  const quotesOf = { bcv: [official], paralelo: [parallel], p2p: p2p.kept };
  const used = INDEX_COMPONENTS.flatMap((name) => {
    const value = values[name];
    if (value === undefined || (name === 'bcv' && bcvStale)) return [];
    return [{ name, value, quotes: quotesOf[name].filter((quote) => quote !== undefined) }];
  });
  if (used.length === 0) return undefined;

  // The official rate has a limit and a flag of its own.
  const stale = used.filter(
    ({ name, quotes: of }) => name !== 'bcv' && of.every((quote) => isStale(quote, now)),
  );
  // Half of the quotes of a median decide it.
  const inDoubt = used.filter(
    ({ quotes: of }) => of.filter((quote) => quote.inDoubt).length * 2 >= of.length,
  );
  const totalWeight = sum(used.map(({ name }) => INDEX_WEIGHTS[name]));
  const weighted = sum(used.map(({ name, value }) => multiply(value, INDEX_WEIGHTS[name])));
  const weights: Record<IndexComponent, number> = { bcv: 0, paralelo: 0, p2p: 0 };
  const components: Partial<Record<IndexComponent, number>> = {};
  for (const { name, value } of used) {
    weights[name] = toNumber(divide(INDEX_WEIGHTS[name], totalWeight, WEIGHT_DECIMALS));
    components[name] = toNumber(value);
  }
  return {
    value: toNumber(divide(weighted, totalWeight, INDEX_DECIMALS)),
    weights,
    components,
    p2pMedian: p2p.value && toNumber(p2p.value),
    p2pCount,
    used,
    staleSources: stale.map(({ name }) => name),
    inDoubtSources: inDoubt.map(({ name }) => name),
    flags: {
      ...(bcvStale && { bcv_stale: true }),
      ...(p2pCount >= 1 && p2pCount <= DEGRADED_P2P_COUNT && { degraded: true }),
      ...(missing.length > 0 && { missing_sources: missing }),
      ...(p2p.outliers.length > 0 && { outliers_excluded: p2p.outliers }),
    },
  };
}

/** The instant at which the official rate becomes too old for the index. */
export function bcvStaleFrom(official: Quote): Instant {
  return official.updatedAt + (BCV_STALE_AFTER_SEC + 1) * SECOND_MS;
}
