import type { BankRow } from '../../../domain/bcv.ts';
import { isReleasable } from '../../../domain/judgement/confirmation.ts';
import { corrects, published } from '../../../domain/judgement/publication-context.ts';
import {
  type PublicationRules,
  publicationsFor,
  type SupersededPublication,
  type ValueDates,
  withPublished,
  withSuperseded,
} from '../../../domain/judgement/value-dates.ts';
import { type Doubt, haveSameFigures, inOrder, type Reading } from '../../../domain/judgement.ts';
import type { HeldRecord } from '../../ports/held.ts';
import type { Candidate } from '../record-entry.ts';

/** Most held readings of a subject that are compared with a new one; of more the first no longer count. */
// limit: Held publications compared | 200 | not the oldest
const MAX_HELD_READINGS = 200;

/** A reading of a publication or bank table. */
export interface OfficialReading extends Candidate, Reading {
  /** Whether an operator or an archive's correction vouches for it. */
  readonly isTrusted?: boolean;
}

/** A held reading that still counts. `held` is set when it comes from an earlier batch. */
export interface HeldReading extends OfficialReading {
  /** Hardest to overcome first. */
  readonly doubts: readonly Pick<HeldRecord, 'reason' | 'message'>[];
  readonly reasons: readonly string[];
  readonly held?: HeldRecord;
}

/** What is known while a batch is judged. */
export interface OfficialState {
  readonly dates: ValueDates;
  /** Of all subjects, oldest first. */
  readonly held: readonly HeldReading[];
  /** What the last reading changed. */
  readonly changes: readonly OfficialChange[];
}

/** A record as it is stored, and what it replaces or withdraws. */
export interface PublishedChange {
  readonly status: 'published';
  readonly candidate: Candidate;
  readonly superseded: readonly SupersededPublication[];
}

/** What became of a reading. The last change of a held one counts. */
export type OfficialChange =
  | PublishedChange
  | { readonly status: 'duplicate' }
  | { readonly status: 'held'; readonly reading: HeldReading }
  /**
   * `ended`: it no longer counts towards a confirmation. `withdrawn`: its date was corrected.
   * `repeated`: its figures are published for its date by another reading.
   */
  | {
      readonly status: 'ended' | 'released' | 'repeated' | 'withdrawn';
      readonly reading: HeldReading;
    };

export function isPublished(change: OfficialChange): change is PublishedChange {
  return change.status === 'published';
}

/** What is known once a batch has published these too. */
export function withAll(dates: ValueDates, published: readonly PublishedChange[]): ValueDates {
  if (published.length === 0) return dates;
  const entries = published.map(({ candidate }) => candidate.entry);
  const superseded = published.flatMap((change) => change.superseded);
  return withSuperseded(withPublished(dates, entries), superseded);
}

export function officialAfter(
  { dates, held, changes: before }: OfficialState,
  changes: readonly OfficialChange[],
): OfficialState {
  const readings = (isHeld: boolean) =>
    changes.flatMap((change) =>
      'reading' in change && (change.status === 'held') === isHeld ? [change.reading] : [],
    );
  const gone = new Set(readings(false));
  return {
    dates: withAll(dates, changes.filter(isPublished)),
    held: [...held, ...readings(true)].filter((one) => !gone.has(one)),
    changes: [...before, ...changes],
  };
}

/** @param pending The held readings of its subject. */
export function hold(
  state: OfficialState,
  reading: OfficialReading,
  doubts: readonly Doubt[],
  pending: readonly HeldReading[],
): OfficialState {
  const graved = inOrder(doubts);
  const held = { ...reading, doubts: graved, reasons: graved.map(({ reason }) => reason) };
  const dropped = pending.slice(0, Math.max(0, pending.length + 1 - MAX_HELD_READINGS));
  return officialAfter(state, [
    { status: 'held', reading: held },
    ...dropped.map((one) => ({ status: 'ended' as const, reading: one })),
  ]);
}

