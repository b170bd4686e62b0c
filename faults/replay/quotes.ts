import { medianOf } from '../../src/domain/calculations/ratio.ts';
import { referenceIndex } from '../../src/domain/calculations/reference-index.ts';
import { type Instant, MINUTE_MS } from '../../src/domain/time.ts';
import type { Chance } from '../chance.ts';
import { Desk, markets } from './desk.ts';
import { DURATIONS_MIN, type Figures, QUOTE_FAULTS, type QuoteFault } from './faults.ts';
import type { SeriesPublication, SeriesQuote } from './series.ts';

type Venues = ReadonlyMap<string, readonly SeriesQuote[]>;

/** The figures of a series at a time: the last before it. */
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

/** One row of the table. */
export interface QuoteResult {
  readonly fault: QuoteFault;
  readonly venues: 'one' | 'two' | 'all';
  readonly minutes: number;
  tries: number;
  /** Tries in which a wrong figure was published, and at how many readings at most. */
  wrong: number;
  wrongReadings: number;
  /** Of those, over 20 % away from the median of what the other venues publish. */
  far: number;
  /** The most by which the index moved, in percent. */
  indexPercent: number;
  /** At how many readings right figures were held at most, during the fault and after it. */
  rightHeldReadings: number;
}

interface Plan {
  readonly venues: Venues;
  readonly publications: readonly SeriesPublication[];
  readonly tries: number;
  readonly chance: Chance;
  /** How long the faults last; the catalogue's durations unless given. */
  readonly minutes?: readonly number[];
}

