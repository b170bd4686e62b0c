import { factorOf } from '../../domain/calculations/ratio.ts';
import { divide, multiply, RATE_DECIMALS, toNumber } from '../../domain/decimal.ts';
import type { Capture } from '../../domain/history/history.ts';
import { isNear, type Thresholds } from '../../domain/judgement.ts';
import type { StoredRedenominations } from '../../domain/redenomination.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  type Instant,
  SECOND_MS,
  startOfCaracasDay,
} from '../../domain/time.ts';
import type { IngestStore } from './batch-context.ts';

/** The longest run of stored quotes before which the replaced one is looked for. */
const MAX_RUN_MS = 2 * DAY_MS;

interface ReplacedParts {
  readonly store: IngestStore;
  readonly thresholds: Thresholds;
  readonly redenominations: StoredRedenominations;
  /** The current quotes of this batch so far, oldest first, not stored yet. */
  readonly accepted: readonly Capture[];
}

/**
 * The value that the last quote replaced: the current quote before those that agree with the last
 * one, if the last one was read within `restoreWithinSec`. With A A B B, where the Bs agree: A. A
 * quote that was stored after one of the Bs was never the current one.
 * @returns the value in the unit of the instant.
 */
export async function replacedBy(
  market: string,
  instant: Instant,
  { store, thresholds, redenominations, accepted }: ReplacedParts,
): Promise<number | undefined> {
  const ofBatch = accepted.filter(({ capturedAt }) => capturedAt <= instant);
  const last = ofBatch.at(-1) ?? (await store.lastCaptureBefore(market, instant + 1));
  if (last === undefined) return undefined;
  const { agreementPercent, restoreWithinSec } = thresholds;
  if (instant - last.capturedAt > restoreWithinSec * SECOND_MS) return undefined;
  const inUnitOf = (day: CaracasDay, { mid, capturedAt }: Capture) =>
    redenominations.rebased(mid, { from: caracasDayOf(capturedAt), to: day });
  const unit = caracasDayOf(instant);
  const inBatch = ofBatch.findLast(
    (quote) => !isNear(inUnitOf(unit, quote), inUnitOf(unit, last), agreementPercent),
  );
  if (inBatch !== undefined) return inUnitOf(unit, inBatch);
  const factor = factorOf(agreementPercent);
  let { capturedAt: end } = last;
  const start = end - MAX_RUN_MS;
  // Each part of the time has one unit, and so has its band. The newest part comes first.
  const units = { from: caracasDayOf(start), to: caracasDayOf(end) };
  const reforms = redenominations.after(units).map(({ on }) => startOfCaracasDay(on));
  for (const from of [...reforms.reverse(), start]) {
    const mid = inUnitOf(caracasDayOf(end), last);
    const band = {
      low: toNumber(divide(mid, factor, RATE_DECIMALS)),
      high: toNumber(multiply(mid, factor)),
    };
    const stored = await store.lastCaptureOutside(market, { start: from, end }, band);
    if (stored !== undefined) return inUnitOf(unit, stored);
    end = from - 1;
  }
  return undefined;
}
