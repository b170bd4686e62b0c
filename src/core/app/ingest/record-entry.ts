import {
  type BankTable,
  type CurrencyRates,
  currenciesOf,
  PUBLISHED_CURRENCIES,
  type Publication,
} from '../../domain/bcv.ts';
import { middle } from '../../domain/decimal.ts';
import type { CorrectionReason } from '../../domain/history/corrections.ts';
import type { QuoteReading } from '../../domain/judgement/quote-memory.ts';
import { type Doubt, type Observation, PUBLICATIONS } from '../../domain/judgement.ts';
import {
  currencyOf,
  isOfficial,
  type Market,
  type Markets,
  officialNameOf,
} from '../../domain/markets.ts';
import { nearMarkets } from '../../domain/near-names.ts';
import { shownTime } from '../../domain/quotes.ts';
import type { Redenominations } from '../../domain/redenomination.ts';
import {
  type CaracasDay,
  caracasDayOf,
  type Instant,
  MINUTE_MS,
  startOfCaracasDay,
} from '../../domain/time.ts';
import type { StoredQuote } from '../ports/quotes.ts';
import type { Entry } from '../ports/records.ts';
import type { SourceRecord } from '../ports/sources.ts';
import {
  type BankTableRecord,
  checkRecord,
  type InputRecord,
  inStoredUnit,
  type QuoteRecord,
  Refused,
  unitDoubtOf,
} from './record.ts';

/** Records further in the future are refused: a clock or the record is wrong. */
// limit: Record in the future | 5 minutes | refused
export const MAX_FUTURE_MS = 5 * MINUTE_MS;

export interface Surroundings {
  readonly markets: Markets;
  readonly now: Instant;
  /** `now`, or just after the last batch, so that captures keep their order. */
  readonly receivedAt: Instant;
  /** Whether stored quotes were read after now. Then a time in the future may be right. */
  readonly isSetBack: boolean;
  /** Between the units of days: a record may be in the one of its day. */
  readonly reforms: Pick<Redenominations, 'rebased'>;
}

/** A checked record, before it is judged. */
export interface Candidate {
  /** The record as it came; a part of it for some rows of a table. */
  readonly record: SourceRecord;
  readonly entry: Entry;
  /** Its subject: a market id, `bcv.official` or `bcv.banks`. */
  readonly subject: string;
  /** When it was read. A capture of the entry may count from a later instant. */
  readonly capturedAt: Instant;
  readonly observation: Observation;
  readonly market?: Market;
  /** Whether its source gave the time of its content. */
  readonly isDated: boolean;
  /** The doubt about the unit of its figures. */
  readonly unitDoubt?: Doubt | undefined;
  /** Its number in the batch, from 1, which counts empty lines too; 0 outside of one. */
  readonly line: number;
}

/** The subject of bank tables. No market id has a dot. */
const BANK_TABLES = 'bcv.banks';

/** A quote of a market without value dates in the terms of judgement; undefined for every other record. */
export function quoteReading(
  candidate: Candidate,
  from: Pick<QuoteReading, 'source' | 'origin' | 'isTrusted'>,
): QuoteReading | undefined {
  const { market, capturedAt: at, isDated, entry, unitDoubt } = candidate;
  const [capture] = entry.captures;
  if (market === undefined || capture === undefined || isOfficial(market)) return undefined;
  const { mid, ask, bid, updatedAt } = capture;
  const datedAt = isDated ? updatedAt : undefined;
  return { market, mid, ask, bid, at, datedAt, unitDoubt, ...from };
}

/** The candidate with the reason why it may correct what was published, if there is one. */
export function because(why: CorrectionReason | undefined, candidate: Candidate): Candidate {
  return why === undefined ? candidate : { ...candidate, entry: { ...candidate.entry, why } };
}

/**
 * Converts a record.
 * @param line See `Candidate`.
 * @throws Refused when it is not a record, or contradicts itself, the catalogue or the clock.
 */
export function toCandidate(
  record: SourceRecord | Refused,
  around: Surroundings,
  line = 0,
): Candidate {
  if (record instanceof Refused) throw record;
  const given = checkRecord(record);
  const { receivedAt } = around;
  requireNotFuture('captured_at', given.captured_at, around);
  // A clock of those who push may be ahead: a capture in the future would shut later readings out.
  const capturedAt = Math.min(given.captured_at ?? receivedAt, receivedAt);
  const made = madeOf(inStoredUnit(given, capturedAt, around.reforms), capturedAt, around);
  const unitDoubt = unitDoubtOf(given, capturedAt, made.subject);
  return { record, capturedAt, ...made, unitDoubt, line };
}

type Made = Omit<Candidate, 'record' | 'capturedAt' | 'line'>;

function madeOf(input: InputRecord, capturedAt: Instant, around: Surroundings): Made {
  switch (input.kind) {
    case 'quote':
      return quoteCandidate(input, capturedAt, around);
    case 'official': {
      const { value_date: valueDate, value_date_text: valueDateText, rates } = input;
      return {
        entry: officialEntry({ valueDate, valueDateText, rates, capturedAt }),
        subject: PUBLICATIONS,
        observation: { kind: 'publication', valueDate, rates: judgedRates(rates), isWhole: true },
        isDated: true,
      };
    }
    case 'bank_table': {
      const bankTable = bankTableOf(input, capturedAt);
      const { indicatorDate, rows } = bankTable;
      return {
        entry: { captures: [], bankTable },
        subject: BANK_TABLES,
        observation: { kind: 'bank_table', indicatorDate, rows },
        isDated: true,
      };
    }
    default:
      return input satisfies never;
  }
}

