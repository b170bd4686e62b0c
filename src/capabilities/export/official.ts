import { currenciesOf, type Publication } from '../../core/domain/bcv.ts';
import { isOfficial, type Markets, officialNameOf } from '../../core/domain/markets.ts';
import { startOfCaracasDay } from '../../core/domain/time.ts';
import type { Arrival, ExportedRate, OfficialRecords } from './export-types.ts';
import type { ExportSelection } from './selection.ts';

/** A record of an official rate, as `vesfx import` takes it. */
export type OfficialRecord =
  | { readonly kind: 'publication'; readonly publication: Publication }
  | { readonly kind: 'rate'; readonly rate: ExportedRate };

type Chosen = Pick<ExportSelection, 'markets' | 'publications' | 'captures'>;

/** The official rates for a table: one of each value date, or every reading. */
export function officialRows(
  { rates, captures }: OfficialRecords,
  selection: Chosen,
): readonly ExportedRate[] {
  const isWanted = chosenNames(selection);
  const rows = selection.captures
    ? captures
    : rates.map(({ firstReadAt, ...rate }) => ({ ...rate, capturedAt: firstReadAt }));
  return rows.filter(({ market }) => isWanted(market));
}

/**
 * The official rates as records, in the order in which they were read, so that an import places
 * every rate in history where it is here. What was replaced or withdrawn before it took effect is in
 * no answer, and an import would bring it back, so it is left out.
 */
export function officialRecordsToImport(
  records: OfficialRecords,
  selection: Chosen,
  markets: Markets,
): readonly OfficialRecord[] {
  const isWanted = chosenNames(selection);
  const known = new Set(records.captures.map(readingKey));
  const inForce = new Set(records.rates.map(readingKey));
  const firstReadings = records.rates.map(({ firstReadAt, ...rate }) => ({
    ...{ ...rate, capturedAt: firstReadAt },
    ...BEFORE_ALL,
  }));
  for (const rate of firstReadings) known.add(readingKey(rate));
  const publications = selection.publications
    ? records.publications.flatMap((publication) => stillKnown(publication, known))
    : [];
  const told = new Set(publications.flatMap(readingsOf).map(readingKey));
  const rates = records.captures
    .filter((rate) => selection.captures || inForce.has(readingKey(rate)))
    .filter((rate) => isWanted(rate.market) && !(isPublished(rate) && told.has(readingKey(rate))));
  for (const rate of rates) told.add(readingKey(rate));
  // Of a rate that was read again the last reading is stored. An answer shows the first one.
  const first = firstReadings.filter(
    (rate) => isWanted(rate.market) && !told.has(readingKey(rate)),
  );
  return [...publications, ...first, ...rates]
    .sort(byReading)
    .map((read) => ('market' in read ? recordOf(read, markets) : publicationRecord(read)));
}

/**
 * The order of the readings. Of two at one instant the later value date stands first, because the
 * other one was late then: it counts from its effect.
 */
function byReading(one: Read, other: Read): number {
  const later = one.capturedAt - other.capturedAt;
  if (later !== 0) return later;
  if (one.valueDate !== other.valueDate) return one.valueDate > other.valueDate ? -1 : 1;
  return one.batch - other.batch || one.line - other.line;
}

type Read = Arrival & Pick<Publication, 'capturedAt' | 'valueDate'>;

const BEFORE_ALL: Arrival = { batch: 0, line: 0 };

/** The official markets of the selection, and every published currency. */
function chosenNames({ markets, publications }: Chosen): (name: string) => boolean {
  const chosen = new Set(markets.filter(isOfficial).map(({ id }) => id));
  return (name) => publications || chosen.has(name);
}

function readingKey({ market, valueDate, mid, capturedAt }: ReadRate): string {
  return `${market} ${valueDate} ${mid} ${capturedAt}`;
}

type ReadRate = Pick<ExportedRate, 'market' | 'valueDate' | 'mid' | 'capturedAt'>;

function readingsOf({ rates, valueDate, capturedAt }: Publication): readonly ReadRate[] {
  return currenciesOf(rates).flatMap((currency) => {
    const mid = rates[currency];
    return mid === undefined
      ? []
      : { market: officialNameOf(currency), valueDate, mid, capturedAt };
  });
}

/** A publication with those of its rates that are stored. A published one is whole. */
function stillKnown(
  { state, ...publication }: OfficialRecords['publications'][number],
  known: ReadonlySet<string>,
): readonly (Publication & Arrival)[] {
  if (state === 'published') return [publication];
  const rates = Object.fromEntries(
    currenciesOf(publication.rates).flatMap((currency) => {
      const mid = publication.rates[currency];
      if (mid === undefined) return [];
      const reading = { ...publication, market: officialNameOf(currency), mid };
      return known.has(readingKey(reading)) ? [[currency, mid]] : [];
    }),
  );
  return Object.keys(rates).length === 0 ? [] : [{ ...publication, rates }];
}

/** Whether a publication has all of it. */
function isPublished({ ask, bid, updatedAt, valueDate }: ExportedRate): boolean {
  return ask === 0 && bid === 0 && updatedAt === startOfCaracasDay(valueDate);
}

function publicationRecord(publication: Publication): OfficialRecord {
  return { kind: 'publication', publication };
}

/** A currency without a market has no quotes. */
function recordOf(rate: ExportedRate, markets: Markets): OfficialRecord {
  if (markets.find(rate.market) !== undefined) return { kind: 'rate', rate };
  const { market, mid, valueDate, capturedAt } = rate;
  const rates = Object.fromEntries([[market, mid]]);
  return publicationRecord({ valueDate, rates, capturedAt });
}
