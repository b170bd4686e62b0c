import { isRatioOver } from '../calculations/ratio.ts';
import { type Doubt, inOrder, isNear, type Reading } from '../judgement.ts';
import type { Market } from '../markets.ts';
import { SECOND_MS } from '../time.ts';
import {
  agreeingRun,
  confirmedBy,
  isAboutOthers,
  isReleasable,
  isShownBy,
} from './confirmation.ts';
import { asReading, isWaiting, leastNeeded, type Pending } from './held-run.ts';
import { agreeing, alone, canAgree, doubtsAbout, type World } from './quote-context.ts';
import { isRestored } from './quote-judgement.ts';
import {
  type HeldDoubt,
  type HeldQuote,
  type MarketMemory,
  nothingOf,
  type QuoteBody,
  type QuoteChange,
  type QuoteReading,
  type QuoteRules,
  type QuotesState,
  withSample,
} from './quote-memory.ts';
import { movesAfter } from './quote-moves.ts';
import { asShown, contentTime } from './quote-others.ts';
import { stateInUnit } from './quote-units.ts';

/** Only the operator may publish such a figure, even for the past. */
const NEVER_HISTORY: readonly string[] = ['out_of_band', 'other_unit'];

/**
 * Rounds in which released readings may release others. Chains are short: an official rate releases
 * first quotes, and these let venues agree.
 */
// limit: Rounds of releases | 5 | the next reading decides
const MAX_ROUNDS = 5;

/** Most held readings of a market that are compared with a new one; of more some no longer count. */
// limit: Held quotes compared | 200 | a reading between two of its origin goes, else the oldest
const MAX_HELD_READINGS = 200;

/** Most jumps of a market that are remembered as published by repetition alone. */
// limit: Jumps published by repetition, kept | 5 | older ones lose their doubt
const MAX_REPEATED = 5;

/**
 * Judges a body by what was published and held before it (contract §8).
 * @returns the state after it, and what became of its readings and of those held before.
 */
export function step(
  state: QuotesState,
  body: QuoteBody,
  rules: QuoteRules,
): { readonly state: QuotesState; readonly changes: readonly QuoteChange[] } {
  const judging = new Judging(stateInUnit(state, body.at, rules), body, rules);
  judging.judge();
  return { state: judging.after(), changes: judging.changes };
}

/** Of two held quotes one may keep the other held, and the order in which they arrived must not say which. */
function inTurn(a: HeldQuote, b: HeldQuote): number {
  const [one, other] = [a.reading.market.id, b.reading.market.id];
  return a.at - b.at || (one < other ? -1 : Number(one > other));
}

/** One step, while it lasts. */
class Judging {
  readonly #before: QuotesState;
  readonly #body: QuoteBody;
  readonly #rules: QuoteRules;
  readonly #markets: Map<string, MarketMemory>;
  readonly #world: World;
  readonly #confirmed = new Set<string>();
  readonly changes: QuoteChange[] = [];

  constructor(before: QuotesState, body: QuoteBody, rules: QuoteRules) {
    this.#before = before;
    this.#body = body;
    this.#rules = rules;
    this.#markets = new Map(before.markets);
    this.#world = { markets: this.#markets, rules, at: body.at };
  }

