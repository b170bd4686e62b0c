import { medianOf } from '../../src/domain/calculations/ratio.ts';
import { referenceIndex } from '../../src/domain/calculations/reference-index.ts';
import { ageSec, type Instant } from '../../src/domain/time.ts';
import { type Desk, markets, thresholds, VENUES } from './desk.ts';
import type { Figures } from './faults.ts';

/** Figures further than this from the right ones are wrong; nearer ones may be right. */
const NEAR = 0.1;

/** The bound that judgement guarantees with one or two wrong venues of five. */
const FAR = 0.2;
export const INDEX_GOAL_PERCENT = 1;

/** Compares the published figures after a reading with the right ones. */
export async function judged(
  desk: Desk,
  truth: ReadonlyMap<string, Figures>,
  { hit, at, wrong }: { hit: readonly string[]; at: Instant; wrong: Set<string> },
) {
  const official = await desk.inForce(at);
  const seen = { isWrong: false, isFar: false, isOvertaken: false, isRightHeld: false };
  let isOutOfBand = false;
  const mids = new Map<string, number>();
  for (const [name, figures] of truth) {
    const published = desk.published(name);
    if (published === undefined) continue;
    const { mid } = figures;
    mids.set(name, published.mid);
    const isOwn = published.capturedAt === at;
    if (!isOwn && !hit.includes(name)) seen.isRightHeld = true;
    if (isOwn && official !== undefined && isBeyond(published.mid / official)) isOutOfBand = true;
    if (!hit.includes(name) || sharesOff(published, figures) <= NEAR) continue;
    const others = [...truth.keys()].filter((other) => other !== name);
    const fresh = others.filter((other) => isFresh(desk, other, at));
    const median = medianOf(fresh.map((other) => desk.published(other)?.mid ?? mid)) ?? mid;
    const isAway = fresh.length > 1 && Math.abs(published.mid / median - 1) > FAR;
    const capture = `${name}@${published.capturedAt}`;
    if (isOwn) wrong.add(capture);
    if (isOwn) seen.isWrong = true;
    if (isOwn && isAway) seen.isFar = true;
    if (!isOwn && isAway && wrong.has(capture)) seen.isOvertaken = true;
  }
  const right = new Map([...truth].map(([name, { mid }]) => [name, mid]));
  const index = indexOf(at, { official, free: medianOf([...right.values()]) });
  const [shown, expected] = [index(mids), index(right)];
  const indexPercent = expected === 0 ? 0 : Math.abs(shown / expected - 1) * 100;
  const good = [...mids].filter(([name]) => !hit.includes(name)).map(([, mid]) => mid);
  const sole = (mid: number) => index(new Map([[VENUES[0] ?? '', mid]]));
  // Rounded to 4 decimals, like the three indexes.
  const isIndexOutside =
    good.length > 0 &&
    (shown < sole(Math.min(...good)) - 0.0001 || shown > sole(Math.max(...good)) + 0.0001);
  return { ...seen, isOutOfBand, indexPercent, isIndexOutside };
}

/**
 * Whether the last quote of a venue is still fresh. A held venue keeps its last accepted quote,
 * which counts for a quarter of an hour.
 */
function isFresh(desk: Desk, name: string, at: Instant): boolean {
  const [market, quote] = [markets.find(name), desk.published(name)];
  if (market === undefined || quote === undefined) return false;
  return ageSec({ since: quote.updatedAt, now: at }) <= market.staleAfterSec;
}

/** The largest deviation of a figure or side from the right one, as a share. */
function sharesOff(published: Figures, right: Figures): number {
  const sides = ['mid', 'ask', 'bid'] as const;
  return Math.max(
    ...sides.map((side) =>
      Math.abs((published[side] ?? right.mid) / (right[side] ?? right.mid) - 1),
    ),
  );
}

function isBeyond(premium: number): boolean {
  return premium < thresholds.quoteBand.low || premium > thresholds.quoteBand.high;
}

/** The index as the product calculates it, with the venues' median as the parallel market. */
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
