import type { Plans } from '../../domain/plans.ts';
import type { Language } from '../frame/language.ts';
import type { TextTable } from '../frame/table.ts';
import {
  type ApiDocument,
  type ApiExample,
  type ApiMedia,
  type ApiOperation,
  type ApiParameter,
  isTriedInConsole,
  type Reference,
  referred,
  takesAccountKey,
} from './api-document.ts';
import { spanishDocument } from './api-document-es.ts';
import { type Field, fieldsOf, formsOf, typeInWords } from './api-fields.ts';
import { DOCS_TEXTS, type DocsTexts } from './docs-texts.ts';
import { planTable } from './plan-table.ts';

/** The document and the plans in the words of a reader. */
export function referenceText(given: ApiDocument, plans: Plans, language: Language) {
  const document = language === 'es' ? spanishDocument(given) : given;
  const texts = DOCS_TEXTS[language];
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return {
    texts,
    about: document.info.description,
    baseUrl: document.servers[0]?.url ?? '',
    plans: planTable(plans, language),
    errors: errorTable(document['x-errors'], texts, texts.errors),
    headers: headerTable(document, texts),
    groups: document.tags.map(({ name, description }, at) => ({
      /** Its name in English, by which its page is known. */
      tag: given.tags[at]?.name ?? name,
      name,
      about: description,
      operations: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map((placed) => shown(document, placed, texts)),
    })),
  };
}

interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: ApiOperation;
}

const code = (text: string) => `\`${text}\``;

/** An operation in words, as the page and the Markdown both show it. */
export type ShownOperation = ReturnType<typeof shown>;

function shown(document: ApiDocument, placed: Placed, texts: DocsTexts) {
  const { path, method, operation } = placed;
  const written = operation.description.split('\n\n');
  // Drop the paragraph on plan and cost, which the line of facts shows. It is the last one, or the
  // last but one before the scope's.
  const factsAt = written.length - (operation['x-scope'] === undefined ? 1 : 2);
  const description = written.toSpliced(factsAt, 1).join('\n\n');
  const messages = new Map(document['x-errors'].map((error) => [error.code, error]));
  const raised = Object.values(operation['x-error-codes'])
    .flat()
    .flatMap((one) => messages.get(one) ?? []);
  return {
    id: operation.operationId,
    title: operation.summary,
    method: method.toUpperCase(),
    path,
    facts: [accessOf(operation, texts), operation['x-cost'] === 0 ? texts.free : texts.oneUnit],
    description,
    curl: curlLine(document, placed),
    request: requestOf(document, placed),
    tried: isTriedInConsole(operation),
    parameters: parameterTable(document, operation, texts),
    body: bodyOf(document, operation, texts),
    answer: answerOf(document, operation, texts),
    errors: errorTable(raised, texts, `${texts.errorsOf} ${operation.summary}`),
  };
}

function accessOf({ security, 'x-plan': plan }: ApiOperation, texts: DocsTexts): string {
  if (!takesAccountKey(security)) {
    return security?.length === 0 ? texts.withoutKey : texts.operator;
  }
  return plan === undefined ? texts.everyPlan : `${texts.fromPlan} ${plan}`;
}

const parametersOf = ({ components }: ApiDocument, { parameters }: ApiOperation) =>
  parameters.map((one) => referred(components.parameters, one));

