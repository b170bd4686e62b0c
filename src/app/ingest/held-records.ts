import { isoInstant } from '../../domain/time.ts';
import type { HeldRecord, Suspect } from '../ports/held.ts';
import type { CurrentRecords } from '../ports/records.ts';
import type { SourceRecord } from '../ports/sources.ts';
import type { InDoubt } from './judge.ts';
import { parseRecord, Refused } from './record.ts';
import { type Candidate, type Surroundings, toCandidate } from './record-entry.ts';

/** Rows that are released join the table that they were held out of. */
export function withRestOfTable(
  candidate: Candidate,
  { bankTable: current }: CurrentRecords,
): Candidate {
  const { bankTable } = candidate.entry;
  if (bankTable === undefined || current?.indicatorDate !== bankTable.indicatorDate)
    return candidate;
  const banks = new Set(bankTable.rows.map(({ bank }) => bank));
  const rows = [...current.rows.filter(({ bank }) => !banks.has(bank)), ...bankTable.rows];
  const capturedAt = Math.max(current.capturedAt, bankTable.capturedAt);
  return {
    ...candidate,
    entry: { ...candidate.entry, bankTable: { ...bankTable, rows, capturedAt } },
  };
}

/** @returns undefined when its market has left the catalogue meanwhile: it waits for the operator. */
export function candidateOf({ record }: HeldRecord, around: Surroundings): Candidate | undefined {
  try {
    return toCandidate(parseRecord(JSON.stringify(record)), around);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** `parseRecord` has read the line before, so it is JSON of a record. */
function recordOf({ text, candidate: { entry } }: InDoubt): SourceRecord {
  if (text !== undefined || entry.bankTable === undefined)
    return JSON.parse(text ?? '') as SourceRecord;
  const { indicatorDate, rows } = entry.bankTable;
  return { kind: 'bank_table', indicator_date: indicatorDate, rows };
}

export function suspectOf(inDoubt: InDoubt): Suspect {
  const { candidate, doubt, counts } = inDoubt;
  const { subject, capturedAt } = candidate;
  return {
    subject,
    record: { ...recordOf(inDoubt), captured_at: isoInstant(capturedAt) },
    capturedAt,
    reason: doubt.reason,
    message: doubt.message,
    counts,
  };
}

/** Held records that are kept as read; more are a feed that is wrong altogether. */
export const MAX_KEPT_CANDIDATES = 5_000;

/**
 * What held records say, read once: while something is held for long, every reading asks for all of
 * them. A record without a time of its own depends on what else is known, and is read anew.
 */
export class HeldCandidates {
  readonly #kept = new Map<string, Candidate>();

  of(held: HeldRecord, around: Surroundings): Candidate | undefined {
    const known = this.#kept.get(held.id);
    if (known !== undefined) return known;
    const candidate = candidateOf(held, around);
    if (candidate?.isDated !== true) return candidate;
    if (this.#kept.size >= MAX_KEPT_CANDIDATES) this.#kept.clear();
    this.#kept.set(held.id, candidate);
    return candidate;
  }
}
