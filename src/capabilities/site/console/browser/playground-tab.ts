import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Html, html, inlineCode } from '../../../../core/http/framework/encoding/html.ts';
import type { SampledRequest } from '../../text/samples.ts';
import { type ConsoleReader, filled } from '../console-data.ts';
import { answeredError } from '../failures.ts';
import { hasEnded, sharedKeyIn } from '../key-list.ts';
import {
  addressOf,
  BODY,
  firstValues,
  type TriedOperation,
  type TriedParameter,
} from '../playground.ts';
import { webhooksOf } from '../webhooks/webhook-calls.ts';
import { webhookName } from '../webhooks/webhook-list.ts';
import { AnswerPanel, type Tried } from './answer-panel.ts';
import { exchange, isFromApi, operationsToTry } from './api-exchange.ts';
import { useConsole, useLoaded } from './console-context.ts';
import { keepTrial, keptTrial } from './console-session.ts';
import { RevokeForm } from './key-forms.ts';
import { DeleteForm } from './rule-forms.ts';
import { linkedOperation } from './tabs.ts';
import { DeleteWebhookForm } from './webhooks/webhook-forms.ts';

/** Name of the choice of the operation among the fields. No parameter has a colon in its name. */
const OPERATION = 'operation:';

/** Calls any endpoint with the tab's key, and shows the request as code. */
export function PlaygroundTab(): Html {
  const { texts, language, version, refresh } = useConsole();
  const read = useRef<PlaygroundProps | undefined>(undefined);
  const { value, trouble } = useLoaded(async () => {
    if (read.current === undefined) {
      read.current = { operations: await operationsToTry(language) };
    }
    return read.current;
  }, [version]);
  return html`<h1 class="unseen" tabindex="-1">${texts.tabs.probar}</h1>
${trouble !== undefined && html`<p class="trouble" role="alert">${trouble} <button type="button" onClick=${refresh}>${texts.retry}</button></p>`}
${value === undefined ? trouble === undefined && html`<div class="play"><div class="panel"><div class="skeleton chart-place"></div></div><div class="skeleton chart-place"></div></div>` : h(Playground, value)}`;
}

interface PlaygroundProps {
  readonly operations: readonly TriedOperation[];
}

