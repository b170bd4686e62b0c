import { judgedRows, tableDoubts } from '../../../domain/judgement/bank-judgement.ts';
import { canInsist, confirmedBy } from '../../../domain/judgement/confirmation.ts';
import { returnDoubt } from '../../../domain/judgement/page-judgement.ts';
import { contextOf } from '../../../domain/judgement/publication-context.ts';
import { publicationDoubts } from '../../../domain/judgement/publication-judgement.ts';
import {
  isDuplicate,
  type PublicationRules,
  publicationsFor,
  returnOf,
  type SupersededPublication,
  type ValueDates,
  wordsFor,
} from '../../../domain/judgement/value-dates.ts';
import { agrees, witnessDoubt } from '../../../domain/judgement/witness.ts';
import { type Doubt, inOrder, type Observation, PUBLICATIONS } from '../../../domain/judgement.ts';
import { type CaracasDay, caracasDayOf, type Instant, isoInstant } from '../../../domain/time.ts';
import type { Suspect } from '../../ports/held.ts';
import { whyOf } from '../quotes/quote-changes.ts';
import type { Candidate } from '../record-entry.ts';
import {
  after,
  also,
  endedBy,
  hold,
  isRow,
  type OfficialReading,
  type OfficialState,
  type PublicationStep,
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
): PublicationStep {
  const { candidate, isTrusted = false, observation } = reading;
  const { dates } = state;
  const isRepeated =
    observation.kind === 'publication' &&
    !isOfRefuted(observation.valueDate, state, candidate, rules) &&
    isDuplicate(candidate.entry, { isTrusted }, dates, rules);
  if (isRepeated) {
    return after(state, [...endedBy(reading, state.held), { status: 'duplicate' }]);
  }
  return observation.kind === 'bank_table' && !isTrusted
    ? tableStep(state, reading, observation, rules)
    : wholeStep(state, reading, rules);
}

/** Passes or holds a record as a whole, unlike a table whose rows are judged one by one. */
function wholeStep(
  state: OfficialState,
  reading: OfficialReading,
  rules: PublicationRules,
): PublicationStep {
  const { candidate, isTrusted = false, observation, capturedAt } = reading;
  const { thresholds } = rules;
  const words = wordsAbout(observation, capturedAt, state.dates, rules);
  const known = isTrusted ? [] : doubtsAbout(candidate, state.dates, rules);
  const differs =
    rules.isPage && !isTrusted && observation.kind === 'publication'
      ? witnessDoubt(words, observation.rates, thresholds, { isDoubtful: known.length > 0 })
      : undefined;
  const doubts = differs === undefined ? known : [...known, differs];
  const pending = state.held.filter((one) => one.candidate.subject === candidate.subject);
  const confirmed =
    doubts.length === 0 ? [] : confirmedBy(reading, doubts, pending, thresholds, words);
  if (confirmed === undefined) {
    // A value date that needs the operator takes no part in the repetitions of an archive.
    const isOfArchive = reading.isOfArchive === true && canInsist(doubts, observation);
    return after(state, hold({ ...reading, isOfArchive }, doubts, pending));
  }
  const hasSource =
    confirmedBy(reading, doubts, pending, withoutRepetition(rules), words) !== undefined;
  const entry = hasSource ? candidate.entry : { ...candidate.entry, insisted: true };
  return publish(
    after(state, []),
    { ...reading, candidate: { ...candidate, entry } },
    confirmed,
    rules,
  );
}

function tableStep(
  state: OfficialState,
  reading: OfficialReading,
  observation: Extract<Observation, { readonly kind: 'bank_table' }>,
  rules: PublicationRules,
): PublicationStep {
  const { candidate, capturedAt } = reading;
  const held = state.held.filter((one) => one.candidate.subject === candidate.subject);
  const whole = held.filter((one) => !isRow(one));
  const doubts = doubtsAbout(candidate, state.dates, rules);
  const confirmed =
    doubts.length === 0 ? [] : confirmedBy(reading, doubts, whole, rules.thresholds);
  if (confirmed === undefined)
    return after(state, hold(reading, inOrder(doubts).slice(0, 1), held));
  const { good, bad, doubt } = judgedRows(observation, capturedAt, held, state.dates, rules);
  const apart =
    doubt === undefined
      ? after(state, [])
      : after(state, hold(withRows(reading, bad), [doubt], held));
  if (good.length === 0) return release(apart, confirmed, rules);
  return publish(apart, doubt === undefined ? reading : withRows(reading, good), confirmed, rules);
}

