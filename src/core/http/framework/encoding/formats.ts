import type { z } from 'zod';
import { type Sentence, sentence } from '../../../domain/errors/sentence.ts';
import {
  type AnswerColumn,
  type CsvDialect,
  columnsOf,
  csvPieces,
  envelopeColumns,
  fieldColumns,
  itemSchema,
  PLAIN_CSV,
  SPANISH_CSV,
  schemaOf,
} from './csv.ts';
import { sheetCellAt, sheetColumnOf } from './sheet-cells.ts';
import { ITEMS_PER_SLICE, joinedInSlices, listIn, slicesOf } from './slices.ts';
import { type WrittenSheet, xlsxOf } from './xlsx.ts';
import { xmlPieces } from './xml.ts';

/** How the answer is written in CSV and XML; without it the endpoint has only JSON. */
export interface Encoding {
  /** Root element in XML (contract §5). */
  readonly root: string;
  /** Name of the list whose items are the CSV rows; without it the answer is one row. */
  readonly rows?: string;
  /** Fields of the envelope that would mislead when repeated on each row. */
  readonly unrepeated?: readonly string[];
  /** Columns that the rows of this answer never have, because the caller did not choose them. */
  lacks?(answer: object): readonly string[];
  /** Lists in a row, for which a CSV row has no place: a header says the same. */
  readonly inHeader?: readonly string[];
  /** Root element of an answer without that list. */
  readonly single?: string;
  /** Makes the CSV rows where they are not a list of the answer. */
  toRows?(answer: object): readonly object[];
  /** Schema of one row of `toRows`, for the columns. */
  readonly rowSchema?: z.ZodType;
  /** Name of the sheet of a workbook with the rows of the CSV; without it there is no workbook. */
  readonly sheet?: Sentence;
  /** A second sheet, with a line for each of these fields of the envelope, in their order. */
  readonly summary?: { readonly sheet: Sentence; readonly fields: readonly string[] };
  /** What the first line of a workbook says behind its headers, where its rows alone would mislead. */
  warning?(answer: object): Sentence | undefined;
}

/** Formats that are text, and workbooks. */
const TEXT_FORMATS = ['json', 'csv', 'xml'] as const;
type TextFormat = (typeof TEXT_FORMATS)[number];
export const ANSWER_FORMATS = [...TEXT_FORMATS, 'xlsx'] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** The formats of an endpoint that has more than JSON. */
export const formatsOf = ({ sheet }: Pick<Encoding, 'sheet'>): readonly AnswerFormat[] =>
  sheet === undefined ? TEXT_FORMATS : ANSWER_FORMATS;

/** What is needed to write an endpoint's answer in every format. */
export interface Answering {
  readonly answer: z.ZodType;
  readonly encoding?: Encoding;
  /** What every answer says besides: a workbook has it as the last line of its summary. */
  readonly notice?: Sentence | undefined;
}

const SUMMARY_SHEET = sentence('Summary', 'Resumen');
const NOTICE_HEADER = sentence('notice', 'Aviso');

export const CONTENT_TYPES: Readonly<Record<AnswerFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xml: 'application/xml; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Dialects of CSV (`locale`): `en` for programs, the default, and `es` for spreadsheets. */
export const LOCALES = ['en', 'es'] as const;
export type Locale = (typeof LOCALES)[number];

const DIALECTS: Readonly<Record<Locale, CsvDialect>> = { en: PLAIN_CSV, es: SPANISH_CSV };

/**
 * The bytes of an answer. In a string each character is one byte (Latin-1): Node sends a string
 * together with the headers, but a buffer separately, which costs a tenth of a conversion.
 */
export type Body = string | Buffer;

interface EncodedBody {
  readonly contentType: string;
  readonly body: Body;
}

/** Longer bodies are not worth copying behind their headers. */
// limit: Body in one piece with its head | 16 KB | two pieces
const MAX_JOINED_BYTES = 16 * 1024;

/** A text as UTF-8. */
export function bodyOf(text: string): Body {
  const size = Buffer.byteLength(text);
  if (size > MAX_JOINED_BYTES) return Buffer.from(text);
  // Most texts are ASCII, where characters and bytes are the same.
  return size === text.length ? text : Buffer.from(text).toString('latin1');
}

/** Writes an answer in a format of the endpoint (contract §5). `locale` affects only CSV. */
export function answerText(
  endpoint: Answering,
  answer: object,
  format: TextFormat,
  locale: Locale = 'en',
): string {
  return format === 'json'
    ? JSON.stringify(answer)
    : [...pieces(endpoint, answer, format, locale)].join('');
}

/** Writes an answer as bytes. */
export function encode(
  endpoint: Answering,
  answer: object,
  format: TextFormat,
  locale: Locale = 'en',
): EncodedBody {
  const body = bodyOf(answerText(endpoint, answer, format, locale));
  return { contentType: CONTENT_TYPES[format], body };
}

/** Writes an answer with a long list, or as a workbook, letting other work run in between. */
export async function encodeInSlices(
  endpoint: Answering,
  answer: object,
  format: AnswerFormat,
  isGone: () => boolean = () => false,
  locale: Locale = 'en',
): Promise<EncodedBody> {
  const body =
    format === 'xlsx'
      ? await asWorkbook(endpoint, answer, locale, isGone)
      : await joinedInSlices(pieces(endpoint, answer, format, locale), isGone);
  return { contentType: CONTENT_TYPES[format], body };
}

