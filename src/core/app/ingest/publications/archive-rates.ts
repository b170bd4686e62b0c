import { currenciesOf } from '../../../domain/bcv.ts';
import { rateOn, type ValueDates } from '../../../domain/judgement/value-dates.ts';
import { areFiguresEqual } from '../../../domain/judgement.ts';
import { officialNameOf } from '../../../domain/markets.ts';
import type { CaracasDay, Instant } from '../../../domain/time.ts';
import type { HeldRecord } from '../../ports/held.ts';
import type { StoredQuote } from '../../ports/quotes.ts';
import { type Candidate, judgedRates } from '../record-entry.ts';

/** An official rate of an archive that differs from the stored one. */
export interface Contradiction {
  readonly valueDate: CaracasDay;
  /** A market id, or the code of a currency without a market. */
  readonly market: string;
  readonly stored: number;
  readonly given: number;
}

interface ArchiveOptions {
  /** What is stored. */
  readonly dates: ValueDates;
  /** All held records. */
  readonly held: readonly HeldRecord[];
  readonly now: Instant;
  readonly acceptCorrections?: boolean | undefined;
  readonly onContradiction?: ((contradiction: Contradiction) => void) | undefined;
  /** Receives the ids of held publications that the archive releases. */
  readonly corrections: Set<string>;
}

/**
 * Removes the rates that the store already has for the value date; undefined when no rate is left.
 * A contradicting rate is reported, or kept when corrections are accepted. When a held publication
 * agrees with the archive, `corrections` receives its id, and the archive releases it.
 */
export function wantedOf(
  candidate: Candidate,
  options: ArchiveOptions,
): { candidate: Candidate; isCorrection: boolean } | undefined {
  const captures: StoredQuote[] = [];
  const stored = new Map<string, number>();
  let isCorrection = false;
  for (const capture of candidate.entry.captures) {
    const { market, effectiveDate, mid } = capture;
    const known = effectiveDate && rateOn(options.dates, market, effectiveDate);
    if (!known) {
      captures.push(capture);
      continue;
    }
    stored.set(market, known.mid);
    if (areFiguresEqual(known.mid, mid)) continue;
    const held = heldThatAgrees(candidate, options.held);
    if (held !== undefined) options.corrections.add(held);
    else if (options.acceptCorrections === true) {
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

function heldThatAgrees(
  { observation, subject }: Candidate,
  records: readonly HeldRecord[],
): string | undefined {
  if (observation.kind !== 'publication') return undefined;
  const { valueDate, rates } = observation;
  return records.find((held) => {
    if (held.subject !== subject || held.record['value_date'] !== valueDate) return false;
    const figures = Object.entries(held.record['rates'] ?? {});
    const common = figures.filter(([name]) => rates[name] !== undefined);
    const agrees = ([name, rate]: [string, unknown]) =>
      typeof rate === 'number' && areFiguresEqual(rate, rates[name] ?? 0);
    return common.length > 0 && common.every(agrees);
  })?.id;
}
