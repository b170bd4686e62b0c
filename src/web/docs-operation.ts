import type {
  ApiContent,
  ApiDocument,
  ApiExample,
  ApiOperation,
  ApiParameter,
  ApiSchema,
  Reference,
} from './api-document.ts';
import { type Field, fieldsOf, formsOf, typeInWords } from './api-fields.ts';
import { type Html, type HtmlValue, html, inlineCode, paragraphs } from './html.ts';
import { table } from './layout.ts';

/** An operation with its address, as the reference shows it. */
export interface ShownOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: ApiOperation;
}

/** Blocks with more lines than this scroll inside of their own box. */
const LONG_LINES = 24;

function block(text: string): Html {
  const lines = text.split('\n').length;
  const kind = lines === 1 ? 'wrap' : lines > LONG_LINES ? 'long' : '';
  return html`<pre class="${kind}" tabindex="0"><code>${text}</code></pre>`;
}

function parameterOf(document: ApiDocument, given: ApiParameter | Reference): ApiParameter {
  if (!('$ref' in given)) return given;
  const name = given.$ref.split('/').at(-1) ?? '';
  const found = document.components.parameters[name];
  if (found === undefined) throw new Error(`the document has no parameter ${name}`);
  return found;
}

function exampleOf(document: ApiDocument, given: ApiExample | Reference): ApiExample {
  if (!('$ref' in given)) return given;
  const name = given.$ref.split('/').at(-1) ?? '';
  const found = document.components.examples[name];
  if (found === undefined) throw new Error(`the document has no example ${name}`);
  return found;
}

