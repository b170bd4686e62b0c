import { isPublishedDaily, type Publication } from '../../domain/bcv.ts';
import {
  areNear,
  besideIn,
  crossOf,
  type PageContext,
} from '../../domain/judgement/page-judgement.ts';
import {
  correctsDate,
  type DatedCross,
  haveSameFigures,
  type PublicationContext,
  type ReadPublication,
} from '../../domain/judgement/publication-judgement.ts';
import type { Observation, PublicationObservation } from '../../domain/judgement.ts';
import { officialNameOf } from '../../domain/markets.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  type Instant,
  SECOND_MS,
  startOfCaracasDay,
} from '../../domain/time.ts';
import type { SupersededPublication } from '../ports/held.ts';
import type { StoredQuote } from '../ports/quotes.ts';
import type { BatchContext } from './batch-context.ts';
import type { Candidate } from './record-entry.ts';
import { type DatedRate, ratesIn, StoredPublications } from './stored-publications.ts';

const PAGE_RETURNED = { state: 'withdrawn', why: 'page_returned' } as const;
const WRONG_DATE = { state: 'withdrawn', why: 'wrong_date' } as const;

/** The official rates and publications, stored or of this batch, to compare a new one with. */
export class KnownPublications {
  readonly #context: BatchContext;
  readonly stored: StoredPublications;
  /** Rates accepted in this batch by market, oldest value date first. */
  readonly #rates = new Map<
    string,
    (DatedRate & Pick<StoredQuote, 'capturedAt' | 'observedAt'>)[]
  >();
  readonly #accepted: Publication[] = [];
  /** Stored rates in force by market and day. */
  readonly #inForce = new Map<string, number | undefined>();

