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

/** A workbook with one sheet. The library is loaded on first use. */
export async function historyXlsx(
  history: BoardHistory,
  { locale = DEFAULT_LANGUAGE, candles }: FileForm,
): Promise<Buffer> {
  const { utils, write } = await import('@e965/xlsx');
  // Cells have the type text, so no spreadsheet reads one as a formula.
  const fields = fieldsOf(candles);
  const rows = rowsOf(history, locale).map((row) => fields.map((field) => row[field] ?? null));
  const headers = fields.map((field) => HEADERS[locale][field]);
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([headers, ...rows]), SHEET[locale]);
  // The library returns a Buffer for this type, which its own types omit.
  return write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
}
