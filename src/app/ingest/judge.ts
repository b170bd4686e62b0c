import { PUBLISHED_CURRENCIES } from '../../domain/bcv.ts';
import {
  confirmedBy,
  type Doubt,
  doubtAbout,
  type Observation,
  type PublicationObservation,
  type Reading,
  type Thresholds,
} from '../../domain/judgement.ts';
import { OFFICIAL_RATES } from '../../domain/markets.ts';
import type { CaracasDay, Instant } from '../../domain/time.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { CurrentRecords } from '../ports/records.ts';
import type { Store } from '../ports/store.ts';
import { Refused } from './record.ts';
import { BANK_TABLES, type Candidate } from './record-entry.ts';

/** Most records of one batch that are held; more are a feed or a file that is wrong altogether. */
export const MAX_HELD_PER_BATCH = 1_000;

/** Most held readings of a subject that a new one is compared with; older ones no longer count. */
export const MAX_FOLLOWED_READINGS = 1_000;

/** A record of the batch at hand that judgement does not let pass. */
export interface InDoubt {
  readonly candidate: Candidate;
  /** Its line, as it came. */
  readonly text: string;
  readonly doubt: Doubt;
  readonly counts: boolean;
}

interface Pending {
  readonly reading: Reading;
  /** Held in this batch, or in one before. */
  readonly of: { readonly candidate: Candidate } | { readonly held: HeldRecord };
}

/** A held record that still counts, with what it says. */
export interface Followed {
  readonly held: HeldRecord;
  /** Whose reading it counts as. */
  readonly source: string;
  readonly observation: Observation;
}

/**
 * Judges the records of one batch in their order. The rules are in `domain/judgement.ts`; here is
 * what they are asked about: what was accepted and what was held before each record.
 */
export class Judge {
  readonly #store: Store;
  readonly #source: string;
  readonly #thresholds: Thresholds;
  /** Newest accepted readings stored before, and the last one of this batch. */
  readonly #stored = new Map<string, Reading>();
  readonly #accepted = new Map<string, Reading>();
  readonly #pending = new Map<string, Pending[]>();
  readonly #inDoubt = new Map<Candidate, InDoubt>();
  readonly #released: HeldRecord[] = [];
  readonly #discounted: string[] = [];

  constructor({
    store,
    source,
    thresholds,
    current,
    followed,
  }: {
    readonly store: Store;
    readonly source: string;
    readonly thresholds: Thresholds;
    readonly current: CurrentRecords;
    /** Oldest first. */
    readonly followed: readonly Followed[];
  }) {
    this.#store = store;
    this.#source = source;
    this.#thresholds = thresholds;
    for (const { market, mid, ask, bid, capturedAt, effectiveDate } of current.quotes) {
      if (effectiveDate !== undefined) continue;
      const sides = { ...(ask !== undefined && { ask }), ...(bid !== undefined && { bid }) };
      const observation = { kind: 'quote', official: false, mid, ...sides } as const;
      this.#stored.set(market, { source: '', capturedAt, observation });
    }
    if (current.bankTable !== undefined) {
      const { indicatorDate, rows, capturedAt } = current.bankTable;
      const observation = { kind: 'bank_table', indicatorDate, rows: rows.length } as const;
      this.#stored.set(BANK_TABLES, { source: '', capturedAt, observation });
    }
    for (const { held, source: from, observation } of followed) {
      const reading = { source: from, capturedAt: held.capturedAt, observation };
      this.#follow(held.subject, { reading, of: { held } });
    }
  }

