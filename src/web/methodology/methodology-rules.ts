import { AMOUNT_DECIMALS, MAX_AMOUNT } from '../../domain/calculations/convert.ts';
import {
  BCV_STALE_AFTER_SEC,
  DEGRADED_P2P_COUNT,
  INDEX_VERSION,
  INDEX_WEIGHTS,
  MAX_P2P_DEVIATION,
} from '../../domain/calculations/reference-index.ts';
import { MAX_RAW_POINTS } from '../../domain/history/history.ts';
import { HOUR_MS, SECOND_MS } from '../../domain/time.ts';

/** The rules' own numbers, so that the page cannot say another one than is calculated with. */
export const RULES = {
  version: INDEX_VERSION,
  weights: INDEX_WEIGHTS,
  bcvStaleHours: (BCV_STALE_AFTER_SEC * SECOND_MS) / HOUR_MS,
  deviationPercent: Number(MAX_P2P_DEVIATION) * 100,
  degradedCount: DEGRADED_P2P_COUNT,
  amountDecimals: AMOUNT_DECIMALS,
  maxAmount: MAX_AMOUNT,
  maxRawPoints: MAX_RAW_POINTS,
} as const;

/** Seconds as a person says them: `132 h`, `15 min`. */
export function ageInWords(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
