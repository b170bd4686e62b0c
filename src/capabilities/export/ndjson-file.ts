import type { BankTable, Publication } from '../../core/domain/bcv.ts';
import { MAX_SIGNIFICANT_DIGITS, middle, significantDigits } from '../../core/domain/decimal.ts';
import { isoInstant } from '../../core/domain/time.ts';
import type { ExportedQuote } from './export-types.ts';
import type { OpenFormat } from './format.ts';

/** The records of `vesfx import` (contract §7). */
export const openNdjson: OpenFormat = (file) => ({
  async quotes(market, quotes) {
    const start = `{"kind":"quote","market":${JSON.stringify(market)},`;
    let text = '';
    for (const quote of quotes) text += start + quoteFields(quote);
    await file.write(text);
  },
  async official(records) {
    for (const record of records) {
      if (record.kind === 'rate') await this.quotes(record.rate.market, [record.rate]);
      else await file.write(publicationLine(record.publication));
    }
  },
  async bankTables(tables) {
    await file.write(tables.map(bankTableLine).join(''));
    return tables.length;
  },
  finish: async () => undefined,
});

function quoteFields(quote: ExportedQuote): string {
  const { ask, bid, updatedAt, capturedAt, valueDate } = quote;
  const sides = `${ask === 0 ? '' : `"ask":${ask},`}${bid === 0 ? '' : `"bid":${bid},`}`;
  const date = valueDate === undefined ? '' : `,"effective_date":"${valueDate}"`;
  return `${midField(quote)}${sides}"updated_at":"${isoInstant(updatedAt)}","captured_at":"${isoInstant(capturedAt)}"${date}}\n`;
}

/** An import computes the middle of two sides, which may have more digits than it takes. */
function midField({ mid, ask, bid }: ExportedQuote): string {
  const text = String(mid);
  const isComputed =
    // The dot is one character more.
    text.length > MAX_SIGNIFICANT_DIGITS + 1 &&
    significantDigits(text) > MAX_SIGNIFICANT_DIGITS &&
    middle(ask, bid) === mid;
  return isComputed ? '' : `"mid":${text},`;
}

function publicationLine({ valueDate, valueDateText, rates, capturedAt }: Publication): string {
  const record = {
    kind: 'official',
    value_date: valueDate,
    value_date_text: valueDateText,
    rates,
    captured_at: isoInstant(capturedAt),
  };
  return `${JSON.stringify(record)}\n`;
}

function bankTableLine({ indicatorDate, rows, capturedAt }: BankTable): string {
  const record = {
    kind: 'bank_table',
    indicator_date: indicatorDate,
    rows: rows.map(({ bank, buy, sell, date }) => ({ bank, buy, sell, date })),
    captured_at: isoInstant(capturedAt),
  };
  return `${JSON.stringify(record)}\n`;
}