  /** Records in doubt so far. */
  get inDoubt(): readonly InDoubt[] {
    return [...this.#inDoubt.values()];
  }

  /** Held records of earlier batches that this one confirms. */
  get released(): readonly HeldRecord[] {
    return this.#released;
  }

  /** Ids of held records of earlier batches that no longer count. */
  get discounted(): readonly string[] {
    return this.#discounted;
  }

  /**
   * @param text The record's line, kept when it is held.
   * @param trust The operator has looked: nothing is doubted.
   * @returns what may be stored now, in order: the record with those of this batch that it
   *   confirms; nothing when it is held.
   * @throws Refused when too many of the batch are in doubt.
   */
  async judge(candidate: Candidate, text: string, trust: boolean): Promise<readonly Candidate[]> {
    const { subject, capturedAt, observation } = candidate;
    const reading = { source: this.#source, capturedAt, observation };
    const doubt = trust
      ? undefined
      : doubtAbout(reading, await this.#acceptedBefore(subject, reading), this.#thresholds);
    if (doubt === undefined) {
      this.#accept(subject, reading);
      return [candidate];
    }
    const pending = this.#pending.get(subject) ?? [];
    const confirmed = confirmedBy(
      reading,
      pending.map((one) => one.reading),
      this.#thresholds,
    );
    if (confirmed === undefined) {
      this.#hold({ candidate, text, doubt, counts: true }, reading);
      return [];
    }
    const now: Candidate[] = [];
    for (const one of pending.filter((held) => confirmed.includes(held.reading))) {
      if ('held' in one.of) {
        this.#released.push(one.of.held);
      } else {
        this.#inDoubt.delete(one.of.candidate);
        now.push(one.of.candidate);
      }
    }
    this.#pending.set(
      subject,
      pending.filter((held) => !confirmed.includes(held.reading)),
    );
    this.#accept(subject, reading);
    return [...now, candidate];
  }

  #accept(subject: string, reading: Reading): void {
    this.#accepted.set(subject, reading);
    if (reading.observation.kind === 'publication') this.#acceptRates(reading, reading.observation);
    const pending = this.#pending.get(subject);
    if (pending === undefined || pending.length === 0) return;
    // A good reading in between: what its source said before counts no more.
    const others = pending.filter((one) => one.reading.source !== reading.source);
    for (const one of pending) if (!others.includes(one)) this.#discount(one);
    this.#pending.set(subject, others);
  }

  /** The rates of a publication are those of the official markets. */
  #acceptRates(reading: Reading, { valueDate, rates }: PublicationObservation): void {
    for (const currency of PUBLISHED_CURRENCIES) {
      const mid = rates[currency];
      if (mid === undefined) continue;
      const quote = { kind: 'quote', official: true, mid, effectiveDate: valueDate } as const;
      this.#accepted.set(OFFICIAL_RATES[currency], { ...reading, observation: quote });
    }
  }

