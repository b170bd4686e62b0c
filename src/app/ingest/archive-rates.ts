import { PUBLISHED_CURRENCIES } from '../../domain/bcv.ts';
import { areFiguresEqual } from '../../domain/judgement/publication-judgement.ts';
import { OFFICIAL_RATES } from '../../domain/markets.ts';
import type { CaracasDay, Instant } from '../../domain/time.ts';
import type { StoredQuote } from '../ports/records.ts';
import type { IngestStore } from './ingest-store.ts';
import type { Candidate } from './record-entry.ts';

/** Held publications that an archive's figure is looked for among. */
export const MAX_HELD_COMPARED = 10_000;

/** An official rate of an archive that is another figure than the stored one. */
export interface Contradiction {
  readonly valueDate: CaracasDay;
  /** A market, or a currency that no market quotes. */
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
  /** Gets the ids of held publications that the archive releases. */
  readonly corrections: string[];
}

/**
 * The record without the rates of which the value date has one; undefined when that is all. A rate
 * that contradicts the stored one is told, or stays when corrections are accepted. Where a held
 * publication says what the archive says, `corrections` gets its id: the archive releases it.
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
      options.onContradiction?.({
        valueDate: effectiveDate,
        market,
        stored: known.mid,
        given: mid,
      });
    }
  }
  if (captures.length === 0) return undefined;
  // A correction is of now, whenever the archive says that the figure was published.
  const readAt = isCorrection ? { capturedAt: options.now } : {};
  return { candidate: withRates(candidate, { captures, stored, readAt }), isCorrection };
}

/** The record with the wanted rates to judge, and a publication in which the stored ones stay. */
function withRates(
  candidate: Candidate,
  {
    captures,
    stored,
    readAt,
  }: {
    readonly captures: readonly StoredQuote[];
    readonly stored: ReadonlyMap<string, number>;
    readonly readAt: { readonly capturedAt?: Instant };
  },
): Candidate {
  const { entry, observation } = candidate;
  if (observation.kind !== 'publication' || entry.publication === undefined) return candidate;
  const { publication } = entry;
  const rates = { ...publication.rates };
  const wanted = { ...publication.rates };
  for (const currency of PUBLISHED_CURRENCIES) {
    const known = stored.get(OFFICIAL_RATES[currency]);
    if (known === undefined) continue;
    rates[currency] = known;
    delete wanted[currency];
  }
  return {
    ...candidate,
    entry: { ...entry, captures, publication: { ...publication, rates, ...readAt } },
    observation: { ...observation, rates: wanted, isWhole: stored.size === 0 },
  };
}

/** A held publication of that value date with the archive's figures. */
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
