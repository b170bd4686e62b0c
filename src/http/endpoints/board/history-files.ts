import type { BoardHistory, BoardPoint } from '../../../web/board/board-figures.ts';
import type { Language, Texts } from '../../../web/frame/language.ts';
import { csvPieces, SPANISH_CSV } from '../../encoding/csv.ts';
import { joinedInSlices } from '../../encoding/slices.ts';
import { type Cell, xlsxOf } from '../../encoding/xlsx.ts';

/** The board's history for spreadsheets: a row for each point, market after market. */

/** The columns: a field of a row, and its headers. */
const COLUMNS = [
  { field: 'market', es: 'Mercado', en: 'Market' },
  { field: 'base', es: 'Divisa', en: 'Currency' },
  { field: 'date', es: 'Fecha', en: 'Date' },
  { field: 'rate', es: 'Tasa (Bs.)', en: 'Rate (Bs.)' },
  { field: 'open', es: 'Apertura', en: 'Open' },
  { field: 'high', es: 'Máximo', en: 'High' },
  { field: 'low', es: 'Mínimo', en: 'Low' },
  { field: 'gap_percent', es: 'Brecha (%)', en: 'Premium (%)' },
  { field: 'updated_at', es: 'Actualizada (UTC)', en: 'Updated (UTC)' },
  { field: 'captured_at', es: 'Capturada (UTC)', en: 'Captured (UTC)' },
  { field: 'value_date', es: 'Fecha valor', en: 'Value date' },
] as const;
type Field = (typeof COLUMNS)[number]['field'];

const CANDLE_FIELDS: readonly Field[] = ['open', 'high', 'low'];
const TIME_FIELDS: readonly Field[] = ['date', 'value_date', 'updated_at', 'captured_at'];
const RATE_FIELDS: readonly Field[] = ['rate', ...CANDLE_FIELDS];

/** Excel reserves the name `History`. */
const SHEET: Texts<string> = { es: 'Tasas', en: 'Rates' };

export interface FileForm {
  readonly locale: Language;
  readonly candles: boolean;
}

type Row = BoardPoint & { readonly market: string; readonly base: string };

/** Columns in which no row could have a value are left out. */
const columnsOfFile = ({ candles }: FileForm, { series }: BoardHistory) => {
  const hasValueDates = series.some(({ points }) => points.some((point) => point.value_date));
  return COLUMNS.filter(({ field }) => {
    if (field === 'value_date') return hasValueDates;
    return candles || !CANDLE_FIELDS.includes(field);
  });
};

function* rowsOf({ series }: BoardHistory, locale: Language | undefined): Generator<Row> {
  for (const { market: id, name, name_en, base, points } of series) {
    const market = locale === undefined ? id : { es: name, en: name_en }[locale];
    for (const point of points) yield { market, base, ...point };
  }
}

/** A CSV with the API's field names; in Spanish with Spanish headers, `;` and decimal commas. */
export function historyCsv(
  history: BoardHistory,
  form: FileForm,
  isGone: () => boolean,
): Promise<Buffer> {
  const isSpanish = form.locale === 'es';
  const columns = columnsOfFile(form, history).map(({ field }) => ({ name: field, path: [field] }));
  const rows = [...rowsOf(history, isSpanish ? 'es' : undefined)];
  const headers = Object.fromEntries(COLUMNS.map(({ field, es }) => [field, es]));
  const dialect = isSpanish ? { ...SPANISH_CSV, headers } : undefined;
  return joinedInSlices(csvPieces(rows, columns, [], {}, dialect), isGone);
}

/** A workbook with one sheet. */
export function historyXlsx(
  history: BoardHistory,
  form: FileForm,
  isGone: () => boolean,
): Promise<Buffer> {
  const { locale } = form;
  const shown = columnsOfFile(form, history);
  const rows = rowsOf(history, locale).map((row) => shown.map(({ field }) => cellOf(field, row)));
  const columns = shown.map((column) => ({
    header: column[locale],
    isDay: column.field === 'date' || column.field === 'value_date',
    isRate: RATE_FIELDS.includes(column.field),
  }));
  return xlsxOf({ name: SHEET[locale], columns, rows }, isGone);
}

/** Dates and times are texts that begin with a day. */
function cellOf(field: Field, row: Row): Cell {
  const value = row[field];
  const isTime = TIME_FIELDS.includes(field);
  return isTime && value !== undefined ? new Date(value) : value;
}
