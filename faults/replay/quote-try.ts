import { isOutside, medianOf } from '../../src/domain/calculations/ratio.ts';
import { type Instant, isoInstant, MINUTE_MS } from '../../src/domain/time.ts';
import type { Chance } from '../chance.ts';
import { Desk, PARALLEL, thresholds } from './desk.ts';
import { type Figures, type QuoteKind, times } from './faults.ts';
import { type Feeds, quoteAt, type SeriesQuote } from './series.ts';
import type { Outcome } from './table.ts';

/** The feeds of a try, and which of them are wrong. */
export interface Scene {
  readonly name: string;
  readonly venues: 'all' | 'one' | 'none';
  readonly hasParallel: boolean;
  readonly wrongVenues: number;
  readonly isParallelWrong?: true;
  /** Whose word is against the wrong feeds: that of most feeds, of some, or nobody's. */
  readonly against: 'most' | 'some' | 'nobody';
}

/** One market as a source reads it. */
interface Feed {
  readonly market: string;
  readonly source: string;
  readonly everyMin: number;
  readonly series: readonly SeriesQuote[];
  readonly isWrong: boolean;
  /** The last reading, and whether its figures were right. */
  readAt?: Instant;
  shownMid?: number;
  isRight?: boolean;
  /** Times of wrong readings. */
  readonly wrongAt: Set<Instant>;
  readonly minutes: { published: number; withheld: number; overdue: number };
}

const WARM_UP_MIN = 10;
const AFTER_MIN = 20;
const PAGE_EVERY_MIN = 10;
const PARALLEL_EVERY_MIN = 5;
/** A fault of many hours is read every minute for so long, then every ten minutes. */
const OFTEN_MIN = 45;
const LONG_MIN = 120;
/** Published figures further from the truth than this are wrong. */
const OFF = 0.03;
/** Goals, in minutes and as shares. */
const MARKED_WITHIN_MIN = 15;
const IN_FORCE_WITHIN_MIN = 15;

export interface TryPlan extends Feeds {
  readonly chance: Chance;
  /** Whether every venue is read by itself, not with the others in one body. */
  readonly isApart?: boolean;
}

/** One fault in one stretch of the series. */
export class Try {
  readonly #plan: TryPlan;
  readonly #kind: QuoteKind;
  readonly #scene: Scene;
  readonly #minutes: number;
  readonly #desk = new Desk();
  readonly #feeds: readonly Feed[];
  readonly #worst = { published: 0, withheld: 0, percent: 0, overdue: 0, innocent: 0 };
  readonly #misses = new Set<string>();
  #isUnmarked = false;

  constructor(plan: TryPlan, kind: QuoteKind, scene: Scene, minutes: number) {
    this.#plan = plan;
    this.#kind = kind;
    this.#scene = scene;
    this.#minutes = minutes;
    const names = [...plan.venues.keys()];
    const count = { all: names.length, one: 1, none: 0 }[scene.venues];
    const wrong = new Set(shuffled(names, plan.chance).slice(0, scene.wrongVenues));
    const feed = (market: string, series: readonly SeriesQuote[], isWrong: boolean) => ({
      ...{ market, series, isWrong, source: market, everyMin: PARALLEL_EVERY_MIN },
      ...{ wrongAt: new Set<Instant>(), minutes: { published: 0, withheld: 0, overdue: 0 } },
    });
    const venues = names.slice(0, count).map((name) => ({
      ...feed(name, plan.venues.get(name) ?? [], wrong.has(name)),
      ...{ source: 'aggregator', everyMin: 1 },
    }));
    const parallel = feed(PARALLEL, plan.parallel, scene.isParallelWrong === true);
    this.#feeds = scene.hasParallel ? [...venues, parallel] : venues;
  }