/** Accepts a record and releases held ones before it, in order. */
export function publish(
  state: OfficialState,
  reading: OfficialReading,
  confirmed: readonly HeldReading[],
  rules: PublicationRules,
): OfficialState {
  const released = release(state, publishable(confirmed, reading), rules);
  const made = accept(released, reading, rules);
  return officialAfter(made, endedBy(reading, made));
}

/** Releases confirmed records, except those that only the operator may release. Those of the batch are accepted. */
export function release(
  state: OfficialState,
  confirmed: readonly HeldReading[],
  rules: PublicationRules,
): OfficialState {
  const released = confirmed.filter(({ doubts: [doubt] }) => isReleasable(doubt?.reason ?? ''));
  const made = officialAfter(
    state,
    released.map((reading) => ({ status: 'released' as const, reading })),
  );
  return released
    .filter(({ held }) => held === undefined)
    .reduce((known, reading) => accept(known, reading, rules), made);
}

function accept(
  state: OfficialState,
  reading: OfficialReading,
  rules: PublicationRules,
): OfficialState {
  const { entry, superseded } = published(reading.entry, state.dates, rules);
  const { publication } = entry;
  const corrected = state.held.filter(({ subject, entry: { publication: earlier } }) => {
    if (publication === undefined || earlier === undefined) return false;
    return subject === reading.subject && corrects(publication, earlier, rules);
  });
  return officialAfter(state, [
    { status: 'published', candidate: { ...reading, entry }, superseded },
    ...corrected.map((one) => ({ status: 'withdrawn' as const, reading: one })),
  ]);
}

/**
 * An accepted reading ends earlier pending ones of its origin, but a page does not end those of a
 * later value date: it may be an older one that is shown again. Held rows wait for a table. Those of
 * any origin whose figures are published for their date need no decision any more.
 */
export function endedBy(reading: OfficialReading, { dates, held }: OfficialState) {
  return held
    .filter((one) => one.subject === reading.subject && !isRow(one))
    .flatMap((one): readonly OfficialChange[] => {
      if (isStored(one, dates)) return [{ status: 'repeated', reading: one }];
      const isAfter = reading.isOfArchive !== true && isOfLaterDate(one, reading);
      return one.origin !== reading.origin || isAfter ? [] : [{ status: 'ended', reading: one }];
    });
}

function isStored({ observation }: Reading, dates: ValueDates): boolean {
  return (
    observation.kind === 'publication' &&
    publicationsFor(dates, observation.valueDate).some(
      ({ state, rates }) => state === 'published' && haveSameFigures(rates, observation.rates),
    )
  );
}

function isOfLaterDate({ observation: one }: Reading, { observation: other }: Reading): boolean {
  return (
    one.kind === 'publication' && other.kind === 'publication' && one.valueDate > other.valueDate
  );
}

export function isRow({ doubts: [doubt] }: HeldReading): boolean {
  return doubt?.reason === 'row_apart';
}

/**
 * The confirmed readings that may be published. A publication must have the same figures, except in
 * an archive, where each is the only one of its value date.
 */
export function publishable(confirmed: readonly HeldReading[], { observation }: Reading) {
  return confirmed.filter(({ observation: held, isOfArchive }) => {
    if (isOfArchive === true) return true;
    if (held.kind !== 'publication' || observation.kind !== 'publication') return true;
    return haveSameFigures(held.rates, observation.rates);
  });
}

/** The reading with some rows of its table. */
export function withRows(reading: OfficialReading, rows: readonly BankRow[]): OfficialReading {
  const { bankTable } = reading.entry;
  if (bankTable === undefined) return reading;
  const { indicatorDate } = bankTable;
  return {
    ...reading,
    observation: { kind: 'bank_table', indicatorDate, rows },
    record: { kind: 'bank_table', indicator_date: indicatorDate, rows },
    entry: { ...reading.entry, bankTable: { ...bankTable, rows } },
  };
}
