import { hash } from 'node:crypto';
import type { Instant } from '../domain/time.ts';
import type { StoredQuote } from './ports/records.ts';

/** Hex digits of the digest: enough to tell the captures of one instant apart. */
const DIGEST_LENGTH = 8;

/** What names a stored capture, whichever batch brought it. */
export interface EvidenceKey {
  readonly market: string;
  readonly capturedAt: Instant;
  readonly digest: string;
}

/**
 * The id of a published figure, as `vesfx evidence` takes it: `reference.mi7k2c00.5f0c91d2`. Made of
 * the capture's market, time and figures alone, so it stays the same through another reading of the
 * same figures, a restore and a move to another database.
 */
export function evidenceId(quote: StoredQuote): string {
  return `${quote.market}.${quote.capturedAt.toString(36)}.${digestOf(quote)}`;
}

/** @returns undefined for text that is no such id. */
export function parseEvidenceId(text: string): EvidenceKey | undefined {
  const [, market, time, digest] = /^(.+)\.(-?[0-9a-z]{1,11})\.([0-9a-f]{8})$/.exec(text) ?? [];
  if (market === undefined || time === undefined || digest === undefined) return undefined;
  return { market, capturedAt: Number.parseInt(time, 36), digest };
}

export function digestOf({ updatedAt, mid, ask, bid, effectiveDate }: StoredQuote): string {
  const content = [updatedAt, mid, ask ?? 0, bid ?? 0, effectiveDate ?? ''];
  return hash('sha256', JSON.stringify(content)).slice(0, DIGEST_LENGTH);
}
