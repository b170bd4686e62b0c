import type { Sentence } from '../../../core/domain/errors/sentence.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import { csvPieces, SPANISH_CSV } from '../../../core/http/framework/encoding/csv.ts';
import { noticeSheet } from '../../../core/http/framework/encoding/formats.ts';
import { joinedInSlices } from '../../../core/http/framework/encoding/slices.ts';
import { type Cell, xlsxOf } from '../../../core/http/framework/encoding/xlsx.ts';
import type { BoardHistory, BoardPoint } from '../board/board-figures.ts';
import { BOARD_FILE_TEXTS } from '../texts/texts.ts';

/** The board's history for spreadsheets: a row for each point, market after market. */

/** The columns, in their order. */
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
  'value_date',
  'next_banking_day',
  'next_banking_day_rate',
] as const;
type Field = (typeof FIELDS)[number];

const CANDLE_FIELDS: readonly Field[] = ['open', 'high', 'low'];
const OFFICIAL_FIELDS: readonly Field[] = [
  'value_date',
  'next_banking_day',
  'next_banking_day_rate',
];
const DAY_FIELDS: readonly Field[] = ['date', 'value_date', 'next_banking_day'];
const TIME_FIELDS: readonly Field[] = [...DAY_FIELDS, 'updated_at', 'captured_at'];
const RATE_FIELDS: readonly Field[] = ['rate', 'next_banking_day_rate', ...CANDLE_FIELDS];

export interface FileForm {
  readonly locale: Language;
  /** Of a demonstration. */
  readonly notice?: Sentence | undefined;
  readonly candles: boolean;
}

type Row = BoardPoint & { readonly market: string; readonly base: string };

/** Columns in which no row could have a value are left out. */
const fieldsOfFile = ({ candles }: FileForm, { series }: BoardHistory) => {
  const hasValueDates = series.some(({ points }) => points.some((point) => point.value_date));
  return FIELDS.filter((field) => {
    if (OFFICIAL_FIELDS.includes(field)) return hasValueDates;
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
  const { columns: headers } = BOARD_FILE_TEXTS.es;
  const columns = fieldsOfFile(form, history).map((name) => ({
    ...{ name, header: headers[name], path: [name] },
  }));
  const rows = [...rowsOf(history, isSpanish ? 'es' : undefined)];
  const dialect = isSpanish ? SPANISH_CSV : undefined;
  return joinedInSlices(csvPieces(rows, columns, [], {}, dialect), isGone);
}

/** A workbook with one sheet, and one for the notice of a demonstration. */
export function historyXlsx(
  history: BoardHistory,
  form: FileForm,
  isGone: () => boolean,
): Promise<Buffer> {
  const { locale } = form;
  const texts = BOARD_FILE_TEXTS[locale];
  const fields = fieldsOfFile(form, history);
  const rows = rowsOf(history, locale).map((row) => fields.map((field) => cellOf(field, row)));
  const columns = fields.map((field) => ({
    header: texts.columns[field],
    isDay: DAY_FIELDS.includes(field),
    isRate: RATE_FIELDS.includes(field),
  }));
  const sheet = { name: texts.sheet, columns, rows };
  return xlsxOf([sheet, ...noticeSheet(form.notice, locale)], isGone);
}

/** Dates and times are texts that begin with a day. */
function cellOf(field: Field, row: Row): Cell {
  const value = row[field] ?? undefined;
  const isTime = TIME_FIELDS.includes(field);
  return isTime && value !== undefined ? new Date(value) : value;
}
