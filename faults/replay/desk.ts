import type { Origins } from '../../src/core/app/ingest/batch-context.ts';
import { Ingest } from '../../src/core/app/ingest/ingest.ts';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import type { IngestStore } from '../../src/core/app/ports/ingest-store.ts';
import { loadCatalogue } from '../../src/core/catalogue/catalogue.ts';
import { loadHolidays } from '../../src/core/catalogue/holidays.ts';
import { loadJudgement } from '../../src/core/catalogue/judgement.ts';
import { PACKAGED_CATALOGUE } from '../../src/core/config.ts';
import { bankCalendar } from '../../src/core/domain/calendar.ts';
import { isFrozen } from '../../src/core/domain/frozen.ts';
import { quotesInDoubt } from '../../src/core/domain/judgement/in-doubt.ts';
import { contradictions, countsUntil } from '../../src/core/domain/judgement/witness.ts';
import { isOfficial, OFFICIAL_RATES } from '../../src/core/domain/markets.ts';
import { isStale } from '../../src/core/domain/quotes.ts';
import { NO_REDENOMINATIONS } from '../../src/core/domain/redenomination.ts';
import {
  type CaracasDay,
  caracasDayOf,
  type Instant,
  isoInstant,
} from '../../src/core/domain/time.ts';
import type { Figures } from './faults.ts';
import { MemoryStore } from './memory-store.ts';
import type { SeriesPublication } from './series.ts';

export const { markets } = loadCatalogue(PACKAGED_CATALOGUE);
export const { thresholds } = loadJudgement(PACKAGED_CATALOGUE);
export const calendar = bankCalendar(loadHolidays(PACKAGED_CATALOGUE));

/** The markets of the catalogue that represent the venues of a series. */
export const VENUES = markets.list.filter(({ type }) => type === 'p2p').map(({ id }) => id);

/** The market that a series of the parallel rate represents. */
export const PARALLEL = 'parallel';

/** Plausible rates of every source, wide enough for the years of a series. */
const BOUNDS = [0.001, 100_000] as const;

const MAX_HELD = 1_000;

export type Page = Omit<SeriesPublication, 'at'>;

/** The real ingestion into a store. */
export function ingestOf(
  store: IngestStore,
  now: () => Instant,
  originOf: Origins = (source) => source,
  reforms = NO_REDENOMINATIONS,
): Ingest {
  const catalogue = { markets, thresholds, calendar, redenominations: reforms };
  return new Ingest({ ...catalogue, store, originOf, clock: { now } });
}

/** The same with a store in memory. */
export function ingestInMemory(now: () => Instant) {
  const store = new MemoryStore();
  return { store, ingest: ingestOf(store, now) };
}

/** The same with its own clock. */
export class Desk {
  readonly store = new MemoryStore();
  readonly #ingest = ingestOf(
    this.store,
    () => this.#now,
    // Every venue is its own origin, whichever source reads it.
    (source, subject) => (source === 'aggregator' ? subject : source),
  );
  #now: Instant = 0;

  /** Ingests one body of a source of quotes. */
  async read(at: Instant, source: string, body: ReadonlyMap<string, Figures>): Promise<void> {
    const records = [...body].map(([market, { ageMs = 0, ...figures }]) => ({
      kind: 'quote',
      market,
      ...figures,
      updated_at: isoInstant(at - ageMs),
    }));
    await this.#push(at, records, { source, between: () => BOUNDS });
  }

  /** Ingests a page of the central bank. */
  async page(at: Instant, page: Page, trust = false): Promise<void> {
    await this.#push(at, [official(page)], { source: 'bcv-official', isPage: !trust, trust });
  }

  /** A witness reads a publication, which it does not publish. */
  async witness(at: Instant, page: Page, source = 'bcv-today'): Promise<void> {
    await this.#push(at, [official(page)], { source, isWitness: true });
  }

  /** Ingests a workbook of the bank's archive. */
  async workbook(at: Instant, rows: readonly Page[]): Promise<void> {
    const options = { source: 'bcv-archive', onlyNewValueDates: true };
    await this.#push(at, rows.map(official), options);
  }

  async #push(at: Instant, records: readonly object[], options: Parameters<Ingest['ingest']>[1]) {
    this.#now = at;
    const lines = records.map((one) => JSON.stringify({ ...one, captured_at: isoInstant(at) }));
    return this.#ingest.ingest(recordsIn(lines), options);
  }

  published(market: string) {
    return this.store.captures.get(market)?.at(-1);
  }

  /** Whether the current quote of a market says that it is not to be relied on. */
  isMarked(market: string, now: Instant): boolean {
    const quotes = [...this.store.captures].flatMap(([name, captures]) => {
      const [known, last] = [markets.find(name), captures.at(-1)];
      return known === undefined || last === undefined || isOfficial(known)
        ? []
        : [{ ...last, market: known }];
    });
    const quote = quotes.find(({ market: { id } }) => id === market);
    if (quote === undefined || isStale(quote, now)) return true;
    const states = [...this.store.memories.values()];
    const known = { states, days: this.store.days(now) };
    return quotesInDoubt(quotes, known, thresholds, now).quotes.includes(quote);
  }

  /** Whether answers say that the figures of a market have stood still for too long. */
  isFrozen(market: string, now: Instant): boolean {
    const [known, memory] = [markets.find(market), this.store.memories.get(market)];
    const { unchangedSince } = memory ?? {};
    if (known === undefined || unchangedSince === undefined) return false;
    return isFrozen(known.type, { unchangedSince, updatedAt: now }, thresholds);
  }

  /** Whether a publication is held and so announced as not confirmed. */
  async isAnnounced({ valueDate }: Page): Promise<boolean> {
    const held = await this.store.listHeld('held', MAX_HELD);
    return held.some(({ record }) => 'value_date' in record && record.value_date === valueDate);
  }

  /** Whether a witness contradicts the publication in force, so that its rates are in doubt. */
  async isContradicted(at: Instant): Promise<boolean> {
    const { effectiveDate: date } = (await this.inForce(at)) ?? {};
    const dates = date === undefined ? [] : await this.store.witnessedDates(date, date);
    return dates.some(({ words, unchecked }) => {
      const fresh = words.filter((word) => at <= countsUntil(word, thresholds));
      return unchecked && contradictions(fresh, unchecked.rates, thresholds).length > 0;
    });
  }

  /** The figures that are stored for a value date. */
  async figuresOn(valueDate: CaracasDay): Promise<Page> {
    const rates: Record<string, number> = {};
    for (const [name, market] of Object.entries(OFFICIAL_RATES)) {
      const rate = await this.store.officialRateUpTo(market, valueDate);
      if (rate?.effectiveDate === valueDate) rates[name] = rate.mid;
    }
    return { valueDate, rates };
  }

  async inForce(at: Instant, market = 'reference') {
    return this.store.officialRateUpTo(market, caracasDayOf(at));
  }
}

/** The largest difference of a page from the right one, whose figures it may lack. */
export function percentBetween(page: Page, right: Page): number {
  const apart = Object.entries(right.rates).map(([name, rate]) =>
    Math.abs((page.rates[name] ?? 0) / rate - 1),
  );
  return Math.max(0, ...apart) * 100;
}

const official = ({ valueDate, rates }: Page) => ({
  kind: 'official',
  value_date: valueDate,
  rates,
});
