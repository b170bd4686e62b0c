import {
  agreeingRun,
  canInsist,
  confirmedBy,
  isAboutOthers,
  isReleasable,
} from '../../domain/judgement/confirmation.ts';
import { agrees, witnessDoubt } from '../../domain/judgement/witness.ts';
import { type Doubt, type DoubtReason, gravest, type Reading } from '../../domain/judgement.ts';
import type { Instant } from '../../domain/time.ts';
import type { Settlement, SupersededPublication } from '../ports/held.ts';
import { type HeldReading, HeldReadings, isPublishable, isWaiting } from './held-readings.ts';
import type { TableCandidate } from './known-bank-tables.ts';
import type { KnownRecords } from './known-records.ts';
import type { Candidate } from './record-entry.ts';
import { isOfRefuted } from './refuted-publication.ts';

/**
 * Rounds in which released records may release others. Chains are short: an official rate releases
 * first quotes, and these let venues agree. A record left over waits for the next batch.
 */
const MAX_ROUNDS = 5;

/** Only the operator may publish such a figure, even for the past. */
const NEVER_HISTORY: readonly DoubtReason[] = ['out_of_band', 'other_unit'];

interface Verdict {
  readonly passed: readonly Candidate[];
  readonly isDuplicate?: true;
  readonly held?: readonly Doubt[];
  /** Why it is skipped: neither stored nor held. */
  readonly passedOver?: Doubt;
}

/** Judges the records of one batch in order, each by the records accepted or held before it. */
export class Judge {
  readonly known: KnownRecords;
  readonly #originOf: (subject: string) => string;
  /** The readings in doubt, of this batch and of earlier ones. */
  readonly readings = new HeldReadings();
  readonly #superseded: SupersededPublication[] = [];
  /** Ids of held records that repeated readings alone released after a jump; one of each run. */
  readonly insisted = new Set<string>();
  /** Markets whose doubtful figures an independent source showed too. */
  readonly confirmed = new Set<string>();
  /** When the newest record of the batch was read. */
  #latest: Instant = 0;

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
    for (const reading of held) {
      this.readings.follow(reading);
      known.quotes.see(reading.candidate, { ofBatch: false });
    }
  }

  /** What the batch changes besides storing its entries. */
  get settlement(): Omit<Settlement, 'release'> {
    return { ...this.readings.settlement, supersede: this.#superseded };
  }

  /** Registers records that were read together, before each of them is judged. */
  async lookAhead(body: readonly Candidate[], trust: boolean): Promise<void> {
    const { quotes, publications } = this.known;
    await publications.stored.expect(body.flatMap(({ entry }) => entry.publication ?? []));
    if (trust) for (const candidate of body) quotes.see(candidate, { ofBatch: true });
    else await quotes.lookAhead(body);
  }

  /**
   * Judges one record.
   * @param trust Accept without doubts, because the operator has checked it.
   * @throws Refused when too many records of the batch are doubtful.
   */
  async judge(candidate: Candidate, trust: boolean): Promise<Verdict> {
    const { publications, quotes } = this.known;
    const reading = this.#readingOf(candidate);
    const isRefuted = await isOfRefuted(candidate, this.readings, this.known);
    if (!isRefuted && (await publications.isDuplicate(candidate, trust))) {
      this.readings.endRun(candidate.subject, reading);
      return { passed: [], isDuplicate: true };
    }
    if (quotes.isLateReport(candidate)) return this.#judgeLateReport(candidate, trust);
    this.#latest = Math.max(this.#latest, candidate.capturedAt);
    const { observation } = candidate;
    const verdict =
      observation.kind === 'bank_table' && !trust
        ? { passed: await this.#judgeTable({ ...candidate, observation }, reading) }
        : await this.#judgeAsOne(candidate, reading, trust);
    quotes.judged(candidate);
    if (verdict.passed.length === 0) quotes.hold(candidate);
    return verdict;
  }

  /**
   * A late report of an older quote is never held, and neither ends nor confirms held records.
   * It is stored as history, but skipped when it is outside the band or in another unit.
   */
  async #judgeLateReport(candidate: Candidate, trust: boolean): Promise<Verdict> {
    const doubts = trust ? [] : await this.known.doubtsAbout(candidate);
    const passedOver = doubts.find(({ reason }) => NEVER_HISTORY.includes(reason));
    if (passedOver !== undefined) return { passed: [], passedOver };
    return { passed: [await this.#accept(candidate)] };
  }

  /**
   * Judges records that depend on others again, now that the whole batch is known.
   * @returns the records of this batch that may now be stored.
   */
  async reconsider(): Promise<readonly Candidate[]> {
    // A page that was already read changes nothing for waiting records.
    if (this.#latest === 0) return [];
    const passed: Candidate[] = [];
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const waiting = this.readings.all().filter((held) => isWaiting(held, this.#latest));
      const count = passed.length + this.readings.released.length;
      for (const waitingReading of waiting) {
        const { candidate, held } = waitingReading;
        if (!(await this.#canAgree(waitingReading))) continue;
        const doubts = await this.known.doubtsAbout(candidate, this.#latest);
        if (doubts.length > 0) continue;
        this.readings.release([waitingReading]);
        const timed = await this.#accept(candidate);
        if (held === undefined) passed.push(timed);
      }
      if (passed.length + this.readings.released.length === count) break;
    }
    return passed;
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

  /** Silence of other markets does not count as agreement. */
  async #canAgree({ reason, candidate }: HeldReading): Promise<boolean> {
    const { quotes } = this.known;
    if (reason === 'venues_differ') return quotes.hasOtherVenues(candidate, this.#latest);
    return reason !== 'parallel_differs' || quotes.hasSecondVoice(candidate, this.#latest);
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
    const pending = this.readings.beside(candidate, this.known.context.redenominations);
    const confirmed =
      doubt === undefined
        ? await this.#runBefore(candidate, reading)
        : confirmedBy(reading, doubts, pending, this.#thresholds, words);
    if (doubt === undefined || confirmed !== undefined) {
      const isConfirmedOnce =
        confirmedBy(reading, doubts, pending, this.#withoutRepetition, words) !== undefined;
      if (!isConfirmedOnce) this.#noteInsistence(confirmed, candidate);
      else if (doubt !== undefined) this.confirmed.add(candidate.subject);
      const entry = isConfirmedOnce ? candidate.entry : { ...candidate.entry, insisted: true };
      return { passed: await this.#publish(confirmed ?? [], { ...candidate, entry }, reading) };
    }
    // A value date that needs the operator takes no part in the repetitions of an archive.
    const isOfArchive = reading.isOfArchive === true && canInsist(doubts, reading.observation);
    this.readings.hold(candidate, doubt, { ...reading, isOfArchive }, doubts);
    return { passed: [], held: doubts };
  }

  #noteInsistence(confirmed: readonly HeldReading[] = [], { observation }: Candidate): void {
    const last = confirmed.findLast(({ held }) => held !== undefined)?.held;
    if (observation.kind === 'quote' && last !== undefined) this.insisted.add(last.id);
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
   * The held readings of the same origin directly before this one that agree with it. None unless
   * the last was held because other markets differ, and these can be compared now.
   */
  async #runBefore(candidate: Candidate, reading: Reading): Promise<readonly HeldReading[]> {
    const own = this.readings
      .beside(candidate, this.known.context.redenominations)
      .filter(({ origin }) => origin === reading.origin);
    const last = own.at(-1);
    if (last === undefined || !isAboutOthers(last.reason)) return [];
    if (!(await this.#canAgree(last))) return [];
    return agreeingRun(reading, own, this.#thresholds);
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
