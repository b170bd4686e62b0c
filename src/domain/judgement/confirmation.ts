import { isAway, medianOf } from '../calculations/ratio.ts';
import {
  DOUBTS,
  type Doubt,
  type DoubtReason,
  isNear,
  type Observation,
  type Reading,
  type Thresholds,
} from '../judgement.ts';
import { type Instant, SECOND_MS, startOfCaracasDay } from '../time.ts';

/**
 * What may release a held record, besides the operator and a change of its context. `either`:
 * repeated readings, or an independent source.
 */
type Release = 'nothing' | 'independent' | 'either';

const RELEASES: Readonly<Record<DoubtReason, Release>> = {
  out_of_band: 'nothing',
  first_quote: 'independent',
  venues_differ: 'nothing',
  parallel_differs: 'nothing',
  side_apart: 'independent',
  moved: 'either',
  other_figure: 'nothing',
  date_closed: 'independent',
  date_ahead: 'independent',
  date_back: 'independent',
  cross_moved: 'either',
  figure_repeated: 'independent',
  figures_unrelated: 'either',
  currency_lost: 'either',
  rows_lost: 'either',
  row_apart: 'nothing',
};

/** Whether the doubt ends when other markets agree. */
export function isAboutOthers(reason: string): boolean {
  return reason === 'venues_differ' || reason === 'parallel_differs';
}

/** The central bank corrects its bank table in place, so repeated readings may be right. */
function releaseOf(reason: DoubtReason, { kind }: Observation): Release {
  return kind === 'bank_table' ? 'either' : RELEASES[reason];
}

/** Whether repeated readings may release a record with these doubts. */
export function canInsist(doubts: readonly Doubt[], observation: Observation): boolean {
  return doubts.every(
    ({ reason, neverInsists = false }) =>
      releaseOf(reason, observation) === 'either' && !neverInsists,
  );
}

/** Whether a record held for that reason may be published together with one that agrees with it. */
export function isReleasable(reason: string): boolean {
  const doubt = DOUBTS.find((one) => one === reason);
  if (doubt === undefined) return false;
  return RELEASES[doubt] !== 'nothing' || isAboutOthers(doubt);
}

/**
 * The held readings of the same subject that a new doubtful reading confirms, oldest first;
 * undefined while the new reading stays doubtful. Each doubt must be overcome: by enough agreeing
 * readings of the same origin over enough time, or by an agreeing reading of an independent source
 * at about the same time.
 *
 * @param pending The held readings of all origins that still count, oldest first. The readings of
 *   one origin are consecutive: an accepted reading ends its earlier pending ones.
 */
export function confirmedBy<Held extends Reading>(
  reading: Reading,
  doubts: readonly Doubt[],
  pending: readonly Held[],
  thresholds: Thresholds,
): readonly Held[] | undefined {
  const others = pending.filter(
    (other) =>
      other.origin !== reading.origin &&
      isWithin(reading, other, thresholds.agreementWithinSec) &&
      areSame(reading, other, independentPercent(reading, thresholds)),
  );
  const own = pending.filter(({ origin }) => origin === reading.origin);
  // Compare values only when there are enough readings: a wrong file may bring many at one time.
  const run = isLongEnough([...own, reading], thresholds)
    ? agreeingRun(reading, own, thresholds)
    : [];
  const insists =
    isLongEnough([...run, reading], thresholds) &&
    reading.capturedAt >= insistsFrom(reading, thresholds);
  const passes = doubts.every(
    (doubt) =>
      (insists && canInsist([doubt], reading.observation)) ||
      (releaseOf(doubt.reason, reading.observation) !== 'nothing' && others.length > 0),
  );
  if (!passes) return undefined;
  const confirmed = new Set([
    ...(others.length > 0 ? agreeingRun(reading, own, thresholds) : run),
    ...others,
  ]);
  return pending.filter((held) => confirmed.has(held));
}

/**
 * The earliest time at which repeated readings release a record. A doubtful publication may still
 * be corrected before it takes effect.
 */
function insistsFrom(
  { observation, isOfArchive }: Reading,
  { releaseBeforeEffectSec }: Thresholds,
): Instant {
  if (observation.kind !== 'publication' || isOfArchive === true) return Number.NEGATIVE_INFINITY;
  return startOfCaracasDay(observation.valueDate) - releaseBeforeEffectSec * SECOND_MS;
}

function independentPercent({ observation }: Reading, thresholds: Thresholds): number {
  const { publicationAgreementPercent, agreementPercent } = thresholds;
  return observation.kind === 'publication' ? publicationAgreementPercent : agreementPercent;
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
  const length =
    reading.observation.kind === 'quote'
      ? lengthAroundMedian(reading, own, thresholds)
      : lengthWithin(reading, own, thresholds);
  return own.slice(own.length - length);
}

/** A market moves while it jumps, so each value of a quote may lie that far from their median. */
function lengthAroundMedian(
  reading: Reading,
  own: readonly Reading[],
  { venuePercent }: Thresholds,
): number {
  const first = sidesOf(reading);
  /** The values of each side in order. */
  const sorted = first.map((): number[] => []);
  let length = 0;
  for (const [place, earlier] of [reading, ...own.toReversed()].entries()) {
    const sides = sidesOf(earlier);
    if (sides.some(([name], side) => name !== first[side]?.[0])) break;
    if (sides.length !== first.length) break;
    sides.forEach(([, value], side) => {
      const values = sorted[side] ?? [];
      values.splice(values.findLastIndex((other) => other <= value) + 1, 0, value);
    });
    if (sorted.every((values) => areAroundMedian(values, venuePercent))) length = place;
  }
  return length;
}

function sidesOf({ observation }: Reading): readonly (readonly [string, number])[] {
  return Object.entries(valuesOf(observation)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

function areAroundMedian(sorted: readonly number[], percent: number): boolean {
  const median = medianOf(sorted);
  const ends = [sorted.at(0), sorted.at(-1)];
  return ends.every(
    (end) => end !== undefined && median !== undefined && !isAway(end, median, percent),
  );
}

/** Publications and tables repeat what was written, so all of them agree with each other. */
function lengthWithin(
  reading: Reading,
  own: readonly Reading[],
  { agreementPercent }: Thresholds,
): number {
  // All values agree when the lowest and the highest agree, so a new one is compared with those
  // two.
  let extremes: readonly Reading[] = [reading];
  for (const [place, earlier] of own.toReversed().entries()) {
    if (!extremes.every((one) => areSame(one, earlier, agreementPercent))) return place;
    extremes = extremesOf([...extremes, earlier]);
  }
  return own.length;
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

function isWithin(a: Reading, b: Reading, sec: number): boolean {
  return Math.abs(a.capturedAt - b.capturedAt) <= sec * SECOND_MS;
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
