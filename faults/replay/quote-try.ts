import { isOutside } from '../../src/core/domain/calculations/ratio.ts';
import {
  addCaracasDays,
  caracasDayOf,
  DAY_MS,
  type Instant,
  isoInstant,
  MINUTE_MS,
  startOfCaracasDay,
} from '../../src/core/domain/time.ts';
import type { Chance } from '../chance.ts';
import { Desk, PARALLEL } from './desk.ts';
import { type Figures, HALF_HOUR_MS, type QuoteKind, times } from './faults.ts';
import { type Feed, feedsIn, isLive, off, PARALLEL_EVERY_MIN, type Scene } from './quote-feed.ts';
import { minuteOf, OFF, QuoteWatch } from './quote-watch.ts';
import { type Feeds, quoteAt } from './series.ts';
import { Injected, type Outcome } from './table.ts';

const WARM_UP_MIN = 10;
/** Before that every ten minutes: moves are measured within two hours, drifts within a day. */
const HOURS_BEFORE_MIN = 130;
const DAY_BEFORE_MIN = 25 * 60;
const SELDOM_MIN = 10;
const AFTER_MIN = 20;
const PAGE_EVERY_MIN = 10;
/** A fault of many hours is read every minute for so long, then every ten minutes. */
const OFTEN_MIN = 45;
const LONG_MIN = 120;

export interface TryPlan extends Feeds {
  readonly chance: Chance;
  /** Whether every venue is read by itself, not with the others in one body. */
  readonly isApart?: boolean;
}

/** One fault in one stretch of the series. */
export class Try {
  readonly #plan: TryPlan;
  readonly #kind: QuoteKind;
  readonly #minutes: number;
  readonly #desk = new Desk();
  readonly #feeds: readonly Feed[];
  readonly #watch: QuoteWatch;
  readonly #injected = new Injected();

  constructor(plan: TryPlan, kind: QuoteKind, scene: Scene, minutes: number) {
    this.#plan = plan;
    this.#kind = kind;
    this.#minutes = minutes;
    this.#feeds = feedsIn(scene, plan, plan.chance);
    const [desk, feeds] = [this.#desk, this.#feeds];
    this.#watch = new QuoteWatch({ desk, kind, scene, feeds, lasts: minutes });
  }

  /** @returns undefined when no stretch of the series is long enough. */
  async run(): Promise<Outcome | undefined> {
    const start = this.#start();
    if (start === undefined) return undefined;
    const { publications } = this.#plan;
    const known = publications
      .filter(({ at }) => at <= minuteOf(start, -this.#beforeMin))
      .slice(-5);
    for (const one of known) await this.#desk.page(one.at, one, true);
    await this.#raiseAtMidnight(start);
    for (let minute = -this.#beforeMin; minute < -WARM_UP_MIN; minute += SELDOM_MIN) {
      await this.#read(start, minute);
    }
    let before = -WARM_UP_MIN;
    for (let minute = -WARM_UP_MIN; minute <= this.#minutes + AFTER_MIN; minute += 1) {
      const isMiddle = minute > OFTEN_MIN && minute < this.#minutes - 5;
      if (this.#minutes > LONG_MIN && isMiddle && minute % 10 !== 0) continue;
      await this.#read(start, minute);
      const at = minuteOf(start, minute);
      await this.#watch.watch({
        ...{ at, minute, minutes: minute - before },
        truthOf: (feed) => this.#truth(feed, at, start),
        truthOfDayBefore: (feed) => this.#truth(feed, at - DAY_MS, start),
      });
      before = minute;
    }
    const watch = this.#watch;
    const parallels = this.#feeds.filter(({ market }) => market === PARALLEL);
    return {
      start: isoInstant(start),
      minutes: this.#minutes,
      publishedMinutes: watch.longest('published'),
      furthestPercent: watch.percent,
      withheldMinutes: watch.longest('withheld'),
      markedMinutes: watch.longest('marked'),
      isUnmarked: watch.isUnmarked,
      misses: watch.missed(this.#isSilent(parallels, start)),
      injected: this.#injected,
      heldBy: this.#desk.store.heldBy,
    };
  }

  get #beforeMin(): number {
    return this.#kind.size === 'drift' ? DAY_BEFORE_MIN : HOURS_BEFORE_MIN;
  }

  /** Publishes a higher official rate of the day that begins half an hour after the start. */
  async #raiseAtMidnight(start: Instant): Promise<void> {
    const { midnightBy } = this.#kind;
    const inForce = await this.#desk.inForce(start);
    if (midnightBy === undefined || inForce === undefined) return;
    const valueDate = addCaracasDays(caracasDayOf(start), 1);
    const known = this.#plan.publications.findLast((one) => one.at <= start)?.rates ?? {};
    const { USD: usd = inForce.mid } = known;
    const factor = (inForce.mid * midnightBy) / usd;
    const rates = Object.fromEntries(
      Object.entries(known).map(([name, rate]) => [name, Number((rate * factor).toFixed(8))]),
    );
    await this.#desk.page(start - WARM_UP_MIN * MINUTE_MS, { valueDate, rates }, true);
  }

  /** Whether one of these feeds is silent for a part of some minutes. */
  #isSilent(feeds: readonly Feed[], start: Instant, minutes = this.#minutes): boolean {
    for (let minute = 0; minute < minutes; minute += PARALLEL_EVERY_MIN) {
      if (feeds.some((feed) => !isLive(feed, minuteOf(start, minute)))) return true;
    }
    return false;
  }

