import type { Doubt } from '../judgement.ts';
import type { Market } from '../markets.ts';
import { caracasDayOf, type Instant, SECOND_MS } from '../time.ts';
import { isLikely, type QuoteContext, quoteDoubts } from './quote-judgement.ts';
import {
  type HeldQuote,
  type MarketMemory,
  pastFigureAt,
  type QuoteRules,
  REMEMBERED_MS,
} from './quote-memory.ts';
import { freshOf, othersOf, secondSourceOf } from './quote-others.ts';

/** All markets at the moment of a body, what it shows included. */
export interface World {
  readonly markets: ReadonlyMap<string, MarketMemory>;
  readonly rules: QuoteRules;
  readonly at: Instant;
}

/** What a quote is compared with in its own market. */
export function alone(
  { reading: { market, beside }, at }: HeldQuote,
  { markets, rules: { thresholds, rebased, officialOn }, at: now }: World,
): Omit<QuoteContext, 'venues' | 'secondSource'> {
  const { published, replaced, replacedAt = 0, past = [] } = markets.get(market.id) ?? {};
  const isEarlier = published !== undefined && published.at > at;
  const last = isEarlier ? (pastFigureAt(past, at) ?? published) : published;
  const isSoon =
    last === published &&
    at - (last?.at ?? 0) <= thresholds.restoreWithinSec * SECOND_MS &&
    at - replacedAt <= REMEMBERED_MS;
  const day = caracasDayOf(at);
  const official = officialOn(market, day);
  return {
    last,
    replaced: isSoon ? replaced : undefined,
    official: official && rebased(official, { from: day, to: caracasDayOf(Math.max(at, now)) }),
    body: beside,
  };
}

/** The figure of the other kind of market. */
function secondSource(market: Market, at: Instant, { markets, rules }: World): number | undefined {
  return secondSourceOf(market, (type) => freshOf(type, market, at, markets), rules.thresholds);
}

interface Beside {
  /** The readings of the body that are likely to be published with it. */
  readonly likely?: readonly HeldQuote[];
  /** When other markets must be fresh. */
  readonly asOf?: Instant;
}

/** All doubts about a quote; empty when there is none. */
export function doubtsAbout(
  one: HeldQuote,
  world: World,
  { likely = [], asOf = one.at }: Beside = {},
): readonly Doubt[] {
  const { isTrusted, unitDoubt, market } = one.reading;
  if (isTrusted) return [];
  if (unitDoubt !== undefined) return [unitDoubt];
  const { markets, rules } = world;
  const context = {
    ...alone(one, world),
    venues: othersOf(market, asOf, markets, likely),
    secondSource: secondSource(market, asOf, world),
  };
  return quoteDoubts(one, context, rules.thresholds);
}

/**
 * The venues of the body that are likely to be published together: one that will be held must not
 * support others. Those that the others contradict are left out, until all agree.
 */
export function agreeing(judged: readonly HeldQuote[], world: World): readonly HeldQuote[] {
  const { thresholds } = world.rules;
  let likely = judged.filter((one) => {
    const { market, isTrusted } = one.reading;
    if (market.type !== 'p2p') return false;
    if (isTrusted) return true;
    const context = {
      ...alone(one, world),
      secondSource: secondSource(market, one.at, world),
    };
    if (quoteDoubts(one, context, thresholds).length > 0) return false;
    const venues = othersOf(market, one.at, world.markets, []);
    const last = context.last?.mid;
    return venues === undefined || isLikely(one.mid, { ...venues, last }, thresholds);
  });
  for (;;) {
    const expected = likely;
    const left = expected.filter(
      (one) => doubtsAbout(one, world, { likely: expected }).length === 0,
    );
    if (left.length === expected.length) return expected;
    likely = left;
  }
}

/** Whether the others that a quote is held by can be compared now. Their silence is no agreement. */
export function canAgree(
  { reading: { market }, doubts: [doubt] }: HeldQuote,
  world: World,
): boolean {
  const { at, markets, rules } = world;
  if (doubt?.reason === 'venues_differ') {
    const { published = [] } = othersOf(market, at, markets, []) ?? {};
    return published.length >= rules.thresholds.venuesNeeded;
  }
  return doubt?.reason !== 'parallel_differs' || secondSource(market, at, world) !== undefined;
}