function requireNotFuture(
  field: string,
  given: Instant | undefined,
  { receivedAt, isSetBack }: Surroundings,
): void {
  if (given === undefined || given <= receivedAt + MAX_FUTURE_MS || isSetBack) return;
  throw new Refused(`${field}: more than ${MAX_FUTURE_MS / MINUTE_MS} minutes in the future`);
}

function quoteCandidate(input: QuoteRecord, capturedAt: Instant, around: Surroundings): Made {
  const market = around.markets.find(input.market);
  if (market === undefined) {
    const near = nearMarkets(around.markets, input.market);
    const hint = near.length === 0 ? '' : ` (near: ${near.join(', ')})`;
    throw new Refused(`market: not in the catalogue${hint}`);
  }
  const { updated_at: givenTime, effective_date: givenDate } = input;
  const official = isOfficial(market);
  if (givenDate !== undefined && !official) {
    throw new Refused('effective_date: only official markets have value dates');
  }
  // An official rate is dated at the start of its value date, which may be in the future.
  const isItsDate = givenDate !== undefined && givenTime === startOfCaracasDay(givenDate);
  if (!isItsDate) requireNotFuture('updated_at', givenTime, around);
  const dated = (time: Instant) => shownTime(time, { readAt: capturedAt, now: around.now });
  const updatedAt = givenTime === undefined || isItsDate ? givenTime : dated(givenTime);
  const values = { mid: midOf(input), ask: input.ask, bid: input.bid };
  const subject = market.id;
  if (official) {
    // Without a value date the quote counts for the day on which it was made.
    const effectiveDate = givenDate ?? caracasDayOf(updatedAt ?? capturedAt);
    const rates = { ...values, effectiveDate };
    return {
      entry: { captures: [officialCapture(subject, { ...rates, capturedAt, updatedAt })] },
      subject,
      observation: publishedObservation(subject, rates),
      market,
      isDated: true,
    };
  }
  const capture = {
    market: subject,
    ...values,
    updatedAt: updatedAt ?? capturedAt,
    capturedAt,
  };
  return {
    entry: { captures: [capture] },
    subject,
    observation: { kind: 'quote', ...values },
    market,
    isDated: updatedAt !== undefined,
  };
}

type DatedRates = Pick<StoredQuote, 'mid' | 'ask' | 'bid'> & { readonly effectiveDate: CaracasDay };

/** An official rate that came as a quote is judged as a publication of one currency. */
function publishedObservation(
  market: string,
  { mid, ask, bid, effectiveDate }: DatedRates,
): Observation {
  return {
    kind: 'publication',
    valueDate: effectiveDate,
    rates: { [currencyOf(market) ?? market]: mid },
    sides: [ask, bid].filter((side) => side !== undefined),
    isWhole: false,
  };
}

function midOf({ mid, ask, bid }: QuoteRecord): number {
  if (mid !== undefined) return mid;
  if (ask === undefined || bid === undefined) {
    throw new Refused('mid: missing, and without both ask and bid it cannot be computed');
  }
  const computed = middle(ask, bid);
  if (computed === 0) throw new Refused('mid: the middle of the sides rounds to 0');
  return computed;
}

/** The capture of an official rate, which counts from the later of its reading and its effect. */
function officialCapture(
  market: string,
  rate: DatedRates & { readonly capturedAt: Instant; readonly updatedAt?: Instant },
): StoredQuote {
  const { effectiveDate, capturedAt, updatedAt, ...rates } = rate;
  const effect = startOfCaracasDay(effectiveDate);
  return {
    market,
    ...rates,
    updatedAt: updatedAt ?? effect,
    capturedAt: Math.max(capturedAt, effect),
    observedAt: capturedAt,
    effectiveDate,
  };
}

function officialEntry(publication: Publication): Entry {
  const { valueDate: effectiveDate, capturedAt } = publication;
  const captures = currenciesOf(publication.rates).flatMap((currency) => {
    const mid = publication.rates[currency];
    if (mid === undefined) return [];
    return [officialCapture(officialNameOf(currency), { mid, effectiveDate, capturedAt })];
  });
  return { captures, publication };
}

/**
 * The currencies by which a publication is judged: those that the bank's page shows every day. The
 * others come with workbooks, which are checked when they are read. A doubt about one of them must not
 * keep the dollar out.
 */
export function judgedRates(rates: CurrencyRates): CurrencyRates {
  const daily = PUBLISHED_CURRENCIES.filter((currency) => rates[currency] !== undefined);
  return Object.fromEntries(daily.map((currency) => [currency, rates[currency]]));
}

function bankTableOf(record: BankTableRecord, capturedAt: Instant): BankTable {
  const banks = new Set<string>();
  for (const { bank } of record.rows) {
    if (banks.has(bank)) throw new Refused(`rows: ${bank} is given twice`);
    banks.add(bank);
  }
  const rows = record.rows.map(({ bank, buy, sell, date }) => {
    if (buy == null && sell == null) throw new Refused(`rows: ${bank} has neither buy nor sell`);
    return {
      bank,
      buy: buy ?? undefined,
      sell: sell ?? undefined,
      date: date ?? record.indicator_date,
    };
  });
  return { indicatorDate: record.indicator_date, rows, capturedAt };
}