  async #read(start: Instant, minute: number): Promise<void> {
    const at = minuteOf(start, minute);
    const isFault = minute >= 0 && minute < this.#minutes;
    // A page that was read before is no news, and must release nothing.
    const page = this.#plan.publications.findLast((one) => one.at <= at);
    const isOwnPage = this.#kind.midnightBy === undefined;
    if (minute % PAGE_EVERY_MIN === 0 && page && isOwnPage) await this.#desk.page(at, page);
    const official = (await this.#desk.inForce(at))?.mid ?? 1;
    const { size, move } = this.#kind;
    const bodies = new Map<string, Map<string, Figures>>();
    for (const feed of this.#feeds) {
      if (minute % feed.everyMin !== 0 || !isLive(feed, at)) continue;
      const right = this.#truth(feed, at, start);
      const shown = isFault ? this.#shown(feed, { at, start, official }) : right;
      feed.readAt = at;
      const apart = off(shown, right);
      const isOld = shown.ageMs !== undefined;
      // Right figures with an old time are old ones.
      feed.isRight = apart === 0 && !(isFault && feed.isWrong && size === 'old');
      if (apart > OFF) feed.wrongAt.add(at);
      // A jump of the truth is what such a try injects.
      const jump = move === undefined ? 0 : Math.abs(move - 1);
      if (isFault && (apart > 0 || isOld || jump > 0)) {
        this.#injected.add(at, Math.max(apart, jump) * 100);
      }
      const key = this.#plan.isApart === true ? feed.market : feed.source;
      bodies.set(key, (bodies.get(key) ?? new Map()).set(feed.market, shown));
    }
    for (const [key, body] of bodies) {
      await this.#desk.read(at, key === PARALLEL ? key : 'aggregator', body);
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
    const isParallel = feed.market === PARALLEL;
    const before = (ms: number) => this.#truth(feed, at - ms, start);
    if (isParallel && sinceMs < parallelAfterMin * MINUTE_MS) return before(sinceMs + MINUTE_MS);
    const right = before(0);
    if (!feed.isWrong || change === undefined) return right;
    const reading = feed.readings;
    feed.readings += 1;
    return change(right, { reading, isParallel, sinceMs, official, before });
  }

  /** A minute at which all feeds were captured lately, and stay within the band. */
  #start(): Instant | undefined {
    const { publications, chance } = this.#plan;
    const ends = this.#feeds.map(({ series }) => [series[0]?.at ?? 0, series.at(-1)?.at ?? 0]);
    const first = Math.max(publications[0]?.at ?? 0, ...ends.map(([from = 0]) => from));
    const last =
      Math.min(...ends.map(([, to = 0]) => to)) - (this.#minutes + AFTER_MIN) * MINUTE_MS;
    const from = first + this.#beforeMin * MINUTE_MS;
    if (last <= from) return undefined;
    for (let number = 0; number < MAX_PICKS; number += 1) {
      const at = this.#placed(from + chance.next() * (last - from));
      if (at < from || at > last) continue;
      const official = publications.findLast((one) => one.at <= at - DAY_OF_EFFECT_MS)?.rates[
        'USD'
      ];
      const isFit = this.#feeds.every((feed) => {
        const { mid } = quoteAt(feed.series, at);
        const moved = [mid, mid * (this.#kind.move ?? 1)];
        return isLive(feed, at) && !moved.some((one) => isOutside(one, official ?? one, FIT_BAND));
      });
      // A jump is measured while all are heard: a silent feed is stale, which is no mark of a jump.
      const isHeard = !this.#isSilent(this.#feeds, at, this.#minutes + AFTER_MIN);
      if (isFit && (this.#kind.move === undefined || isHeard)) return at;
    }
    return undefined;
  }

  #placed(at: Instant): Instant {
    if (this.#kind.midnightBy === undefined) return Math.floor(at / MINUTE_MS) * MINUTE_MS;
    return startOfCaracasDay(caracasDayOf(at)) - HALF_HOUR_MS;
  }
}

const MAX_PICKS = 200;
const DAY_OF_EFFECT_MS = 540 * MINUTE_MS;
/** Within the band of judgement, with room for a day's moves. */
const FIT_BAND = { low: 0.8, high: 4.5 };
