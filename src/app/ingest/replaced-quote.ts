import type { Capture } from '../../domain/history/history.ts';
import { isNear, type Thresholds } from '../../domain/judgement.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import type { TracedCapture } from '../ports/records.ts';
import type { IngestStore } from './batch-context.ts';

/** Most captures searched for the replaced value. No market has more in ten minutes. */
const MAX_CAPTURES_LOOKED_AT = 200;

interface ReplacedParts {
  readonly store: IngestStore;
  readonly thresholds: Thresholds;
  /** The current quotes of this batch so far, not stored yet. */
  readonly accepted: readonly Capture[];
}

/**
 * The value that the last quote replaced: the current quote before those that agree with the last
 * one, if these came within `restoreWithinSec`. With A A B B, where the Bs agree and the first B
 * came within that time: A. A quote that was stored after one of the Bs was never the current one.
 */
export async function replacedBy(
  market: string,
  instant: Instant,
  { store, thresholds, accepted }: ReplacedParts,
): Promise<number | undefined> {
  const start = instant - thresholds.restoreWithinSec * SECOND_MS;
  const span = { start, end: instant + 1 };
  const stored = await store.latestCaptures(market, span, MAX_CAPTURES_LOOKED_AT);
  const before = await store.lastCaptureBefore(market, start);
  const known = [...(before === undefined ? [] : [before]), ...stored, ...accepted]
    .filter(({ capturedAt }) => capturedAt <= instant)
    .sort((a, b) => a.capturedAt - b.capturedAt || a.updatedAt - b.updatedAt);
  const last = known.at(-1);
  if (last === undefined) return undefined;
  const arrivalOf = arrivals(market, store);
  for (;;) {
    const place = known.findLastIndex(
      ({ mid }) => !isNear(mid, last.mid, thresholds.agreementPercent),
    );
    const [replaced, ...since] = known.slice(place);
    const [first] = since;
    if (place === -1 || replaced === undefined || first === undefined) return undefined;
    if (first.capturedAt < start) return undefined;
    if (!(await hasArrivedAfterAny(replaced, since, arrivalOf))) return replaced.mid;
    known.splice(place, 1);
  }
}

/** A capture with its batch and line; undefined for one of this batch, which arrived after all others. */
type ArrivalOf = (capture: Capture) => Promise<TracedCapture | undefined>;

/** Asks the store once for each capture: the search compares the same ones repeatedly. */
function arrivals(market: string, store: IngestStore): ArrivalOf {
  const known = new Map<Capture, ReturnType<ArrivalOf>>();
  const arrivalIn = async ({ capturedAt, updatedAt, mid }: Capture) =>
    (await store.capturesAt(market, capturedAt)).find(
      ({ quote }) => quote.updatedAt === updatedAt && quote.mid === mid,
    );
  return (capture) => {
    const arrival = known.get(capture) ?? arrivalIn(capture);
    known.set(capture, arrival);
    return arrival;
  };
}

async function hasArrivedAfterAny(
  one: Capture,
  others: readonly Capture[],
  arrivalOf: ArrivalOf,
): Promise<boolean> {
  const arrival = await arrivalOf(one);
  // `accepted` has only quotes that were current.
  if (arrival === undefined) return false;
  for (const other of others) {
    const known = await arrivalOf(other);
    if (known === undefined) continue;
    const later = arrival.batch - known.batch || arrival.line - known.line;
    if (later > 0) return true;
  }
  return false;
}
