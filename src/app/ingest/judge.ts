import { publicationDoubts } from '../../domain/judgement/publication-judgement.ts';
import { quoteDoubts } from '../../domain/judgement/quote-judgement.ts';
import {
  agreeingRun,
  type BankTableObservation,
  confirmedBy,
  type Doubt,
  gravest,
  isReleasable,
  type Reading,
  type Thresholds,
} from '../../domain/judgement.ts';
import { isOfficial } from '../../domain/markets.ts';
import { type Instant, SECOND_MS } from '../../domain/time.ts';
import type { HeldRecord, Settlement, SupersededPublication } from '../ports/held.ts';
import { partedRows, withRows } from './bank-rows.ts';
import { withEffectiveTimes } from './effective-times.ts';
import { type InDoubt, suspectOf } from './held-records.ts';
import type { KnownBankTables, ReadBankRow } from './known-bank-tables.ts';
import type { KnownPublications } from './known-publications.ts';
import type { KnownQuotes } from './known-quotes.ts';
import { type Followed, isPublishable, type Pending, PendingReadings } from './pending.ts';
import { Refused } from './record.ts';
import type { Candidate } from './record-entry.ts';

/** Most held records of one batch. More mean that the whole feed or file is wrong. */
export const MAX_HELD_PER_BATCH = 1_000;

/**
 * Rounds in which released records may release others. Chains are short: an official rate releases
 * first quotes, and these let venues agree. A record left over waits for the next batch.
 */
const MAX_ROUNDS = 5;

/** The verdict on a record: the candidates to store now, and whether it is a duplicate. */
export interface Verdict {
  readonly passed: readonly Candidate[];
  readonly isDuplicate: boolean;
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

/** Reasons that may end when other records are published: an official rate, or other venues. */
const CONTEXTUAL: readonly string[] = ['first_quote', 'venues_differ'];

/**
 * Judges the records of one batch in order. The rules are in `domain/`. This class supplies the
 * records that were accepted or held before each one.
 */
export class Judge {
  readonly #parts: JudgeParts;
  readonly #pending = new PendingReadings();
  readonly #inDoubt = new Map<Candidate, InDoubt>();
  readonly #released: HeldRecord[] = [];
  /** Ids of held records that no longer count as readings. */
  readonly #discounted: string[] = [];
  /** Ids of held publications whose date a later one corrected. */
  readonly #withdrawn: string[] = [];
  readonly #superseded: SupersededPublication[] = [];
  /** When the newest record of the batch was read. */
  #latest: Instant = 0;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
    for (const { held, origin, candidate } of parts.followed) {
      const { capturedAt, observation } = candidate;
      const reading = { origin, capturedAt, observation };
      this.#follow({ reading, reason: held.reason, candidate, held });
      parts.quotes.see(candidate, { ofBatch: false });
    }
  }

  /** Held records of earlier batches that this one releases. */
  get released(): readonly HeldRecord[] {
    return this.#released;
  }

  /** How many records of this batch are in doubt. */
  get held(): number {
    return this.#inDoubt.size;
  }