function Playground({ operations }: PlaygroundProps): Html {
  const open = useConsole();
  const { texts, language, key, call, account, version, marketNames, refresh } = open;
  const linked = operations.find(({ id }) => id === linkedOperation());
  // The operation, and what differs from its first values.
  const [{ [OPERATION]: name, ...written }, setTrial] = useState(() => {
    const kept = keptTrial();
    const isOther = linked !== undefined && linked.name !== kept[OPERATION];
    return isOther ? { [OPERATION]: linked.name } : kept;
  });
  const tried = operations.find((one) => one.name === name) ?? operations[0];
  const [state, setState] = useState<Tried>({});
  const [isAsking, setAsking] = useState(false);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const choice = useRef<HTMLSelectElement>(null);
  const takesRule = tried?.parameters.some((one) => one.name === 'tag' || one.name === 'markup');
  const { value: rules } = useLoaded(
    async () => (takesRule ? (await call(({ markups }) => markups.list())).markups : undefined),
    [version, takesRule],
  );
  useEffect(() => {
    if (linked !== undefined) choice.current?.focus();
  }, []);
  const isOfWebhooks = tried?.path.startsWith('/v1/account/webhooks/');
  const { value: webhooks = [] } = useLoaded(
    async () => (isOfWebhooks ? (await call((vesfx) => webhooksOf(vesfx).list())).webhooks : []),
    [version, isOfWebhooks],
  );
  if (tried === undefined) return undefined;
  const change = (trial: Readonly<Record<string, string>>) => {
    keepTrial(trial);
    setTrial(trial);
  };
  const onChoose = ({ currentTarget }: Event & { currentTarget: HTMLSelectElement }) => {
    // The link has done its work: a reload keeps what the reader chose since.
    if (linked !== undefined) location.hash = 'probar';
    change({ [OPERATION]: currentTarget.value });
    setState({});
  };
  const { method, contentType, parameters, plan, cost } = tried;
  const shared = sharedKeyIn(account, open);
  const ownKeys = account.keys.filter((one) => one !== shared && !hasEnded(one, Date.now()));
  const markets = Object.entries(marketNames);
  const tags = (rules ?? []).map(
    ({ tag, active }) => [tag, active ? tag : `${tag} (${texts.inactive})`] as const,
  );
  const named = (one: { readonly id: string }, name: string | null) =>
    [one.id, name === null ? one.id : `${name} (${one.id})`] as const;
  const choices: Readonly<Record<string, Choices>> = {
    ...{ market: markets, via: markets, against: markets, tag: tags, markup: tags },
    id: isOfWebhooks
      ? webhooks.map((one) => named(one, webhookName(one)))
      : ownKeys.map((one) => named(one, one.label)),
  };
  // A key, webhook or rule that is gone is chosen no longer.
  const isThere = ([field, value]: [string, string]) =>
    choices[field]?.some(([one]) => one === value) ?? true;
  const values = Object.fromEntries(
    Object.entries({ ...firstValues(tried), ...written }).filter(isThere),
  );
  const request: Omit<SampledRequest, 'key'> = {
    ...{ method, contentType, url: location.origin + addressOf(tried, values) },
    body: tried.body === undefined ? undefined : (values[BODY] ?? ''),
  };
  const send = async () => {
    setState({ isSending: true });
    const answer = await exchange(request, { key: key.current, language });
    if (answer === undefined) return setState({ failure: texts.failures.network_error });
    const error = isFromApi(answer.response) ? undefined : answeredError(answer.body, texts);
    setState({ answer, error });
  };
  const sendAndRefresh = async () => {
    await send();
    void refresh();
  };
  const missing = parameters.find((one) => one.required && !values[one.name])?.name;
  const onSubmit = async (event: Event & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    if (state.isSending) return;
    if (missing !== undefined) {
      event.currentTarget.querySelector<HTMLElement>(`[name="${missing}"]`)?.focus();
      return setState({ error: { field: missing } });
    }
    // A half-typed day is no value, so it would silently be left out.
    const unread = event.currentTarget.querySelector<HTMLInputElement>('[type=date]:invalid');
    if (unread?.validity.badInput) {
      unread.focus();
      return setState({ error: { field: unread.name, reason: texts.dayUnread } });
    }
    if (method === 'DELETE') return setAsking(true);
    await sendAndRefresh();
  };
  const onClose = () => setAsking(false);
  const confirmed = async () => {
    onClose();
    await sendAndRefresh();
  };
  const onInput = ({ target }: Event) => {
    const field = target as HTMLInputElement;
    change({ ...written, [OPERATION]: tried.name, [field.name]: field.value });
    setState((before) => ({ ...before, isOld: true }));
  };
  // A field in it stays in sight while its problem is mended.
  const onToggle = ({ currentTarget }: Event & { currentTarget: HTMLDetailsElement }) =>
    setMoreOpen(currentTarget.open);
  const first = parameters.filter(({ required }) => required);
  const more = parameters.filter(({ required }) => !required);
  const faulty = state.isOld ? undefined : state.error?.field;
  const field = (one: TriedParameter) => {
    const value = values[one.name] ?? '';
    const problem = missing === one.name ? texts.fieldMissing : state.error?.reason;
    const none = one.name === 'tag' && rules?.length === 0 ? texts.noRules : texts.choose;
    return parameterField(one, {
      ...{ value, choices: choices[one.name], none, texts },
      problem: one.name === faulty ? (problem ?? '') : undefined,
    });
  };
  const isChosen = ({ id }: { readonly id: string }) => id === values['id'];
  const given = isOfWebhooks ? undefined : ownKeys.find(isChosen);
  const hook = webhooks.find(isChosen);
  const { tag = '' } = values;
  const groups = [...Map.groupBy(operations, ({ group }) => group)];
  return html`<div class="play"><form id="try" class="panel stack" novalidate aria-busy=${state.isSending ? 'true' : undefined} onSubmit=${onSubmit} onInput=${onInput}>
<div class="field"><label for="operation">${texts.endpoint}</label><select id="operation" ref=${choice} value=${tried.name} onChange=${onChoose}>${groups.map(([group, members]) => html`<optgroup label=${group}>${members.map((one) => html`<option value=${one.name}>${one.summary}</option>`)}</optgroup>`)}</select>
<p class="hint"><code>${tried.name}</code> · ${cost > 0 ? texts.costs : texts.costsNothing} ${plan !== undefined && filled(texts.fromPlan, { plan })}
${method !== 'GET' && cost === 0 && html` <strong>${texts.changes}</strong>`}</p></div>
${first.map(field)}
${more.length > 0 && html`<details open=${isMoreOpen || more.some(({ name }) => name === faulty)} onToggle=${onToggle}><summary>${filled(texts.moreParameters, { names: more.map(({ name }) => name).join(', ') })}</summary><div class="stack">${more.map(field)}</div></details>`}
${request.body !== undefined && html`<div class="field"><label for="p-body">${texts.body}</label><textarea id="p-body" name=${BODY} rows=${Math.min(14, request.body.split('\n').length + 1)} spellcheck=${false} value=${request.body}></textarea></div>`}
<p class="foot"><button class="main${method === 'DELETE' ? ' danger' : ''}" aria-disabled=${state.isSending ? 'true' : undefined}>${texts.send}</button></p></form>
${h(AnswerPanel, { tried: state, request })}
${isAsking && hook && h(DeleteWebhookForm, { given: hook, onClose, send: confirmed, onDone: onClose })}
${isAsking && !hook && (given === undefined ? h(DeleteForm, { rule: { tag }, onClose, send: confirmed, onDone: onClose }) : h(RevokeForm, { given, onClose, send: confirmed }))}</div>`;
}

