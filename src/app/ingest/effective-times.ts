import type { StoredQuote } from '../ports/records.ts';
import type { KnownPublications } from './known-publications.ts';
import type { KnownQuotes } from './known-quotes.ts';
import type { Candidate } from './record-entry.ts';

/**
 * Returns a record with the effective times of its captures. A quote that its source dates before the
 * current one counts at its own time, and does not replace the current quote.
 */
export async function withEffectiveTimes(
  candidate: Candidate,
  {
    publications,
    quotes,
  }: { readonly publications: KnownPublications; readonly quotes: KnownQuotes },
): Promise<Candidate> {
  const isLateReport = quotes.isLateReport(candidate);
  const captures: StoredQuote[] = [];
  for (const capture of candidate.entry.captures) {
    const placed = isLateReport
      ? { ...capture, capturedAt: quotes.timeOfLateReport(capture) }
      : capture;
    captures.push(await publications.withEffectiveTime(placed));
  }
  return { ...candidate, entry: { ...candidate.entry, captures } };
}
