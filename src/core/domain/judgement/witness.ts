import { PUBLISHED_CURRENCIES, type Publication } from '../bcv.ts';
import { factorOf, isRatioOver } from '../calculations/ratio.ts';
import { areFiguresEqual, type Doubt, type PublishedRates, type Thresholds } from '../judgement.ts';
import { OFFICIAL_RATES } from '../markets.ts';
import type { DoubtfulRate, ObservedRate } from '../official.ts';
import type { Quote } from '../quotes.ts';
import { type Redenominations, shownUnits } from '../redenomination.ts';
import { caracasDayOf, type Instant, SECOND_MS } from '../time.ts';
import { judgementRule } from './rules.ts';

/**
 * What a witness shows for the value date of a publication. A witness publishes nothing: it agrees
 * with a publication in doubt, or contradicts it.
 */
export type WitnessWord = Pick<Publication, 'rates'>;

/** With its origin: witnesses that relay the same reader count as one. */
export interface SourcedWord extends WitnessWord {
  readonly origin: string;
}

type Limits = Pick<Thresholds, 'publicationAgreementPercent'>;

/** The last instant at which a word counts. */
export function countsUntil(
  { capturedAt }: { readonly capturedAt: Instant },
  { agreementWithinSec }: Pick<Thresholds, 'agreementWithinSec'>,
): Instant {
  return capturedAt + agreementWithinSec * SECOND_MS;
}

/** Whether the witness has the dollar's figure, and all figures that both have are near each other. */
export function agrees(word: WitnessWord, rates: PublishedRates, limits: Limits): boolean {
  const hasDollar = word.rates.USD !== undefined && rates.USD !== undefined;
  return hasDollar && !contradicts(word, rates, limits);
}

/** Whether the witness has another figure for the value date. */
export function contradicts(word: WitnessWord, rates: PublishedRates, limits: Limits): boolean {
  return differing(word, rates, limits).length > 0;
}

/** The currencies of which the witness has another figure for the value date. */
function differing(
  { rates: shown }: WitnessWord,
  rates: PublishedRates,
  { publicationAgreementPercent: percent }: Limits,
): readonly string[] {
  return Object.keys(rates).filter((name) => {
    const [rate, other] = [rates[name], shown[name]];
    return rate !== undefined && other !== undefined && isRatioOver(rate, other, factorOf(percent));
  });
}

/**
 * The words that contradict a publication; none while another witness agrees with it that has the
 * currencies in question.
 */
export function contradictions<Word extends WitnessWord>(
  words: readonly Word[],
  rates: PublishedRates,
  limits: Limits,
): readonly Word[] {
  const agreeing = words.filter((word) => agrees(word, rates, limits));
  return words.filter((word) => {
    const names = differing(word, rates, limits);
    const isOutvoted = agreeing.some(({ rates: shown }) =>
      names.every((name) => shown[name] !== undefined),
    );
    return names.length > 0 && !isOutvoted;
  });
}

/**
 * How many witnesses hold or withdraw a publication without other doubts. One alone marks it: it may
 * err as well as the page.
 */
const WITNESSES_AGAINST_PUBLICATION = 2;

/**
 * The doubt about a page that witnesses of enough origins contradict, while none agrees with it.
 * @param isDoubtful Whether something else speaks against the page. Then one witness is enough.
 */
export function witnessDoubt(
  words: readonly SourcedWord[],
  rates: PublishedRates,
  limits: Limits,
  { isDoubtful }: { readonly isDoubtful: boolean },
): Doubt | undefined {
  const against = contradictions(words, rates, limits);
  const origins = new Set(against.map(({ origin }) => origin));
  const [other] = against;
  if (other === undefined) return undefined;
  if (!isDoubtful && origins.size < WITNESSES_AGAINST_PUBLICATION) return undefined;
  const [name = ''] = differing(other, rates, limits);
  const message = `${name} ${rates[name]} differs from ${other.rates[name]}, which a witness shows for that date`;
  return { reason: 'witness_differs', message };
}

/** Fewest decimals to which a witness rounds. */
const WITNESS_DECIMALS = 2;

/** Whether a witness that agrees with a publication overcomes a doubt about it. */
export function overcomes(
  { rates: shown }: WitnessWord,
  { reason, currencies = [] }: Doubt,
  rates: PublishedRates,
): boolean {
  const { witness = 'figures' } = judgementRule(reason) ?? {};
  if (witness === 'never') return false;
  if (!currencies.every((name) => shown[name] !== undefined)) return false;
  if (witness === 'figures') return true;
  return ['USD', ...currencies].every((name) => {
    const [rate, other] = [rates[name], shown[name]];
    return (
      rate === undefined || other === undefined || areFiguresEqual(rate, other, WITNESS_DECIMALS)
    );
  });
}

/** A publication, and what witnesses showed for its value date when they were last read. */
export interface WitnessedPublication extends Publication {
  readonly words: readonly (WitnessWord & { readonly capturedAt: Instant })[];
}

/**
 * The published rates in doubt at `now`, in force or to come: a witness contradicts their publication
 * and none agrees with it (contract §8).
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
