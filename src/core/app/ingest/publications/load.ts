import type { BankTable } from '../../../domain/bcv.ts';
import { MAX_BANK_TABLES_COMPARED } from '../../../domain/judgement/bank-judgement.ts';
import {
  archiveRepetition,
  MAX_DAYS_BETWEEN_RATES,
} from '../../../domain/judgement/page-judgement.ts';
import type {
  KnownRate,
  ValueDates,
  WitnessedDate,
} from '../../../domain/judgement/value-dates.ts';
import { PUBLICATIONS } from '../../../domain/judgement.ts';
import { OFFICIAL_RATES } from '../../../domain/markets.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  daysBetween,
  type Instant,
  SECOND_MS,
} from '../../../domain/time.ts';
import type { WitnessReading } from '../../ports/records.ts';
import type { BatchContext } from '../batch-context.ts';
import type { Candidate } from '../record-entry.ts';

/** Days that are at most so far apart are read together. */
const DAYS_READ_TOGETHER = 40;

/** Most stored publications, newest value date first, with which an archive is compared. */
// limit: Publications compared with an archive | 2,000 | the earliest left out
const MAX_PUBLICATIONS_BESIDE = 2_000;

/** A publication of one currency is compared with the others too. */
const OFFICIAL = Object.values(OFFICIAL_RATES);

/** Reads what some publications and bank tables are compared with. */
export async function valueDatesOf(
  candidates: readonly Candidate[],
  context: BatchContext,
): Promise<ValueDates> {
  const captures = candidates.flatMap(({ entry }) => entry.captures);
  const tables = candidates.flatMap(({ entry }) => entry.bankTable ?? []);
  const valueDates = new Set(captures.flatMap(({ effectiveDate }) => effectiveDate ?? []));
  const times = [...new Set(candidates.map(({ capturedAt }) => capturedAt))].sort((a, b) => a - b);
  const days = new Set([
    ...valueDates,
    ...tables.flatMap(({ rows }) => rows.map(({ date }) => date)),
    // An accepted correction of an archive is read now.
    ...[...times, context.now].map(caracasDayOf),
  ]);
  const markets = new Set([...captures.map(({ market }) => market), ...OFFICIAL]);
  return {
    rates: await ratesAround([...markets], [...days], context),
    publications: await publicationsOf([...valueDates], times, context),
    witnessed: await witnessedOn([...valueDates], context),
    bankTables: await tablesBefore(tables, context),
    ...(context.isArchive && { archive: await archiveOf(candidates, context) }),
  };
}

/** Reads the official rates of some markets on some days, and the next ones before and after. */
export async function ratesAround(
  markets: readonly string[],
  days: readonly CaracasDay[],
  { store }: Pick<BatchContext, 'store'>,
): Promise<ValueDates['rates']> {
  const found = new Map<string, KnownRate>();
  for (const span of spansOf(days)) {
    const rates = await store.officialRatesAround(markets, span);
    const firsts = OFFICIAL.flatMap((id) => rates.find(({ market }) => market === id) ?? []);
    const starts = new Set(firsts.flatMap(({ effectiveDate }) => effectiveDate ?? []));
    // One that was missing for some time is compared with the dollar of its last date.
    const earlier: KnownRate[] = [];
    for (const on of starts.size === 1 ? [] : starts) {
      earlier.push(...(await store.officialRatesAround(OFFICIAL, { from: on, to: on })));
    }
    for (const rate of [...earlier, ...rates]) {
      found.set(`${rate.effectiveDate} ${rate.market}`, rate);
    }
  }
  const dated = [...found.values()].flatMap((rate) =>
    rate.effectiveDate === undefined ? [] : [{ ...rate, date: rate.effectiveDate }],
  );
  dated.sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
  return Map.groupBy(dated, ({ market }) => market);
}

function spansOf(days: readonly CaracasDay[]): readonly { from: CaracasDay; to: CaracasDay }[] {
  const spans: { from: CaracasDay; to: CaracasDay }[] = [];
  for (const day of [...days].sort()) {
    const last = spans.at(-1);
    if (last !== undefined && daysBetween({ from: last.to, to: day }) <= DAYS_READ_TOGETHER) {
      last.to = day;
    } else spans.push({ from: day, to: day });
  }
  return spans;
}

async function publicationsOf(
  valueDates: readonly CaracasDay[],
  times: readonly Instant[],
  { store, thresholds, isPage }: BatchContext,
): Promise<ValueDates['publications']> {
  const span = spanOf(valueDates);
  const [first, end] = [times.at(0), times.at(-1)];
  if (span === undefined || first === undefined || end === undefined) return [];
  const pageDays = isPage ? (thresholds.repeatedWithinDays ?? 0) : 0;
  const lately = Math.max(thresholds.correctionWithinSec * SECOND_MS, pageDays * DAY_MS);
  return store.publicationsAround(span, { start: first - lately, end });
}

/** The first and the last of some days. */
function spanOf(days: readonly CaracasDay[]) {
  const sorted = [...days].sort();
  const [from, to] = [sorted.at(0), sorted.at(-1)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

async function witnessedOn(
  valueDates: readonly CaracasDay[],
  { store, originOf }: BatchContext,
): Promise<ReadonlyMap<CaracasDay, WitnessedDate>> {
  const span = spanOf(valueDates);
  const dates = span === undefined ? [] : await store.witnessedDates(span.from, span.to);
  const withOrigin = (word: WitnessReading) => ({
    ...word,
    origin: originOf(word.source, PUBLICATIONS),
  });
  return new Map(
    dates.map(({ valueDate, words, unchecked }) => [
      valueDate,
      { words: words.map(withOrigin), unchecked },
    ]),
  );
}

async function tablesBefore(tables: readonly BankTable[], { store }: BatchContext) {
  const found = new Map<string, BankTable>();
  for (const at of new Set(tables.map(({ capturedAt }) => capturedAt))) {
    const before = await store.bankTablesBefore(at + 1, MAX_BANK_TABLES_COMPARED);
    for (const one of before.toReversed()) found.set(JSON.stringify(one), one);
  }
  return [...found.values()].sort((a, b) => a.capturedAt - b.capturedAt);
}

async function archiveOf(candidates: readonly Candidate[], { store }: BatchContext) {
  const publications = candidates.flatMap(({ entry }) => entry.publication ?? []);
  const span = spanOf(publications.map(({ valueDate }) => valueDate));
  if (span === undefined) return { publications, repetition: undefined };
  const beside = await store.listPublications({
    from: addCaracasDays(span.from, -MAX_DAYS_BETWEEN_RATES),
    to: addCaracasDays(span.to, MAX_DAYS_BETWEEN_RATES),
    limit: MAX_PUBLICATIONS_BESIDE,
  });
  const stored = beside.filter(({ state }) => state === 'published');
  return { publications, repetition: archiveRepetition(publications, stored) };
}
