import { PUBLISHED_CURRENCIES, type Publication } from '../bcv.ts';
import type { Thresholds } from '../judgement.ts';
import { OFFICIAL_RATES } from '../markets.ts';
import type { DoubtfulRate, ObservedRate } from '../official.ts';
import type { Quote } from '../quotes.ts';
import { type Redenominations, shownUnits } from '../redenomination.ts';
import { caracasDayOf, type Instant } from '../time.ts';
import { contradictions, countsUntil, type WitnessWord } from './witness.ts';

/** A publication, and what witnesses showed for its value date when they were last read. */
export interface WitnessedPublication extends Publication {
  readonly words: readonly (WitnessWord & { readonly capturedAt: Instant })[];
}

/**
 * The published rates in doubt at `now`, in force or to come: a witness contradicts their publication
 * and none agrees with it (decisions §8).
 * @param observed The stored rates around that day.
 * @returns them, `isAbout` for the quotes of official markets, and `until` and `changedAt` as in
 *   `quotesInDoubt`.
 */
export function contradictedRates(
  witnessed: readonly WitnessedPublication[],
  observed: readonly ObservedRate[],
  {
    thresholds,
    redenominations: { rebased },
    now,
  }: {
    readonly thresholds: Thresholds;
    readonly redenominations: Pick<Redenominations, 'rebased'>;
    readonly now: Instant;
  },
) {
  const today = caracasDayOf(now);
  const isPast = ({ currency, valueDate }: ObservedRate) =>
    observed.some(
      (later) =>
        later.currency === currency && later.valueDate > valueDate && later.valueDate <= today,
    );
  const contradicted = witnessed.filter(({ words, rates }) => {
    const fresh = words.filter((word) => now <= countsUntil(word, thresholds));
    return contradictions(fresh, rates, thresholds).length > 0;
  });
  const rates = contradicted.flatMap(({ valueDate, rates: published, capturedAt: since }) =>
    PUBLISHED_CURRENCIES.flatMap((currency): readonly DoubtfulRate[] => {
      const stored = observed.find(
        (one) => one.currency === currency && one.valueDate === valueDate,
      );
      if (stored === undefined || stored.rate !== published[currency] || isPast(stored)) return [];
      const rate = rebased(stored.rate, shownUnits(valueDate, { on: today }));
      return [{ currency, valueDate, rate, reasons: ['witness_differs'], since }];
    }),
  );
  const all = witnessed.flatMap(({ words }) => words);
  // A word that no longer counts may have agreed as well as contradicted.
  const ends = all.map((word) => countsUntil(word, thresholds) + 1);
  const changes = [...ends, ...all.map(({ capturedAt }) => capturedAt)];
  return {
    rates,
    isAbout: ({ market, effectiveDate }: Pick<Quote, 'market' | 'effectiveDate'>) =>
      rates.some(
        ({ currency, valueDate }) =>
          OFFICIAL_RATES[currency] === market.id && valueDate === effectiveDate,
      ),
    until: Math.min(...ends.filter((at) => now < at)),
    changedAt: Math.max(0, ...changes.filter((at) => at <= now)),
  };
}