/** A value as a shell takes it unchanged. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A command that can be pasted: what must be given, with the values of the examples. */
export function curlLine(document: ApiDocument, { path, method, operation }: ShownOperation) {
  const parameters = operation.parameters.map((one) => parameterOf(document, one));
  const sample = ({ example }: ApiParameter) => encodeURIComponent(String(example ?? ''));
  let address = path;
  for (const one of parameters.filter((each) => each.in === 'path')) {
    address = address.replace(`{${one.name}}`, sample(one));
  }
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${sample(one)}`)
    .join('&');
  const url = (document.servers[0]?.url ?? '') + address + (query && `?${query}`);
  return [
    'curl',
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
    ...keyOptions(operation),
    ...bodyOptions(document, operation),
    `"${url}"`,
  ].join(' ');
}

function keyOptions({ security }: ApiOperation): readonly string[] {
  if (security === undefined) return ['-H "X-API-Key: $VESFX_KEY"'];
  return security.length === 0 ? [] : ['-H "Authorization: Bearer $VESFX_ADMIN_TOKEN"'];
}

function bodyOptions(document: ApiDocument, { requestBody }: ApiOperation): readonly string[] {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const [example] = Object.values(media?.examples ?? {});
  if (type === undefined || example === undefined) return [];
  const { value } = exampleOf(document, example);
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value);
  return [`-H "Content-Type: ${type}"`, `--data ${shellQuoted(text)}`];
}

function parameterTable(document: ApiDocument, operation: ApiOperation): HtmlValue {
  const parameters = operation.parameters.map((one) => parameterOf(document, one));
  if (parameters.length === 0) return undefined;
  const { schemas } = document.components;
  return html`<h4>Parameters</h4>
${table(
  `Parameters of ${operation.summary}`,
  [
    { label: 'Name' },
    { label: 'In' },
    { label: 'Needed', kind: 'nowrap' },
    { label: 'Type', kind: 'type' },
    { label: 'Meaning', kind: 'wide' },
  ],
  parameters.map((one) => [
    html`<code>${one.name}</code>`,
    one.in,
    one.required ? 'yes' : 'no',
    typeInWords(schemas, one.schema),
    inlineCode(one.description),
  ]),
)}`;
}

function fieldTable(label: string, fields: readonly Field[]): Html {
  return table(
    label,
    [
      { label: 'Field' },
      { label: 'Type', kind: 'type' },
      { label: 'Always', kind: 'nowrap' },
      { label: 'Meaning', kind: 'wide' },
    ],
    fields.map(({ name, type, required, description }) => [
      html`<code>${name}</code>`,
      type,
      required ? 'yes' : 'no',
      inlineCode(description),
    ]),
  );
}

function fieldTables(document: ApiDocument, what: string, schema: ApiSchema): readonly Html[] {
  const { schemas } = document.components;
  return formsOf(schemas, schema).map(({ title, schema: form }) => {
    const label = title === undefined ? what : `${what}: ${title}`;
    return html`<details><summary>${label}</summary>${fieldTable(label, fieldsOf(schemas, form))}
</details>`;
  });
}

function bodySection(document: ApiDocument, { requestBody }: ApiOperation): HtmlValue {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return undefined;
  const fields = fieldsOf(document.components.schemas, media.schema);
  const { description } = media.schema;
  return html`<h4>Body</h4>
<p><code>${type}</code>${description !== undefined && `: ${description}`}</p>
${fields.length > 0 && fieldTable('Fields of the body', fields)}`;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, undefined, 2);
}

/** The first JSON example openly, what there is besides folded away. */
function answerSection(document: ApiDocument, operation: ApiOperation): HtmlValue {
  const [status, answer] = Object.entries(operation.responses)[0] ?? [];
  if (status === undefined || answer === undefined) return undefined;
  const { content } = answer;
  if (content === undefined) return html`<h4>Answer ${status}</h4><p>${answer.description}</p>`;
  const shown = examplesOf(document, content);
  const [first, ...others] = shown;
  const json = content['application/json'];
  return html`<h4>Answer ${status}</h4>
${first && html`<p>${first.summary}:</p>${block(first.text)}`}
${others.map(foldedExample)}
${json !== undefined && fieldTables(document, 'Fields of the answer', json.schema)}`;
}

interface ShownExample {
  readonly type: string;
  readonly summary: string;
  readonly text: string;
}

function foldedExample({ type, summary, text }: ShownExample): Html {
  const kind = type !== 'application/json' && html` <span class="quiet">(${type})</span>`;
  return html`<details><summary>${summary}${kind}</summary>${block(text)}</details>`;
}

function examplesOf(document: ApiDocument, content: ApiContent): readonly ShownExample[] {
  return Object.entries(content).flatMap(([type, { examples = {} }]) =>
    Object.values(examples).map((one) => {
      const { summary, value } = exampleOf(document, one);
      return { type, summary, text: asText(value) };
    }),
  );
}

function errorSection(document: ApiDocument, operation: ApiOperation): Html {
  const messages = new Map(document['x-errors'].map(({ code, message }) => [code, message]));
  const rows = Object.entries(operation['x-error-codes']).flatMap(([status, codes]) =>
    codes.map((code) => [html`<code>${code}</code>`, status, messages.get(code)]),
  );
  return html`<details><summary>Errors</summary>${table(
    `Errors of ${operation.summary}`,
    [{ label: 'Code' }, { label: 'Status', kind: 'figure' }, { label: 'Meaning', kind: 'wide' }],
    rows,
  )}</details>`;
}

/** Everything about one operation. */
export function operationSection(document: ApiDocument, shown: ShownOperation): Html {
  const { path, method, operation } = shown;
  const plan = operation['x-plan'];
  const cost = operation['x-cost'];
  const admin = operation.security !== undefined;
  // The last paragraph repeats plan and cost, which stand in the line of facts here.
  const [description = ''] = operation.description.split('\n\n').slice(0, -1);
  return html`<section class="operation" id="${operation.operationId}">
<h3>${operation.summary}</h3>
<p class="call"><span class="method">${method.toUpperCase()}</span> <span>${path}</span></p>
<ul class="facts">
<li>${admin ? 'operator' : plan === undefined ? 'every plan' : `from ${plan}`}</li>
<li>${cost === 0 ? 'free of cost' : `${cost} unit`}</li>
</ul>
${description !== '' && paragraphs(description)}
<pre class="wrap"><code>${curlLine(document, shown)}</code></pre>
${parameterTable(document, operation)}
${bodySection(document, operation)}
${answerSection(document, operation)}
${errorSection(document, operation)}
</section>`;
}
