import { factorOf } from '../../domain/calculations/ratio.ts';
import { divide, multiply, RATE_DECIMALS, toNumber } from '../../domain/decimal.ts';
import type { Capture } from '../../domain/history/history.ts';
import { isNear, type Thresholds } from '../../domain/judgement.ts';
import type { Redenominations } from '../../domain/redenomination.ts';
import { caracasDayOf, DAY_MS, type Instant, SECOND_MS } from '../../domain/time.ts';
import type { IngestStore } from './batch-context.ts';

/** The longest run of stored quotes before which the replaced one is looked for. */
const MAX_RUN_MS = 2 * DAY_MS;

interface ReplacedParts {
  readonly store: IngestStore;
  readonly thresholds: Thresholds;
  readonly redenominations: Redenominations;
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
  const inBatch = ofBatch.findLast(({ mid }) => !isNear(mid, last.mid, agreementPercent));
  const inUnit = ({ mid, capturedAt }: Capture) =>
    redenominations.rebased(mid, { from: caracasDayOf(capturedAt), to: caracasDayOf(instant) });
  if (inBatch !== undefined) return inUnit(inBatch);
  const factor = factorOf(agreementPercent);
  const band = {
    low: toNumber(divide(last.mid, factor, RATE_DECIMALS)),
    high: toNumber(multiply(last.mid, factor)),
  };
  const span = { start: last.capturedAt - MAX_RUN_MS, end: last.capturedAt };
  const stored = await store.lastCaptureOutside(market, span, band);
  return stored && inUnit(stored);
}
