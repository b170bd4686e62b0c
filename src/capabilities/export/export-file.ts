import type { BankTable } from '../../core/domain/bcv.ts';
import { isOfficial, type Markets } from '../../core/domain/markets.ts';
import type { ExportStore } from './export-types.ts';
import type { FormatWriter } from './format.ts';
import { keepHeapSmall } from './heap.ts';
import { marketQuotes, quotesToImport } from './market-quotes.ts';
import { officialRecordsToImport, officialRows } from './official.ts';
import type { ExportSelection } from './selection.ts';

/** Rows of official rates that are written at once. */
// limit: Official rates written at once | 1,000 | the next part
const RATES_AT_ONCE = 1_000;

interface ExportParts {
  readonly store: ExportStore;
  readonly markets: Markets;
  readonly selection: ExportSelection;
  /** Called after each part of a market's quotes, with the time over which it extends, in ms. */
  readonly onAdvance: (ms: number) => void;
}

/**
 * Writes what is selected, as it is stored at the start: what the collector stores meanwhile is left
 * out.
 * @returns the number of rows.
 */
export async function writeExport(writer: FormatWriter, parts: ExportParts): Promise<number> {
  try {
    const rows = await writeRows(writer, parts);
    await writer.finish();
    return rows;
  } finally {
    writer.close?.();
  }
}

async function writeRows(
  writer: FormatWriter,
  { store, markets, selection, onAdvance }: ExportParts,
): Promise<number> {
  const { captures, times, days } = selection;
  const official = await store.officialRecords(days);
  const { version } = official;
  let rows = 0;
  if (writer.official !== undefined) {
    const records = officialRecordsToImport(official, selection, markets);
    await writer.official(records);
    rows += records.length;
  } else {
    const rates = officialRows(official, selection);
    const byMarket = Map.groupBy(rates, ({ market }) => market);
    for (const [market, ofMarket] of byMarket) {
      for (let start = 0; start < ofMarket.length; start += RATES_AT_ONCE) {
        await writer.quotes(market, ofMarket.slice(start, start + RATES_AT_ONCE));
      }
    }
    rows += rates.length;
  }
  if (selection.publications && writer.bankTables !== undefined) {
    let tables: readonly BankTable[];
    for (let skip = 0; ; skip += tables.length) {
      tables = await store.bankTablesAfter({ ...days, version }, skip);
      if (tables.length === 0) break;
      rows += await writer.bankTables(tables);
    }
  }
  const quotesOf = writer.official === undefined ? marketQuotes : quotesToImport;
  for (const market of selection.markets) {
    if (isOfficial(market)) continue;
    const span = { market: market.id, ...times, version };
    for await (const quotes of quotesOf(store, span, captures)) {
      await writer.quotes(market.id, quotes);
      rows += quotes.length;
      keepHeapSmall(rows);
      onAdvance((quotes.at(-1)?.capturedAt ?? 0) - (quotes[0]?.capturedAt ?? 0));
    }
  }
  return rows;
}