/** Whether an answer is too long to write in one turn. */
export function isLong({ encoding }: Answering, answer: object): boolean {
  const list = encoding?.rows === undefined ? undefined : listIn(answer, encoding.rows);
  return list !== undefined && list.length > ITEMS_PER_SLICE;
}

function pieces(
  endpoint: Answering,
  answer: object,
  format: TextFormat,
  locale: Locale,
): Iterable<string> {
  switch (format) {
    case 'json':
      return jsonPieces(answer, endpoint.encoding?.rows);
    case 'csv':
      return asCsv(endpoint, answer, DIALECTS[locale]);
    case 'xml': {
      const { root, rows, single = root } = requireEncoding(endpoint);
      const hasRows = rows === undefined || rows in answer;
      return xmlPieces(hasRows ? root : single, answer, rows);
    }
    default:
      return format satisfies never;
  }
}

/** The same text as `JSON.stringify`, with the list named `rows` in pieces of several items. */
function* jsonPieces(answer: object, rows: string | undefined): Generator<string> {
  const list = rows === undefined ? undefined : listIn(answer, rows);
  if (list === undefined || list.length <= ITEMS_PER_SLICE) {
    yield JSON.stringify(answer);
    return;
  }
  let between = '{';
  for (const [name, field] of Object.entries(answer)) {
    if (field === undefined) continue;
    yield `${between}${JSON.stringify(name)}:`;
    between = ',';
    if (field !== list) {
      yield JSON.stringify(field);
      continue;
    }
    let separator = '[';
    for (const slice of slicesOf(list)) {
      yield separator + JSON.stringify(slice).slice(1, -1);
      separator = ',';
    }
    yield ']';
  }
  yield '}';
}

/** Only endpoints with an encoding have a `format`. */
function requireEncoding({ encoding }: Answering): Encoding {
  if (encoding === undefined) throw new Error('the endpoint has no format but JSON');
  return encoding;
}

function asCsv(endpoint: Answering, answer: object, dialect: CsvDialect): Iterable<string> {
  const { rows, columns, trailing } = tableOf(endpoint, answer);
  return csvPieces(rows, columns, trailing, answer, dialect);
}

/** A workbook with the columns and rows of the CSV, and a summary if it has one. */
function asWorkbook(
  endpoint: Answering,
  answer: object,
  locale: Locale,
  isGone: () => boolean,
): Promise<Buffer> {
  const { sheet, summary, ...encoding } = requireEncoding(endpoint);
  const { notice } = endpoint;
  const warning = encoding.warning?.(answer);
  if (sheet === undefined) throw new Error('the endpoint has no workbook');
  const { rows, columns, trailing } = tableOf(endpoint, answer);
  const { headerOf } = DIALECTS[locale];
  const written = (column: AnswerColumn) => ({
    header: headerOf(column),
    ...sheetColumnOf(column.schema),
  });
  const sheets: WrittenSheet[] = [
    {
      name: sheet[locale],
      columns: [
        ...[...columns, ...trailing].map(written),
        ...(warning === undefined ? [] : [{ header: warning[locale] }]),
      ],
      rows: rows
        .values()
        .map((row) => [
          ...columns.map((column) => sheetCellAt(row, column)),
          ...trailing.map((column) => sheetCellAt(answer, column)),
        ]),
    },
  ];
  const [noted] = noticeSheet(notice, locale);
  if (summary === undefined) return xlsxOf(noted ? [...sheets, noted] : sheets, isGone);
  const facts = fieldColumns(schemaOf(endpoint.answer, answer), summary.fields);
  sheets.push({
    name: summary.sheet[locale],
    columns: [...facts.map(written), ...(noted?.columns ?? [])],
    rows: [[...facts.map((column) => sheetCellAt(answer, column)), notice?.[locale]]],
    isTurned: true,
  });
  return xlsxOf(sheets, isGone);
}

/** The summary of a workbook that has none but a notice. */
export function noticeSheet(notice: Sentence | undefined, locale: Locale): WrittenSheet[] {
  if (notice === undefined) return [];
  return [
    {
      name: SUMMARY_SHEET[locale],
      columns: [{ header: NOTICE_HEADER[locale] }],
      rows: [[notice[locale]]],
      isTurned: true,
    },
  ];
}

/** The rows of an answer with their columns, and those of its envelope, which each row repeats. */
function tableOf(endpoint: Answering, answer: object) {
  const encoding = requireEncoding(endpoint);
  const { rows, rowSchema, unrepeated = [], inHeader } = encoding;
  if (encoding.toRows !== undefined && rowSchema !== undefined) {
    return { rows: encoding.toRows(answer), columns: columnsOf(rowSchema), trailing: [] };
  }
  const schema = schemaOf(endpoint.answer, answer);
  const list = rows === undefined ? undefined : listIn(answer, rows);
  if (rows === undefined || list === undefined) {
    return { rows: [answer], columns: columnsOf(schema, inHeader), trailing: [] };
  }
  const lacking = encoding.lacks?.(answer) ?? [];
  const all = columnsOf(itemSchema(schema, rows), inHeader);
  const columns = all.filter(({ name }) => !lacking.includes(name));
  const trailing = envelopeColumns(schema, columns).filter(
    ({ name }) => !unrepeated.includes(name),
  );
  return { rows: list, columns, trailing };
}
