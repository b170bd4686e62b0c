import { Ingest } from '../../src/app/ingest/ingest.ts';
import { recordsIn } from '../../src/app/ingest/ndjson.ts';
import { loadCatalogue } from '../../src/catalogue/catalogue.ts';
import { loadHolidays } from '../../src/catalogue/holidays.ts';
import { loadJudgement } from '../../src/catalogue/judgement.ts';
import { PACKAGED_CATALOGUE } from '../../src/config.ts';
import { bankCalendar } from '../../src/domain/calendar.ts';
import { caracasDayOf, type Instant, isoInstant } from '../../src/domain/time.ts';
import type { Figures } from './faults.ts';
import { MemoryStore } from './memory-store.ts';
import type { SeriesPublication } from './series.ts';

export const { markets } = loadCatalogue(PACKAGED_CATALOGUE);
export const { thresholds } = loadJudgement(PACKAGED_CATALOGUE);
export const calendar = bankCalendar(loadHolidays(PACKAGED_CATALOGUE));

/** The markets of the catalogue that represent the venues of a series. */
export const VENUES = markets.list.filter(({ type }) => type === 'p2p').map(({ id }) => id);

/** Plausible rates of the aggregator, wide enough for the years of a series. */
const BOUNDS = [0.001, 100_000] as const;

/** The real ingestion with a store in memory and its own clock. */
export class Desk {
  readonly store = new MemoryStore();
  readonly #ingest: Ingest;
  #now: Instant = 0;

  constructor() {
    this.#ingest = new Ingest({
      store: this.store,
      markets,
      thresholds,
      calendar,
      // Every venue is its own origin, whichever source reads it.
      originOf: (source, subject) => (source === 'aggregator' ? subject : source),
      clock: { now: () => this.#now },
    });
  }

  /**
   * Ingests one body of an aggregator.
   * @returns the number of held quotes.
   */
  async read(at: Instant, body: ReadonlyMap<string, Figures>): Promise<number> {
    const lines = [...body].map(([market, { ageMs = 0, ...figures }]) =>
      JSON.stringify({
        kind: 'quote',
        market,
        ...figures,
        updated_at: isoInstant(at - ageMs),
        captured_at: isoInstant(at),
      }),
    );
    this.#now = at;
    const between = () => BOUNDS;
    return (await this.#ingest.ingest(recordsIn(lines), { source: 'aggregator', between })).held;
  }

  /**
   * Ingests a page of the central bank.
   * @returns whether it is held or refused.
   */
  async page(at: Instant, { valueDate, rates }: Omit<SeriesPublication, 'at'>, trust = false) {
    const line = JSON.stringify({
      kind: 'official',
      value_date: valueDate,
      rates,
      captured_at: isoInstant(at),
    });
    this.#now = at;
    return this.#ingest.ingest(recordsIn([line]), {
      source: 'bcv-official',
      isPage: !trust,
      trust,
    });
  }

  published(market: string) {
    return this.store.captures.get(market)?.at(-1);
  }

  async inForce(at: Instant): Promise<number | undefined> {
    return (await this.store.officialRateUpTo('reference', caracasDayOf(at)))?.mid;
  }
}
