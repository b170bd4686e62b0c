import { step } from '../../../domain/judgement/quote-fold.ts';
import type {
  QuoteChange,
  QuoteReading,
  QuotesState,
} from '../../../domain/judgement/quote-memory.ts';
import type { Instant } from '../../../domain/time.ts';
import type { HeldRecord, SettledRecord, Settlement, Suspect } from '../../ports/held.ts';
import type { UnpublishedQuote } from '../../ports/quotes.ts';
import type { BatchContext } from '../batch-context.ts';
import type { JudgedPublications } from '../publications/judged-publications.ts';
import { Refused } from '../record.ts';
import { type Candidate, quoteReading } from '../record-entry.ts';
import { checkpointsOf } from './checkpoints.ts';
import { AFTER_MS, foldAmong } from './fold-among.ts';
import { after, type Span, type Window } from './folded.ts';
import { Officials } from './officials.ts';
import { besideEachOther } from './quote-bodies.ts';
import { doubtsOf, memoriesOf, suspectOf, whyOf } from './quote-changes.ts';
import { eachOnce, notRejected } from './sent-again.ts';
import { type HeldCandidate, StoredQuotes } from './stored-quotes.ts';

const UNSORTED =
  'older than quotes of lines before it: sort a large file by captured_at, or import it with --trust';

/** The quotes of markets without value dates that a batch brings, judged beside those stored. */
export class JudgedQuotes {
  readonly #context: BatchContext;
  readonly #source: string;
  readonly #officials: Officials;
  readonly #stored: StoredQuotes;
  readonly #incoming = new Map<QuoteReading, Candidate>();
  readonly #pending: readonly HeldCandidate[];
  /** The state after an earlier part of the batch. */
  #part: QuotesState | undefined;
  #isPast = false;
  readonly #changes = new Map<QuoteReading, QuoteChange>();
  /** The stored readings that those of the batch repeat. */
  #again: ReadonlyMap<QuoteReading, QuoteReading> = new Map();
  /** What was known when the batch began, and what is known now. */
  #begun: Awaited<ReturnType<StoredQuotes['current']>> | undefined;
  #state: QuotesState | undefined;
  /** The time of which readings came, and the states within it. */
  #outdated: Settlement['outdated'];
  #states: readonly QuotesState[] = [];

  /**
   * @param source The source of the batch.
   * @param held Held quotes that still count, oldest first.
   */
  constructor(
    context: BatchContext,
    source: string,
    held: readonly HeldCandidate[],
    publications: JudgedPublications,
  ) {
    this.#context = context;
    this.#source = source;
    this.#pending = held;
    this.#officials = new Officials(context, publications);
    this.#stored = new StoredQuotes(context, this.#officials, held);
  }

