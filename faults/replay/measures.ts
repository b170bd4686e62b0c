import { medianOf } from '../../src/domain/calculations/ratio.ts';
import { referenceIndex } from '../../src/domain/calculations/reference-index.ts';
import { ageSec, type Instant } from '../../src/domain/time.ts';
import { type Desk, markets, thresholds, VENUES } from './desk.ts';
import type { Figures } from './faults.ts';

/** Figures as far apart as a fault within the share are not the truth; nearer ones may be. */
const NEAR = 0.1;

/** What judgement promises of one or two wrong venues of five. */
const FAR = 0.2;
export const INDEX_GOAL_PERCENT = 1;

/** What is shown after a reading, against the right figures. */
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
  // Rounded to 4 decimals, as each of the three is.
  const isIndexOutside =
    good.length > 0 &&
    (shown < sole(Math.min(...good)) - 0.0001 || shown > sole(Math.max(...good)) + 0.0001);
  return { ...seen, isOutOfBand, indexPercent, isIndexOutside };
}

/** A held venue shows its last good quote, which after a quarter of an hour is no one's measure. */
function isFresh(desk: Desk, name: string, at: Instant): boolean {
  const [market, quote] = [markets.find(name), desk.published(name)];
  if (market === undefined || quote === undefined) return false;
  return ageSec({ since: quote.updatedAt, now: at }) <= market.staleAfterSec;
}

/** The largest share by which a figure or a side is off the right one. */
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
