import type { BankRow } from '../../../domain/bcv.ts';
import { isReleasable } from '../../../domain/judgement/confirmation.ts';
import { corrects, published } from '../../../domain/judgement/publication-context.ts';
import { haveSameFigures } from '../../../domain/judgement/publication-judgement.ts';
import {
  type PublicationRules,
  type SupersededPublication,
  type ValueDates,
  withPublished,
  withSuperseded,
} from '../../../domain/judgement/value-dates.ts';
import { type Doubt, inOrder, type Reading } from '../../../domain/judgement.ts';
import type { HeldRecord } from '../../ports/held.ts';
import type { Entry } from '../../ports/records.ts';
import type { Candidate } from '../record-entry.ts';

/** Most held readings of a subject that are compared with a new one; of more the first no longer count. */
// limit: Held publications compared | 200 | not the oldest
const MAX_HELD_READINGS = 200;

/** A reading of a publication or bank table. */
export interface OfficialReading extends Reading {
  readonly candidate: Candidate;
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
}

/** What became of a reading. The last change of a held one counts. */
export type OfficialChange =
  | { readonly status: 'duplicate' }
  | {
      readonly status: 'published';
      /** As it is stored. */
      readonly candidate: Candidate;
      readonly superseded: readonly SupersededPublication[];
    }
  | { readonly status: 'held'; readonly reading: HeldReading }
  /** `ended`: it no longer counts towards a confirmation. `withdrawn`: its date was corrected. */
  | { readonly status: 'ended' | 'released' | 'withdrawn'; readonly reading: HeldReading };

export interface PublicationStep {
  readonly state: OfficialState;
  readonly changes: readonly OfficialChange[];
}

export function after(state: OfficialState, changes: readonly OfficialChange[]): PublicationStep {
  const isGone = (held: HeldReading) =>
    changes.some(
      (change) => 'reading' in change && change.status !== 'held' && change.reading === held,
    );
  const added = changes.flatMap((change) => (change.status === 'held' ? [change.reading] : []));
  const dates = changes.reduce((known, change) => {
    if (change.status !== 'published') return known;
    return withSuperseded(withPublished(known, [change.candidate.entry]), change.superseded);
  }, state.dates);
  return {
    changes,
    state: {
      dates,
      held: [...state.held, ...added].filter((held) => !isGone(held)),
    },
  };
}

export function also(
  { state, changes }: PublicationStep,
  more: readonly OfficialChange[],
): PublicationStep {
  const made = after(state, more);
  return { state: made.state, changes: [...changes, ...made.changes] };
}

/** @param pending The held readings of its subject. */
export function hold(
  reading: OfficialReading,
  doubts: readonly Doubt[],
  pending: readonly HeldReading[],
): readonly OfficialChange[] {
  const graved = inOrder(doubts);
  const held = { ...reading, doubts: graved, reasons: graved.map(({ reason }) => reason) };
  const dropped = pending.slice(0, Math.max(0, pending.length + 1 - MAX_HELD_READINGS));
  return [
    { status: 'held', reading: held },
    ...dropped.map((one) => ({ status: 'ended' as const, reading: one })),
  ];
}

/** Accepts a record and releases held ones before it, in order. */
export function publish(
  before: PublicationStep,
  reading: OfficialReading,
  confirmed: readonly HeldReading[],
  rules: PublicationRules,
): PublicationStep {
  const released = release(before, publishable(confirmed, reading), rules);
  const made = accept(released, reading.candidate, rules);
  return also(made, endedBy(reading, made.state.held));
}

/** Releases confirmed records, except those that only the operator may release. Those of the batch are accepted. */
export function release(
  before: PublicationStep,
  confirmed: readonly HeldReading[],
  rules: PublicationRules,
): PublicationStep {
  const released = confirmed.filter(({ doubts: [doubt] }) => isReleasable(doubt?.reason ?? ''));
  let made = also(
    before,
    released.map((reading) => ({ status: 'released' as const, reading })),
  );
  for (const { held, candidate } of released) {
    if (held === undefined) made = accept(made, candidate, rules);
  }
  return made;
}

function accept(
  before: PublicationStep,
  candidate: Candidate,
  rules: PublicationRules,
): PublicationStep {
  const { subject } = candidate;
  const { entry, superseded } = asStored(candidate.entry, before.state.dates, rules);
  const { publication } = entry;
  const corrected = before.state.held.filter(({ candidate: earlier }) => {
    if (publication === undefined || earlier.subject !== subject) return false;
    const { publication: known } = earlier.entry;
    return known !== undefined && corrects(publication, known, rules);
  });
  return also(before, [
    { status: 'published', candidate: { ...candidate, entry }, superseded },
    ...corrected.map((reading) => ({ status: 'withdrawn' as const, reading })),
  ]);
}

/** An entry with the instants from which its captures count, and what it replaces or withdraws. */
export function asStored(given: Entry, dates: ValueDates, rules: PublicationRules) {
  const { captures, why, superseded } = published(given, dates, rules);
  return { entry: { why, ...given, captures }, superseded };
}

/** An accepted reading ends earlier pending ones of its origin. Held rows wait for a table. */
export function endedBy({ candidate, origin }: OfficialReading, held: readonly HeldReading[]) {
  return held
    .filter(
      (one) => one.candidate.subject === candidate.subject && one.origin === origin && !isRow(one),
    )
    .map((reading) => ({ status: 'ended' as const, reading }));
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
  const { candidate } = reading;
  const { bankTable } = candidate.entry;
  if (bankTable === undefined) return reading;
  const { indicatorDate } = bankTable;
  const observation = { kind: 'bank_table' as const, indicatorDate, rows };
  const record = { kind: 'bank_table' as const, indicator_date: indicatorDate, rows };
  const entry = { ...candidate.entry, bankTable: { ...bankTable, rows } };
  return { ...reading, observation, candidate: { ...candidate, record, entry, observation } };
}