  /**
   * Publishes a quote that an operator has checked.
   * @returns it as it is stored.
   */
  async trust(candidate: Candidate): Promise<Candidate> {
    const reading = this.#readingOf(candidate, true);
    if (reading === undefined) return candidate;
    const before = this.#state ?? (await this.#begin());
    this.#outdate(reading.at);
    const body = { at: reading.at, readings: [reading] };
    const { state, changes } = step(before, body, this.#officials.rules);
    this.#state = state;
    for (const change of changes) if (change.reading !== reading) this.#note(change);
    const change = changes.find((one) => one.reading === reading);
    return change === undefined ? candidate : this.published(candidate, change);
  }

  /**
   * Judges some quotes of the batch, or all of them, in the order of their times. Stored readings of
   * after the first of them are judged again beside them, so that the order of arrival decides
   * nothing. A batch of several parts is in order itself; one of the past is judged by itself.
   * @returns what became of them, and of those of earlier parts that were held. Nothing becomes of
   *   those that are stored already or that an operator has rejected.
   * @throws Refused when a part begins before the end of the last one.
   */
  async judge(
    candidates: readonly Candidate[],
    { isLast }: { readonly isLast: boolean },
  ): Promise<ReadonlyMap<Candidate, QuoteChange>> {
    const own = eachOnce(candidates, (candidate) => this.#readingOf(candidate, false));
    const all = besideEachOther([...own.keys()], this.#context.between);
    for (const [place, candidate] of [...own.values()].entries()) {
      const reading = all[place];
      if (reading !== undefined) this.#incoming.set(reading, candidate);
    }
    const readings = await notRejected(all, this.#context);
    // Without any, an official rate of the batch may still release what waits for one.
    if (readings.length === 0 && this.#pending.length === 0) return new Map();
    const known = await this.#begin();
    const times = readings.map(({ at }) => at);
    const [from, to] = [Math.min(...times), Math.max(...times)];
    const window = await this.#windowOf({ from, to: to + AFTER_MS }, known, isLast);
    const made = await foldAmong(readings, window, this.#stored, this.#officials);
    this.#again = made.again;
    for (const change of made.changes.values()) this.#note(change);
    await this.#stored.find([...made.changes.keys()].filter((one) => !this.#incoming.has(one)));
    const state = made.to === undefined ? made.states.at(-1) : undefined;
    this.#state = this.#isPast ? known : (state ?? known);
    if (readings.length > 0 && made.changes.size > 0) {
      this.#outdate(from, made.to);
      this.#states = this.#isPast || this.#context.order.isSetBack ? [] : made.states;
    }
    const judged = new Map<Candidate, QuoteChange>();
    for (const [reading, candidate] of this.#incoming) {
      const change = this.#changes.get(reading) ?? this.#heldBefore(reading);
      if (change !== undefined) judged.set(candidate, change);
    }
    if (isLast) return judged;
    this.#part = state;
    for (const [reading] of this.#incoming) {
      if (this.#changes.get(reading)?.status === 'held') continue;
      this.#incoming.delete(reading);
      this.#changes.delete(reading);
    }
    return judged;
  }

  /** What is stored in a time of which readings came, and what was known before it. */
  async #windowOf(span: Span, known: QuotesState, isLast: boolean): Promise<Window> {
    const { from } = span;
    if (this.#part !== undefined && from < this.#part.at) throw new Refused(UNSORTED);
    if (this.#part !== undefined) return after(this.#part);
    if (from > known.at || this.#context.order.isSetBack) return after(known);
    if (isLast) return this.#stored.around(span);
    // Of a large file of the past, the stored readings are those of before it.
    this.#isPast = true;
    const { before } = await this.#stored.around({ from, to: from });
    return after(before);
  }

  /** No checkpoint of that time knows the readings of the batch. */
  #outdate(from: Instant, to: Instant = Number.MAX_SAFE_INTEGER): void {
    const [first, last] = this.#outdated ?? [from, to];
    this.#outdated = [Math.min(first, from), Math.max(last, to)];
  }

  /** What becomes of a reading that repeats a held one which stays so. */
  #heldBefore(again: QuoteReading): QuoteChange | undefined {
    const reading = this.#again.get(again);
    const held = reading && this.#stored.of(reading)?.held;
    const { status } = (reading && this.#changes.get(reading)) ?? { status: 'held' };
    if (reading === undefined || held === undefined || status !== 'held') return undefined;
    return { reading, status, updatedAt: reading.at, doubts: doubtsOf(held) };
  }

  /** A quote as it is stored. */
  published(candidate: Candidate, { updatedAt, placedAt, restoredFrom }: QuoteChange): Candidate {
    const { entry, capturedAt } = candidate;
    const [capture] = entry.captures;
    if (capture === undefined) return candidate;
    const current = this.#begun?.known.markets.get(capture.market)?.published;
    const timed = this.#context.order.placed({ ...capture, updatedAt }, current);
    const isHistory = placedAt !== undefined && placedAt !== capturedAt;
    const quote = {
      ...timed,
      ...(isHistory && { capturedAt: placedAt, observedAt: capturedAt }),
      ...(!candidate.isDated && { observedAt: timed.capturedAt }),
    };
    // One of this batch was seen by nobody.
    const isSeen = restoredFrom !== undefined && restoredFrom.at <= (this.#begun?.known.at ?? 0);
    const more = isSeen ? { restoredFrom: restoredFrom.mid } : {};
    return { ...candidate, entry: { ...entry, captures: [quote], ...more } };
  }

  /** Whether it is a large batch of the past, which changes nothing of what is known now. */
  get isPast(): boolean {
    return this.#isPast;
  }

  /** What the batch changes besides its entries. */
  get settlement(): Settlement {
    const changes = [...this.#changes.values()];
    return {
      hold: changes.flatMap((change) => this.#heldNow(change) ?? []),
      settle: changes.flatMap(
        ({ reading, status, isEnded = false, doubts }): readonly SettledRecord[] => {
          const { held } = this.#stored.of(reading) ?? {};
          if (held === undefined || status === 'published') return [];
          if (status === 'passed_over') return [{ id: held.id, status: 'withdrawn' }];
          return [{ id: held.id, counts: !isEnded, ...(doubts && whyOf(doubts)) }];
        },
      ),
      unpublish: changes.flatMap((change): readonly UnpublishedQuote[] => {
        const { reading, status } = change;
        const { quote } = this.#stored.of(reading) ?? {};
        if (quote === undefined) return [];
        if (status !== 'published') {
          return [{ quote, is: this.#state?.markets.get(quote.market)?.published?.mid }];
        }
        const { placedAt = reading.at, updatedAt } = change;
        const isSame = placedAt === quote.capturedAt && updatedAt === quote.updatedAt;
        return isSame ? [] : [{ quote, placedAt, updatedAt, readAt: reading.at }];
      }),
      memories: memoriesOf(this.#begun?.isRemembered ? this.#begun.known : undefined, this.#state),
      ...(this.#outdated && { outdated: this.#outdated }),
      checkpoints: checkpointsOf(this.#states),
    };
  }

  /** The held records of earlier batches that this one releases, each with the quote to store. */
  get released(): readonly { readonly held: HeldRecord; readonly candidate: Candidate }[] {
    return [...this.#changes.values()].flatMap((change) => {
      const stored = this.#stored.of(change.reading);
      if (stored?.held === undefined || change.status !== 'published') return [];
      return [{ held: stored.held, candidate: this.published(stored.candidate, change) }];
    });
  }

  async #begin(): Promise<QuotesState> {
    this.#begun ??= await this.#stored.current();
    const { known } = this.#begun;
    const held = [...known.markets.values()].flatMap((memory) => memory.held);
    await this.#officials.expect(held.map(({ reading }) => reading));
    return known;
  }

  #readingOf(candidate: Candidate, isTrusted: boolean): QuoteReading | undefined {
    const origin = this.#context.originOf(this.#source, candidate.subject);
    return quoteReading(candidate, { source: this.#source, origin, isTrusted });
  }

  #note(change: QuoteChange): void {
    this.#changes.set(change.reading, { ...this.#changes.get(change.reading), ...change });
  }

  /** A quote that is held now and was not; undefined for every other one. */
  #heldNow(change: QuoteChange): Suspect | undefined {
    const candidate = this.#incoming.get(change.reading);
    const isNews = candidate !== undefined || this.#stored.of(change.reading)?.quote !== undefined;
    return change.status === 'held' && isNews ? suspectOf(change, candidate?.record) : undefined;
  }
}
