import type { Publication } from '../../../domain/bcv.ts';
import { judgedRows, tableDoubts } from '../../../domain/judgement/bank-judgement.ts';
import { canInsist, confirmedBy } from '../../../domain/judgement/confirmation.ts';
import { contextOf } from '../../../domain/judgement/publication-context.ts';
import { publicationDoubts, returnDoubt } from '../../../domain/judgement/publication-judgement.ts';
import {
  isDuplicate,
  type PublicationRules,
  publicationsFor,
  returnOf,
  type ValueDates,
  wordsFor,
} from '../../../domain/judgement/value-dates.ts';
import {
  agrees,
  type SourcedWord,
  type WitnessWord,
  witnessDoubt,
} from '../../../domain/judgement/witness.ts';
import {
  type BankTableObservation,
  type Doubt,
  inOrder,
  type Observation,
  PUBLICATIONS,
} from '../../../domain/judgement.ts';
import { type CaracasDay, caracasDayOf, type Instant, isoInstant } from '../../../domain/time.ts';
import type { Settlement } from '../../ports/held.ts';
import { whyOf } from '../quotes/quote-changes.ts';
import {
  endedBy,
  type HeldReading,
  hold,
  isRow,
  type OfficialReading,
  type OfficialState,
  officialAfter,
  publish,
  publishable,
  release,
  withRows,
} from './changes.ts';

/** Judges a reading by what was published and held before it (contract §8). */
export function officialStep(
  state: OfficialState,
  reading: OfficialReading,
  rules: PublicationRules,
): OfficialState {
  const { entry, isTrusted = false, observation } = reading;
  const isRepeated =
    observation.kind === 'publication' && isDuplicate(entry, { isTrusted }, state.dates, rules);
  if (isRepeated) {
    return officialAfter(state, [...endedBy(reading, state), { status: 'duplicate' }]);
  }
  const pending = state.held.filter(({ subject }) => subject === reading.subject);
  return observation.kind === 'bank_table' && !isTrusted
    ? tableStep(state, reading, observation, pending, rules)
    : wholeStep(state, reading, pending, rules);
}

/** Passes or holds a record as a whole, unlike a table whose rows are judged one by one. */
function wholeStep(
  state: OfficialState,
  reading: OfficialReading,
  pending: readonly HeldReading[],
  rules: PublicationRules,
): OfficialState {
  const { isTrusted = false, observation, capturedAt, entry } = reading;
  const { thresholds } = rules;
  const words = wordsAbout(observation, capturedAt, state.dates, rules);
  const known = isTrusted ? [] : doubtsAbout(reading, state.dates, rules);
  const differs =
    rules.isPage && !isTrusted && observation.kind === 'publication'
      ? witnessDoubt(words, observation.rates, thresholds, { isDoubtful: known.length > 0 })
      : undefined;
  const doubts = differs === undefined ? known : [...known, differs];
  const confirmed =
    doubts.length === 0 ? [] : confirmedBy(reading, doubts, pending, thresholds, words);
  if (confirmed === undefined) {
    // A value date that needs the operator takes no part in the repetitions of an archive.
    const isOfArchive = reading.isOfArchive === true && canInsist(doubts, observation);
    return hold(state, { ...reading, isOfArchive }, doubts, pending);
  }
  const insisted =
    confirmedBy(reading, doubts, pending, withoutRepetition(rules), words) === undefined;
  const stored = insisted ? { ...reading, entry: { ...entry, insisted } } : reading;
  return publish(state, stored, confirmed, rules);
}

function tableStep(
  state: OfficialState,
  reading: OfficialReading,
  observation: BankTableObservation,
  pending: readonly HeldReading[],
  rules: PublicationRules,
): OfficialState {
  const whole = pending.filter((one) => !isRow(one));
  const doubts = doubtsAbout(reading, state.dates, rules);
  const confirmed =
    doubts.length === 0 ? [] : confirmedBy(reading, doubts, whole, rules.thresholds);
  if (confirmed === undefined) return hold(state, reading, inOrder(doubts).slice(0, 1), pending);
  const { capturedAt } = reading;
  const { good, bad, doubt } = judgedRows(observation, capturedAt, pending, state.dates, rules);
  const apart = doubt === undefined ? state : hold(state, withRows(reading, bad), [doubt], pending);
  if (good.length === 0) return release(apart, confirmed, rules);
  return publish(apart, doubt === undefined ? reading : withRows(reading, good), confirmed, rules);
}

