import { canInsist, confirmedBy, isReleasable } from '../../domain/judgement/confirmation.ts';
import { agrees, witnessDoubt } from '../../domain/judgement/witness.ts';
import { type Doubt, gravest, type Reading } from '../../domain/judgement.ts';
import type { Instant } from '../../domain/time.ts';
import type { Settlement, SupersededPublication } from '../ports/held.ts';
import { type HeldReading, HeldReadings, isPublishable } from './held-readings.ts';
import type { TableCandidate } from './known-bank-tables.ts';
import type { KnownRecords } from './known-records.ts';
import type { Candidate } from './record-entry.ts';
import { isOfRefuted } from './refuted-publication.ts';

interface Verdict {
  readonly passed: readonly Candidate[];
  readonly isDuplicate?: true;
  readonly held?: readonly Doubt[];
}

/** Judges the publications and bank tables of one batch in order, each by those accepted or held before it. */
export class Judge {
  readonly known: KnownRecords;
  readonly #originOf: (subject: string) => string;
  /** The readings in doubt, of this batch and of earlier ones. */
  readonly readings = new HeldReadings();
  readonly #superseded: SupersededPublication[] = [];
  /**
   * @param held The held readings of earlier batches that still count, oldest first.
   * @param originOf Returns the origin of the current source's figures of a subject.
   */
  constructor(
    known: KnownRecords,
    held: readonly HeldReading[],
    originOf: (subject: string) => string,
  ) {
    this.known = known;
    this.#originOf = originOf;
    for (const reading of held) this.readings.follow(reading);
  }

