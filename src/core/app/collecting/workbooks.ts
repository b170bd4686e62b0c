import type { Publication } from '../../domain/bcv.ts';
import { isoInstant } from '../../domain/time.ts';
import type { SourceRecord } from '../ports/sources.ts';

/** The record of contract §7. */
export function recordOf({ valueDate, rates, capturedAt }: Publication): SourceRecord {
  return {
    kind: 'official',
    value_date: valueDate,
    rates,
    captured_at: isoInstant(capturedAt),
  };
}
