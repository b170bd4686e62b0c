import { isAway, medianOf } from '../calculations/ratio.ts';
import {
  type Doubt,
  haveSameFigures,
  isNear,
  type Observation,
  type Reading,
  type Thresholds,
} from '../judgement.ts';
import { SECOND_MS, startOfCaracasDay } from '../time.ts';
import { judgementRule, RELEASES, type Release, releaseOf } from './rules.ts';
import { agrees, contradicts, overcomes, type WitnessWord } from './witness.ts';

/** Whether the doubt ends when other markets come near. */
export function isAboutOthers(reason: string): boolean {
  return releaseOf(reason, 'quote')?.byOthers === true;
}

/** Whether repeated readings may release a record with these doubts. */
export function canInsist(doubts: readonly Doubt[], { kind }: Observation): boolean {
  return doubts.every(
    ({ reason, isLasting = false }) =>
      releaseOf(reason, kind)?.byRepetition !== undefined && !isLasting,
  );
}

/**
 * Whether a held reading counts towards the repetition that releases a later one: only if repetition
 * may release all its own doubts, or they end when others change or fall silent (contract §8). A
 * figure outside the band never counts for one inside.
 */
function repeats({ reasons = [], observation: { kind } }: Reading): boolean {
  return reasons.every(
    (reason) =>
      isAboutOthers(reason) ||
      reason === 'witness_differs' ||
      releaseOf(reason, kind)?.byRepetition !== undefined,
  );
}

/** Whether a record held for that reason may be published together with one that agrees with it. */
export function isReleasable(reason: string): boolean {
  const cases = judgementRule(reason)?.cases ?? [];
  return cases
    .map(({ release }): Release => RELEASES[release])
    .some(({ bySource, byOthers }) => bySource === true || byOthers === true);
}

/**
 * The held readings of the same subject that a new doubtful reading confirms, oldest first;
 * undefined while the new reading stays doubtful. Each doubt must be overcome: by enough agreeing
 * readings of the same origin over enough time, by an agreeing reading of an independent source at
 * about the same time, or by a witness that agrees. While a witness contradicts, repeated readings
 * overcome nothing.
 *
 * @param pending The held readings of all origins that still count, oldest first. The readings of
 *   one origin are consecutive: an accepted reading ends its earlier pending ones.
 * @param words What witnesses that were read lately show for the value date of a publication.
 */
export function confirmedBy<Held extends Reading>(
  reading: Reading,
  doubts: readonly Doubt[],
  pending: readonly Held[],
  thresholds: Thresholds,
  words: readonly WitnessWord[] = [],
): readonly Held[] | undefined {
  const { observation } = reading;
  const rates = observation.kind === 'publication' ? observation.rates : {};
  const agreeing = words.filter((word) => agrees(word, rates, thresholds));
  const isContradicted = words.some((word) => contradicts(word, rates, thresholds));
  const others = pending.filter((other) => isShownBy(other, reading, thresholds));
  const own = pending.filter(({ origin }) => origin === reading.origin);
  const repeating = own.slice(1 + own.findLastIndex((earlier) => !repeats(earlier)));
  // Compare values only when there are enough readings: a wrong file may bring many at one time.
  const run = isLongEnough([...repeating, reading], thresholds)
    ? agreeingRun(reading, repeating, thresholds)
    : [];
  const isRepeated = !isContradicted && isLongEnough([...run, reading], thresholds);
  const passes = doubts.every(
    (doubt) =>
      (isRepeated &&
        canInsist([doubt], observation) &&
        isTimeToRepeat(doubt, reading, thresholds)) ||
      (releaseOf(doubt.reason, observation.kind)?.bySource === true && others.length > 0) ||
      agreeing.some((word) => overcomes(word, doubt, rates)),
  );
  if (!passes) return undefined;
  const confirmed = new Set([
    ...(others.length + agreeing.length > 0 ? agreeingRun(reading, own, thresholds) : run),
    ...others,
  ]);
  return pending.filter((held) => confirmed.has(held));
}

/** Whether a reading of another origin shows the same at about the same time. */
export function isShownBy(other: Reading, reading: Reading, thresholds: Thresholds): boolean {
  const { agreementPercent, publicationAgreementPercent, agreementWithinSec } = thresholds;
  const isPublication = reading.observation.kind === 'publication';
  const percent = isPublication ? publicationAgreementPercent : agreementPercent;
  return (
    other.origin !== reading.origin &&
    Math.abs(reading.capturedAt - other.capturedAt) <= agreementWithinSec * SECOND_MS &&
    areSame(reading, other, percent)
  );
}

/**
 * Whether repeated readings may overcome a doubt at the time of a reading. A doubtful publication
 * may still be corrected until shortly before it takes effect, one that was accepted only until
 * then. A page returns at any hour.
 */
