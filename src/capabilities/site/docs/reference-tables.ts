import type { ApiDocument } from '../../../core/http/openapi/api-document.ts';
import type { TextTable } from '../frame/table.ts';
import type { Code } from '../text/code-block.ts';
import type { DocsTexts } from '../texts/es/docs.ts';

const code = (text: string) => `\`${text}\``;

/** What the reference shows that is not of one endpoint. */

export function errorTable(
  errors: ApiDocument['x-errors'],
  texts: DocsTexts,
  label: string,
): TextTable {
  return {
    label,
    columns: [{ label: texts.code }, { label: texts.status }, { label: texts.meaning }],
    rows: errors.map(({ code: name, status, message }) => [code(name), String(status), message]),
  };
}

export function ruleTable(rules: ApiDocument['x-rules'], texts: DocsTexts): TextTable {
  return {
    label: texts.rules,
    columns: [{ label: texts.rule }, { label: texts.meaning }],
    rows: rules.map(({ rule, message }) => [code(rule), message]),
  };
}

export function headerTable(document: ApiDocument, texts: DocsTexts): TextTable {
  return {
    label: texts.headers,
    columns: [{ label: texts.header }, { label: texts.example }, { label: texts.meaning }],
    rows: Object.entries(document.components.headers).map(([name, { example, description }]) => [
      code(name),
      code(String(example)),
      description,
    ]),
  };
}

/** The shape of an error, for the reference. */
export const ERROR_SAMPLE: Code = {
  kind: 'json',
  text: JSON.stringify(
    {
      code: 'missing_field',
      message: 'amount is required.',
      field: 'amount',
      details: { rule: 'missing' },
    },
    undefined,
    2,
  ),
};
