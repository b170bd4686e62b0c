import { haveSameFigures } from '../../domain/judgement/publication-judgement.ts';
import type { Reading } from '../../domain/judgement.ts';
import type { StoredQuote } from '../ports/records.ts';
import type { KnownPublications } from './known-publications.ts';
import type { KnownQuotes } from './known-quotes.ts';
import type { Pending } from './pending.ts';
import type { Candidate } from './record-entry.ts';

/**
 * Sets the effective times of a record's captures. A quote that is older than the current one by
 * the source's time counts at its own time, and does not replace the current quote.
 */
export async function stand(
  candidate: Candidate,
  {
    publications,
    quotes,
  }: { readonly publications: KnownPublications; readonly quotes: KnownQuotes },
): Promise<Candidate> {
  const isOlder = quotes.isOlder(candidate);
  const captures: StoredQuote[] = [];
  for (const capture of candidate.entry.captures) {
    const placed = isOlder ? { ...capture, capturedAt: capture.updatedAt } : capture;
    captures.push(await publications.stand(placed));
  }
  return { ...candidate, entry: { ...candidate.entry, captures } };
}

/**
 * Whether a confirmed held reading may be published. A publication must have exactly the same
 * figures as the one that confirms it.
 */
export function isPublishable(
  { reading: { observation: held } }: Pending,
  { observation }: Reading,
): boolean {
  if (held.kind !== 'publication' || observation.kind !== 'publication') return true;
  return haveSameFigures(held.rates, observation.rates);
}
