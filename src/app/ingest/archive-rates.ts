import { currenciesOf } from '../../domain/bcv.ts';
import { areFiguresEqual } from '../../domain/judgement/publication-judgement.ts';
import { officialNameOf } from '../../domain/markets.ts';
import type { CaracasDay, Instant } from '../../domain/time.ts';
import type { StoredQuote } from '../ports/quotes.ts';
import type { IngestStore } from './batch-context.ts';
import { type Candidate, judgedRates } from './record-entry.ts';

/** Most held publications that are compared with an archive's figure. */
// limit: Held publications searched for the figure of an archive | 10,000 | older ones wait for the operator
const MAX_HELD_COMPARED = 10_000;

/** An official rate of an archive that differs from the stored one. */
export interface Contradiction {
  readonly valueDate: CaracasDay;
  /** A market id, or the code of a currency without a market. */
  readonly market: string;
  readonly stored: number;
  readonly given: number;
}

interface ArchiveOptions {
  readonly store: IngestStore;
  readonly now: Instant;
  readonly onlyNewValueDates?: boolean;
  readonly acceptCorrections?: boolean;
  readonly onContradiction?: (contradiction: Contradiction) => void;
  /** Receives the ids of held publications that the archive releases. */
  readonly corrections: string[];
}

/**
 * Removes the rates that the store already has for the value date; undefined when no rate is left.
 * A contradicting rate is reported, or kept when corrections are accepted. When a held publication
 * agrees with the archive, `corrections` receives its id, and the archive releases it.
 */
export async function wantedOf(
  candidate: Candidate,
  options: ArchiveOptions,
): Promise<{ candidate: Candidate; isCorrection: boolean } | undefined> {
  if (options.onlyNewValueDates !== true) return { candidate, isCorrection: false };
  const captures: StoredQuote[] = [];
  const stored = new Map<string, number>();
  let isCorrection = false;
  for (const capture of candidate.entry.captures) {
    const { market, effectiveDate, mid } = capture;
    const known = effectiveDate && (await options.store.officialRateUpTo(market, effectiveDate));
    if (!known || known.effectiveDate !== effectiveDate) {
      captures.push(capture);
      continue;
    }
    stored.set(market, known.mid);
    if (areFiguresEqual(known.mid, mid)) continue;
    const held = await heldThatAgrees(candidate, options.store);
    if (held !== undefined) {
      if (!options.corrections.includes(held)) options.corrections.push(held);
    } else if (options.acceptCorrections === true) {
      isCorrection = true;
      stored.delete(market);
      captures.push({ ...capture, observedAt: options.now });
    } else {
      const contradiction = { valueDate: effectiveDate, market, stored: known.mid, given: mid };
      options.onContradiction?.(contradiction);
    }
  }
  if (captures.length === 0) return undefined;
  // A correction is dated now, whatever time the archive gives.
  const readAt = isCorrection ? options.now : undefined;
  return { candidate: withRates(candidate, captures, stored, readAt), isCorrection };
}

/** The record with only the wanted rates to judge, and a publication that keeps the stored ones. */
function withRates(
  candidate: Candidate,
  captures: readonly StoredQuote[],
  stored: ReadonlyMap<string, number>,
  readAt: Instant | undefined,
): Candidate {
  const { entry, observation } = candidate;
  if (observation.kind !== 'publication' || entry.publication === undefined) return candidate;
  const { publication } = entry;
  const capturedAt = readAt ?? publication.capturedAt;
  const rates = { ...publication.rates };
  const wanted = { ...publication.rates };
  for (const currency of currenciesOf(publication.rates)) {
    const known = stored.get(officialNameOf(currency));
    if (known === undefined) continue;
    rates[currency] = known;
    delete wanted[currency];
  }
  return {
    ...candidate,
    entry: { ...entry, captures, publication: { ...publication, rates, capturedAt } },
    observation: { ...observation, rates: judgedRates(wanted), isWhole: stored.size === 0 },
  };
}

async function heldThatAgrees(
  { observation, subject }: Candidate,
  store: IngestStore,
): Promise<string | undefined> {
  if (observation.kind !== 'publication') return undefined;
  for (const held of await store.listHeld('held', MAX_HELD_COMPARED)) {
    if (held.subject !== subject || held.record['value_date'] !== observation.valueDate) continue;
    const rates = Object.entries(held.record['rates'] ?? {});
    const common = rates.filter(([name]) => observation.rates[name] !== undefined);
    const agrees = common.every(
      ([name, rate]) =>
        typeof rate === 'number' && areFiguresEqual(rate, observation.rates[name] ?? 0),
    );
    if (common.length > 0 && agrees) return held.id;
  }
  return undefined;
}
