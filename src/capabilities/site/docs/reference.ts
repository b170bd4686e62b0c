import type { Plans } from '../../../core/domain/plans.ts';
import type { Language } from '../../../core/domain/words/language.ts';
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
} from '../../../core/http/openapi/api-document.ts';
import { samplesSaid } from '../../../core/http/openapi/document.ts';
import { groupName, REFERENCE_GROUPS } from '../../../core/http/pipeline/reference-groups.ts';
import type { SampleEdition } from '../../../core/http/samples/samples.ts';
import type { TextTable } from '../frame/table.ts';
import type { Code } from '../text/code-block.ts';
import { CODE_KINDS, curl, sampleOf } from '../text/samples.ts';
import type { DocsTexts } from '../texts/es/docs.ts';
import { DOCS_TEXTS } from '../texts/texts.ts';
import { type Field, fieldsOf, formsOf, typeInWords } from './api-fields.ts';
import { REFERENCE_TAGS } from './docs-addresses.ts';
import { planTable } from './plan-table.ts';
import { errorTable, headerTable, ruleTable } from './reference-tables.ts';

export type ReferenceText = ReturnType<typeof referenceText>;

/**
 * The document and the plans in the words of a reader.
 */
export function referenceText(
  samples: Pick<SampleEdition, 'day' | 'document'>,
  plans: Plans,
  language: Language,
) {
  const document = samples.document(language);
  const texts = DOCS_TEXTS[language];
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    /** Its name in English, by which its page is known. */
    tag: REFERENCE_TAGS.find((tag) => groupName(tag)[language] === name) ?? name,
    name,
    about: description,
    operations: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map((placed) => shown(document, placed, texts)),
  }));
  // Some addresses are there only with a setting, such as webhooks: their page says so.
  const absent = REFERENCE_TAGS.filter((tag) => !groups.some((group) => group.tag === tag));
  return {
    texts,
    about: document.info.description,
    samplesSaid: samplesSaid(samples.day)[language],
    baseUrl: document.servers[0]?.url ?? '',
    plans: planTable(plans, language),
    errors: errorTable(document['x-errors'], texts, texts.errors),
    rules: ruleTable(document['x-rules'], texts),
    headers: headerTable(document, texts),
    groups: [
      ...groups,
      ...absent.map((tag) => ({
        ...{ tag, name: groupName(tag)[language], operations: [] },
        about: `${REFERENCE_GROUPS[tag].about[language]} ${texts.noAddresses}`,
      })),
    ],
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
  const scope = operation['x-scope'];
  // Drop the last paragraphs, on plan and cost, and on the scope: the line of facts shows them.
  const own = written.slice(0, scope === undefined ? -1 : -2);
  const messages = new Map(document['x-errors'].map((error) => [error.code, error]));
  const raised = Object.values(operation['x-error-codes'])
    .flat()
    .flatMap((one) => messages.get(one) ?? []);
  return {
    id: operation.operationId,
    title: operation.summary,
    method: method.toUpperCase(),
    path,
    facts: [
      accessOf(operation, texts),
      operation['x-cost'] === 0 ? texts.free : texts.oneUnit,
      ...(scope === undefined ? [] : [`${texts.scope} ${code(scope)}`]),
    ],
    /** Its first sentence, which some lack. */
    about: own[0] ?? '',
    description: own.join('\n\n'),
    codes: codesOf(document, placed),
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

/** The request that the first example answers. */
function sampleRequest(
  document: ApiDocument,
  { path, method, operation }: Placed,
  indent?: number,
) {
  const parameters = parametersOf(document, operation);
  // A comma needs no escape, and lists read better with it.
  const sample = ({ example }: ApiParameter) =>
    encodeURIComponent(String(example ?? '')).replaceAll('%2C', ',');
  let address = path;
  for (const one of parameters.filter((each) => each.in === 'path')) {
    address = address.replace(`{${one.name}}`, sample(one));
  }
  const query = parameters
    .filter((one) => one.in === 'query' && (one.required || one['x-asked']))
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
        body: typeof value === 'string' ? value.trim() : JSON.stringify(value, undefined, indent),
      }),
  };
}

/** The request as code, in every language in which a key of an account can be sent. */
function codesOf(document: ApiDocument, placed: Placed): readonly Code[] {
  const command = { kind: 'sh', text: curlLine(document, placed) };
  if (!takesAccountKey(placed.operation.security)) return [command];
  const request = sampleRequest(document, placed);
  const programs = CODE_KINDS.filter((kind) => kind !== 'sh');
  return [command, ...programs.map((kind) => ({ kind, text: sampleOf(kind, request) }))];
}

/** A command to paste. */
export const curlLine = (document: ApiDocument, placed: Placed) =>
  curl(sampleRequest(document, placed, 2), credentialsOf(placed.operation));

function credentialsOf({ security }: ApiOperation): readonly string[] {
  if (takesAccountKey(security)) return ['X-API-Key: $VESFX_KEY'];
  return security?.length === 0 ? [] : ['Authorization: Bearer $VESFX_ADMIN_TOKEN'];
}

/** Between what is known of a name. */
export const FACT_DOT = ' · ';

const facts = (all: readonly string[]) => all.filter((fact) => fact !== '').join(FACT_DOT);

function parameterTable(
  document: ApiDocument,
  operation: ApiOperation,
  texts: DocsTexts,
): TextTable | undefined {
  const parameters = parametersOf(document, operation);
  if (parameters.length === 0) return undefined;
  return {
    label: `${texts.parametersOf} ${operation.summary}`,
    columns: [{ label: texts.name }, { label: texts.type }, { label: texts.meaning }],
    rows: parameters.map((one) => [
      code(one.name),
      facts([
        one.in === 'query' ? '' : texts.places[one.in],
        typeInWords(document.components.schemas, one.schema, texts.types),
        one.required ? texts.required : '',
      ]),
      one.description,
    ]),
  };
}

/** @param needs What a field is that must be there, and any other. */
function fieldTable(
  title: string,
  fields: readonly Field[],
  {
    operation,
    texts,
    needs = ['', texts.sometimes],
  }: {
    readonly operation: ApiOperation;
    readonly texts: DocsTexts;
    readonly needs?: readonly [string, string];
  },
): TextTable & { readonly title: string } {
  return {
    title,
    label: `${title}: ${operation.summary}`,
    columns: [{ label: texts.field }, { label: texts.type }, { label: texts.meaning }],
    rows: fields.map(({ name, type, required, description }) => [
      code(name),
      facts([type, needs[required ? 0 : 1]]),
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
        : fieldTable(texts.bodyFields, fields, {
            ...{ operation, texts, needs: [texts.required, ''] },
          }),
  };
}

function answerOf(document: ApiDocument, operation: ApiOperation, texts: DocsTexts) {
  const [status, answer] = Object.entries(operation.responses)[0] ?? [];
  if (status === undefined || answer === undefined) return undefined;
  const { description: about, content = {}, 'x-other-formats': others } = answer;
  const { schemas } = document.components;
  const [media] = Object.values(content);
  const forms = media === undefined ? [] : formsOf(schemas, media.schema);
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

/** The kinds of code by media type. */
const KINDS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/xml': 'xml',
  'text/event-stream': 'json',
  'text/csv': 'csv',
};

/** An example of an answer, with its media type. */
export interface ShownExample extends Code {
  readonly type: string;
  readonly summary: string;
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
      return { type, kind: KINDS[type] ?? 'text', summary, text };
    }),
  );
}