  judge(): void {
    const judged: HeldQuote[] = [];
    for (const reading of this.#body.readings) {
      const timed = this.#timed(reading);
      if (this.#isLate(timed)) this.#judgeLate(timed);
      else judged.push(timed);
    }
    // A move of the market affects all of them, so each is compared with what the others show now.
    for (const one of judged) {
      const memory = this.#of(one.reading.market);
      if (one.at >= (memory.shown?.at ?? 0)) this.#set({ ...memory, shown: asShown(one) });
    }
    const likely = agreeing(judged, this.#world);
    const doubts = judged.map((one) => doubtsAbout(one, this.#world, { likely }));
    for (const [place, one] of judged.entries()) this.#decide(one, doubts[place] ?? []);
    this.#reconsider();
  }

  /** The state after the step, with what is remembered of the moves. */
  after(): QuotesState {
    const at = Math.max(this.#before.at, this.#body.at);
    const after = { at, markets: this.#markets };
    for (const memory of movesAfter(this.#before, after, this.#confirmed, this.#rules.thresholds)) {
      this.#markets.set(memory.market.id, memory);
    }
    return after;
  }

  #of(market: Market): MarketMemory {
    return this.#markets.get(market.id) ?? nothingOf(market);
  }

  #set(memory: MarketMemory): void {
    this.#markets.set(memory.market.id, memory);
  }

  #timed(reading: QuoteReading): HeldQuote {
    const { mid, ask, bid, at, datedAt, market } = reading;
    const updatedAt = datedAt ?? contentTime(reading, this.#of(market));
    return { reading, mid, ask, bid, at, updatedAt, doubts: [] };
  }

  /** Whether its source dates it before the current quote. It is history, and cannot replace that one. */
  #isLate({ reading, updatedAt }: HeldQuote): boolean {
    const { published } = this.#of(reading.market);
    return reading.datedAt !== undefined && updatedAt < (published?.updatedAt ?? 0);
  }

  /** A late reading is never held, and neither ends nor confirms held ones. */
  #judgeLate(late: HeldQuote): void {
    const { reading, updatedAt, at } = late;
    const { published } = this.#of(reading.market);
    const readAt = published?.at ?? at;
    // A fast clock may date the current quote ahead of its reading.
    const placedAt = at < readAt ? at : Math.min(updatedAt, readAt);
    const doubts = doubtsAbout({ ...late, at: placedAt }, this.#world).filter(({ reason }) =>
      NEVER_HISTORY.includes(reason),
    );
    const status = doubts.length > 0 ? 'passed_over' : 'published';
    const why = doubts.length > 0 && { doubts };
    this.changes.push({ ...{ reading, updatedAt, status, placedAt }, ...why });
  }

  #decide(one: HeldQuote, doubts: readonly Doubt[]): void {
    const { thresholds } = this.#rules;
    const { reading } = one;
    if (reading.isTrusted) {
      this.#confirmed.add(reading.market.id);
      this.#publish(one);
      this.#endRun(one);
      return;
    }
    if (reading.heldFor !== undefined) {
      this.#hold(one, reading.heldFor);
      return;
    }
    const pending = this.#of(reading.market).held.map(asReading);
    const asked = asReading(one);
    const confirmed =
      doubts.length === 0
        ? this.#runBefore(asked, pending)
        : confirmedBy(asked, doubts, pending, thresholds);
    if (confirmed === undefined) {
      this.#hold(one, inOrder(doubts));
      return;
    }
    const withoutRepetition = { ...thresholds, confirmingReads: Number.POSITIVE_INFINITY };
    const hasSource = confirmedBy(asked, doubts, pending, withoutRepetition) !== undefined;
    // The current quote may be the one that waits for a second source.
    if ((hasSource && doubts.length > 0) || this.#isShownNow(asked, reading.market))
      this.#confirmed.add(reading.market.id);
    for (const { held } of confirmed)
      if (held.reading.heldFor === undefined && isReleasable(held.doubts[0]?.reason ?? ''))
        this.#release(held);
    this.#publish(one, { isRepeated: !hasSource });
    this.#endRun(one);
  }

  /**
   * The held readings of the same origin directly before this one that agree with it. None unless
   * the last was held because other markets differ, and these can be compared now.
   */
  #runBefore(reading: Reading, pending: readonly Pending[]): readonly Pending[] {
    const own = pending.filter(({ origin }) => origin === reading.origin);
    const last = own.at(-1)?.held;
    if (last === undefined || !isAboutOthers(last.doubts[0]?.reason ?? '')) return [];
    return canAgree(last, this.#world) ? agreeingRun(reading, own, this.#rules.thresholds) : [];
  }

  /** Whether the current quote is of another origin and shows the same. */
  #isShownNow(reading: Reading, market: Market): boolean {
    const { published } = this.#of(market);
    if (published === undefined) return false;
    const { origin, at: capturedAt, mid, ask, bid } = published;
    const observation = { kind: 'quote' as const, mid, ask, bid };
    return isShownBy({ origin, capturedAt, observation }, reading, this.#rules.thresholds);
  }

  #publish(one: HeldQuote, { isRepeated = false } = {}): void {
    const { thresholds } = this.#rules;
    const { reading, mid, ask, bid, at, updatedAt } = one;
    const { market, source, origin, datedAt } = reading;
    const memory = this.#of(market);
    const { published, replaced, replacedAt } = memory;
    const order = published && (at - published.at || updatedAt - published.updatedAt);
    if (order !== undefined && order < 0) {
      this.changes.push({ reading, status: 'published', updatedAt });
      return;
    }
    const isReturn = isRestored(mid, alone(one, this.#world), thresholds);
    const isSame = published?.mid === mid && published.ask === ask && published.bid === bid;
    const agrees =
      published === undefined || isNear(published.mid, mid, thresholds.agreementPercent);
    const figure = { mid, at };
    // A first figure may be the next one of those that the band held.
    const isSuspect =
      published === undefined &&
      !this.#confirmed.has(market.id) &&
      memory.held.some(({ doubts }) => doubts[0]?.reason === 'out_of_band');
    // What a jump led to is no figure to measure later moves from.
    const past = isReturn ? memory.past.filter((one) => one.at <= (replacedAt ?? 0)) : memory.past;
    this.#set({
      ...memory,
      published: { mid, ask, bid, at, updatedAt, isDated: datedAt !== undefined, source, origin },
      // Nor is an old one.
      past: at - updatedAt > market.staleAfterSec * SECOND_MS ? past : withSample(past, figure),
      ...(agrees
        ? { replaced, replacedAt }
        : { replaced: published.mid, replacedAt: published.at }),
      unchangedSince: isSame ? (memory.unchangedSince ?? published.at) : at,
      insisted:
        isRepeated || isSuspect
          ? [...memory.insisted, figure].slice(-MAX_REPEATED)
          : this.#confirmed.has(market.id)
            ? memory.insisted.filter((other) => isRatioOver(other.mid, mid, thresholds.quoteRatio))
            : memory.insisted,
    });
    this.changes.push({
      ...{ reading, status: 'published', updatedAt },
      ...(isReturn && published !== undefined && { restoredFrom: published }),
    });
  }

  #hold(one: HeldQuote, doubts: readonly HeldDoubt[]): void {
    const { reading, updatedAt } = one;
    const memory = this.#of(reading.market);
    const held = [...memory.held, { ...one, doubts }];
    this.changes.push({ reading, status: 'held', updatedAt, doubts });
    const [dropped] = held.length > MAX_HELD_READINGS ? [leastNeeded(held, reading.origin)] : [];
    if (dropped !== undefined) this.#end(dropped);
    this.#set({ ...memory, held: held.filter((other) => other !== dropped) });
  }

  #end({ reading, updatedAt }: HeldQuote): void {
    this.changes.push({ reading, status: 'held', updatedAt, isEnded: true });
  }

  #release(held: HeldQuote): void {
    const memory = this.#of(held.reading.market);
    this.#set({ ...memory, held: memory.held.filter((other) => other !== held) });
    this.#publish(held);
  }

  /** A published reading ends earlier held ones of its origin. One that is released may be old. */
  #endRun({ at: end, reading: { market, origin } }: HeldQuote): void {
    const memory = this.#of(market);
    const ended = memory.held.filter(({ reading, at }) => reading.origin === origin && at <= end);
    if (ended.length === 0) return;
    for (const held of ended) this.#end(held);
    this.#set({ ...memory, held: memory.held.filter((held) => !ended.includes(held)) });
  }

  /** Judges readings that wait for other markets or an official rate again. */
  #reconsider(): void {
    const { at } = this.#body;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const waiting = [...this.#markets.values()]
        .flatMap(({ held }) => held.filter((one) => isWaiting(one, at)))
        .sort(inTurn);
      let isReleased = false;
      for (const held of waiting) {
        if (
          held.reading.heldFor !== undefined ||
          !canAgree(held, this.#world) ||
          doubtsAbout(held, this.#world, { asOf: at }).length > 0
        )
          continue;
        this.#release(held);
        isReleased = true;
      }
      if (!isReleased) return;
    }
  }
}
