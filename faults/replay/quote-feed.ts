import { type Instant, MINUTE_MS } from '../../src/core/domain/time.ts';
import type { Chance } from '../chance.ts';
import { PARALLEL } from './desk.ts';
import type { Figures } from './faults.ts';
import { type Feeds, quoteAt, type SeriesQuote } from './series.ts';
import { Stretch } from './table.ts';

/** The feeds of a try, and which of them are wrong. */
export interface Scene {
  readonly name: string;
  readonly venues: 'all' | 'one' | 'none';
  /** At most so many venues. */
  readonly count?: number;
  readonly hasParallel: boolean;
  readonly wrongVenues: number;
  readonly isParallelWrong?: true;
  /**
   * Whose word is against the wrong feeds: that of most feeds, of as many as are wrong, of fewer, or
   * nobody's.
   */
  readonly against: 'most' | 'half' | 'some' | 'nobody';
}

/** One market as a source reads it. */
export interface Feed {
  readonly market: string;
  readonly source: string;
  readonly everyMin: number;
  readonly series: readonly SeriesQuote[];
  readonly isWrong: boolean;
  /** The last reading, and whether its figures were right. */
  readAt?: Instant;
  isRight?: boolean;
  /** Readings since the fault began. */
  readings: number;
  /** Times of wrong readings. */
  readonly wrongAt: Set<Instant>;
  readonly stretches: Record<
    'published' | 'unmarkable' | 'withheld' | 'overdue' | 'marked',
    Stretch
  >;
}

/** How often the parallel market is read. */
export const PARALLEL_EVERY_MIN = 5;

/** The feeds of a scene. Which venues are wrong is drawn. */
export function feedsIn(
  scene: Scene,
  { venues: all, parallel: series }: Feeds,
  chance: Chance,
): readonly Feed[] {
  const names = [...all.keys()].slice(0, scene.count);
  const count = { all: names.length, one: 1, none: 0 }[scene.venues];
  const wrong = new Set(shuffled(names, chance).slice(0, scene.wrongVenues));
  const feed = (market: string, own: readonly SeriesQuote[], isWrong: boolean): Feed => ({
    ...{ market, series: own, isWrong, source: market, everyMin: PARALLEL_EVERY_MIN },
    ...{ readings: 0, wrongAt: new Set<Instant>() },
    stretches: {
      ...{ published: new Stretch(), unmarkable: new Stretch() },
      ...{ withheld: new Stretch(), overdue: new Stretch(), marked: new Stretch() },
    },
  });
  const venues = names.slice(0, count).map((name) => ({
    ...feed(name, all.get(name) ?? [], wrong.has(name)),
    ...{ source: 'aggregator', everyMin: 1 },
  }));
  const parallel = feed(PARALLEL, series, scene.isParallelWrong === true);
  return scene.hasParallel ? [...venues, parallel] : venues;
}

/** A series that stands still for longer has a gap, in which its market is not read. */
const LIVE_WITHIN_MS = { venue: 180 * MINUTE_MS, parallel: 75 * MINUTE_MS };

export function isLive({ market, series }: Feed, at: Instant): boolean {
  const within = LIVE_WITHIN_MS[market === PARALLEL ? 'parallel' : 'venue'];
  return at - quoteAt(series, at).at < within;
}

function shuffled(names: readonly string[], chance: Chance): string[] {
  return names
    .map((name) => ({ name, order: chance.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ name }) => name);
}

/** The largest deviation of a figure or side from the right one, as a share. */
export function off(shown: Figures, right: Figures): number {
  const apart = (['mid', 'ask', 'bid'] as const).map((side) =>
    Math.abs((shown[side] ?? right.mid) / (right[side] ?? right.mid) - 1),
  );
  return Math.max(...apart);
}
