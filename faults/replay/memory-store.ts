import { heldIdOf } from '../../src/core/app/ingest/held-id.ts';
import type { HeldRecord, Settlement } from '../../src/core/app/ports/held.ts';
import type { IngestStore, KnownRecords } from '../../src/core/app/ports/ingest-store.ts';
import type {
  QuoteCheckpoint,
  StoredMemory,
  StoredQuote,
} from '../../src/core/app/ports/quotes.ts';
import type {
  BatchOrigin,
  Entry,
  TracedPublication,
  WitnessReading,
} from '../../src/core/app/ports/records.ts';
import { type BankTable, PUBLISHED_CURRENCIES } from '../../src/core/domain/bcv.ts';
import { type DayFigures, DRIFT_DAYS } from '../../src/core/domain/judgement/in-doubt.ts';
import type { StoredPublication } from '../../src/core/domain/judgement/value-dates.ts';
import { haveSameFigures } from '../../src/core/domain/judgement.ts';
import { OFFICIAL_RATES } from '../../src/core/domain/markets.ts';
import { PUSHED } from '../../src/core/domain/source-health.ts';
import { type CaracasDay, DAY_MS, type Instant } from '../../src/core/domain/time.ts';

/**
 * The store of ingestion, in memory, so that a year of readings passes through the real ingestion
 * in seconds. `test/judgement-order.test.ts` compares it with the real stores on random histories.
 */
export class MemoryStore implements IngestStore {
  /** Captures by market, in order of time. */
  readonly captures = new Map<string, StoredQuote[]>();
  /** The rates of each official market as `#ratesOf` found them, until its captures change. */
  readonly #official = new Map<string, readonly StoredQuote[]>();
  /** Of some an operator has checked the figures. */
  readonly publications: (TracedPublication & { readonly isChecked?: boolean })[] = [];
  readonly #bankTables: BankTable[] = [];
  #held: HeldRecord[] = [];
  /** The rules that held something, by their codes. */
  readonly heldBy = new Set<string>();
  #witnessed: WitnessReading[] = [];
  readonly memories = new Map<string, StoredMemory>();
  #checkpoints: readonly QuoteCheckpoint[] = [];
  /** What each market published on each UTC day, by the start of the day. */
  readonly #days = new Map<string, Map<Instant, DayFigures>>();
  /** The captures that an operator has checked. */
  readonly #trusted = new WeakSet<StoredQuote>();
  #judged = 0;
  #fetchedAt: Instant | undefined;

  async appendBatch(
    origin: BatchOrigin,
    entries: AsyncIterable<Entry> | Iterable<Entry>,
    confirm: (judged: number) => false | Settlement,
    follow?: (store: IngestStore) => Promise<void>,
  ) {
    const gathered: Entry[] = [];
    for await (const entry of entries) gathered.push(entry);
    const confirmed = confirm(this.#judged);
    if (confirmed === false) {
      return { stored: 0, duplicate: gathered.length };
    }
    let stored = 0;
    for (const entry of gathered) if (this.#store(entry, origin)) stored += 1;
    this.#settle(origin, confirmed);
    if (stored > 0) this.#fetchedAt = origin.receivedAt;
    this.#judged += 1;
    await follow?.(this);
    return { stored, duplicate: gathered.length - stored };
  }

  writeTogether<T>(_lease: unknown, work: (store: IngestStore) => Promise<T>): Promise<T> {
    return work(this);
  }

  async currentRecords(): Promise<KnownRecords> {
    return {
      judged: this.#judged,
      fetchedAt: this.#fetchedAt,
      quotes: [...this.captures.values()].flatMap((captures) => captures.slice(-1)),
      bankTable: this.#bankTables.at(-1),
      memories: [...this.memories.values()],
    };
  }

  /** The days of the week before one. */
  days(today: Instant): readonly DayFigures[] {
    const since = today - (DRIFT_DAYS + 1) * DAY_MS;
    return [...this.#days.values()].flatMap((days) =>
      [...days.values()].filter(({ start }) => start >= since),
    );
  }

  async lastQuotesBefore(names: readonly string[], before: Instant) {
    return names.flatMap(
      (name) => this.captures.get(name)?.findLast(({ capturedAt }) => capturedAt < before) ?? [],
    );
  }

  async quotesRead({ from, to }: { readonly from: Instant; readonly to: Instant }) {
    const isWithin = (one: { readonly capturedAt: Instant; readonly observedAt?: Instant }) => {
      const at = one.observedAt ?? one.capturedAt;
      return at >= from && at <= to;
    };
    const quotes = [...this.captures.values()].flatMap((captures) =>
      captures.filter((one) => one.effectiveDate === undefined && isWithin(one)),
    );
    return {
      captures: quotes.map((quote) => ({
        quote,
        source: quote.source ?? '',
        isTrusted: this.#trusted.has(quote),
      })),
      held: this.#held.filter((one) => one.status === 'held' && isWithin(one)),
    };
  }

  async checkpointBefore(before: Instant) {
    return this.#checkpoints.findLast(({ at }) => at < before);
  }

  #keepCheckpoints({ outdated, checkpoints = [] }: Settlement): void {
    const isOutdated = ({ at }: QuoteCheckpoint) =>
      outdated !== undefined && at >= outdated[0] && at <= outdated[1];
    const left = this.#checkpoints.filter((one) => !isOutdated(one));
    const all = new Map([...left, ...checkpoints].map((one) => [one.at, one]));
    const inOrder = [...all.values()].sort((a, b) => a.at - b.at);
    const newest = checkpoints.at(-1)?.at ?? 0;
    const dayOf = ({ at } = { at: 0 }) => Math.floor(at / DAY_MS);
    this.#checkpoints = inOrder.filter(
      (one, place) => one.at >= newest - DAY_MS || dayOf(one) !== dayOf(inOrder[place + 1]),
    );
  }