const exampleOf = ({ components }: ApiDocument, given: ApiExample | Reference) =>
  referred(components.examples, given);

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A request with the required parameters and the body of the examples. */
function sampleRequest(document: ApiDocument, { path, method, operation }: Placed) {
  const parameters = parametersOf(document, operation);
  const sample = ({ example }: ApiParameter) => encodeURIComponent(String(example ?? ''));
  let address = path;
  for (const one of parameters.filter((each) => each.in === 'path')) {
    address = address.replace(`{${one.name}}`, sample(one));
  }
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${sample(one)}`)
    .join('&');
  const [contentType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const [example] = Object.values(media?.examples ?? {});
  const value = example && exampleOf(document, example).value;
  return {
    method: method.toUpperCase(),
    url: (document.servers[0]?.url ?? '') + address + (query && `?${query}`),
    ...(value !== undefined &&
      contentType !== undefined && {
        contentType,
        body: typeof value === 'string' ? value.trim() : JSON.stringify(value),
      }),
  };
}

/** The same for programs in other languages; undefined where no key of an account is sent. */
function requestOf(document: ApiDocument, placed: Placed) {
  return takesAccountKey(placed.operation.security) ? sampleRequest(document, placed) : undefined;
}

/** A command to paste. It has the required parameters with their examples. */
export function curlLine(document: ApiDocument, placed: Placed): string {
  const { method, url, contentType, body } = sampleRequest(document, placed);
  const call = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...keyOptions(placed.operation),
  ].join(' ');
  const data =
    body === undefined ? [] : [`-H "Content-Type: ${contentType}"`, `--data ${shellQuoted(body)}`];
  // Long options stand on lines of their own, which fit a page.
  return [call, ...data, `"${url}"`].join(call === 'curl' ? ' ' : ' \\\n  ');
}

function keyOptions({ security }: ApiOperation): readonly string[] {
  if (takesAccountKey(security)) return ['-H "X-API-Key: $VESFX_KEY"'];
  return security?.length === 0 ? [] : ['-H "Authorization: Bearer $VESFX_ADMIN_TOKEN"'];
}

function parameterTable(
  document: ApiDocument,
  operation: ApiOperation,
  texts: DocsTexts,
): TextTable | undefined {
  const parameters = parametersOf(document, operation);
  if (parameters.length === 0) return undefined;
  return {
    label: `${texts.parametersOf} ${operation.summary}`,
    columns: [
      { label: texts.name },
      { label: texts.place, kind: 'nowrap' },
      { label: texts.type, kind: 'type' },
      { label: texts.needed, kind: 'nowrap' },
      { label: texts.meaning, kind: 'wide' },
    ],
    rows: parameters.map((one) => [
      code(one.name),
      texts.places[one.in],
      typeInWords(document.components.schemas, one.schema, texts.types),
      one.required ? texts.yes : texts.no,
      one.description,
    ]),
  };
}

function fieldTable(
  title: string,
  fields: readonly Field[],
  {
    operation,
    texts,
    needed = texts.always,
  }: { readonly operation: ApiOperation; readonly texts: DocsTexts; readonly needed?: string },
): TextTable & { readonly title: string } {
  return {
    title,
    label: `${title}: ${operation.summary}`,
    columns: [
      { label: texts.field },
      { label: texts.type, kind: 'type' },
      { label: needed, kind: 'nowrap' },
      { label: texts.meaning, kind: 'wide' },
    ],
    rows: fields.map(({ name, type, required, description }) => [
      code(name),
      type,
      required ? texts.yes : texts.no,
      description,
    ]),
  };
}

function bodyOf(document: ApiDocument, operation: ApiOperation, texts: DocsTexts) {
  const { requestBody } = operation;
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return undefined;
  const fields = fieldsOf(document.components.schemas, media.schema, texts.types);
  const { description } = media.schema;
  return {
    about: description === undefined ? code(type) : `${code(type)}: ${description}`,
    fields:
      fields.length === 0
        ? undefined
        : fieldTable(texts.bodyFields, fields, { operation, texts, needed: texts.needed }),
  };
}

function answerOf(document: ApiDocument, operation: ApiOperation, texts: DocsTexts) {
  const [status, answer] = Object.entries(operation.responses)[0] ?? [];
  if (status === undefined || answer === undefined) return undefined;
  const { description: about, content = {}, 'x-other-formats': others } = answer;
  const { schemas } = document.components;
  const json = content['application/json'];
  const forms = json === undefined ? [] : formsOf(schemas, json.schema);
  return {
    status,
    about,
    examples: examplesOf(document, { ...content, ...others }),
    fields: forms.map(({ title, schema }) => {
      const form = title === undefined ? texts.answerFields : `${texts.answerFields}: ${title}`;
      return fieldTable(form, fieldsOf(schemas, schema, texts.types), { operation, texts });
    }),
  };
}

export interface ShownExample {
  /** Media type. */
  readonly type: string;
  readonly summary: string;
  readonly text: string;
}

function examplesOf(
  document: ApiDocument,
  content: Readonly<Record<string, Pick<ApiMedia, 'examples'>>>,
): readonly ShownExample[] {
  return Object.entries(content).flatMap(([type, { examples = {} }]) =>
    Object.values(examples).map((one) => {
      const { summary, value } = exampleOf(document, one);
      const text =
        typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, undefined, 2);
      return { type, summary, text };
    }),
  );
}

function errorTable(errors: ApiDocument['x-errors'], texts: DocsTexts, label: string): TextTable {
  return {
    label,
    columns: [
      { label: texts.code },
      { label: texts.status, kind: 'figure' },
      { label: texts.meaning, kind: 'wide' },
    ],
    rows: errors.map(({ code: name, status, message }) => [code(name), String(status), message]),
  };
}

function headerTable(document: ApiDocument, texts: DocsTexts): TextTable {
  return {
    label: texts.headers,
    columns: [
      { label: texts.header },
      { label: texts.example, kind: 'nowrap' },
      { label: texts.meaning, kind: 'wide' },
    ],
    rows: Object.entries(document.components.headers).map(([name, { example, description }]) => [
      code(name),
      code(String(example)),
      description,
    ]),
  };
}

/** The shape of an error, for the reference. */
export const ERROR_SAMPLE = JSON.stringify(
  { code: 'missing_field', message: 'amount is required.', field: 'amount' },
  undefined,
  2,
);