  /** What the batch changes besides storing its entries. */
  get settlement(): Omit<Settlement, 'release'> {
    return {
      hold: [...this.#inDoubt.values()].map(suspectOf),
      discount: this.#discounted,
      withdraw: this.#withdrawn,
      supersede: this.#superseded,
    };
  }

  /** Registers records that were read together, before each of them is judged. */
  async lookAhead(body: readonly Candidate[], trust: boolean): Promise<void> {
    const { quotes } = this.#parts;
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
      this.#endRun(candidate.subject, reading);
      return { passed: [], isDuplicate: true };
    }
    if (this.#parts.quotes.isLateReport(candidate)) return this.#judgeLateReport(candidate, trust);
    this.#latest = Math.max(this.#latest, candidate.capturedAt);
    const { observation } = candidate;
    const passed =
      observation.kind === 'bank_table' && !trust
        ? await this.#judgeTable({ ...candidate, observation }, text, reading)
        : await this.#judgeAsOne({ candidate, text }, reading, trust);
    this.#parts.quotes.judged(candidate);
    return { passed, isDuplicate: false };
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
    // A batch without new records, such as a page that was already read, changes nothing for
    // waiting records.
    if (this.#latest === 0) return [];
    const passed: Candidate[] = [];
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const waiting = this.#pending.all().filter((one) => this.#isWaiting(one));
      const before = passed.length + this.#released.length;
      for (const one of waiting) {
        if (!(await this.#canAgree(one))) continue;
        if ((await this.#doubtsAbout(one.candidate, this.#latest)).length > 0) continue;
        this.#pending.remove([one]);
        this.#inDoubt.delete(one.candidate);
        const timed = await this.#accept(one.candidate);
        if (one.held === undefined) passed.push(timed);
        else this.#released.push(one.held);
      }
      if (passed.length + this.#released.length === before) break;
    }
    return passed;
  }

  /**
   * Whether a held record waits for others: a first quote always, a venue only while its reading is
   * fresh, because an old one cannot agree with current ones.
   */
  #isWaiting({ reason, candidate, reading }: Pending): boolean {
    if (!CONTEXTUAL.includes(reason)) return false;
    const age = (candidate.market?.staleAfterSec ?? 0) * SECOND_MS;
    return reason === 'first_quote' || reading.capturedAt >= this.#latest - age;
  }

  /** Silence of the other venues does not count as agreement. */
  async #canAgree({ reason, candidate }: Pending): Promise<boolean> {
    const { quotes } = this.#parts;
    return reason !== 'venues_differ' || (await quotes.hasOtherVenues(candidate, this.#latest));
  }

  #readingOf({ subject, capturedAt, observation }: Candidate): Reading {
    return { origin: this.#parts.originOf(subject), capturedAt, observation };
  }

  /** Passes or holds a record as a whole, unlike a table whose rows are judged one by one. */
  async #judgeAsOne(
    { candidate, text }: Pick<InDoubt, 'candidate' | 'text'>,
    reading: Reading,
    trust: boolean,
  ): Promise<readonly Candidate[]> {
    const doubts = trust ? [] : await this.#doubtsAbout(candidate);
    const doubt = gravest(doubts);
    if (doubt === undefined) {
      return this.#publish(await this.#runBefore(candidate, reading), candidate, reading);
    }
    const before = this.#confirmedBy(reading, doubts, this.#pending.of(candidate.subject));
    if (before !== undefined) return this.#publish(before, candidate, reading);
    this.#hold({ candidate, text, doubt, counts: true }, reading);
    return [];
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
    this.#endRun(candidate.subject, reading);
    return [...released, timed];
  }

  /** Holds doubtful rows separately and accepts the rest of the table. */
  async #judgeTable(
    candidate: Candidate & { readonly observation: BankTableObservation },
    text: string,
    reading: Reading,
  ): Promise<readonly Candidate[]> {
    const { capturedAt, subject, observation } = candidate;
    const { bankTables, publications, thresholds } = this.#parts;
    const doubts = await bankTables.doubtsAbout(observation, capturedAt);
    const pending = this.#pending.of(subject).filter(({ reason }) => reason !== 'row_apart');
    const doubt = gravest(doubts);
    const confirmed = doubt && this.#confirmedBy(reading, doubts, pending);
    if (doubt !== undefined && confirmed === undefined) {
      this.#hold({ candidate, text, doubt, counts: true }, reading);
      return [];
    }
    const before = confirmed ?? [];
    const held = this.#heldRows(subject, observation);
    const known = { publications, bankTables, thresholds };
    const { good, bad } = await partedRows(observation, { held, capturedAt, known });
    const [first] = bad;
    if (first !== undefined) {
      const rest = bad.length === 1 ? '' : `, and of ${bad.length - 1} more banks`;
      const told = { ...first.doubt, message: first.doubt.message + rest };
      const part = withRows(
        candidate,
        bad.map(({ row }) => row),
      );
      this.#hold(
        { candidate: part, text: undefined, doubt: told, counts: true },
        { ...reading, observation: part.observation },
      );
    }
    if (good.length === 0) return this.#release(before);
    const table = bad.length === 0 ? candidate : withRows(candidate, good);
    return this.#publish(before, table, { ...reading, observation: table.observation });
  }

  /** Held rows of tables with other dates, with the time of their reading. */
  #heldRows(subject: string, { indicatorDate }: BankTableObservation): readonly ReadBankRow[] {
    return this.#pending.of(subject).flatMap(({ reading: { observation, capturedAt: readAt } }) => {
      const isOther =
        observation.kind === 'bank_table' && observation.indicatorDate !== indicatorDate;
      return isOther ? observation.rows.map((row) => ({ row, readAt })) : [];
    });
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
    const corrected = this.#pending.of(subject).filter(({ candidate }) => {
      const before = candidate.entry.publication;
      return before !== undefined && this.#parts.publications.corrects(publication, before);
    });
    this.#pending.remove(corrected);
    for (const one of corrected) {
      if (one.held !== undefined) this.#withdrawn.push(one.held.id);
      else this.#discount(one);
    }
  }

  /** An accepted reading ends earlier pending ones of its origin. Held rows wait for a table. */
  #endRun(subject: string, { origin }: Reading): void {
    const ended = this.#pending
      .of(subject)
      .filter((one) => one.reading.origin === origin && one.reason !== 'row_apart');
    this.#pending.remove(ended);
    for (const one of ended) this.#discount(one);
  }

  /**
   * The held readings of the same origin directly before this one that agree with it. None unless
   * the last was held because venues differ, and other venues can be compared now.
   */
  async #runBefore(candidate: Candidate, reading: Reading): Promise<readonly Pending[]> {
    const own = this.#pending
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
    this.#pending.remove(released);
    const ofThisBatch: Candidate[] = [];
    for (const { held, candidate } of released) {
      if (held !== undefined) {
        this.#released.push(held);
      } else {
        this.#inDoubt.delete(candidate);
        ofThisBatch.push(await this.#accept(candidate));
      }
    }
    return ofThisBatch;
  }

  #hold(inDoubt: InDoubt, reading: Reading): void {
    if (this.#inDoubt.size === MAX_HELD_PER_BATCH) {
      throw new Refused(
        `${inDoubt.doubt.message}; it would be one more than the ${MAX_HELD_PER_BATCH} records of a batch that can be held`,
      );
    }
    const { candidate, doubt } = inDoubt;
    this.#inDoubt.set(candidate, inDoubt);
    this.#follow({ reading, reason: doubt.reason, candidate });
  }

  #follow(one: Pending): void {
    const oldest = this.#pending.add(one);
    if (oldest !== undefined) this.#discount(oldest);
  }

  #discount({ held, candidate }: Pending): void {
    if (held !== undefined) {
      this.#discounted.push(held.id);
      return;
    }
    const inDoubt = this.#inDoubt.get(candidate);
    if (inDoubt !== undefined) this.#inDoubt.set(candidate, { ...inDoubt, counts: false });
  }
}