function isTimeToRepeat(
  { reason }: Doubt,
  { observation, capturedAt, isOfArchive }: Reading,
  { releaseBeforeEffectSec }: Thresholds,
): boolean {
  if (observation.kind !== 'publication' || isOfArchive === true) return true;
  const eve = startOfCaracasDay(observation.valueDate) - releaseBeforeEffectSec * SECOND_MS;
  switch (releaseOf(reason, 'publication')?.byRepetition) {
    case 'from_eve':
      return capturedAt >= eve;
    case 'until_eve':
      return capturedAt < eve;
    default:
      return true;
  }
}

/**
 * The readings of the same origin directly before this one that agree with it and with each other,
 * oldest first. No contradicting reading in between is skipped.
 */
export function agreeingRun<Held extends Reading>(
  reading: Reading,
  own: readonly Held[],
  thresholds: Thresholds,
): readonly Held[] {
  if (reading.observation.kind !== 'quote') return runWithin(reading, own, thresholds);
  // The longest run that agrees: a shorter one has another median.
  const start = 1 + own.findLastIndex((earlier) => !haveSameSides(earlier, reading));
  let run = own.slice(start);
  while (run.length > 0 && !areAroundMedian([...run, reading], thresholds)) run = run.slice(1);
  return run;
}

function haveSameSides(one: Reading, other: Reading): boolean {
  const [a, b] = [valuesOf(one.observation), valuesOf(other.observation)];
  return Object.keys(a).every((name) => (a[name] === undefined) === (b[name] === undefined));
}

/** A market that jumps is noisy, so each value of a quote may lie that far from the median. */
function areAroundMedian(readings: readonly Reading[], { venuePercent }: Thresholds): boolean {
  const figures = readings.map(({ observation }) => valuesOf(observation));
  return Object.keys(figures[0] ?? {}).every((name) => {
    const values = figures.flatMap((one) => one[name] ?? []);
    const median = medianOf(values);
    const ends = [Math.min(...values), Math.max(...values)];
    return median === undefined || !ends.some((end) => isAway(end, median, venuePercent));
  });
}

/** Tables and archives repeat what was written, so all of them agree; a page has the same figures. */
function runWithin<Held extends Reading>(
  reading: Reading,
  own: readonly Held[],
  { agreementPercent }: Thresholds,
): readonly Held[] {
  const run: Held[] = [];
  const { isOfArchive, observation } = reading;
  if (observation.kind === 'publication' && isOfArchive !== true) {
    return own.slice(1 + own.findLastIndex((earlier) => !isSamePage(earlier, reading)));
  }
  // All values agree when the lowest and the highest agree, so a new one is compared with those
  // two.
  let extremes: readonly Reading[] = [reading];
  for (const earlier of own.toReversed()) {
    if (!extremes.every((one) => areSame(one, earlier, agreementPercent))) break;
    run.push(earlier);
    extremes = extremesOf([...extremes, earlier]);
  }
  return run.reverse();
}

function isSamePage({ observation: one }: Reading, { observation: other }: Reading): boolean {
  return (
    one.kind === 'publication' &&
    other.kind === 'publication' &&
    one.valueDate === other.valueDate &&
    haveSameFigures(one.rates, other.rates)
  );
}

/** The readings that hold the lowest and the highest of each value. */
function extremesOf(readings: readonly Reading[]): readonly Reading[] {
  const valued = readings.map((reading) => ({ reading, values: valuesOf(reading.observation) }));
  const names = Object.keys(valued[0]?.values ?? {});
  const found = names.flatMap((name) => {
    const sorted = valued.toSorted((a, b) => (a.values[name] ?? 0) - (b.values[name] ?? 0));
    return [sorted.at(0)?.reading, sorted.at(-1)?.reading];
  });
  return [...new Set(found)].filter((one) => one !== undefined);
}

function isLongEnough(
  readings: readonly Reading[],
  { confirmingReads, confirmingSpanSec }: Thresholds,
): boolean {
  const [first, last] = [readings.at(0), readings.at(-1)];
  if (first === undefined || last === undefined) return false;
  const times = new Set(readings.map(({ capturedAt }) => capturedAt));
  return (
    times.size >= confirmingReads &&
    last.capturedAt - first.capturedAt >= confirmingSpanSec * SECOND_MS
  );
}

/** Whether two readings agree: they have the same values present, and each is near the other's. */
function areSame(one: Reading, other: Reading, percent: number): boolean {
  const [a, b] = [one.observation, other.observation];
  if (a.kind === 'publication' && b.kind === 'publication' && a.valueDate !== b.valueDate) {
    if (one.isOfArchive !== true || other.isOfArchive !== true) return false;
  }
  const [valuesA, valuesB] = [valuesOf(a), valuesOf(b)];
  const names = new Set([...Object.keys(valuesA), ...Object.keys(valuesB)]);
  return [...names].every((name) => isNear(valuesA[name], valuesB[name], percent));
}

function valuesOf(observation: Observation): Readonly<Record<string, number | undefined>> {
  switch (observation.kind) {
    case 'quote':
      return { mid: observation.mid, ask: observation.ask, bid: observation.bid };
    case 'publication':
      return observation.rates;
    case 'bank_table':
      return { rows: observation.rows.length };
    default:
      return observation satisfies never;
  }
}
