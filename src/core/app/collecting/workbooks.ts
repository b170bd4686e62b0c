import type { Publication } from '../../domain/bcv.ts';
import { isoInstant } from '../../domain/time.ts';
import type { SourceRecord } from '../ports/sources.ts';

/** Largest workbook, in bytes. A quarter takes about 300,000. */
// limit: Workbook | 2 MB | not read
export const MAX_WORKBOOK_BYTES = 2 * 1024 * 1024;

/** The record of contract §7. */
export function recordOf({ valueDate, rates, capturedAt }: Publication): SourceRecord {
  return {
    kind: 'official',
    value_date: valueDate,
    rates,
    captured_at: isoInstant(capturedAt),
  };
}
