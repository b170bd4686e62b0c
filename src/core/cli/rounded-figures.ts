import type { IncomingRecord } from '../app/ingest/record.ts';
import { decimalPlaces } from '../domain/decimal.ts';
import { type Markets, OFFICIAL_USD } from '../domain/markets.ts';

/** Decimals of a figure that somebody rounded. The central bank publishes more. */
const ROUNDED_DECIMALS = 2;
/** Fewer figures may have few decimals by chance. */
const FIGURES_TO_JUDGE = 10;

/** Watches whether the official dollars of an import look rounded (contract §26). */
export function roundedFigures(markets: Pick<Markets, 'find'>) {
  let [figures, rounded] = [0, 0];

  function look(record: IncomingRecord): void {
    const figure = dollarIn(record, markets);
    if (figure === undefined) return;
    figures += 1;
    // A text with more digits than a number has is no rounded one.
    if (typeof figure === 'number' && decimalPlaces(figure) <= ROUNDED_DECIMALS) rounded += 1;
  }

  return {
    /** The same records, each of which is looked at. */
    async *watched(
      records: AsyncIterable<IncomingRecord> | Iterable<IncomingRecord>,
    ): AsyncGenerator<IncomingRecord> {
      for await (const record of records) {
        look(record);
        yield record;
      }
    },
    get notes(): readonly string[] {
      if (figures < FIGURES_TO_JUDGE || rounded < figures) return [];
      return [
        `The ${figures} official dollars have ${ROUNDED_DECIMALS} decimals at most: they look rounded, since the ` +
          'central bank publishes more. "vesfx backfill" names each one that differs from its archive.',
      ];
    },
  };
}

function dollarIn(record: IncomingRecord, markets: Pick<Markets, 'find'>): unknown {
  if (record === undefined || !('kind' in record)) return undefined;
  const { kind, rates, market, mid } = record;
  if (kind === 'official') {
    return typeof rates === 'object' && rates !== null && 'USD' in rates ? rates.USD : undefined;
  }
  if (kind !== 'quote' || typeof market !== 'string') return undefined;
  return markets.find(market)?.id === OFFICIAL_USD ? mid : undefined;
}