/** Injects every fault at chosen instants of the series. */
export async function replayQuotes(plan: Plan): Promise<readonly QuoteResult[]> {
  const results: QuoteResult[] = [];
  const names = [...plan.venues.keys()];
  for (const fault of QUOTE_FAULTS) {
    for (const venues of ['one', 'two', 'all'] as const) {
      for (const minutes of plan.minutes ?? DURATIONS_MIN) {
        const result: QuoteResult = {
          ...{ fault, venues, minutes, tries: 0, wrong: 0, wrongReadings: 0, far: 0 },
          indexPercent: 0,
          rightHeldReadings: 0,
        };
        const chance = plan.chance.of(`${fault.name} ${venues} ${minutes}`);
        for (let number = 0; number < plan.tries; number += 1) {
          const count = { one: 1, two: 2, all: names.length }[venues];
          const hit = shuffled(names, chance).slice(0, count);
          await tryOnce(result, { ...plan, chance }, hit);
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

const WARM_UP_MIN = 5;
const AFTER_MIN = 20;

async function tryOnce(result: QuoteResult, plan: Plan, hit: readonly string[]): Promise<void> {
  const { fault, minutes } = result;
  const start = startOf(plan, minutes);
  if (start === undefined) return;
  const desk = new Desk();
  await publish(desk, plan.publications, start);
  const cursors = new Map([...plan.venues].map(([name, series]) => [name, new Cursor(series)]));
  result.tries += 1;
  let [wrong, far, held] = [0, 0, 0];
  // A fault of hours is read every ten minutes after its first three quarters of an hour.
  for (let minute = -WARM_UP_MIN; minute <= minutes + AFTER_MIN; minute += 1) {
    if (minute > 45 && minute < minutes - 5 && minute % 10 !== 0) continue;
    const at = start + minute * MINUTE_MS;
    const truth = new Map(
      [...cursors].flatMap(([name, cursor]) => {
        const figures = cursor.at(at);
        return figures === undefined ? [] : [[name, figures] as const];
      }),
    );
    const isFaulty = minute >= 0 && minute < minutes;
    const body = new Map(
      [...truth].map(([name, figures]) => [
        name,
        isFaulty && hit.includes(name) ? fault.change(figures) : figures,
      ]),
    );
    await desk.read(at, body);
    const seen = judged(desk, truth, { hit, at });
    if (seen.isWrong) wrong += 1;
    if (seen.isFar) far += 1;
    if (seen.isRightHeld) held += 1;
    result.indexPercent = Math.max(result.indexPercent, seen.indexPercent);
  }
  if (wrong > 0) result.wrong += 1;
  if (far > 0) result.far += 1;
  result.wrongReadings = Math.max(result.wrongReadings, wrong);
  result.rightHeldReadings = Math.max(result.rightHeldReadings, held);
}

/** A minute at which every venue has figures, and an official rate is in force. */
function startOf({ venues, publications, chance }: Plan, minutes: number): Instant | undefined {
  const from = Math.max(...[...venues.values()].map((series) => series[0]?.at ?? 0));
  const to = Math.min(...[...venues.values()].map((series) => series.at(-1)?.at ?? 0));
  const last = to - (minutes + AFTER_MIN) * MINUTE_MS;
  const first = Math.max(from + WARM_UP_MIN * MINUTE_MS, publications[0]?.at ?? 0);
  if (last <= first) return undefined;
  return Math.floor((first + chance.next() * (last - first)) / MINUTE_MS) * MINUTE_MS;
}

async function publish(desk: Desk, publications: readonly SeriesPublication[], until: Instant) {
  const known = publications.filter(({ at }) => at <= until).slice(-5);
  for (const one of known) await desk.page(one.at, one, true);
}

/** Figures as far apart as a fault within the share are not the truth; nearer ones may be. */
const NEAR = 0.1;

function judged(
  desk: Desk,
  truth: ReadonlyMap<string, Figures>,
  { hit, at }: { hit: readonly string[]; at: Instant },
) {
  let [isWrong, isFar, isRightHeld] = [false, false, false];
  const mids = new Map<string, number>();
  for (const [name, figures] of truth) {
    const { mid } = figures;
    const published = desk.published(name);
    const others = [...truth.keys()].filter((other) => other !== name);
    const median = medianOf(others.map((other) => desk.published(other)?.mid ?? mid)) ?? mid;
    if (published === undefined) continue;
    mids.set(name, published.mid);
    const off = Math.max(
      ...(['mid', 'ask', 'bid'] as const).map((side) =>
        Math.abs((published[side] ?? mid) / (figures[side] ?? mid) - 1),
      ),
    );
    const isOwn = published.capturedAt === at;
    if (off > NEAR && hit.includes(name) && isOwn) isWrong = true;
    if (Math.abs(published.mid / median - 1) > 0.2 && off > NEAR && isOwn) isFar = true;
    if (!isOwn && !hit.includes(name)) isRightHeld = true;
  }
  const right = new Map([...truth].map(([name, { mid }]) => [name, mid]));
  const rest = { official: desk.published('reference')?.mid, free: medianOf([...right.values()]) };
  const [shown = 0, expected = 0] = [mids, right].map(indexOf(at, rest));
  const indexPercent = expected === 0 ? 0 : Math.abs(shown / expected - 1) * 100;
  return { isWrong, isFar, isRightHeld, indexPercent };
}

/** The index as the product makes it. The free market is taken to stand at the venues' median. */
function indexOf(at: Instant, { official, free }: Record<'official' | 'free', number | undefined>) {
  const quoteOf = (name: string, mid: number | undefined) => {
    const market = markets.find(name);
    return market === undefined || mid === undefined ? [] : [{ market, mid, updatedAt: at }];
  };
  const rest = [...quoteOf('reference', official), ...quoteOf('parallel', free)];
  return (mids: ReadonlyMap<string, number>): number => {
    const quotes = [...mids].flatMap(([name, mid]) => quoteOf(name, mid));
    return referenceIndex([...rest, ...quotes], at)?.value ?? 0;
  };
}

/** Goes through a whole series as it was. @returns how long readings were held, the longest first. */
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
    // While something is held the figures are read every minute, as a source is.
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
