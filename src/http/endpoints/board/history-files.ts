import type { BoardHistory, BoardPoint } from '../../../web/board/board-figures.ts';
import type { Language, Texts } from '../../../web/frame/language.ts';
import { csvPieces, SPANISH_CSV } from '../../encoding/csv.ts';
import { joinedInSlices } from '../../encoding/slices.ts';
import { type Cell, xlsxOf } from '../../encoding/xlsx.ts';

/** The board's history for spreadsheets: a row for each point, market after market. */

const FIELDS = [
  'market',
  'base',
  'date',
  'rate',
  'open',
  'high',
  'low',
  'gap_percent',
  'updated_at',
  'captured_at',
] as const;
type Field = (typeof FIELDS)[number];

const CANDLE_FIELDS: readonly Field[] = ['open', 'high', 'low'];

const HEADERS: Texts<Readonly<Record<Field, string>>> = {
  es: {
    market: 'Mercado',
    base: 'Divisa',
    date: 'Fecha',
    rate: 'Tasa (Bs.)',
    open: 'Apertura',
    high: 'Máximo',
    low: 'Mínimo',
    gap_percent: 'Brecha (%)',
    updated_at: 'Actualizada (UTC)',
    captured_at: 'Capturada (UTC)',
  },
  en: {
    market: 'Market',
    base: 'Currency',
    date: 'Date',
    rate: 'Rate (Bs.)',
    open: 'Open',
    high: 'High',
    low: 'Low',
    gap_percent: 'Premium (%)',
    updated_at: 'Updated (UTC)',
    captured_at: 'Captured (UTC)',
  },
};

/** Excel reserves the name `History`. */
const SHEET: Texts<string> = { es: 'Tasas', en: 'Rates' };

export interface FileForm {
  readonly locale: Language;
  readonly candles: boolean;
}

type Row = BoardPoint & { readonly market: string; readonly base: string };

function fieldsOf(candles: boolean): readonly Field[] {
  return FIELDS.filter((field) => candles || !CANDLE_FIELDS.includes(field));
}

function* rowsOf({ series }: BoardHistory, locale: Language | undefined): Generator<Row> {
  for (const { market: id, name, name_en, base, points } of series) {
    const market = locale === undefined ? id : { es: name, en: name_en }[locale];
    for (const point of points) yield { market, base, ...point };
  }
}

/** A CSV with the API's field names; in Spanish with Spanish headers, `;` and decimal commas. */
export function historyCsv(
  history: BoardHistory,
  { locale, candles }: FileForm,
  isGone: () => boolean,
): Promise<Buffer> {
  const isSpanish = locale === 'es';
  const columns = fieldsOf(candles).map((field) => ({ name: field, path: [field] }));
  const rows = [...rowsOf(history, isSpanish ? locale : undefined)];
  const dialect = isSpanish ? { ...SPANISH_CSV, headers: HEADERS.es } : undefined;
  return joinedInSlices(csvPieces(rows, columns, [], {}, dialect), isGone);
}

/** A workbook with one sheet. */
export function historyXlsx(
  history: BoardHistory,
  { locale, candles }: FileForm,
  isGone: () => boolean,
): Promise<Buffer> {
  const fields = fieldsOf(candles);
  const rows = rowsOf(history, locale).map((row) => fields.map((field) => cellOf(field, row)));
  const columns = fields.map((field) => ({
    header: HEADERS[locale][field],
    isDay: field === 'date',
  }));
  return xlsxOf({ name: SHEET[locale], columns, rows }, isGone);
}

/** Dates and times are texts that begin with a day. */
function cellOf(field: Field, row: Row): Cell {
  const value = row[field];
  const isTime = field === 'date' || field === 'updated_at' || field === 'captured_at';
  return isTime && value !== undefined ? new Date(value) : value;
}
