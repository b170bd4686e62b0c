import {
  type ApiContent,
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  isTriedInConsole,
  referred,
} from '../docs/api-document.ts';
import { countText } from '../frame/format.ts';
import { type Html, html, inlineCode } from '../frame/html.ts';
import { SAMPLE_KINDS, SAMPLE_NAMES, type SampleKind } from '../text/samples.ts';
import { type ConsoleReader, filled } from './console-reader.ts';
import type { AnsweredError } from './failures.ts';

/** Most characters of an answer that are shown: more would stop the page for seconds. */
const MAX_SHOWN_ANSWER = 100_000;

export interface TriedOperation {
  /** `GET /v1/fx/rates/{market}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
  readonly parameters: readonly ApiParameter[];
  readonly contentType?: string;
  /** An example of the body. */
  readonly body?: string;
}

/** The operations that take a key, in the order of the document, without their headers. */
export function triedOperations(document: ApiDocument): readonly TriedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isTriedInConsole(operation))
      .map(([lower, operation]): TriedOperation => {
        const method = lower.toUpperCase();
        const parameters = operation.parameters
          .map((one) => referred(document.components.parameters, one))
          .filter((one) => one.in !== 'header');
        const [content] = Object.entries(operation.requestBody?.content ?? {});
        const body = content === undefined ? {} : bodyOf(content);
        return { name: `${method} ${path}`, method, path, operation, parameters, ...body };
      }),
  );
}

function bodyOf([contentType, { examples }]: readonly [string, ApiContent[string]]) {
  const [example] = Object.values(examples ?? {});
  const value = example === undefined || '$ref' in example ? {} : example.value;
  return { contentType, body: JSON.stringify(value, undefined, 2) };
}

/**
 * The path and query of a request; empty values are left out. A part of the path that is not
 * filled in stays as `{id}`, so that the code shows what is missing.
 */
export function addressOf(
  { path, parameters }: TriedOperation,
  values: Readonly<Record<string, string>>,
): string {
  const filledPath = path.replaceAll(
    /\{(\w+)\}/g,
    (part, name: string) => encodeURIComponent(values[name] ?? '') || part,
  );
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    const value = values[name];
    if (place === 'query' && value) query.set(name, value);
  }
  return query.size === 0 ? filledPath : `${filledPath}?${query}`;
}

export function operationChoice(
  operations: readonly TriedOperation[],
  reader: ConsoleReader,
): Html {
  const { texts } = reader;
  return html`<p class="fields"><label>${texts.endpoint} <select id="operation">${operations.map(({ name }) => html`<option>${name}</option>`)}</select></label></p>
<form id="try" class="panel"></form>
<div id="tried"></div>`;
}

function field(
  { name, in: place, required, description, schema, example }: ApiParameter,
  method: string,
  reader: ConsoleReader,
) {
  const { texts } = reader;
  const note = required ? texts.required : texts.optional;
  // Only required fields get an example, because an optional one would narrow the answer. A change
  // must name the reader's own key or rule.
  const isFilled = required && (place !== 'path' || method === 'GET');
  const value = isFilled ? String(example ?? '') : '';
  const hint =
    isFilled || example === undefined ? '' : filled(texts.forExample, { value: String(example) });
  const input =
    schema.enum === undefined
      ? html`<input name="${name}" value="${value}" placeholder="${hint}" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="about-${name}" required=${required} />`
      : html`<select name="${name}" aria-describedby="about-${name}">${!required && html`<option value="">${texts.notSent}</option>`}${schema.enum.map((one) => html`<option selected=${String(one) === value}>${String(one)}</option>`)}</select>`;
  return html`<div class="field"><label><span><code>${name}</code> <span class="quiet">${note}</span></span> ${input}</label>
<p class="quiet" id="about-${name}">${inlineCode(description)}</p></div>`;
}

/** The fields of an operation, and its cost. */
export function tryForm(tried: TriedOperation, reader: ConsoleReader): Html {
  const { texts } = reader;
  const { operation, parameters, body, method } = tried;
  const plan = operation['x-plan'];
  return html`<h3>${operation.summary}</h3>
<p>${operation['x-cost'] > 0 ? texts.costs : texts.costsNothing}
${plan !== undefined && filled(texts.fromPlan, { plan })} ${method !== 'GET' && operation['x-cost'] === 0 && html`<strong>${texts.changes}</strong>`}</p>
${parameters.length > 0 && html`<div class="parameters">${parameters.map((one) => field(one, method, reader))}</div>`}
${body !== undefined && html`<p><label>${texts.body} <textarea name="body:" rows="${Math.min(14, body.split('\n').length + 1)}" spellcheck="false">${body}</textarea></label></p>`}
<p class="buttons"><button class="main${method === 'DELETE' ? ' danger' : ''}">${texts.send}</button></p>`;
}

/** A request as code, in the language chosen. */
export function sampleView(
  shown: { readonly kind: SampleKind; readonly code: string; readonly withKey: boolean },
  reader: ConsoleReader,
): Html {
  const { texts } = reader;
  const { kind, code, withKey } = shown;
  return html`<h3>${texts.asCode}</h3>
<p class="fields"><label>${texts.language} <select id="sample-kind">${SAMPLE_KINDS.map((one) => html`<option value="${one}" selected=${one === kind}>${SAMPLE_NAMES[one]}</option>`)}</select></label>
<label><input type="checkbox" id="with-key" checked=${withKey} /> ${texts.withKey}</label></p>
<pre tabindex="0"><code id="sample">${code}</code></pre>`;
}

interface TriedAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly durationMs: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

export function answerView(
  answer: TriedAnswer,
  error: AnsweredError | undefined,
  reader: ConsoleReader,
): Html {
  const { language, texts } = reader;
  const text = indented(answer.body);
  const isCut = text.length > MAX_SHOWN_ANSWER;
  const headers = answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return html`<h3 tabindex="-1">${texts.answer}: <span class="status-${Math.floor(answer.status / 100)}">${answer.status} ${answer.statusText}</span> <span class="quiet">${countText(answer.durationMs, language)} ms</span></h3>
${error?.meaning !== undefined && html`<p class="trouble">${inlineCode(error.meaning)}</p>`}
${text !== '' && html`<pre class="long" tabindex="0"><code>${text.slice(0, MAX_SHOWN_ANSWER)}</code></pre>`}
${isCut && html`<p class="quiet">${filled(texts.cut, { n: String(MAX_SHOWN_ANSWER) })}</p>`}
<details open><summary>${texts.headers}</summary><pre tabindex="0"><code>${headers}</code></pre></details>`;
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
