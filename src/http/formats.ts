import type { Format } from '../domain/plans.ts';
import { columnsOf, csvText, envelopeColumns, itemSchema, schemaOf } from './csv.ts';
import type { Encoding, Endpoint } from './endpoint.ts';
import { xmlText } from './xml.ts';

/** What the answer of an endpoint looks like, in every format. */
type Answering = Pick<Endpoint, 'answer' | 'encoding'>;

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xml: 'application/xml; charset=utf-8',
};

/** Writes an answer in a format that the endpoint has (decisions §5). */
export function encode(
  endpoint: Answering,
  answer: object,
  format: Format,
): { readonly contentType: string; readonly body: Buffer } {
  return {
    contentType: CONTENT_TYPES[format],
    body: Buffer.from(written(endpoint, answer, format)),
  };
}

function written(endpoint: Answering, answer: object, format: Format): string {
  switch (format) {
    case 'json':
      return JSON.stringify(answer);
    case 'csv':
      return asCsv(endpoint, answer);
    case 'xml':
      return xmlText(rootOf(requireEncoding(endpoint), answer), answer);
    default:
      return format satisfies never;
  }
}

/** `format` is only a parameter of endpoints with an encoding, so its absence is our own fault. */
function requireEncoding({ encoding }: Answering): Encoding {
  if (encoding === undefined) throw new Error('the endpoint has no format but JSON');
  return encoding;
}

function rootOf({ root, rows, single }: Encoding, answer: object): string {
  const isSingle = single !== undefined && rows !== undefined && !(rows in answer);
  return isSingle ? single : root;
}

function asCsv(endpoint: Answering, answer: object): string {
  const { rows, toRows, rowSchema, unrepeated = [] } = requireEncoding(endpoint);
  if (toRows !== undefined && rowSchema !== undefined) {
    return csvText(ownRows(toRows, answer), columnsOf(rowSchema));
  }
  const schema = schemaOf(endpoint.answer, answer);
  const list = rows === undefined ? undefined : listIn(answer, rows);
  if (rows === undefined || list === undefined) return csvText([answer], columnsOf(schema));
  const columns = columnsOf(itemSchema(schema, rows));
  const trailing = envelopeColumns(schema, columns).filter(
    ({ name }) => !unrepeated.includes(name),
  );
  return csvText(list, columns, trailing, answer);
}

/** The cast is safe: an encoding's `toRows` takes what its own endpoint answers. */
function ownRows(toRows: NonNullable<Encoding['toRows']>, answer: object): readonly object[] {
  return toRows(answer as never);
}

/** The list that an encoding names holds objects: `itemSchema` refuses any other field. */
function listIn(answer: object, name: string): readonly object[] | undefined {
  return Object.entries(answer).find(([field]) => field === name)?.[1];
}
