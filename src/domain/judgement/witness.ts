import { factorOf, isRatioOver } from '../calculations/ratio.ts';
import type { Doubt, DoubtReason, PublishedRates, Thresholds } from '../judgement.ts';
import { areFiguresEqual } from './publication-judgement.ts';

/**
 * What a witness shows for the value date of a publication. A witness publishes nothing: it agrees
 * with a publication in doubt, or contradicts it.
 */
export interface WitnessWord {
  readonly rates: PublishedRates;
}

type Limits = Pick<Thresholds, 'publicationAgreementPercent'>;

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

/** The doubt about a page that a witness contradicts, while no other witness agrees with it. */
export function witnessDoubt(
  words: readonly WitnessWord[],
  rates: PublishedRates,
  limits: Limits,
): Doubt | undefined {
  if (words.some((word) => agrees(word, rates, limits))) return undefined;
  const other = words.find((word) => contradicts(word, rates, limits));
  if (other === undefined) return undefined;
  const [[name, rate] = []] = Object.entries(rates).filter(([currency, here]) =>
    contradicts({ rates: { [currency]: other.rates[currency] } }, { [currency]: here }, limits),
  );
  const message = `${name} ${rate} differs from ${other.rates[name ?? '']}, which a witness shows for that date`;
  return { reason: 'witness_differs', message };
}

/** The doubts about one figure or its digits: it must be the witness's, as far as that one rounds. */
const OF_DIGITS: readonly DoubtReason[] = [
  'other_figure',
  'figure_changed',
  'page_returned',
  'figure_repeated',
  'figures_unrelated',
];

/** Fewest decimals to which a witness rounds. */
const WITNESS_DECIMALS = 2;

/** Whether a witness that agrees with a publication overcomes a doubt about it. */
export function overcomes(
  { rates: shown }: WitnessWord,
  { reason, currencies = [] }: Doubt,
  rates: PublishedRates,
): boolean {
  // A witness has no sides.
  if (reason === 'side_apart') return false;
  if (!currencies.every((name) => shown[name] !== undefined)) return false;
  if (!OF_DIGITS.includes(reason)) return true;
  return ['USD', ...currencies].every((name) => {
    const [rate, other] = [rates[name], shown[name]];
    return (
      rate === undefined || other === undefined || areFiguresEqual(rate, other, WITNESS_DECIMALS)
    );
  });
}