  /** What the batch changes besides storing its entries. */
  get settlement(): Omit<Settlement, 'release'> {
    return { ...this.readings.settlement, supersede: this.#superseded };
  }

  /** Registers the publications of an archive, before each of them is judged. */
  async expect(records: readonly Candidate[]): Promise<void> {
    const { stored } = this.known.publications;
    await stored.expect(records.flatMap(({ entry }) => entry.publication ?? []));
  }

  /**
   * Judges one record.
   * @param trust Accept without doubts, because the operator has checked it.
   * @throws Refused when too many records of the batch are doubtful.
   */
  async judge(candidate: Candidate, trust: boolean): Promise<Verdict> {
    const { publications } = this.known;
    const reading = this.#readingOf(candidate);
    const isRefuted = await isOfRefuted(candidate, this.readings, this.known);
    if (!isRefuted && (await publications.isDuplicate(candidate, trust))) {
      this.readings.endRun(candidate.subject, reading);
      return { passed: [], isDuplicate: true };
    }
    const { observation } = candidate;
    return observation.kind === 'bank_table' && !trust
      ? { passed: await this.#judgeTable({ ...candidate, observation }, reading) }
      : this.#judgeAsOne(candidate, reading, trust);
  }

  /** Releases the held publications with which a witness that was read at `at` agrees. */
  async hear(at: Instant): Promise<void> {
    const { publications } = this.known;
    for (const reading of this.readings.all().toReversed()) {
      const { candidate, observation } = reading;
      const words = await publications.stored.wordsAbout(reading, at);
      const isOpen = this.readings.of(candidate.subject).includes(reading);
      if (!isOpen || observation.kind !== 'publication') continue;
      if (!words.some((word) => agrees(word, observation.rates, this.#thresholds))) continue;
      const doubts = await this.known.doubtsAbout(candidate);
      const before = this.readings.of(candidate.subject).filter((other) => other !== reading);
      const confirmed = confirmedBy(reading, doubts, before, this.#withoutRepetition, words);
      if (confirmed === undefined) continue;
      await this.#release(confirmed.filter((held) => isPublishable(held, reading)));
      this.readings.release([reading]);
    }
  }

  #readingOf({ subject, capturedAt, observation }: Candidate): Reading {
    const isOfArchive = this.known.publications.isPastOfArchive(observation);
    return { origin: this.#originOf(subject), capturedAt, observation, isOfArchive };
  }

  /** Passes or holds a record as a whole, unlike a table whose rows are judged one by one. */
  async #judgeAsOne(candidate: Candidate, reading: Reading, trust: boolean): Promise<Verdict> {
    const { isPage } = this.known.context;
    const words = await this.known.publications.stored.wordsAbout(reading, reading.capturedAt);
    const { observation } = candidate;
    const known = trust ? [] : await this.known.doubtsAbout(candidate);
    const isDoubtful = known.length > 0;
    const differs =
      isPage && observation.kind === 'publication'
        ? witnessDoubt(words, observation.rates, this.#thresholds, { isDoubtful })
        : undefined;
    const doubts = trust || differs === undefined ? known : [...known, differs];
    const doubt = gravest(doubts);
    const pending = this.readings.of(candidate.subject);
    const confirmed =
      doubt === undefined ? [] : confirmedBy(reading, doubts, pending, this.#thresholds, words);
    if (doubt === undefined || confirmed !== undefined) {
      const isConfirmedOnce =
        confirmedBy(reading, doubts, pending, this.#withoutRepetition, words) !== undefined;
      const entry = isConfirmedOnce ? candidate.entry : { ...candidate.entry, insisted: true };
      return { passed: await this.#publish(confirmed ?? [], { ...candidate, entry }, reading) };
    }
    // A value date that needs the operator takes no part in the repetitions of an archive.
    const isOfArchive = reading.isOfArchive === true && canInsist(doubts, reading.observation);
    this.readings.hold(candidate, doubt, { ...reading, isOfArchive }, doubts);
    return { passed: [], held: doubts };
  }

  get #thresholds() {
    return this.known.context.thresholds;
  }

  /** The numbers with which only another source or a witness confirms. */
  get #withoutRepetition() {
    return { ...this.#thresholds, confirmingReads: Number.POSITIVE_INFINITY };
  }

  /** Accepts a record and releases held ones before it, in order. */
  async #publish(
    confirmed: readonly HeldReading[],
    candidate: Candidate,
    reading: Reading,
  ): Promise<readonly Candidate[]> {
    const released = await this.#release(confirmed.filter((held) => isPublishable(held, reading)));
    const timed = await this.#accept(candidate);
    this.readings.endRun(candidate.subject, reading);
    return [...released, timed];
  }

  async #judgeTable(candidate: TableCandidate, reading: Reading): Promise<readonly Candidate[]> {
    const { known, readings } = this;
    const { subject } = candidate;
    const doubts = await known.doubtsAbout(candidate);
    const whole = readings.of(subject).filter(({ reason }) => reason !== 'row_apart');
    const doubt = gravest(doubts);
    const confirmed = doubt && confirmedBy(reading, doubts, whole, this.#thresholds);
    if (doubt !== undefined && confirmed === undefined) {
      readings.hold(candidate, doubt, reading);
      return [];
    }
    const { good, apart } = await known.bankTables.split(candidate, readings.of(subject));
    if (apart !== undefined) {
      const part = { ...reading, observation: apart.candidate.observation };
      readings.hold(apart.candidate, apart.doubt, part);
    }
    if (good === undefined) return this.#release(confirmed ?? []);
    return this.#publish(confirmed ?? [], good, { ...reading, observation: good.observation });
  }

  /**
   * Registers an accepted record.
   * @returns the record with the effective times of its captures.
   */
  async #accept(candidate: Candidate): Promise<Candidate> {
    const { known } = this;
    const timed = await known.withEffectiveTimes(candidate);
    const { publication } = timed.entry;
    if (publication !== undefined) {
      this.#superseded.push(...(await known.publications.supersededBy(publication)));
      this.#withdrawHeld(timed);
    }
    known.accept(timed);
    return timed;
  }

  #withdrawHeld({ entry: { publication }, subject }: Candidate): void {
    if (publication === undefined) return;
    const corrected = this.readings.of(subject).filter(({ candidate }) => {
      const earlier = candidate.entry.publication;
      return earlier !== undefined && this.known.publications.corrects(publication, earlier);
    });
    this.readings.withdraw(corrected);
  }

  /**
   * Releases confirmed records, except those that only the operator may release.
   * @returns the released records of this batch.
   */
  async #release(confirmed: readonly HeldReading[]): Promise<readonly Candidate[]> {
    const released = confirmed.filter(({ reason }) => isReleasable(reason));
    this.readings.release(released);
    const ofThisBatch: Candidate[] = [];
    for (const { held, candidate } of released) {
      if (held === undefined) ofThisBatch.push(await this.#accept(candidate));
    }
    return ofThisBatch;
  }
}
