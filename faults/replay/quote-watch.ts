import { isOutside, medianOf } from '../../src/core/domain/calculations/ratio.ts';
import { type Instant, MINUTE_MS } from '../../src/core/domain/time.ts';
import { type Desk, PARALLEL, thresholds } from './desk.ts';
import type { Figures, QuoteKind } from './faults.ts';
import { type Feed, off, type Scene } from './quote-feed.ts';

/** Published figures further from the truth than this are wrong. */
export const OFF = 0.03;
/**
 * Wrong figures must be marked from this distance on: of a drift when it passed the ratio of
 * judgement, from the truth of now and of a day before; of the step of a whole origin when it is
 * over a tenth.
 */
const MARKED_FROM = { huge: OFF, drift: 0.3, step: 0.1 } as const;
/** Goals, in minutes. */
const MARKED_WITHIN_MIN = 15;
const IN_FORCE_WITHIN_MIN = 15;
const MARKED_AFTER_MIN = 15;

/** One minute of a try. */
export interface Moment {
  readonly at: Instant;
  /** Since the fault began; negative before. */
  readonly minute: number;
  /** Since the last one that was watched. */
  readonly minutes: number;
  readonly truthOf: (feed: Feed) => Figures;
  readonly truthOfDayBefore: (feed: Feed) => Figures;
}

/** A try that is watched. */
interface Watched {
  readonly desk: Desk;
  readonly kind: QuoteKind;
  readonly scene: Scene;
  readonly feeds: readonly Feed[];
  /** How long the fault lasts. */
  readonly lasts: number;
}

/** Compares what is published with the truth, minute by minute. */
export class QuoteWatch {
  readonly #of: Watched;
  readonly #misses = new Set<string>();
  percent = 0;
  isUnmarked = false;

  constructor(watched: Watched) {
    this.#of = watched;
  }

  async watch(moment: Moment): Promise<void> {
    const { desk, kind, feeds } = this.#of;
    const official = (await desk.inForce(moment.at))?.mid;
    const shown = new Map<Feed, number>();
    for (const feed of feeds) {
      const quote = desk.published(feed.market);
      if (quote === undefined) continue;
      shown.set(feed, quote.mid);
      const isOwn = quote.capturedAt === feed.readAt;
      if (isOwn && official !== undefined && isOutside(quote.mid, official, thresholds.quoteBand)) {
        this.#misses.add('published out of the band');
      }
      const apart = off(quote, moment.truthOf(feed));
      const isWrong = feed.wrongAt.has(quote.capturedAt) && apart > OFF;
      const fromDayBefore = off({ mid: quote.mid }, { mid: moment.truthOfDayBefore(feed).mid });
      const far = kind.size === 'drift' ? Math.min(apart, fromDayBefore) : apart;
      this.#watchWrong(feed, moment, { isWrong: isWrong && feed.isWrong, apart, far });
      this.#watchRight(feed, moment, isOwn);
    }
    this.#watchMedian(shown);
  }

  /** The longest stretch of these feeds. */
  longest(name: keyof Feed['stretches'], feeds = this.#of.feeds): number {
    return Math.max(0, ...feeds.map(({ stretches }) => stretches[name].longest));
  }

  /** The goals that the try misses, when it has ended. */
  missed(isSecondVoiceSilent: boolean): readonly string[] {
    const { kind, scene, feeds } = this.#of;
    const { against } = scene;
    const misses = new Set(this.#misses);
    if (kind.size === 'huge') {
      // A gap in the series of the parallel market is silence of the only other voice.
      const isOpposed = against === 'most' || (against === 'some' && !isSecondVoiceSilent);
      if (isOpposed && this.longest('published') > 1)
        misses.add('published for more than a minute');
    }
    if (this.isUnmarked) misses.add('neither in doubt, stale nor frozen in time');
    if (this.longest('overdue') > IN_FORCE_WITHIN_MIN)
      misses.add('right figures withheld for too long');
    const isCrowd = against === 'most' || against === 'half';
    const innocent = feeds.filter(({ isWrong }) => !isWrong);
    const most = against === 'most' ? 1 : 15;
    if (isCrowd && kind.move === undefined && this.longest('withheld', innocent) > most)
      misses.add('right figures withheld because of others');
    if (this.longest('marked') > MARKED_AFTER_MIN) misses.add('right figures marked for too long');
    return [...misses];
  }

  #watchWrong(
    feed: Feed,
    { minutes, at }: Moment,
    wrong: { readonly isWrong: boolean; readonly apart: number; readonly far: number },
  ): void {
    const { desk } = this.#of;
    const { published, unmarkable } = feed.stretches;
    published.add(wrong.isWrong, minutes);
    unmarkable.add(wrong.isWrong && wrong.far > this.#markedFrom(), minutes);
    if (!wrong.isWrong) return;
    this.percent = Math.max(this.percent, wrong.apart * 100);
    const isTold = desk.isMarked(feed.market, at) || desk.isFrozen(feed.market, at);
    if (unmarkable.minutes > MARKED_WITHIN_MIN && !isTold) this.isUnmarked = true;
  }

  #watchRight(
    { stretches, isRight = false, market }: Feed,
    { minute, minutes, at }: Moment,
    isOwn: boolean,
  ): void {
    const { desk, kind, scene, lasts } = this.#of;
    const { parallelAfterMin = 0, move } = kind;
    const isKnown = minute >= parallelAfterMin;
    const isWithheld = isRight && !isOwn && (minute < 0 || isKnown);
    stretches.withheld.add(isWithheld, minutes);
    // While two voices contradict each other, nobody can tell which one is right.
    stretches.overdue.add(isWithheld && (scene.against !== 'some' || minute >= lasts), minutes);
    // A true jump is confirmed when the other kind of market shows it too.
    const hasBoth = scene.hasParallel && scene.venues !== 'none';
    const isConfirmed = move !== undefined && hasBoth && isKnown;
    stretches.marked.add(isRight && isConfirmed && desk.isMarked(market, at), minutes);
  }

  /** From how far on a wrong figure must be marked. */
  #markedFrom(): number {
    const { kind, scene } = this.#of;
    const { size } = kind;
    const { wrongVenues, isParallelWrong } = scene;
    const isWholeOrigin = wrongVenues === Number.POSITIVE_INFINITY || isParallelWrong === true;
    if (size === 'huge') return MARKED_FROM.huge;
    if (!isWholeOrigin) return Number.POSITIVE_INFINITY;
    return size === 'drift' ? MARKED_FROM.drift : MARKED_FROM.step;
  }

  /** With one or two wrong venues, the median of all stays among the right ones. */
  #watchMedian(shown: ReadonlyMap<Feed, number>): void {
    if (this.#of.scene.against !== 'most') return;
    const venues = [...shown].filter(([{ market }]) => market !== PARALLEL);
    const right = venues.filter(([{ isWrong }]) => !isWrong).map(([, mid]) => mid);
    const median = medianOf(venues.map(([, mid]) => mid)) ?? 0;
    if (right.length < 3 || (median >= Math.min(...right) && median <= Math.max(...right))) return;
    this.#misses.add('the median of the venues outside the right ones');
  }
}

/** The instant of a minute of a try. */
export const minuteOf = (start: Instant, minute: number): Instant => start + minute * MINUTE_MS;
