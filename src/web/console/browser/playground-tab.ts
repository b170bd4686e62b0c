import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiParameter, DocumentedError } from '../../docs/api-document.ts';
import { type Html, html, inlineCode } from '../../frame/html.ts';
import type { SampledRequest } from '../../text/samples.ts';
import { type ConsoleReader, filled } from '../console-data.ts';
import { answeredError } from '../failures.ts';
import {
  addressOf,
  BODY,
  firstValues,
  type TriedOperation,
  triedOperations,
} from '../playground.ts';
import { AnswerPanel, type Tried } from './answer-panel.ts';
import { apiDocument, exchange, isFromApi } from './api-exchange.ts';
import { useConsole, useLoaded } from './console-context.ts';
import { linkedOperation } from './tabs.ts';

/** Fields in view from the start; the others unfold. */
const SHOWN_FIELDS = 5;

/** Calls any endpoint with the tab's key, and shows the request as code. */
export function PlaygroundTab(): Html {
  const { texts, language } = useConsole();
  const { value, trouble } = useLoaded(async () => {
    const document = await apiDocument(language);
    return { operations: triedOperations(document), errors: document['x-errors'] };
  }, []);
  return html`<h1 class="unseen" tabindex="-1">${texts.tabs.probar}</h1>
${trouble !== undefined && html`<p class="trouble" role="alert">${trouble}</p>`}
${value === undefined ? trouble === undefined && html`<div class="play"><div class="panel"><div class="skeleton chart-place"></div></div><div class="skeleton chart-place"></div></div>` : h(Playground, value)}`;
}

interface PlaygroundProps {
  readonly operations: readonly TriedOperation[];
  readonly errors: readonly DocumentedError[];
}

function Playground({ operations, errors }: PlaygroundProps): Html {
  const open = useConsole();
  const { texts, key, refresh } = open;
  const linked = operations.find(({ operation }) => operation.operationId === linkedOperation());
  const [name, setName] = useState(linked?.name);
  const tried = operations.find((one) => one.name === name) ?? operations[0];
  // What differs from the first values of the operation.
  const [written, setWritten] = useState<Readonly<Record<string, string>>>({});
  const [state, setState] = useState<Tried>({});
  const choice = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (linked !== undefined) choice.current?.focus();
  }, []);
  if (tried === undefined) return undefined;
  const onChoose = ({ currentTarget }: Event & { currentTarget: HTMLSelectElement }) => {
    setName(currentTarget.value);
    setWritten({});
    setState({});
  };
  const { method, contentType, operation, parameters } = tried;
  const values = { ...firstValues(tried), ...written };
  const request: Omit<SampledRequest, 'key'> = {
    ...{ method, contentType, url: location.origin + addressOf(tried, values) },
    body: tried.body === undefined ? undefined : (values[BODY] ?? ''),
  };
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    if (state.isSending) return;
    setState({ isSending: true });
    const answer = await exchange(request, key.current);
    if (answer === undefined) return setState({ failure: texts.failures.network_error });
    const error = isFromApi(answer.response)
      ? undefined
      : answeredError({ sent: request.body, answered: answer.body, errors }, open);
    setState({ answer, error });
    void refresh();
  };
  const onInput = ({ target }: Event) => {
    const field = target as HTMLInputElement;
    setWritten((before) => ({ ...before, [field.name]: field.value }));
  };
  const shown = [...parameters].sort((a, b) => Number(b.required) - Number(a.required));
  const needed = shown.filter(({ required }) => required).length;
  const first = shown.slice(0, Math.max(SHOWN_FIELDS, needed));
  const more = shown.slice(first.length);
  const faulty = state.error?.field;
  const field = (one: ApiParameter) =>
    parameterField(one, { value: values[one.name] ?? '', isFaulty: one.name === faulty, texts });
  const plan = operation['x-plan'];
  return html`<div class="play"><form id="try" class="panel stack" aria-busy=${state.isSending ? 'true' : undefined} onSubmit=${onSubmit} onInput=${onInput}>
<div class="field"><label for="operation">${texts.endpoint}</label><select id="operation" ref=${choice} value=${tried.name} onChange=${onChoose}>${operations.map((one) => html`<option value=${one.name}>${one.operation.summary}</option>`)}</select>
<p class="hint"><code>${tried.name}</code> · ${operation['x-cost'] > 0 ? texts.costs : texts.costsNothing} ${plan !== undefined && filled(texts.fromPlan, { plan })}
${method !== 'GET' && operation['x-cost'] === 0 && html` <strong>${texts.changes}</strong>`}</p></div>
${first.map(field)}
${more.length > 0 && html`<details open=${more.some(({ name }) => name === faulty) || undefined}><summary>${filled(texts.moreParameters, { names: more.map(({ name }) => name).join(', ') })}</summary><div class="stack">${more.map(field)}</div></details>`}
${request.body !== undefined && html`<div class="field"><label for="p-body">${texts.body}</label><textarea id="p-body" name=${BODY} rows=${Math.min(14, request.body.split('\n').length + 1)} spellcheck=${false} value=${request.body}></textarea></div>`}
<button class="main${method === 'DELETE' ? ' danger' : ''}" disabled=${state.isSending}>${texts.send}</button></form>
${h(AnswerPanel, { tried: state, request })}</div>`;
}

interface FieldState {
  readonly value: string;
  readonly isFaulty: boolean;
  readonly texts: ConsoleReader['texts'];
}

function parameterField(parameter: ApiParameter, { value, isFaulty, texts }: FieldState): Html {
  const { name, required, description, schema, example } = parameter;
  const hint = example !== undefined && filled(texts.forExample, { value: String(example) });
  const common = {
    ...{ id: `p-${name}`, name, value, required: required && schema.enum === undefined },
    ...{ 'aria-describedby': `about-${name}`, 'aria-invalid': isFaulty ? 'true' : undefined },
  };
  const input =
    schema.enum === undefined
      ? html`<input ...${common} placeholder=${hint || undefined} autocomplete="off" autocapitalize="none" spellcheck=${false} />`
      : html`<select ...${common}>${!required && html`<option value="">${texts.notSent}</option>`}${schema.enum.map((one) => html`<option value=${String(one)}>${String(one)}</option>`)}</select>`;
  return html`<div class="field" key=${name}><label for=${`p-${name}`}>${name} ${!required && html`<small>${texts.optional}</small>`}</label>${input}
<p class="hint${isFaulty ? ' trouble' : ''}" id=${`about-${name}`}>${inlineCode(description)}</p></div>`;
}
