import { VesfxError } from '../../../client/errors.ts';
import type { ApiDocument, DocumentedError } from '../../docs/api-document.ts';
import { element, language } from '../../frame/browser/elements.ts';
import { show } from '../../frame/browser/show.ts';
import { html } from '../../frame/html.ts';
import {
  SAMPLE_KINDS,
  type SampledRequest,
  type SampleKind,
  sampleOf,
} from '../../text/samples.ts';
import { answeredError } from '../failures.ts';
import {
  addressOf,
  answerView,
  operationChoice,
  sampleView,
  type TriedOperation,
  triedOperations,
  tryForm,
} from '../playground-view.ts';
import { onSubmit, reader, texts } from './console-elements.ts';
import type { Session } from './console-session.ts';

/** Name of the field for the body. No parameter has a colon in its name. */
const BODY = 'body:';

/** The part that calls any endpoint with the tab's key and shows the request as code. */
export function playgroundPart(
  session: Session,
  { onAnswered }: { readonly onAnswered: () => void },
) {
  const view = element('playground-view', HTMLElement);
  let operations: readonly TriedOperation[] = [];
  let errors: readonly DocumentedError[] = [];
  let kind: SampleKind = 'curl';
  let withKey = false;
  /** The operation that a link from the reference names. */
  let linkedId = new URLSearchParams(location.search).get('try') ?? undefined;

  async function load(): Promise<void> {
    if (operations.length > 0) return;
    const api = await openApiDocument();
    operations = triedOperations(api);
    errors = api['x-errors'];
    show(view, html`${operationChoice(operations, reader)}<div id="as-code"></div>`);
    const choice = element('operation', HTMLSelectElement);
    choice.addEventListener('change', () => open(choice.value));
    const form = element('try', HTMLFormElement);
    form.addEventListener('input', showSample);
    onSubmit(form, send);
    const linkedOperation = operations.find(({ operation }) => operation.operationId === linkedId);
    if (linkedOperation !== undefined) choice.value = linkedOperation.name;
    open(choice.value);
    if (linkedOperation === undefined) return;
    // Scroll only once: a reader who signs in again may be at another part of the page.
    linkedId = undefined;
    choice.focus();
    view.scrollIntoView();
  }

  function chosenOperation(): TriedOperation | undefined {
    const { value } = element('operation', HTMLSelectElement);
    return operations.find(({ name }) => name === value);
  }

  function open(name: string): void {
    const tried = operations.find((one) => one.name === name);
    if (tried === undefined) return;
    show(element('try', HTMLElement), tryForm(tried, reader));
    show(element('tried', HTMLElement), null);
    showSample();
  }

  function requestOf(tried: TriedOperation): Omit<SampledRequest, 'key'> {
    const data = new FormData(element('try', HTMLFormElement));
    const values = Object.fromEntries([...data].map(([name, value]) => [name, String(value)]));
    const { method, contentType } = tried;
    const body = tried.body === undefined ? undefined : (values[BODY] ?? '');
    return { method, url: location.origin + addressOf(tried, values), body, contentType };
  }

  function showSample(): void {
    const tried = chosenOperation();
    if (tried === undefined) return;
    const key = withKey ? (session.key ?? '') : texts.placeholder;
    const code = sampleOf(kind, { ...requestOf(tried), key });
    const place = element('as-code', HTMLElement);
    const sample = document.getElementById('sample');
    if (sample !== null) {
      sample.textContent = code;
      return;
    }
    show(place, sampleView({ kind, code, withKey }, reader));
    const choice = element('sample-kind', HTMLSelectElement);
    choice.addEventListener('change', () => {
      kind = SAMPLE_KINDS.find((one) => one === choice.value) ?? kind;
      showSample();
    });
    const consent = element('with-key', HTMLInputElement);
    consent.addEventListener('change', () => {
      withKey = consent.checked;
      showSample();
    });
  }

  async function send(): Promise<void> {
    const tried = chosenOperation();
    if (tried === undefined) return;
    const { method, url, body, contentType } = requestOf(tried);
    const place = element('tried', HTMLElement);
    show(place, html`<p class="quiet" role="status">${texts.sending}</p>`);
    const started = performance.now();
    try {
      const response = await fetch(url, {
        method,
        headers: {
          'X-API-Key': session.key ?? '',
          ...(contentType !== undefined && { 'Content-Type': contentType }),
        },
        body,
        cache: 'no-store',
        credentials: 'omit',
      });
      const text = await response.text();
      const { status, statusText, headers } = response;
      const durationMs = performance.now() - started;
      const answer = { status, statusText, durationMs, headers: [...headers], body: text };
      const error = isFromApi(response)
        ? undefined
        : answeredError({ sent: body, answered: text, errors }, reader);
      show(place, answerView(answer, error, reader));
      markFields(element('try', HTMLElement), error?.field);
      place.querySelector('h3')?.focus();
    } catch {
      show(place, html`<p class="trouble" role="alert">${texts.failures.network_error}</p>`);
      return;
    }
    onAnswered();
  }

  return {
    place: view,
    show: load,
    clear(): void {
      operations = [];
      withKey = false;
      show(view, null);
    },
  };
}

/** The sign-in page of a network also has status 200. */
function isFromApi({ ok, headers }: Response): boolean {
  return ok && !headers.get('Content-Type')?.startsWith('text/html');
}

function markFields(form: HTMLElement, faulty: string | undefined): void {
  for (const input of form.querySelectorAll('input, select')) {
    if (input.getAttribute('name') === faulty) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }
}

/** @throws VesfxError */
async function openApiDocument(): Promise<ApiDocument> {
  const message = 'The reference cannot be read.';
  const response = await fetch(`/openapi.json?lang=${language}`, { credentials: 'omit' }).catch(
    (cause) => {
      throw new VesfxError('network_error', { message, cause });
    },
  );
  try {
    if (!response.ok) throw new Error(`status ${response.status}`);
    // The cast is safe: the service wrote it as that type.
    return (await response.json()) as ApiDocument;
  } catch (cause) {
    throw new VesfxError('unexpected_answer', { message, cause });
  }
}
