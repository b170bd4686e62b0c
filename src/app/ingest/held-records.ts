import { parseJson } from '../../domain/exact-json.ts';
import type { Doubt } from '../../domain/judgement.ts';
import { isoInstant } from '../../domain/time.ts';
import type { HeldRecord, Suspect } from '../ports/held.ts';
import type { CurrentRecords } from '../ports/records.ts';
import type { SourceRecord } from '../ports/sources.ts';
import { parseRecord, Refused } from './record.ts';
import { type Candidate, type Surroundings, toCandidate } from './record-entry.ts';

/** Merges released rows into the current table of the same date. */
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

/**
 * Reads a held record again.
 * @returns undefined when its market has left the catalogue; it then waits for the operator.
 */
export function candidateOf({ record }: HeldRecord, around: Surroundings): Candidate | undefined {
  try {
    return toCandidate(parseRecord(JSON.stringify(record)), around);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** A doubtful record of the current batch. */
export interface InDoubt {
  readonly candidate: Candidate;
  /** Its original line; undefined for some rows of a table. */
  readonly text: string | undefined;
  readonly doubt: Doubt;
  /** Whether it still counts towards a confirmation; stored as `HeldRecord.counts`. */
  readonly counts: boolean;
}

/** The cast is safe: `parseRecord` has read the line before. */
function recordOf({ text, candidate: { entry } }: InDoubt): SourceRecord {
  if (text !== undefined || entry.bankTable === undefined)
    return parseJson(text ?? '') as SourceRecord;
  const { indicatorDate, rows } = entry.bankTable;
  return { kind: 'bank_table', indicator_date: indicatorDate, rows };
}

export function suspectOf(inDoubt: InDoubt): Suspect {
  const { candidate, doubt, counts } = inDoubt;
  const { subject, capturedAt, market } = candidate;
  const { reason, message } = doubt;
  const record = {
    ...recordOf(inDoubt),
    // The record may have named it by an alias.
    ...(market !== undefined && { market: market.id }),
    captured_at: isoInstant(capturedAt),
  };
  return { subject, record, capturedAt, reason, message, counts };
}

/** Most parsed held records kept in memory. More come from a feed that is entirely wrong. */
const MAX_KEPT_CANDIDATES = 5_000;

/**
 * A cache of parsed held records, because every reading needs all of them. A record without its own
 * time depends on other records and is parsed again.
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