/** Releases the held publications with which a witness that was read at `at` agrees. */
export function hear(state: OfficialState, at: Instant, rules: PublicationRules): PublicationStep {
  let made = after(state, []);
  for (const reading of state.held.toReversed()) {
    const { candidate, observation } = reading;
    const { held, dates } = made.state;
    const words = wordsAbout(observation, at, dates, rules);
    if (observation.kind !== 'publication' || !held.includes(reading)) continue;
    if (!words.some((word) => agrees(word, observation.rates, rules.thresholds))) continue;
    const doubts = doubtsAbout(candidate, dates, rules);
    const others = held.filter(
      (one) => one !== reading && one.candidate.subject === candidate.subject,
    );
    const confirmed = confirmedBy(reading, doubts, others, withoutRepetition(rules), words);
    if (confirmed === undefined) continue;
    made = release(made, publishable(confirmed, reading), rules);
    made = also(made, [{ status: 'released', reading }]);
  }
  return made;
}

/** Whether a page shows a value date whose publication was withdrawn because witnesses refuted it. */
function isOfRefuted(
  valueDate: CaracasDay,
  { dates, held }: OfficialState,
  { subject }: Candidate,
  { isPage }: PublicationRules,
): boolean {
  const isRefuted = held.some(
    ({ candidate, observation, doubts: [doubt] }) =>
      candidate.subject === subject &&
      doubt?.reason === 'witness_differs' &&
      observation.kind === 'publication' &&
      observation.valueDate === valueDate,
  );
  const sameDate = publicationsFor(dates, valueDate);
  return isPage && isRefuted && !sameDate.some((one) => one.state === 'published');
}

function doubtsAbout(
  candidate: Candidate,
  dates: ValueDates,
  rules: PublicationRules,
): readonly Doubt[] {
  const { observation, capturedAt, entry, unitDoubt } = candidate;
  if (unitDoubt !== undefined) return [unitDoubt];
  switch (observation.kind) {
    case 'quote':
      throw new Error('Quotes of markets without value dates are judged together.');
    case 'publication': {
      const returned = entry.publication && returnOf(entry.publication, dates);
      if (returned !== undefined) return [returnDoubt(observation, returned.wrong.rates)];
      const context = contextOf(observation, capturedAt, dates, rules);
      return publicationDoubts(observation, context, rules.thresholds);
    }
    case 'bank_table':
      return tableDoubts(observation, capturedAt, dates, rules);
    default:
      return observation satisfies never;
  }
}

function wordsAbout(
  observation: Observation,
  at: Instant,
  dates: ValueDates,
  rules: PublicationRules,
) {
  return observation.kind === 'publication'
    ? wordsFor(dates, observation.valueDate, at, rules)
    : [];
}

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
):
  | {
      readonly suspect: Suspect & { readonly source: string };
      readonly withdrawn: SupersededPublication;
    }
  | undefined {
  const { unchecked } = dates.witnessed.get(valueDate) ?? {};
  if (valueDate <= caracasDayOf(rules.receivedAt) || unchecked === undefined) return undefined;
  const { rates, source, insisted: isDoubtful = false } = unchecked;
  const words = wordsFor(dates, valueDate, at, rules);
  const doubt = witnessDoubt(words, rates, rules.thresholds, { isDoubtful });
  if (doubt === undefined) return undefined;
  const captured_at = isoInstant(at);
  const record = { kind: 'official' as const, value_date: valueDate, rates, captured_at };
  return {
    suspect: {
      ...{ subject: PUBLICATIONS, record, capturedAt: at, source, counts: true },
      ...whyOf([doubt]),
    },
    withdrawn: { valueDate, rates, state: 'withdrawn', why: 'witness_differs' },
  };
}