  async run(): Promise<Outcome | undefined> {
    const start = this.#start();
    if (start === undefined) return undefined;
    const { publications } = this.#plan;
    const known = publications.filter(({ at }) => at <= start).slice(-5);
    for (const one of known) await this.#desk.page(one.at, one, true);
    let before = -WARM_UP_MIN;
    for (let minute = -WARM_UP_MIN; minute <= this.#minutes + AFTER_MIN; minute += 1) {
      const isMiddle = minute > OFTEN_MIN && minute < this.#minutes - 5;
      if (this.#minutes > LONG_MIN && isMiddle && minute % 10 !== 0) continue;
      await this.#read(start, minute);
      await this.#watch(start, minute, minute - before);
      before = minute;
    }
    const { published, withheld, percent, overdue, innocent } = this.#worst;
    const { against } = this.#scene;
    if (this.#kind.size === 'huge') {
      // A gap in the series of the parallel market is silence of the only other voice.
      const isOpposed = against === 'most' || (against === 'some' && !this.#isSilent(start));
      if (isOpposed && published > 1) this.#misses.add('published for more than a minute');
      if (!isOpposed && this.#isUnmarked) this.#misses.add('neither in doubt nor stale in time');
    }
    if (overdue > IN_FORCE_WITHIN_MIN) this.#misses.add('right figures withheld for too long');
    if (against === 'most' && this.#kind.move === undefined && innocent > 1) {
      this.#misses.add('right figures withheld because of others');
    }
    return {
      start: isoInstant(start),
      ...{ minutes: this.#minutes, published, furthestPercent: percent, withheld },
      isUnmarked: this.#isUnmarked,
      misses: [...this.#misses],
    };
  }

  #isSilent(start: Instant): boolean {
    const parallel = this.#feeds.find(({ market }) => market === PARALLEL);
    for (let minute = 0; minute < this.#minutes; minute += PARALLEL_EVERY_MIN) {
      if (parallel && !isLive(parallel, start + minute * MINUTE_MS)) return true;
    }
    return false;
  }

  async #read(start: Instant, minute: number): Promise<void> {
    const at = start + minute * MINUTE_MS;
    const isFault = minute >= 0 && minute < this.#minutes;
    const ahead = isFault ? (this.#kind.clockAheadMs ?? 0) : 0;
    // A page that was read before is no news, and must release nothing.
    const page = this.#plan.publications.findLast((one) => one.at <= at);
    if (minute % PAGE_EVERY_MIN === 0 && page) await this.#desk.page(at + ahead, page);
    const official = (await this.#desk.inForce(at))?.mid ?? 1;
    const { size } = this.#kind;
    const bodies = new Map<string, Map<string, Figures>>();
    for (const feed of this.#feeds) {
      if (minute % feed.everyMin !== 0 || !isLive(feed, at)) continue;
      const right = this.#truth(feed, at, start);
      const shown = isFault ? this.#shown(feed, { at, start, official }) : right;
      feed.readAt = at + ahead;
      feed.shownMid = shown.mid;
      // Right figures with an old time are old ones.
      feed.isRight = off(shown, right) === 0 && !(isFault && feed.isWrong && size === 'old');
      if (off(shown, right) > OFF) feed.wrongAt.add(feed.readAt);
      const key = this.#plan.isApart === true ? feed.market : feed.source;
      bodies.set(key, (bodies.get(key) ?? new Map()).set(feed.market, shown));
    }
    for (const [key, body] of bodies) {
      await this.#desk.read(at + ahead, key === PARALLEL ? key : 'aggregator', body);
    }
  }

  #truth({ series }: Feed, at: Instant, start: Instant): Figures {
    const { at: _, ...figures } = quoteAt(series, at);
    return at >= start && this.#kind.move ? times(figures, this.#kind.move) : figures;
  }

  #shown(
    feed: Feed,
    { at, start, official }: { at: Instant; start: Instant; official: number },
  ): Figures {
    const { change, parallelAfterMin = 0 } = this.#kind;
    const sinceMs = at - start;
    const before = (ms: number) => this.#truth(feed, at - ms, start);
    if (feed.market === PARALLEL && sinceMs < parallelAfterMin * MINUTE_MS) {
      return before(sinceMs + MINUTE_MS);
    }
    const right = before(0);
    if (!feed.isWrong || change === undefined) return right;
    return change(right, { reading: feed.wrongAt.size, sinceMs, official, before });
  }

  /** Compares what is published after the readings of a minute with the truth. */
  async #watch(start: Instant, minute: number, minutes: number): Promise<void> {
    const at = start + minute * MINUTE_MS;
    const { parallelAfterMin = 0, clockAheadMs = 0 } = this.#kind;
    const { against } = this.#scene;
    const now = at + (minute >= 0 && minute < this.#minutes ? clockAheadMs : 0);
    const official = (await this.#desk.inForce(now))?.mid;
    // While two voices contradict each other, nobody can tell which one is right.
    const isDue = against !== 'some' || minute >= this.#minutes;
    const shown = new Map<Feed, number>();
    for (const feed of this.#feeds) {
      const quote = this.#desk.published(feed.market);
      if (quote === undefined) continue;
      shown.set(feed, quote.mid);
      // When the clock stepped back, a reading is stored right after those of the time before.
      const isPlaced = this.#kind.clockAheadMs !== undefined && quote.mid === feed.shownMid;
      const isOwn = quote.capturedAt === feed.readAt || isPlaced;
      if (isOwn && official !== undefined && isOutside(quote.mid, official, thresholds.quoteBand)) {
        this.#misses.add('published out of the band');
      }
      const apart = off(quote, this.#truth(feed, at, start));
      const isWrong = feed.wrongAt.has(quote.capturedAt) && apart > OFF;
      const isWithheld =
        feed.isRight === true && !isOwn && (minute < 0 || minute >= parallelAfterMin);
      const stretch = feed.minutes;
      stretch.published = isWrong ? stretch.published + minutes : 0;
      stretch.withheld = isWithheld ? stretch.withheld + minutes : 0;
      stretch.overdue = isWithheld && isDue ? stretch.overdue + minutes : 0;
      const worst = this.#worst;
      if (isWrong && feed.isWrong) {
        worst.published = Math.max(worst.published, stretch.published);
        worst.percent = Math.max(worst.percent, apart * 100);
        const isOverdue = stretch.published > MARKED_WITHIN_MIN;
        if (isOverdue && !this.#desk.isMarked(feed.market, now)) this.#isUnmarked = true;
      }
      worst.withheld = Math.max(worst.withheld, stretch.withheld);
      worst.overdue = Math.max(worst.overdue, stretch.overdue);
      if (!feed.isWrong) worst.innocent = Math.max(worst.innocent, stretch.withheld);
    }
    this.#watchMedian(shown);
  }

  /** With one or two wrong venues, the median of all stays among the right ones. */
  #watchMedian(shown: ReadonlyMap<Feed, number>): void {
    if (this.#scene.against !== 'most') return;
    const venues = [...shown].filter(([{ market }]) => market !== PARALLEL);
    const right = venues.filter(([{ isWrong }]) => !isWrong).map(([, mid]) => mid);
    const median = medianOf(venues.map(([, mid]) => mid)) ?? 0;
    if (right.length < 3 || (median >= Math.min(...right) && median <= Math.max(...right))) return;
    this.#misses.add('the median of the venues outside the right ones');
  }

  /** A minute at which all feeds were captured lately, and stay within the band. */
  #start(): Instant | undefined {
    const { publications, chance } = this.#plan;
    const ends = this.#feeds.map(({ series }) => [series[0]?.at ?? 0, series.at(-1)?.at ?? 0]);
    const first = Math.max(publications[0]?.at ?? 0, ...ends.map(([from = 0]) => from));
    const last =
      Math.min(...ends.map(([, to = 0]) => to)) - (this.#minutes + AFTER_MIN) * MINUTE_MS;
    const from = first + WARM_UP_MIN * MINUTE_MS;
    if (last <= from) return undefined;
    for (let number = 0; number < MAX_PICKS; number += 1) {
      const at = Math.floor((from + chance.next() * (last - from)) / MINUTE_MS) * MINUTE_MS;
      const official = publications.findLast((one) => one.at <= at - DAY_OF_EFFECT_MS)?.rates[
        'USD'
      ];
      const isFit = this.#feeds.every((feed) => {
        const { mid } = quoteAt(feed.series, at);
        const moved = [mid, mid * (this.#kind.move ?? 1)];
        return isLive(feed, at) && !moved.some((one) => isOutside(one, official ?? one, FIT_BAND));
      });
      // A jump is measured from its second voice, so that one must be heard.
      if (isFit && (this.#kind.move === undefined || !this.#isSilent(at))) return at;
    }
    return undefined;
  }
}

const MAX_PICKS = 200;
const DAY_OF_EFFECT_MS = 540 * MINUTE_MS;
/** Within the band of judgement, with room for a day's moves. */
const FIT_BAND = { low: 0.8, high: 4.5 };

/** A series that stands still for longer has a gap, in which its market is not read. */
const LIVE_WITHIN_MS = { venue: 180 * MINUTE_MS, parallel: 75 * MINUTE_MS };

function isLive({ market, series }: Feed, at: Instant): boolean {
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
function off(shown: Figures, right: Figures): number {
  const apart = (['mid', 'ask', 'bid'] as const).map((side) =>
    Math.abs((shown[side] ?? right.mid) / (right[side] ?? right.mid) - 1),
  );
  return Math.max(...apart);
}
