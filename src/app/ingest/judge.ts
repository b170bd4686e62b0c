import {
  agreeingRun,
  canInsist,
  confirmedBy,
  isReleasable,
} from '../../domain/judgement/confirmation.ts';
import { publicationDoubts } from '../../domain/judgement/publication-judgement.ts';
import { quoteDoubts } from '../../domain/judgement/quote-judgement.ts';
import { type Doubt, gravest, type Reading, type Thresholds } from '../../domain/judgement.ts';
import { isOfficial } from '../../domain/markets.ts';
import type { Instant } from '../../domain/time.ts';
import type { Settlement, SupersededPublication } from '../ports/held.ts';
import { splitTable, type TableCandidate } from './bank-rows.ts';
import { withEffectiveTimes } from './effective-times.ts';
import { HeldReadings } from './held-readings.ts';
import type { InDoubt } from './held-records.ts';
import type { KnownBankTables } from './known-bank-tables.ts';
import type { KnownPublications } from './known-publications.ts';
import type { KnownQuotes } from './known-quotes.ts';
import { type Followed, isPublishable, isWaiting, type Pending } from './pending.ts';
import type { Candidate } from './record-entry.ts';

/**
 * Rounds in which released records may release others. Chains are short: an official rate releases
 * first quotes, and these let venues agree. A record left over waits for the next batch.
 */
const MAX_ROUNDS = 5;

/** The verdict on a record: the candidates to store now, and whether it is a duplicate. */
interface Verdict {
  readonly passed: readonly Candidate[];
  readonly isDuplicate: boolean;
  readonly held?: readonly Doubt[];
  /** Why it is skipped: neither stored nor held. */
  readonly passedOver?: Doubt;
}

interface JudgeParts {
  /** Returns the origin of the current source's figures of a subject. */
  readonly originOf: (subject: string) => string;
  readonly thresholds: Thresholds;
  readonly quotes: KnownQuotes;
  readonly publications: KnownPublications;
  readonly bankTables: KnownBankTables;
  /** Held records of earlier batches that still count, oldest first. */
  readonly followed: readonly Followed[];
}

/**
 * Judges the records of one batch in order. The rules are in `domain/`. This class supplies the
 * records that were accepted or held before each one.
 */
