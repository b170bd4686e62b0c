import type { BankTable } from '../domain/bcv.ts';
import { bcvStaleFrom, referenceIndex } from '../domain/calculations/reference-index.ts';
import { standingQuotes } from '../domain/frozen.ts';
import { quotesInDoubt } from '../domain/judgement/in-doubt.ts';
import { knownInUnit } from '../domain/judgement/quote-units.ts';
import { contradictedRates } from '../domain/judgement/witness.ts';
import type { CatalogueRules, Thresholds } from '../domain/judgement.ts';
import {
  currencyOf,
  isOfficial,
  type Market,
  type Markets,
  OFFICIAL_USD,
} from '../domain/markets.ts';
import {
  byValueDate,
  doubtfulRates,
  type ObservedRate,
  officialRates,
  publicationIn,
} from '../domain/official.ts';
import { dropsAt, isStale, type Quote, shownTime, staleFrom } from '../domain/quotes.ts';
import {
  dayOfCapture,
  laterDay,
  type Redenominations,
  shownUnits,
} from '../domain/redenomination.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  type Instant,
  startOfCaracasDay,
} from '../domain/time.ts';
import { evidenceId } from './evidence.ts';
import { checkRecord, inStoredUnit, orRefusal, Refused } from './ingest/record.ts';
import type { HeldRecord } from './ports/held.ts';
import type { StoredQuote } from './ports/quotes.ts';
import type { CurrentRecords } from './ports/records.ts';

/**
 * All quotes during `[validFrom, validUntil)`. In that time no rate takes effect, no quote drops
 * out or becomes stale and the index does not change, so everything derived only from the snapshot
 * stays valid. Ages are not part of it.
 */
export type Snapshot = ReturnType<typeof buildSnapshot>;

/**
 * Builds the snapshot at `now` (contract §1). An official market has the quote of the newest value
 * date up to today in Caracas, other markets have the last capture unless it has dropped out. Figures
 * of before a redenomination are in the unit of today.
 */
