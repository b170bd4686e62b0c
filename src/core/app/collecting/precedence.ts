import { isFrozen } from '../../domain/frozen.ts';
import type { CatalogueRules } from '../../domain/judgement.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { Source } from '../ports/sources.ts';
import type { Store } from '../ports/store.ts';

/** The rules of the catalogue that say whether a source works for a market. */
export type PrecedenceRules = Pick<CatalogueRules, 'markets' | 'thresholds'>;

/** What decides whether a source works for a market. */
interface KnownOfRanked extends PrecedenceRules {
  readonly states: readonly SourceState[];
  readonly held: readonly Pick<HeldRecord, 'source' | 'subject'>[];
  readonly now: Instant;
}

/**
 * The markets of a source that a source ranked before it brings now (`before` in the catalogue). Its
 * own quotes of them are left out; when that source fails they count again. The last capture would
 * count otherwise, and two readers of one venue would alternate.
 */
export async function outrankedMarkets(
  source: Source,
  options: PrecedenceRules & {
    readonly sources: readonly Source[];
    readonly store: Store;
    readonly now: Instant;
  },
): Promise<ReadonlySet<string>> {
  const { sources, store, now } = options;
  const ranked = sources.filter((other) => other.enabled && isRankedBefore(other, source, sources));
  if (ranked.length === 0) return new Set();
  const [states, held] = await Promise.all([store.sourceStates(), store.countingHeld()]);
  const known = { ...options, states, held, now };
  return new Set(
    ranked.flatMap((other) => other.markets.filter((market) => worksFor(other, market, known))),
  );
}

/** Follows the chain of `before`, which the catalogue has checked for circles. */
function isRankedBefore(one: Source, other: Source, sources: readonly Source[]): boolean {
  if (one.rankedBefore === undefined) return false;
  if (one.rankedBefore === other.name) return true;
  const next = sources.find(({ name }) => name === one.rankedBefore);
  return next !== undefined && isRankedBefore(next, other, sources);
}

/**
 * Whether its last reading brought the market, is not older than a fresh quote may be, is not in
 * doubt, and its figures are not frozen.
 */
function worksFor(
  { name }: Source,
  market: string,
  { states, held, now, markets, thresholds }: KnownOfRanked,
): boolean {
  const state = states.find(({ source }) => source === name);
  const { type, staleAfterSec } = markets.find(market) ?? {};
  if (state?.lastSuccessAt === undefined || type === undefined || staleAfterSec === undefined)
    return false;
  const { lastSuccessAt: readAt, failure, pausedUntil, missing = {}, standing = {} } = state;
  if (failure !== undefined || pausedUntil !== undefined || Object.hasOwn(missing, market))
    return false;
  if (now - readAt > staleAfterSec * SECOND_MS) return false;
  if (held.some((record) => record.source === name && record.subject === market)) return false;
  const unchangedSince = standing[market]?.since ?? readAt;
  return !isFrozen(type, { unchangedSince, updatedAt: readAt }, thresholds);
}