export class Judge {
  readonly #parts: JudgeParts;
  /** The readings in doubt, of this batch and of earlier ones. */
  readonly readings = new HeldReadings();
  readonly #superseded: SupersededPublication[] = [];
  /** When the newest record of the batch was read. */
  #latest: Instant = 0;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
    for (const { held, origin, candidate } of parts.followed) {
      const { capturedAt, observation } = candidate;
      const reading = { origin, capturedAt, observation };
      this.readings.follow({ reading, reason: held.reason, candidate, held });
      parts.quotes.see(candidate, { ofBatch: false });
    }
  }

  /** What the batch changes besides storing its entries. */
  get settlement(): Omit<Settlement, 'release'> {
    return { ...this.readings.settlement, supersede: this.#superseded };
  }

  /** Registers records that were read together, before each of them is judged. */
  async lookAhead(body: readonly Candidate[], trust: boolean): Promise<void> {
    const { quotes, publications } = this.#parts;
    publications.expect(body);
    if (trust) for (const candidate of body) quotes.see(candidate, { ofBatch: true });
    else await quotes.lookAhead(body);
  }

  /**
   * Judges one record.
   * @param text The record's line, kept when it is held.
   * @param trust Accept without doubts, because the operator has checked it.
   * @throws Refused when too many records of the batch are doubtful.
   */
  async judge(candidate: Candidate, text: string, trust: boolean): Promise<Verdict> {
    const reading = this.#readingOf(candidate);
    if (await this.#parts.publications.isDuplicate(candidate, trust)) {
      this.readings.endRun(candidate.subject, reading);
      return { passed: [], isDuplicate: true };
    }
    if (this.#parts.quotes.isLateReport(candidate)) return this.#judgeLateReport(candidate, trust);
    this.#latest = Math.max(this.#latest, candidate.capturedAt);
    const { observation } = candidate;
    const verdict =
      observation.kind === 'bank_table' && !trust
        ? { passed: await this.#judgeTable({ ...candidate, observation }, text, reading) }
        : await this.#judgeAsOne({ candidate, text }, reading, trust);
    this.#parts.quotes.judged(candidate);
    return { ...verdict, isDuplicate: false };
  }

  /**
   * A late report of an older quote is never held, and neither ends nor confirms held records.
   * It is stored as history, but skipped when it is outside the band: only the operator may publish
   * such a figure, even for the past.
   */
  async #judgeLateReport(candidate: Candidate, trust: boolean): Promise<Verdict> {
    const doubts = trust ? [] : await this.#doubtsAbout(candidate);
    const passedOver = doubts.find(({ reason }) => reason === 'out_of_band');
    if (passedOver !== undefined) return { passed: [], isDuplicate: false, passedOver };
    return { passed: [await this.#accept(candidate)], isDuplicate: false };
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
      const waiting = this.readings.all().filter((one) => isWaiting(one, this.#latest));
      const before = passed.length + this.readings.released.length;
      for (const one of waiting) {
        if (!(await this.#canAgree(one))) continue;
        if ((await this.#doubtsAbout(one.candidate, this.#latest)).length > 0) continue;
        this.readings.release([one]);
        const timed = await this.#accept(one.candidate);
        if (one.held === undefined) passed.push(timed);
      }
      if (passed.length + this.readings.released.length === before) break;
    }
    return passed;
  }

  /** Silence of the other venues does not count as agreement. */
  async #canAgree({ reason, candidate }: Pending): Promise<boolean> {
    const { quotes } = this.#parts;
    return reason !== 'venues_differ' || (await quotes.hasOtherVenues(candidate, this.#latest));
  }

  #readingOf({ subject, capturedAt, observation }: Candidate): Reading {
    const isOfArchive = this.#parts.publications.isPastOfArchive(observation);
    return { origin: this.#parts.originOf(subject), capturedAt, observation, isOfArchive };
  }

  /** Passes or holds a record as a whole, unlike a table whose rows are judged one by one. */
  async #judgeAsOne(
    { candidate, text }: Pick<InDoubt, 'candidate' | 'text'>,
    reading: Reading,
    trust: boolean,
  ): Promise<Omit<Verdict, 'isDuplicate'>> {
    const doubts = trust ? [] : await this.#doubtsAbout(candidate);
    const doubt = gravest(doubts);
    const before =
      doubt === undefined
        ? await this.#runBefore(candidate, reading)
        : this.#confirmedBy(reading, doubts, this.readings.of(candidate.subject));
    if (doubt === undefined || before !== undefined) {
      return { passed: await this.#publish(before ?? [], candidate, reading) };
    }
    // A value date that needs the operator takes no part in the repetitions of an archive.
    const isOfArchive = reading.isOfArchive === true && canInsist(doubts, reading.observation);
    this.readings.hold({ candidate, text, doubt, counts: true }, { ...reading, isOfArchive });
    return { passed: [], held: doubts };
  }

  /** The held readings that a doubtful one confirms; undefined while it stays in doubt. */
  #confirmedBy(
    reading: Reading,
    doubts: readonly Doubt[],
    pending: readonly Pending[],
  ): readonly Pending[] | undefined {
    const readings = pending.map((one) => one.reading);
    const confirmed = confirmedBy(reading, doubts, readings, this.#parts.thresholds);
    return confirmed && pending.filter((one) => confirmed.includes(one.reading));
  }

  /** Accepts a record and releases held ones before it, in order. */
  async #publish(
    before: readonly Pending[],
    candidate: Candidate,
    reading: Reading,
  ): Promise<readonly Candidate[]> {
    const released = await this.#release(before.filter((one) => isPublishable(one, reading)));
    const timed = await this.#accept(candidate);
    this.readings.endRun(candidate.subject, reading);
    return [...released, timed];
  }

  /** Holds doubtful rows separately and accepts the rest of the table. */
  async #judgeTable(
    candidate: TableCandidate,
    text: string,
    reading: Reading,
  ): Promise<readonly Candidate[]> {
    const { capturedAt, subject, observation } = candidate;
    const doubts = await this.#parts.bankTables.doubtsAbout(observation, capturedAt);
    const pending = this.readings.of(subject).filter(({ reason }) => reason !== 'row_apart');
    const doubt = gravest(doubts);
    const confirmed = doubt && this.#confirmedBy(reading, doubts, pending);
    if (doubt !== undefined && confirmed === undefined) {
      this.readings.hold({ candidate, text, doubt, counts: true }, reading);
      return [];
    }
    const before = confirmed ?? [];
    const held = this.readings.of(subject).map((one) => one.reading);
    const { good, apart } = await splitTable(candidate, held, this.#parts);
    if (apart !== undefined) {
      const part = { ...reading, observation: apart.candidate.observation };
      this.readings.hold({ ...apart, text: undefined, counts: true }, part);
    }
    if (good === undefined) return this.#release(before);
    return this.#publish(before, good, { ...reading, observation: good.observation });
  }

  /** @param asOf The instant for the quotes of other venues; by default the time of the reading. */
  async #doubtsAbout(candidate: Candidate, asOf?: Instant): Promise<readonly Doubt[]> {
    const { observation, capturedAt } = candidate;
    const { quotes, publications, bankTables, thresholds } = this.#parts;
    switch (observation.kind) {
      case 'quote':
        return quoteDoubts(observation, await quotes.contextOf(candidate, asOf), thresholds);
      case 'publication': {
        const context = await publications.contextOf(observation, capturedAt);
        return publicationDoubts(observation, context, thresholds);
      }
      case 'bank_table':
        return bankTables.doubtsAbout(observation, capturedAt);
      default:
        return observation satisfies never;
    }
  }

  /**
   * Registers an accepted record.
   * @returns the record with the effective times of its captures.
   */
  async #accept(candidate: Candidate): Promise<Candidate> {
    const { quotes, publications, bankTables } = this.#parts;
    const timed = await withEffectiveTimes(candidate, this.#parts);
    const { entry, market } = timed;
    if (entry.publication !== undefined) {
      this.#superseded.push(...(await publications.supersededBy(entry.publication)));
      this.#withdrawHeld(timed);
    }
    if (entry.bankTable !== undefined) bankTables.accept(entry.bankTable);
    else if (market === undefined || isOfficial(market)) publications.accept(timed);
    else quotes.accept(timed);
    return timed;
  }

  /** Withdraws held publications with the same figures whose date this one corrects. */
  #withdrawHeld({ entry: { publication }, subject }: Candidate): void {
    if (publication === undefined) return;
    const corrected = this.readings.of(subject).filter(({ candidate }) => {
      const before = candidate.entry.publication;
      return before !== undefined && this.#parts.publications.corrects(publication, before);
    });
    this.readings.withdraw(corrected);
  }

  /**
   * The held readings of the same origin directly before this one that agree with it. None unless
   * the last was held because venues differ, and other venues can be compared now.
   */
  async #runBefore(candidate: Candidate, reading: Reading): Promise<readonly Pending[]> {
    const own = this.readings
      .of(candidate.subject)
      .filter((one) => one.reading.origin === reading.origin);
    const last = own.at(-1);
    if (last?.reason !== 'venues_differ' || !(await this.#canAgree(last))) return [];
    const run = agreeingRun(
      reading,
      own.map((one) => one.reading),
      this.#parts.thresholds,
    );
    return own.filter((one) => run.includes(one.reading));
  }

  /**
   * Releases confirmed records, except those that only the operator may release.
   * @returns the released records of this batch.
   */
  async #release(confirmed: readonly Pending[]): Promise<readonly Candidate[]> {
    const released = confirmed.filter(({ reason }) => isReleasable(reason));
    this.readings.release(released);
    const ofThisBatch: Candidate[] = [];
    for (const { held, candidate } of released) {
      if (held === undefined) ofThisBatch.push(await this.#accept(candidate));
    }
    return ofThisBatch;
  }
}