  #hold(inDoubt: InDoubt, reading: Reading): void {
    if (this.#inDoubt.size === MAX_HELD_PER_BATCH) {
      throw new Refused(
        `${inDoubt.doubt.message}; it would be one more than the ${MAX_HELD_PER_BATCH} records of a batch that can be held`,
      );
    }
    this.#inDoubt.set(inDoubt.candidate, inDoubt);
    this.#follow(inDoubt.candidate.subject, { reading, of: inDoubt });
  }

  #follow(subject: string, one: Pending): void {
    const pending = this.#pending.get(subject) ?? [];
    if (pending.length === 0) this.#pending.set(subject, pending);
    pending.push(one);
    if (pending.length <= MAX_FOLLOWED_READINGS) return;
    const oldest = pending.shift();
    if (oldest !== undefined) this.#discount(oldest);
  }

  #discount({ of }: Pending): void {
    if ('held' in of) {
      this.#discounted.push(of.held.id);
      return;
    }
    const inDoubt = this.#inDoubt.get(of.candidate);
    if (inDoubt !== undefined) this.#inDoubt.set(of.candidate, { ...inDoubt, counts: false });
  }

  /**
   * The last accepted reading up to that one's time. Where a file goes back in time and nothing
   * earlier is known, the one accepted just before in the file is the nearest there is.
   */
  async #acceptedBefore(subject: string, reading: Reading): Promise<Reading | undefined> {
    const { capturedAt, observation } = reading;
    const lastHere = this.#accepted.get(subject);
    const here = notAfter(lastHere, capturedAt);
    switch (observation.kind) {
      case 'quote': {
        const { effectiveDate } = observation;
        if (effectiveDate !== undefined) return this.#officialUpTo(subject, effectiveDate);
        const newest = this.#stored.get(subject);
        const known = later(here, notAfter(newest, capturedAt));
        if (known !== undefined) return known;
        const stored = newest && (await this.#captureUpTo(subject, capturedAt));
        return stored ?? lastHere;
      }
      case 'bank_table': {
        const known = later(here, notAfter(this.#stored.get(subject), capturedAt));
        return comparable(known ?? lastHere, reading);
      }
      case 'publication': {
        const known = later(here, await this.#publicationUpTo(capturedAt)) ?? lastHere;
        return comparable(await this.#withLastRates(observation, known), reading);
      }
      default:
        return observation satisfies never;
    }
  }

  async #captureUpTo(market: string, instant: Instant): Promise<Reading | undefined> {
    const capture = await this.#store.lastCaptureBefore(market, instant + 1);
    if (capture === undefined) return undefined;
    const { mid, capturedAt } = capture;
    return { source: '', capturedAt, observation: { kind: 'quote', official: false, mid } };
  }

  /** The official rate of the newest value date up to `date`. */
  async #officialUpTo(market: string, date: CaracasDay): Promise<Reading | undefined> {
    const here = this.#accepted.get(market);
    const dateHere =
      here?.observation.kind === 'quote' ? here.observation.effectiveDate : undefined;
    const stored = await this.#store.officialRateUpTo(market, date);
    const dateStored = stored?.effectiveDate ?? '';
    if (dateHere !== undefined && dateHere <= date && dateHere >= dateStored) return here;
    if (stored?.effectiveDate === undefined) return undefined;
    const { mid, ask, bid, capturedAt, observedAt = capturedAt, effectiveDate } = stored;
    const sides = { ...(ask !== undefined && { ask }), ...(bid !== undefined && { bid }) };
    const observation = { kind: 'quote', official: true, mid, ...sides, effectiveDate } as const;
    return { source: '', capturedAt: observedAt, observation };
  }

  async #publicationUpTo(instant: Instant): Promise<Reading | undefined> {
    const publication = await this.#store.lastPublicationBefore(instant + 1);
    if (publication === undefined) return undefined;
    const { valueDate, rates, capturedAt } = publication;
    return { source: '', capturedAt, observation: { kind: 'publication', valueDate, rates } };
  }

  /**
   * The publication before, and with it the last rate of each currency of `now`. That may be of
   * another publication, for a currency may have been missing in between, or of none, for official
   * rates come as quotes too.
   */
  async #withLastRates(
    { valueDate, rates: now }: PublicationObservation,
    before: Reading | undefined,
  ): Promise<Reading | undefined> {
    const known = before?.observation.kind === 'publication' ? before.observation : undefined;
    const rates = { ...known?.rates };
    for (const currency of PUBLISHED_CURRENCIES) {
      if (now[currency] === undefined) continue;
      const last = await this.#officialUpTo(OFFICIAL_RATES[currency], valueDate);
      if (last?.observation.kind === 'quote') rates[currency] = last.observation.mid;
    }
    if (Object.keys(rates).length === 0) return undefined;
    const observation = { kind: 'publication', valueDate, ...known, rates } as const;
    return { source: '', capturedAt: 0, ...before, observation };
  }
}

function notAfter(reading: Reading | undefined, instant: Instant): Reading | undefined {
  return reading !== undefined && reading.capturedAt <= instant ? reading : undefined;
}

/** The later of two; the first when they are of one instant. */
function later(a: Reading | undefined, b: Reading | undefined): Reading | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.capturedAt > a.capturedAt ? b : a;
}

/**
 * What was accepted, to compare with. Only what was read before can make a date go back: of what
 * was read at the same time or later just the values are compared.
 */
function comparable(accepted: Reading | undefined, reading: Reading): Reading | undefined {
  if (accepted === undefined || accepted.capturedAt < reading.capturedAt) return accepted;
  const [before, now] = [accepted.observation, reading.observation];
  if (before.kind === 'publication' && now.kind === 'publication') {
    return { ...accepted, observation: { ...before, valueDate: now.valueDate } };
  }
  if (before.kind === 'bank_table' && now.kind === 'bank_table') {
    return { ...accepted, observation: { ...before, indicatorDate: now.indicatorDate } };
  }
  return accepted;
}
