import { hash } from 'node:crypto';
import type { StoredQuote } from './ports/quotes.ts';

/** Hex digits of the digest: enough to distinguish the captures of one instant. */
const DIGEST_LENGTH = 8;

/**
 * The id of a published figure for `vesfx evidence`, such as `reference.mi7k2c00.5f0c91d2`. It
 * depends only on the capture's market, time and figures, so it survives another reading of the
 * same figures, a restore and a move to another database.
 */
export function evidenceId(quote: StoredQuote): string {
  return `${quote.market}.${quote.capturedAt.toString(36)}.${quoteDigest(quote)}`;
}

/** What an id says of its capture; undefined for any other text. */
export function parseEvidenceId(text: string) {
  const [, market, time, digest] = /^(.+)\.(-?[0-9a-z]{1,11})\.([0-9a-f]{8})$/.exec(text) ?? [];
  if (market === undefined || time === undefined || digest === undefined) return undefined;
  return { market, capturedAt: Number.parseInt(time, 36), digest };
}

export function quoteDigest({ updatedAt, mid, ask, bid, effectiveDate }: StoredQuote): string {
  const content = [updatedAt, mid, ask ?? 0, bid ?? 0, effectiveDate ?? ''];
  return hash('sha256', JSON.stringify(content)).slice(0, DIGEST_LENGTH);
}
