import { type Instant, MINUTE_MS } from '../../src/domain/time.ts';
import type { Chance } from '../chance.ts';
import { Desk } from './desk.ts';
import { DURATIONS_MIN, type Figures, QUOTE_FAULTS, type QuoteFault } from './faults.ts';
import { INDEX_GOAL_PERCENT, judged } from './measures.ts';
import type { SeriesPublication, SeriesQuote } from './series.ts';

type Venues = ReadonlyMap<string, readonly SeriesQuote[]>;

/** The last figures of a series before a time. */
export class Cursor {
  readonly #quotes: readonly SeriesQuote[];
  #place = 0;

  constructor(quotes: readonly SeriesQuote[]) {
    this.#quotes = quotes;
  }

  at(instant: Instant): Figures | undefined {
    const quotes = this.#quotes;
    if ((quotes[this.#place]?.at ?? 0) > instant) this.#place = 0;
    while ((quotes[this.#place + 1]?.at ?? Number.POSITIVE_INFINITY) <= instant) this.#place += 1;
    const found = quotes[this.#place];
    if (found === undefined || found.at > instant) return undefined;
    const { at: _, ...figures } = found;
    return figures;
  }
}

/** How many venues have the fault. `lone`: a market without other venues. */
export const HITS = ['one', 'two', 'all', 'lone'] as const;
export type Hit = (typeof HITS)[number];

/** One row of the table. */
export interface QuoteResult {
  readonly fault: QuoteFault;
  readonly venues: Hit;
  readonly minutes: number;
  tries: number;
  /** Tries in which a wrong figure was published. */
  wrong: number;
  wrongReadings: number;
  /**
   * Number of those tries with a figure over 20 % from the median of the other venues at that
   * time.
   */
  far: number;
  /** Most readings during which an earlier wrong figure stayed that far from them. */
  overtakenReadings: number;
  /** Largest deviation of the index from the one without the fault, in percent. */
  indexPercent: number;
  indexReadings: number;
  /** Most readings with the index outside the range of the venues without the fault. */
  indexOutsideReadings: number;
  /** Tries in which a figure outside the band around the official rate was published. */
  outOfBand: number;
  /** Most readings during which right figures were held, during the fault and after it. */
  rightHeldReadings: number;
}

interface Plan {
  readonly venues: Venues;
  readonly publications: readonly SeriesPublication[];
  readonly tries: number;
  readonly chance: Chance;
  /** Durations of the faults; by default `DURATIONS_MIN`. */
  readonly minutes?: readonly number[];
  /** Whether every venue is read by itself, not with the others in one body. */
  readonly isApart?: boolean;
}

/** Injects every fault at chosen instants of the series. */
export async function replayQuotes(plan: Plan): Promise<readonly QuoteResult[]> {
  const results: QuoteResult[] = [];
  const names = [...plan.venues.keys()];
  for (const fault of QUOTE_FAULTS) {
    for (const venues of HITS) {
      for (const minutes of plan.minutes ?? DURATIONS_MIN) {
        const result: QuoteResult = {
          ...{ fault, venues, minutes, tries: 0, wrong: 0, wrongReadings: 0, far: 0 },
          ...{ overtakenReadings: 0, indexPercent: 0, indexReadings: 0, indexOutsideReadings: 0 },
          outOfBand: 0,
          rightHeldReadings: 0,
        };
        const chance = plan.chance.of(`${fault.name} ${venues} ${minutes}`);
        const [first = ''] = names;
        const alone = new Map([[LONE_MARKET, plan.venues.get(first) ?? []]]);
        for (let number = 0; number < plan.tries; number += 1) {
          const count = { one: 1, two: 2, all: names.length, lone: 1 }[venues];
          const hit = venues === 'lone' ? [LONE_MARKET] : shuffled(names, chance).slice(0, count);
          const series = venues === 'lone' ? alone : plan.venues;
          await tryOnce(result, { ...plan, venues: series, chance }, hit);
        }
        results.push(result);
      }
    }
  }
  return results;
}

function shuffled(names: readonly string[], chance: Chance): string[] {
  return names
    .map((name) => ({ name, order: chance.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ name }) => name);
}

const LONE_MARKET = 'parallel';
const WARM_UP_MIN = 5;
const AFTER_MIN = 20;
const PAGE_EVERY_MIN = 10;

async function tryOnce(result: QuoteResult, plan: Plan, hit: readonly string[]): Promise<void> {
  const { fault, minutes } = result;
  const start = startOf(plan, minutes);
  if (start === undefined) return;
  const desk = new Desk();
  const page = await publish(desk, plan.publications, start);
  const cursors = new Map([...plan.venues].map(([name, series]) => [name, new Cursor(series)]));
  result.tries += 1;
  const count = { wrong: 0, far: 0, overtaken: 0, index: 0, outside: 0, outOfBand: 0, held: 0 };
  /** Wrong figures published in this try, as `NAME@TIME`. */
  const published = new Set<string>();
  let reading = 0;
  // After 45 minutes, a long fault is read only every ten minutes.
  for (let minute = -WARM_UP_MIN; minute <= minutes + AFTER_MIN; minute += 1) {
    if (minute > 45 && minute < minutes - 5 && minute % 10 !== 0) continue;
    const at = start + minute * MINUTE_MS;
    const truth = truthAt(cursors, at);
    const isFaulty = minute >= 0 && minute < minutes;
    const moment = (name: string) => ({
      reading,
      before: (ms: number) => past(plan.venues.get(name) ?? [], at - ms),
    });
    const body = new Map(
      [...truth].map(([name, figures]) => [
        name,
        isFaulty && hit.includes(name) ? fault.change(figures, moment(name)) : figures,
      ]),
    );
    if (plan.isApart === true) for (const one of body) await desk.read(at, new Map([one]));
    else await desk.read(at, body);
    // A page that was read before is no news, and must release nothing.
    if (minute % PAGE_EVERY_MIN === 0 && page !== undefined) await desk.page(at, page);
    if (isFaulty) reading += 1;
    const seen = await judged(desk, truth, { hit, at, wrong: published });
    if (seen.isWrong) count.wrong += 1;
    if (seen.isFar) count.far += 1;
    if (seen.isOvertaken) count.overtaken += 1;
    if (seen.isOutOfBand) count.outOfBand += 1;
    if (seen.isRightHeld) count.held += 1;
    if (seen.indexPercent >= INDEX_GOAL_PERCENT) count.index += 1;
    if (seen.isIndexOutside) count.outside += 1;
    result.indexPercent = Math.max(result.indexPercent, seen.indexPercent);
  }
  if (count.wrong > 0) result.wrong += 1;
  if (count.far > 0) result.far += 1;
  if (count.outOfBand > 0) result.outOfBand += 1;
  result.wrongReadings = Math.max(result.wrongReadings, count.wrong);
  result.overtakenReadings = Math.max(result.overtakenReadings, count.overtaken);
  result.indexReadings = Math.max(result.indexReadings, count.index);
  result.indexOutsideReadings = Math.max(result.indexOutsideReadings, count.outside);
  result.rightHeldReadings = Math.max(result.rightHeldReadings, count.held);
}

function truthAt(cursors: ReadonlyMap<string, Cursor>, at: Instant): Map<string, Figures> {
  const truth = new Map<string, Figures>();
  for (const [name, cursor] of cursors) {
    const figures = cursor.at(at);
    if (figures !== undefined) truth.set(name, figures);
  }
  return truth;
}

/** The last figures up to that time, or the first ones. */
function past(series: readonly SeriesQuote[], at: Instant): Figures {
  let [low, high] = [0, series.length - 1];
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if ((series[half]?.at ?? 0) <= at) low = half;
    else high = half - 1;
  }
  const { at: _, ...figures } = series[low] ?? { at, mid: 1 };
  return figures;
}

/** A minute at which every venue has figures and an official rate is in force. */
function startOf({ venues, publications, chance }: Plan, minutes: number): Instant | undefined {
  const from = Math.max(...[...venues.values()].map((series) => series[0]?.at ?? 0));
  const to = Math.min(...[...venues.values()].map((series) => series.at(-1)?.at ?? 0));
  const last = to - (minutes + AFTER_MIN) * MINUTE_MS;
  const first = Math.max(from + WARM_UP_MIN * MINUTE_MS, publications[0]?.at ?? 0);
  if (last <= first) return undefined;
  return Math.floor((first + chance.next() * (last - first)) / MINUTE_MS) * MINUTE_MS;
}

/** @returns the newest page at that time. */
async function publish(
  desk: Desk,
  publications: readonly SeriesPublication[],
  until: Instant,
): Promise<SeriesPublication | undefined> {
  const known = publications.filter(({ at }) => at <= until).slice(-5);
  for (const one of known) await desk.page(one.at, one, true);
  return known.at(-1);
}

/**
 * Replays a whole series without faults.
 * @returns how long readings were held, longest first.
 */
export async function replayTruth(
  venues: Venues,
  publications: readonly SeriesPublication[],
): Promise<{ readonly readings: number; readonly holds: readonly number[] }> {
  const desk = new Desk();
  const cursors = new Map([...venues].map(([name, series]) => [name, new Cursor(series)]));
  const times = [...new Set([...venues.values()].flat().map(({ at }) => minuteAfter(at)))];
  times.sort((a, b) => a - b);
  const pages = [...publications];
  const since = new Map<string, Instant>();
  const holds: number[] = [];
  let readings = 0;
  for (let place = 0; place < times.length; place += 1) {
    const next = times[place + 1] ?? Number.POSITIVE_INFINITY;
    // While something is held, the figures are read every minute, like a source.
    for (let at = times[place] ?? next; at < next; at += MINUTE_MS) {
      while ((pages[0]?.at ?? next) <= at) {
        const page = pages.shift();
        if (page !== undefined) await desk.page(page.at, page, true);
      }
      const body = new Map<string, Figures>();
      for (const [name, cursor] of cursors) {
        const figures = cursor.at(at);
        if (figures !== undefined) body.set(name, figures);
      }
      await desk.read(at, body);
      readings += body.size;
      for (const name of body.keys()) {
        const isPublished = desk.published(name)?.capturedAt === at;
        const from = since.get(name);
        if (!isPublished && from === undefined) since.set(name, at);
        if (!isPublished || from === undefined) continue;
        holds.push((at - from) / MINUTE_MS);
        since.delete(name);
      }
      if (since.size === 0) break;
    }
  }
  return { readings, holds: holds.sort((a, b) => b - a) };
}

function minuteAfter(at: Instant): Instant {
  return Math.ceil(at / MINUTE_MS) * MINUTE_MS;
}