export function buildSnapshot(
  records: CurrentRecords,
  markets: Markets,
  {
    now,
    startedAt,
    redenominations,
    thresholds,
  }: {
    readonly now: Instant;
    readonly startedAt: Instant;
    readonly redenominations: Redenominations;
    readonly thresholds: Thresholds;
  },
) {
  const today = caracasDayOf(now);
  const unit = { now, day: today, redenominations };
  const inForce = new Map<Market, Quote>();
  const dropped = new Map<Market, Quote>();
  // Midnight in Caracas is always a limit, because a later value date may take effect then.
  let validUntil = startOfCaracasDay(today) + DAY_MS;
  const fetchedAt = Math.min(records.fetchedAt ?? startedAt, now);
  let changedAt = fetchedAt;
  for (const stored of records.quotes) {
    const market = markets.find(stored.market);
    // Quotes of a market that the operator took out of the catalogue stay stored, unpublished.
    if (market === undefined || market.id !== stored.market) continue;
    const quote = quoteFrom(stored, market, unit);
    changedAt = Math.max(changedAt, quote.rebasedAt ?? 0);
    if (isOfficial(market)) {
      if (quote.effectiveDate !== undefined && quote.effectiveDate > today) continue;
      const other = inForce.get(market)?.effectiveDate ?? '';
      if ((quote.effectiveDate ?? '') >= other) inForce.set(market, quote);
    } else if (now < dropsAt(quote)) {
      inForce.set(market, quote);
      if (now < stored.updatedAt) validUntil = Math.min(validUntil, stored.updatedAt);
      validUntil = Math.min(validUntil, dropsAt(quote));
    } else {
      dropped.set(market, quote);
      changedAt = Math.max(changedAt, dropsAt(quote));
    }
  }
  const known = knownInUnit(records.memories, records.days, { on: today, redenominations });
  const doubtful = quotesInDoubt([...inForce.values()], known, thresholds, now);
  validUntil = Math.min(validUntil, doubtful.until);
  changedAt = Math.max(changedAt, doubtful.changedAt);
  for (const quote of doubtful.quotes) {
    inForce.set(quote.market, Object.freeze({ ...quote, inDoubt: true }));
  }
  const observed = observedRates(records.quotes);
  const rules = { thresholds, redenominations, now };
  const contradicted = contradictedRates(records.witnessed ?? [], observed, rules);
  validUntil = Math.min(validUntil, contradicted.until);
  changedAt = Math.max(changedAt, contradicted.changedAt);
  for (const quote of [...inForce.values()].filter(contradicted.isAbout)) {
    inForce.set(quote.market, Object.freeze({ ...quote, inDoubt: true }));
  }
  const since = new Map(
    records.memories.flatMap(({ market, unchangedSince }) =>
      unchangedSince === undefined ? [] : [[market, unchangedSince] as const],
    ),
  );
  const standing = standingQuotes([...inForce.values()], since, thresholds, now);
  validUntil = Math.min(validUntil, standing.until);
  changedAt = Math.max(changedAt, standing.changedAt);
  for (const quote of standing.quotes) inForce.set(quote.market, quote);
  const quotes = markets.list.flatMap((market) => inForce.get(market) ?? []);
  const stale = quotes.filter((quote) => isStale(quote, now));
  for (const from of quotes.map(staleFrom)) {
    if (now < from) validUntil = Math.min(validUntil, from);
  }
  const index = referenceIndex(quotes, now);
  for (const { name, quotes: used } of index?.used ?? []) {
    // The source became stale with the last of them.
    if (!index?.staleSources.includes(name)) continue;
    changedAt = Math.max(changedAt, ...used.map(staleFrom));
  }
  const official = quotes.find(({ market }) => market.id === OFFICIAL_USD);
  if (official !== undefined) {
    const staleFrom = bcvStaleFrom(official);
    if (now < staleFrom) validUntil = Math.min(validUntil, staleFrom);
    else changedAt = Math.max(changedAt, staleFrom);
  }
  const board = officialRates(observed, today, redenominations);
  for (const { inForce: rate } of board.values()) {
    changedAt = Math.max(changedAt, rate?.effectiveAt ?? 0);
  }
  const valueDates = newestValueDates(records.quotes);
  const heldPublications = (records.doubtful ?? []).flatMap((held) =>
    doubtfulFrom(held, redenominations),
  );
  for (const { capturedAt } of heldPublications)
    changedAt = Math.max(changedAt, Math.min(capturedAt, now));
  const held = doubtfulRates(heldPublications, board, today, redenominations);
  return Object.freeze({
    version: records.version,
    validFrom: now,
    validUntil,
    /** Time of the newest ingestion; the start of the service before the first. */
    fetchedAt,
    /** When its content last changed, by an ingestion or by the passage of time. */
    changedAt,
    /** In catalogue order, like the next two. */
    quotes: Object.freeze(quotes),
    /** Quotes that left because they were too old. */
    dropped: Object.freeze(markets.list.flatMap((market) => dropped.get(market) ?? [])),
    stale: Object.freeze(stale),
    inDoubt: Object.freeze(quotes.filter((quote) => quote.inDoubt === true)),
    frozen: Object.freeze(quotes.filter((quote) => quote.isFrozen === true)),
    quoteOf: (market: Market) => inForce.get(market),
    index,
    /** The rates of the central bank around today. */
    official: board,
    /** The newest value date of the dollar that is stored. */
    newestValueDate: valueDates.get(OFFICIAL_USD),
    /** The newest stored value date of each official rate, by market or by code. */
    newestValueDates: valueDates,
    /** Published rates that a witness contradicts, and held ones of value dates not in force. */
    doubtful: Object.freeze([...contradicted.rates, ...held].sort(byValueDate)),
    publication:
      records.publication && publicationIn(records.publication, { on: today }, redenominations),
    bankTable: records.bankTable && bankTableIn(unit, records.bankTable),
  });
}