/** Releases the held publications with which a witness that was read at `at` agrees. */
export function hear(state: OfficialState, at: Instant, rules: PublicationRules): OfficialState {
  let made = state;
  for (const reading of state.held.toReversed()) {
    const { observation, subject } = reading;
    const { held, dates } = made;
    const words = wordsAbout(observation, at, dates, rules);
    if (observation.kind !== 'publication' || !held.includes(reading)) continue;
    if (!words.some((word) => agrees(word, observation.rates, rules.thresholds))) continue;
    const doubts = doubtsAbout(reading, dates, rules);
    const others = held.filter((one) => one !== reading && one.subject === subject);
    const confirmed = confirmedBy(reading, doubts, others, withoutRepetition(rules), words);
    if (confirmed === undefined) continue;
    made = release(made, publishable(confirmed, reading), rules);
    made = officialAfter(made, [{ status: 'released', reading }]);
  }
  return made;
}

function doubtsAbout(
  { observation, capturedAt, entry: { publication }, unitDoubt }: OfficialReading,
  dates: ValueDates,
  rules: PublicationRules,
): readonly Doubt[] {
  if (unitDoubt !== undefined) return [unitDoubt];
  if (observation.kind === 'quote') {
    throw new Error('Quotes of markets without value dates are judged together.');
  }
  if (observation.kind === 'bank_table') return tableDoubts(observation, capturedAt, dates, rules);
  const returned = publication && returnOf(publication, dates);
  if (returned !== undefined) return [returnDoubt(observation, returned.wrong.rates)];
  const context = contextOf(observation, capturedAt, dates, rules);
  return publicationDoubts(observation, context, rules.thresholds);
}

/**
 * What witnesses show for the value date of a publication. Those that agree with it are left out while
 * as many origins show what is published for that date: in a tie that one stays.
 */
function wordsAbout(
  observation: Observation,
  at: Instant,
  dates: ValueDates,
  rules: PublicationRules,
) {
  if (observation.kind !== 'publication') return [];
  const words = wordsFor(dates, observation.valueDate, at, rules);
  const stored = publicationsFor(dates, observation.valueDate);
  const published = stored.findLast(({ state }) => state === 'published');
  const isFor = (word: WitnessWord) => agrees(word, observation.rates, rules.thresholds);
  const others = words.filter((word) => !isFor(word));
  const isForPublished = ({ rates }: WitnessWord) =>
    published !== undefined && agrees({ rates }, published.rates, rules.thresholds);
  const isTie = originsOf(others.filter(isForPublished)) >= originsOf(words.filter(isFor));
  return isTie ? others : words;
}

const originsOf = (words: readonly SourcedWord[]) =>
  new Set(words.map(({ origin }) => origin)).size;

/** The numbers with which only another source or a witness confirms. */
function withoutRepetition({ thresholds }: PublicationRules) {
  return { ...thresholds, confirmingReads: Number.POSITIVE_INFINITY };
}

/**
 * The publication of a value date to come that witnesses read shortly before `at` refute, if it was
 * published without one that agrees and without the operator: it is withdrawn, and held like one that
 * was never published. Against one that repetition alone released one witness is enough: it had
 * another doubt.
 */
export function refutedAt(
  at: Instant,
  valueDate: CaracasDay,
  dates: ValueDates,
  rules: PublicationRules,
): { readonly source: string; readonly settlement: Settlement } | undefined {
  const { unchecked } = dates.witnessed.get(valueDate) ?? {};
  if (valueDate <= caracasDayOf(rules.receivedAt) || unchecked === undefined) return undefined;
  const { rates, source, insisted: isDoubtful = false } = unchecked;
  const words = wordsFor(dates, valueDate, at, rules);
  const doubt = witnessDoubt(words, rates, rules.thresholds, { isDoubtful });
  if (doubt === undefined) return undefined;
  const captured_at = isoInstant(at);
  const held = (figures: Publication['rates'], why: Doubt) => ({
    record: { kind: 'official' as const, value_date: valueDate, rates: figures, captured_at },
    ...{ subject: PUBLICATIONS, capturedAt: at, counts: true },
    ...whyOf([why]),
  });
  const isShown = (one: WitnessWord) =>
    words.some((word) => agrees(word, one.rates, rules.thresholds));
  const before = publicationsFor(dates, valueDate).findLast(
    (one) => one.state === 'replaced' && isShown(one),
  );
  const message = `published for ${valueDate} before the figures that witnesses refute`;
  return {
    source,
    settlement: {
      // What it had replaced is published again by the witness that shows it.
      hold: [
        held(rates, doubt),
        ...(before ? [held(before.rates, { reason: 'figure_changed', message })] : []),
      ],
      supersede: [{ valueDate, rates, state: 'withdrawn', why: 'witness_differs' }],
    },
  };
}
