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
  /** What the clock of the service shows. */
  readonly now: Instant;
  readonly truthOf: (feed: Feed) => Figures;
  readonly truthOfDayBefore: (feed: Feed) => Figures;
}

/** Compares what is published with the truth, minute by minute. */
export class QuoteWatch {
  readonly #desk: Desk;
  readonly #kind: QuoteKind;
  readonly #scene: Scene;
  readonly #feeds: readonly Feed[];
  /** How long the fault lasts. */
  readonly #lasts: number;
  readonly worst = { published: 0, withheld: 0, percent: 0, overdue: 0, innocent: 0, marked: 0 };
  readonly misses = new Set<string>();
  isUnmarked = false;

  constructor(
    desk: Desk,
    { kind, scene }: { readonly kind: QuoteKind; readonly scene: Scene },
    feeds: readonly Feed[],
    lasts: number,
  ) {
    this.#desk = desk;
    this.#kind = kind;
    this.#scene = scene;
    this.#feeds = feeds;
    this.#lasts = lasts;
  }

  async watch(moment: Moment): Promise<void> {
    const official = (await this.#desk.inForce(moment.now))?.mid;
    const shown = new Map<Feed, number>();
    for (const feed of this.#feeds) {
      const quote = this.#desk.published(feed.market);
      if (quote === undefined) continue;
      shown.set(feed, quote.mid);
      // When the clock stepped back, a reading is stored right after those of the time before.
      const isPlaced = this.#kind.clockAheadMs !== undefined && quote.mid === feed.shownMid;
      const isOwn = quote.capturedAt === feed.readAt || isPlaced;
      if (isOwn && official !== undefined && isOutside(quote.mid, official, thresholds.quoteBand)) {
        this.misses.add('published out of the band');
      }
      const apart = off(quote, moment.truthOf(feed));
      const isWrong = feed.wrongAt.has(quote.capturedAt) && apart > OFF;
      const fromDayBefore = off({ mid: quote.mid }, { mid: moment.truthOfDayBefore(feed).mid });
      const far = this.#kind.size === 'drift' ? Math.min(apart, fromDayBefore) : apart;
      this.#watchWrong(feed, moment, { isWrong: isWrong && feed.isWrong, apart, far });
      this.#watchRight(feed, moment, isOwn);
    }
    this.#watchMedian(shown);
  }

  /** The goals that the try misses, when it has ended. */
  missed(isSecondVoiceSilent: boolean): readonly string[] {
    const { published, overdue, innocent, marked } = this.worst;
    const { against } = this.#scene;
    const misses = new Set(this.misses);
    if (this.#kind.size === 'huge') {
      // A gap in the series of the parallel market is silence of the only other voice.
      const isOpposed = against === 'most' || (against === 'some' && !isSecondVoiceSilent);
      if (isOpposed && published > 1) misses.add('published for more than a minute');
    }
    if (this.isUnmarked) misses.add('neither in doubt, stale nor frozen in time');
    if (overdue > IN_FORCE_WITHIN_MIN) misses.add('right figures withheld for too long');
    const isCrowd = against === 'most' || against === 'half';
    if (isCrowd && this.#kind.move === undefined && innocent > (against === 'most' ? 1 : 15)) {
      misses.add('right figures withheld because of others');
    }
    if (marked > MARKED_AFTER_MIN) misses.add('right figures marked for too long');
    return [...misses];
  }

  #watchWrong(
    feed: Feed,
    { minutes, now }: Moment,
    {
      isWrong,
      apart,
      far,
    }: { readonly isWrong: boolean; readonly apart: number; readonly far: number },
  ): void {
    const stretch = feed.minutes;
    const isFar = isWrong && far > this.#markedFrom();
    stretch.published = isWrong ? stretch.published + minutes : 0;
    stretch.unmarkable = isFar ? stretch.unmarkable + minutes : 0;
    if (!isWrong) return;
    this.worst.published = Math.max(this.worst.published, stretch.published);
    this.worst.percent = Math.max(this.worst.percent, apart * 100);
    const isOverdue = stretch.unmarkable > MARKED_WITHIN_MIN;
    const isTold = this.#desk.isMarked(feed.market, now) || this.#desk.isFrozen(feed.market, now);
    if (isOverdue && !isTold) this.isUnmarked = true;
  }

  #watchRight(feed: Feed, { minute, minutes, now }: Moment, isOwn: boolean): void {
    const { parallelAfterMin = 0, move } = this.#kind;
    const { against } = this.#scene;
    // While two voices contradict each other, nobody can tell which one is right.
    const isDue = against !== 'some' || minute >= this.#lasts;
    const isWithheld =
      feed.isRight === true && !isOwn && (minute < 0 || minute >= parallelAfterMin);
    // A true jump is confirmed when the other kind of market shows it too.
    const isConfirmed = move !== undefined && this.#scene.hasParallel && minute >= parallelAfterMin;
    const isAlone = this.#scene.venues === 'none';
    const isMarked =
      feed.isRight === true && isConfirmed && !isAlone && this.#desk.isMarked(feed.market, now);
    const stretch = feed.minutes;
    stretch.withheld = isWithheld ? stretch.withheld + minutes : 0;
    stretch.overdue = isWithheld && isDue ? stretch.overdue + minutes : 0;
    stretch.marked = isMarked ? stretch.marked + minutes : 0;
    const { worst } = this;
    worst.withheld = Math.max(worst.withheld, stretch.withheld);
    worst.overdue = Math.max(worst.overdue, stretch.overdue);
    worst.marked = Math.max(worst.marked, stretch.marked);
    if (!feed.isWrong) worst.innocent = Math.max(worst.innocent, stretch.withheld);
  }

  /** From how far on a wrong figure must be marked. */
  #markedFrom(): number {
    const { size } = this.#kind;
    const { wrongVenues, isParallelWrong } = this.#scene;
    const isWholeOrigin = wrongVenues === Number.POSITIVE_INFINITY || isParallelWrong === true;
    if (size === 'huge') return MARKED_FROM.huge;
    if (!isWholeOrigin) return Number.POSITIVE_INFINITY;
    return size === 'drift' ? MARKED_FROM.drift : MARKED_FROM.step;
  }

  /** With one or two wrong venues, the median of all stays among the right ones. */
  #watchMedian(shown: ReadonlyMap<Feed, number>): void {
    if (this.#scene.against !== 'most') return;
    const venues = [...shown].filter(([{ market }]) => market !== PARALLEL);
    const right = venues.filter(([{ isWrong }]) => !isWrong).map(([, mid]) => mid);
    const median = medianOf(venues.map(([, mid]) => mid)) ?? 0;
    if (right.length < 3 || (median >= Math.min(...right) && median <= Math.max(...right))) return;
    this.misses.add('the median of the venues outside the right ones');
  }
}

/** The instant of a minute of a try. */
export const minuteOf = (start: Instant, minute: number): Instant => start + minute * MINUTE_MS;