/** A held record that is no publication any more is none. */
function doubtfulFrom(
  { record, source, capturedAt, reason, reasons = [reason] }: HeldRecord,
  reforms: Redenominations,
) {
  const input = orRefusal(() => inStoredUnit(checkRecord(record), capturedAt, reforms));
  if (input instanceof Refused || input.kind !== 'official') return [];
  const { value_date: valueDate, rates } = input;
  return [{ valueDate, rates, source, capturedAt, reasons }];
}

function newestValueDates(quotes: readonly StoredQuote[]): ReadonlyMap<string, CaracasDay> {
  const newest = new Map<string, CaracasDay>();
  for (const { market, effectiveDate } of quotes) {
    if (effectiveDate === undefined) continue;
    newest.set(market, laterDay(newest.get(market) ?? effectiveDate, effectiveDate));
  }
  return newest;
}

export function observedRates(quotes: readonly StoredQuote[]): readonly ObservedRate[] {
  return quotes.flatMap(({ market, mid: rate, effectiveDate: valueDate }) => {
    const currency = currencyOf(market);
    return currency === undefined || valueDate === undefined ? [] : [{ currency, valueDate, rate }];
  });
}

/** The unit in which figures are shown, that of a day. A figure of a later day keeps its own. */
interface ShownUnit {
  readonly day: CaracasDay;
  readonly redenominations: Redenominations;
}

/** The stored quote as it is shown at `now`, in the unit of `day`. */
export function quoteFrom(
  stored: StoredQuote,
  market: Market,
  { now, day, redenominations }: ShownUnit & { readonly now: Instant },
): Quote {
  const readAt = stored.observedAt ?? stored.capturedAt;
  const units = shownUnits(dayOfCapture(stored), { on: day });
  const { mid, ask, bid } = redenominations.rebasedSides(stored, units);
  return Object.freeze({
    market,
    ...{ mid, ask, bid },
    rebasedAt: redenominations.rebasedAt(units) || undefined,
    updatedAt: shownTime(stored.updatedAt, { readAt, now }),
    unchangedSince: isOfficial(market) ? Math.min(readAt, now) : undefined,
    effectiveDate: stored.effectiveDate,
    source: stored.source,
    evidence: evidenceId(stored),
  });
}

function bankTableIn({ day, redenominations }: ShownUnit, table: BankTable): BankTable {
  const to = laterDay(table.indicatorDate, day);
  const rows = table.rows.map((row) => {
    const side = (value: number | undefined) =>
      value && redenominations.rebased(value, shownUnits(row.date, { on: to }));
    return { ...row, buy: side(row.buy), sell: side(row.sell) };
  });
  return { ...table, rows };
}

export class SnapshotHolder {
  readonly #markets: Markets;
  readonly #redenominations: Redenominations;
  readonly #thresholds: Thresholds;
  readonly #startedAt: Instant;
  #records: CurrentRecords;
  #current: Snapshot;
  /** Called when new records have made a snapshot; nobody tells when time has made one. */
  onPublished: () => void = () => undefined;

  constructor(
    {
      markets,
      redenominations,
      thresholds,
    }: Pick<CatalogueRules, 'markets' | 'thresholds'> & {
      readonly redenominations: Redenominations;
    },
    records: CurrentRecords,
    startedAt: Instant,
  ) {
    this.#markets = markets;
    this.#redenominations = redenominations;
    this.#thresholds = thresholds;
    this.#startedAt = startedAt;
    this.#records = records;
    this.#current = this.#build(startedAt);
  }

  /** The snapshot at `now`. It is rebuilt when the last one is no longer valid. */
  at(now: Instant): Snapshot {
    // After the clock was set back, `now` may lie before `validFrom`.
    if (now >= this.#current.validUntil || now < this.#current.validFrom) {
      this.#current = this.#build(now);
    }
    return this.#current;
  }

  publish(records: CurrentRecords, now: Instant): void {
    this.#records = records;
    this.#current = this.#build(now);
    this.onPublished();
  }

  #build(now: Instant): Snapshot {
    return buildSnapshot(this.#records, this.#markets, {
      now,
      startedAt: this.#startedAt,
      redenominations: this.#redenominations,
      thresholds: this.#thresholds,
    });
  }
}
