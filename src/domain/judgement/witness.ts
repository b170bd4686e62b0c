import { factorOf, isRatioOver } from '../calculations/ratio.ts';
import type { Doubt, PublishedRates, Thresholds } from '../judgement.ts';
import { type Instant, SECOND_MS } from '../time.ts';
import { areFiguresEqual } from './publication-judgement.ts';
import { judgementRule } from './rules.ts';

/**
 * What a witness shows for the value date of a publication. A witness publishes nothing: it agrees
 * with a publication in doubt, or contradicts it.
 */
export interface WitnessWord {
  readonly rates: PublishedRates;
}

/** With its origin: witnesses that relay the same reader count as one. */
interface SourcedWord extends WitnessWord {
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
export function contradicts(
  { rates: shown }: WitnessWord,
  rates: PublishedRates,
  { publicationAgreementPercent: percent }: Limits,
): boolean {
  return Object.entries(rates).some(([name, rate]) => {
    const other = shown[name];
    return rate !== undefined && other !== undefined && isRatioOver(rate, other, factorOf(percent));
  });
}

/** The words that contradict a publication; none while another witness agrees with it. */
export function contradictions<Word extends WitnessWord>(
  words: readonly Word[],
  rates: PublishedRates,
  limits: Limits,
): readonly Word[] {
  if (words.some((word) => agrees(word, rates, limits))) return [];
  return words.filter((word) => contradicts(word, rates, limits));
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
  const [[name, rate] = []] = Object.entries(rates).filter(([currency, here]) =>
    contradicts({ rates: { [currency]: other.rates[currency] } }, { [currency]: here }, limits),
  );
  const message = `${name} ${rate} differs from ${other.rates[name ?? '']}, which a witness shows for that date`;
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