  /** The rates of an official market in the order of their value dates: of each the last capture. */
  #ratesOf(market: string): readonly StoredQuote[] {
    const known = this.#official.get(market);
    if (known !== undefined) return known;
    const captures = this.captures.get(market) ?? [];
    const dated = captures.filter(({ effectiveDate }) => effectiveDate !== undefined);
    const last = new Map(dated.map((one) => [one.effectiveDate ?? '', one]));
    const rates = [...last].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rate]) => rate);
    this.#official.set(market, rates);
    return rates;
  }

  async officialRateUpTo(market: string, day: CaracasDay) {
    return this.#ratesOf(market).findLast(({ effectiveDate: date }) => date && date <= day);
  }

  async officialRatesAround(
    markets: readonly string[],
    { from, to }: { readonly from: CaracasDay; readonly to: CaracasDay },
  ) {
    return markets.flatMap((market) => {
      const rates = this.#ratesOf(market);
      const first = rates.findLastIndex(({ effectiveDate: date }) => date && date < from);
      const next = rates.findIndex(({ effectiveDate: date }) => date && date > to);
      return rates.slice(Math.max(0, first), next === -1 ? undefined : next + 1);
    });
  }

  async listPublications({ from, to, limit }: Parameters<IngestStore['listPublications']>[0]) {
    return this.publications
      .filter(({ valueDate: date }) => date >= (from ?? date) && date <= (to ?? date))
      .sort((a, b) => byDateAndReading(b, a))
      .slice(0, limit);
  }

  async publicationsAround(...[dates, read]: Parameters<IngestStore['publicationsAround']>) {
    const inOrder = this.publications.toSorted((a, b) => a.capturedAt - b.capturedAt);
    const before = inOrder.findLast(
      ({ state, capturedAt }) => state !== 'withdrawn' && capturedAt < read.start,
    );
    return inOrder.filter(
      (one) =>
        one === before ||
        (one.capturedAt >= read.start && one.capturedAt <= read.end) ||
        (one.valueDate >= dates.from && one.valueDate <= dates.to),
    );
  }

  async bankTablesBefore(before: Instant, limit: number) {
    return this.#bankTables
      .filter(({ capturedAt }) => capturedAt < before)
      .slice(-limit)
      .reverse();
  }

  async keepWitnessReading(reading: WitnessReading) {
    const others = this.#witnessed.filter(
      ({ source, valueDate }) => source !== reading.source || valueDate !== reading.valueDate,
    );
    this.#witnessed = [...others, reading];
    this.#judged += 1;
  }

  #unchecked(valueDate: CaracasDay) {
    const published = this.publications
      .filter((one) => one.valueDate === valueDate && one.state === 'published')
      .sort((a, b) => b.capturedAt - a.capturedAt);
    const [newest] = published;
    if (newest?.source === undefined) return undefined;
    const isChecked = published.some(
      ({ rates, source, isChecked: isTrusted }) =>
        haveSameFigures(rates, newest.rates) && (source === PUSHED || isTrusted),
    );
    return isChecked ? undefined : { ...newest, source: newest.source };
  }

  async witnessedDates(from: CaracasDay, to: CaracasDay) {
    const read = this.#witnessed.filter(({ valueDate: date }) => date >= from && date <= to);
    return [...Map.groupBy(read, ({ valueDate }) => valueDate)].map(([valueDate, words]) => ({
      ...{ valueDate, words },
      unchecked: this.#unchecked(valueDate),
    }));
  }

  async listHeld(status: HeldRecord['status'], limit: number) {
    return this.#held.filter((one) => one.status === status).slice(-limit);
  }

  async countingHeld() {
    return this.#held
      .filter(({ status, counts }) => status === 'held' && counts)
      .sort((a, b) => a.capturedAt - b.capturedAt);
  }

  async findHeld(id: string) {
    return this.#held.find((one) => one.id === id);
  }

  #store(
    { captures, publication, bankTable, insisted }: Entry,
    { source, trusted = false }: BatchOrigin,
  ): boolean {
    let isNew = false;
    for (const capture of captures) {
      const sourced = capture.effectiveDate === undefined ? { ...capture, source } : capture;
      if (trusted) this.#trusted.add(sourced);
      isNew = this.#storeCapture(sourced) || isNew;
    }
    if (publication !== undefined) {
      const more = { source, isChecked: trusted, ...(insisted && { insisted }) };
      this.publications.push({ ...publication, state: 'published', ...more });
      isNew = true;
    }
    if (bankTable !== undefined) {
      this.#bankTables.push(bankTable);
      isNew = true;
    }
    return isNew;
  }

  #storeCapture(capture: StoredQuote): boolean {
    const captures = this.captures.get(capture.market) ?? [];
    if (captures.length === 0) this.captures.set(capture.market, captures);
    const place = captures.findLastIndex((one) => !isAfter(one, capture));
    const before = captures[place];
    if (before !== undefined && areEqual(before, capture)) return false;
    captures.splice(place + 1, 0, capture);
    this.#official.delete(capture.market);
    this.#countDay(capture);
    return true;
  }

  /** Counts the day of a capture that came or went. */
  #countDay({ market, capturedAt, effectiveDate }: StoredQuote): void {
    if (effectiveDate !== undefined) return;
    const captures = this.captures.get(market) ?? [];
    const start = capturedAt - (capturedAt % DAY_MS);
    const from = captures.findLastIndex((one) => one.capturedAt < start) + 1;
    const mids = captures
      .slice(from)
      .flatMap((one) => (one.capturedAt < start + DAY_MS ? one.mid : []));
    const days = this.#days.get(market) ?? new Map<Instant, DayFigures>();
    this.#days.set(market, days);
    const close = mids.at(-1);
    const range = { low: Math.min(...mids), high: Math.max(...mids) };
    if (close === undefined) days.delete(start);
    else days.set(start, { market, start, ...range, close });
  }

  #settle(
    { source, receivedAt }: BatchOrigin,
    { hold = [], settle = [], supersede = [], unpublish = [], memories = [], ...more }: Settlement,
  ): void {
    this.#keepCheckpoints(more);
    for (const memory of memories) this.memories.set(memory.market, memory);
    for (const { quote, ...now } of unpublish) {
      const captures = this.captures.get(quote.market) ?? [];
      const stored = captures.find((one) => areEqual(one, quote));
      const left = captures.filter((one) => one !== stored);
      this.captures.set(quote.market, left);
      this.#countDay(quote);
      if (stored === undefined || now.placedAt === undefined) continue;
      const { observedAt, ...bare } = stored;
      const isPlain = observedAt !== stored.capturedAt && now.placedAt === now.readAt;
      const placed = { ...bare, capturedAt: now.placedAt, updatedAt: now.updatedAt };
      this.#storeCapture(isPlain ? placed : { ...placed, observedAt: now.readAt });
    }
    for (const suspect of hold) {
      const held = { source, ...suspect, heldAt: receivedAt, status: 'held' as const };
      const id = heldIdOf(held.source, suspect.record);
      const place = this.#held.findIndex((one) => one.id === id);
      this.heldBy.add(held.reason);
      if (place === -1) this.#held.push({ ...held, id });
      else if (this.#held[place]?.status === 'released') this.#held[place] = { ...held, id };
    }
    // The first counts.
    const settled = new Map(settle.toReversed().map((one) => [one.id, { counts: false, ...one }]));
    this.#held = this.#held.map((one) => ({ ...one, ...settled.get(one.id) }));
    for (const { valueDate, rates, state, restored } of supersede) {
      this.publications.forEach((one, place) => {
        const isSame = PUBLISHED_CURRENCIES.every((name) => one.rates[name] === rates[name]);
        if (one.valueDate !== valueDate || one.state !== 'published') return;
        if (isSame === (state === 'withdrawn')) this.publications[place] = { ...one, state };
      });
      for (const currency of PUBLISHED_CURRENCIES) {
        const rate = rates[currency];
        if (rate === undefined || rate === restored?.[currency]) continue;
        const market = OFFICIAL_RATES[currency];
        const left = this.captures.get(market)?.filter(({ effectiveDate, mid, capturedAt }) => {
          if (effectiveDate !== valueDate) return true;
          return state === 'withdrawn' ? mid !== rate : mid === rate || capturedAt <= receivedAt;
        });
        if (left !== undefined) this.captures.set(market, left);
        this.#official.delete(market);
      }
    }
  }
}

function isAfter(a: StoredQuote, b: StoredQuote): boolean {
  const order = (one: StoredQuote) => [one.capturedAt, one.updatedAt, one.observedAt ?? 0];
  const [left, right] = [order(a), order(b)];
  const place = left.findIndex((value, index) => value !== right[index]);
  return place !== -1 && (left[place] ?? 0) > (right[place] ?? 0);
}

function areEqual(a: StoredQuote, b: StoredQuote): boolean {
  return (
    a.capturedAt === b.capturedAt &&
    a.updatedAt === b.updatedAt &&
    a.mid === b.mid &&
    a.ask === b.ask &&
    a.bid === b.bid &&
    a.effectiveDate === b.effectiveDate
  );
}

function byDateAndReading(a: StoredPublication, b: StoredPublication): number {
  if (a.valueDate !== b.valueDate) return a.valueDate < b.valueDate ? -1 : 1;
  return a.capturedAt - b.capturedAt;
}