type Choices = readonly (readonly [value: string, text: string])[];

interface FieldState {
  readonly value: string;
  /** What the field may be, with names. */
  readonly choices: Choices | undefined;
  /** What a required choice begins with. */
  readonly none: string;
  /** What is wrong with it. */
  readonly problem: string | undefined;
  readonly texts: ConsoleReader['texts'];
}

function parameterField(parameter: TriedParameter, field: FieldState): Html {
  const { value, choices, none, problem, texts } = field;
  const { name, required, description, values, isDay, example } = parameter;
  const isFaulty = problem !== undefined;
  const offered = values?.map((one) => [one, one] as const) ?? choices;
  const hint = example !== undefined && !isDay && filled(texts.forExample, { value: example });
  const common = {
    ...{ id: `p-${name}`, name, value, required },
    ...{ 'aria-describedby': `about-${name}`, 'aria-invalid': isFaulty ? 'true' : undefined },
  };
  const input =
    offered === undefined
      ? html`<input ...${common} type=${isDay ? 'date' : undefined} placeholder=${hint || undefined} autocomplete="off" autocapitalize="none" spellcheck=${false} />`
      : html`<select ...${common}>${!(required && value) && html`<option value="">${required ? none : texts.notSent}</option>`}${offered.map(([one, text]) => html`<option value=${one}>${text}</option>`)}</select>`;
  return html`<div class="field" key=${name}><label for=${`p-${name}`}>${name} ${!required && html`<small>${texts.optional}</small>`}</label>${input}
<p class="hint${isFaulty ? ' trouble' : ''}" id=${`about-${name}`}>${inlineCode(problem || description)}</p></div>`;
}
