import type { CellObject } from '@e965/xlsx';
import { DAY_MS } from '../../../domain/time.ts';
import type { BoardHistory } from '../../../web/board/board-figures.ts';
import { DEFAULT_LANGUAGE, type Language, type Texts } from '../../../web/frame/language.ts';
import { csvPieces, SPANISH_CSV } from '../../encoding/csv.ts';

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

/** Fields that a workbook has as dates, with their number formats. */
const DATE_FORMATS: Partial<Record<Field, string>> = {
  date: 'yyyy-mm-dd',
  updated_at: 'yyyy-mm-dd hh:mm:ss',
  captured_at: 'yyyy-mm-dd hh:mm:ss',
};

/** Day 0 of the dates of spreadsheets, which know no time zones: here they are in UTC. */
const SPREADSHEET_EPOCH_MS = Date.UTC(1899, 11, 30);

/** In characters: wide enough for a time, the longest of our cells. */
const COLUMN_WIDTH = 20;

/** Excel reserves the name `History`. */
const SHEET: Texts<string> = { es: 'Tasas', en: 'Rates' };

export interface FileForm {
  /** Undefined for programs. */
  readonly locale?: Language | undefined;
  readonly candles: boolean;
}

/** The columns, with those of candles on request. */
function fieldsOf(candles: boolean): readonly Field[] {
  return FIELDS.filter((field) => candles || !CANDLE_FIELDS.includes(field));
}

function rowsOf({ series }: BoardHistory, locale: Language | undefined) {
  return series.flatMap(({ market: id, name, name_en, base, points }) => {
    const market = locale === undefined ? id : { es: name, en: name_en }[locale];
    return points.map((point) => ({ market, base, ...point }));
  });
}

/** A CSV with the API's field names; in Spanish with Spanish headers, `;` and decimal commas. */
export function historyCsv(history: BoardHistory, { locale, candles }: FileForm): string {
  const isSpanish = locale === 'es';
  const columns = fieldsOf(candles).map((field) => ({ name: field, path: [field] }));
  const rows = rowsOf(history, isSpanish ? locale : undefined);
  const dialect = isSpanish ? { ...SPANISH_CSV, headers: HEADERS.es } : undefined;
  return [...csvPieces(rows, columns, [], {}, dialect)].join('');
}

/** Text stays text, so no spreadsheet reads a cell as a formula. */
function cellOf(field: Field, value: string | number | undefined): CellObject | null {
  if (value === undefined) return null;
  const format = DATE_FORMATS[field];
  if (format === undefined) return { t: typeof value === 'number' ? 'n' : 's', v: value };
  const day = (Date.parse(String(value)) - SPREADSHEET_EPOCH_MS) / DAY_MS;
  return { t: 'n', v: day, z: format };
}

/** A workbook with one sheet. The library is loaded on first use. */
export async function historyXlsx(
  history: BoardHistory,
  { locale = DEFAULT_LANGUAGE, candles }: FileForm,
): Promise<Buffer> {
  const { utils, write } = await import('@e965/xlsx');
  const fields = fieldsOf(candles);
  const rows = rowsOf(history, locale).map((row) =>
    fields.map((field) => cellOf(field, row[field])),
  );
  const sheet = utils.aoa_to_sheet([fields.map((field) => HEADERS[locale][field]), ...rows]);
  sheet['!cols'] = fields.map(() => ({ wch: COLUMN_WIDTH }));
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, SHEET[locale]);
  // The library returns a Buffer for this type, which its own types omit.
  return write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
}