  constructor(context: BatchContext) {
    this.#context = context;
    this.stored = new StoredPublications(context, this.#accepted);
  }

  accept({ entry }: Candidate): void {
    for (const { market, effectiveDate: date, ...rate } of entry.captures) {
      if (date === undefined) continue;
      const rates = this.#rates.get(market) ?? [];
      if (rates.length === 0) this.#rates.set(market, rates);
      const place = rates.findLastIndex((rate) => rate.date <= date);
      rates.splice(place + 1, 0, { date, ...rate });
      this.#inForce.clear();
    }
    if (entry.publication !== undefined) this.#accepted.push(entry.publication);
  }

  /** Whether the same figures are stored for the same date, whatever was read in between. */
  async isDuplicate({ entry: { publication, captures }, observation }: Candidate, trust: boolean) {
    if (observation.kind !== 'publication') return false;
    if (publication === undefined) return this.#isKnownRate(captures[0]);
    const { valueDate, rates } = publication;
    const sameDate = [
      ...(await this.stored.forDate(valueDate)),
      ...this.#accepted.filter((accepted) => accepted.valueDate === valueDate),
    ];
    if (!sameDate.some((other) => haveSameFigures(other.rates, rates))) return false;
    // The operator may restore a replaced or withdrawn publication, or vouch for a contradicted one.
    if (!trust)
      return !this.#context.isPage || (await this.stored.returnOf(publication)) === undefined;
    if (await this.stored.isContradicted(publication)) return false;
    return haveSameFigures(await this.#ratesOf(Object.keys(rates), valueDate, valueDate), rates);
  }

  /** Whether it is a publication of an archive whose value date is in force or past. */
  isPastOfArchive(observation: Observation): boolean {
    const { isArchive, receivedAt } = this.#context;
    if (!isArchive || observation.kind !== 'publication') return false;
    return observation.valueDate <= caracasDayOf(receivedAt);
  }

  async #isKnownRate(capture: StoredQuote | undefined): Promise<boolean> {
    const { market, effectiveDate } = capture ?? {};
    if (market === undefined || effectiveDate === undefined) return false;
    const stored = await this.#context.store.officialRateUpTo(market, effectiveDate);
    return (
      stored?.effectiveDate === effectiveDate &&
      this.#rates.get(market)?.findLast(({ date }) => date === effectiveDate) === undefined &&
      stored.mid === capture?.mid &&
      stored.ask === capture.ask &&
      stored.bid === capture.bid &&
      stored.updatedAt === capture.updatedAt
    );
  }

  async contextOf(
    publication: PublicationObservation,
    capturedAt: Instant,
  ): Promise<PublicationContext> {
    const { calendar, receivedAt, isPage, isArchive } = this.#context;
    const { rates, valueDate } = publication;
    const names = Object.keys(rates);
    const dayBefore = addCaracasDays(valueDate, -1);
    const before = Object.entries(await this.#datedRatesOf(names, dayBefore, valueDate));
    const near = before.filter(([, { date }]) => areNear({ from: date, to: valueDate }));
    const next = await this.#nextRatesOf(names, valueDate);
    const readOn = caracasDayOf(capturedAt);
    const pair = { ...(await this.#ratesOf(['USD', 'EUR'], valueDate, valueDate)), ...rates };
    return {
      last: { ...next, ...(await this.#ratesOf(names, valueDate)) },
      stored: await this.#ratesOf(names, valueDate, valueDate),
      before: ratesIn(before),
      beforeOn: Object.fromEntries(before.map(([name, { date }]) => [name, date])),
      lastCurrencies: Object.keys((await this.#lastBefore(capturedAt))?.rates ?? {}).filter(
        isPublishedDaily,
      ),
      lastCross: await this.#lastCross(valueDate),
      cross: crossOf(pair),
      readOn,
      today: caracasDayOf(receivedAt),
      nextValueDate: calendar.nextValueDate(readOn),
      closing: calendar.closingOn(valueDate),
      page: isPage ? await this.#pageContextOf(publication, capturedAt) : undefined,
      isOfArchive: isArchive,
      neighbours: isArchive
        ? { before: ratesIn(near), after: next, ...besideIn(this.stored.archived, valueDate) }
        : undefined,
      repetition: this.stored.repetition,
    };
  }

  async #pageContextOf(
    { rates, valueDate }: PublicationObservation,
    capturedAt: Instant,
  ): Promise<PageContext> {
    const { store, thresholds } = this.#context;
    const inForce: CaracasDay[] = [];
    for (const name of Object.keys(rates)) {
      const rate = await this.#rateUpTo(officialNameOf(name), caracasDayOf(capturedAt));
      if (rate !== undefined) inForce.push(rate.date);
    }
    const since = capturedAt - (thresholds.repeatedWithinDays ?? 0) * DAY_MS;
    const read = await store.publicationsRead(since, capturedAt);
    const page = { valueDate, rates, capturedAt };
    const recent = read.filter(
      (earlier) =>
        earlier.valueDate !== valueDate &&
        earlier.state === 'published' &&
        !this.corrects(page, earlier),
    );
    return { inForce: inForce.sort().at(-1), recent };
  }

  /** The rate in force on a day, or else the first one after it, in the unit of that day. */
  async rateAround(market: string, day: CaracasDay): Promise<number | undefined> {
    const key = `${market} ${day}`;
    if (this.#inForce.has(key)) return this.#inForce.get(key);
    const rate = (await this.#rateUpTo(market, day)) ?? (await this.#rateAfter(market, day));
    const figure = rate && this.#inUnitOf(day, rate).mid;
    this.#inForce.set(key, figure);
    return figure;
  }

  /**
   * The publications that an accepted one replaces or withdraws. If another one for its date was
   * read later, as when the operator releases a record late, that one replaces it.
   */
  async supersededBy(publication: Publication): Promise<readonly SupersededPublication[]> {
    const { store, thresholds } = this.#context;
    const { valueDate, rates, capturedAt } = publication;
    const others = (await this.stored.forDate(valueDate)).filter(
      (other) => other.state === 'published' && !haveSameFigures(other.rates, rates),
    );
    const later = others.findLast((other) => other.capturedAt > capturedAt);
    const since = capturedAt - thresholds.correctionWithinSec * SECOND_MS;
    const corrected = (await store.publicationsRead(since, capturedAt)).filter(
      (earlier) => earlier.state === 'published' && this.corrects(publication, earlier),
    );
    const returned = await this.stored.returnOf(publication);
    const replaced =
      returned === undefined
        ? { valueDate, rates: later?.rates ?? rates, state: 'replaced' as const }
        : { valueDate, rates: returned.wrong.rates, ...PAGE_RETURNED, restored: rates };
    return [
      ...(others.length === 0 ? [] : [replaced]),
      ...corrected.map((earlier) => ({ ...earlier, ...WRONG_DATE })),
    ];
  }

  /** Whether `publication` corrects the date of `before`. */
  corrects(publication: ReadPublication, before: ReadPublication): boolean {
    const { thresholds, calendar } = this.#context;
    const readOn = caracasDayOf(publication.capturedAt);
    return correctsDate(publication, before, { thresholds, calendar, readOn });
  }

  /**
   * Returns a capture with the instant from which it counts in history. For an official rate that is
   * the later of its reading and its effect. A rate read while a newer value date is in force counts
   * from its effect (decisions §1). A correction never counts before the capture that it corrects.
   */
  async withEffectiveTime(capture: StoredQuote): Promise<StoredQuote> {
    const { market, effectiveDate, observedAt } = capture;
    if (effectiveDate === undefined || observedAt === undefined) return capture;
    const inForce = await this.#rateUpTo(market, caracasDayOf(observedAt));
    const isLate = inForce !== undefined && inForce.date > effectiveDate;
    const counted = isLate ? startOfCaracasDay(effectiveDate) : capture.capturedAt;
    const stored = await this.#context.store.officialRateUpTo(market, effectiveDate);
    const here = this.#rates.get(market)?.filter(({ date }) => date === effectiveDate) ?? [];
    const corrected = [...here, ...(stored?.effectiveDate === effectiveDate ? [stored] : [])]
      .filter((earlier) => observedAt > (earlier.observedAt ?? 0))
      .map((earlier) => earlier.capturedAt);
    return { ...capture, capturedAt: Math.max(counted, ...corrected) };
  }

  async #lastBefore(instant: Instant): Promise<Publication | undefined> {
    const here = this.#accepted.findLast(({ capturedAt }) => capturedAt <= instant);
    const stored = await this.#context.store.lastPublicationBefore(instant + 1);
    if (here === undefined || stored === undefined) return here ?? stored ?? this.#accepted.at(-1);
    return stored.capturedAt > here.capturedAt ? stored : here;
  }

  /** The last rate of each currency with a value date in `[from, to]`. */
  async #ratesOf(
    names: readonly string[],
    to: CaracasDay,
    from?: CaracasDay,
  ): Promise<Record<string, number>> {
    const dated = Object.entries(await this.#datedRatesOf(names, to));
    return ratesIn(dated.filter(([, { date }]) => from === undefined || date >= from));
  }

  /** The last rate of each currency up to a value date, in the unit of a day. */
  async #datedRatesOf(
    names: readonly string[],
    to: CaracasDay,
    unit = to,
  ): Promise<Readonly<Record<string, DatedRate>>> {
    const rates: Record<string, DatedRate> = {};
    for (const name of names) {
      const rate = await this.#rateUpTo(officialNameOf(name), to);
      if (rate !== undefined) rates[name] = this.#inUnitOf(unit, rate);
    }
    return rates;
  }

  /**
   * The first rate of each currency shortly after a value date. A late publication without an
   * earlier rate is compared with these. Otherwise any figure would pass.
   */
  async #nextRatesOf(names: readonly string[], date: CaracasDay): Promise<Record<string, number>> {
    const rates: Record<string, number> = {};
    for (const name of names) {
      const next = await this.#rateAfter(officialNameOf(name), date);
      if (next !== undefined && areNear({ from: date, to: next.date })) {
        rates[name] = this.#inUnitOf(date, next).mid;
      }
    }
    return rates;
  }

  async #lastCross(valueDate: CaracasDay): Promise<DatedCross | undefined> {
    const { USD: usd, EUR: eur } = await this.#datedRatesOf(['USD', 'EUR'], valueDate);
    if (usd === undefined || eur === undefined) return undefined;
    const on = usd.date < eur.date ? usd.date : eur.date;
    const isOneDate = usd.date === eur.date;
    const pair = isOneDate
      ? { USD: usd.mid, EUR: eur.mid }
      : await this.#ratesOf(['USD', 'EUR'], on, on);
    const value = crossOf(pair);
    return value === undefined ? undefined : { value, on };
  }

  #inUnitOf(to: CaracasDay, { date, mid }: DatedRate): DatedRate {
    return { date, mid: this.#context.redenominations.rebased(mid, { from: date, to }) };
  }

  async #rateUpTo(market: string, date: CaracasDay): Promise<DatedRate | undefined> {
    const here = this.#rates.get(market)?.findLast((rate) => rate.date <= date);
    const stored = await this.#context.store.officialRateUpTo(market, date);
    const storedDate = stored?.effectiveDate;
    if (stored === undefined || storedDate === undefined) return here;
    if (here !== undefined && here.date >= storedDate) return here;
    return { date: storedDate, mid: stored.mid };
  }

  async #rateAfter(market: string, date: CaracasDay): Promise<DatedRate | undefined> {
    const here = this.#rates.get(market)?.find((rate) => rate.date > date);
    const [first] = await this.#context.store.valueDatesSince(market, date);
    if (first === undefined || (here !== undefined && here.date <= first)) return here;
    return this.#rateUpTo(market, first);
  }
}
