import { useEffect, useRef, useState } from 'preact/hooks';
import { VesfxError } from '../../../client/errors.ts';
import { type Html, html } from '../../frame/html.ts';
import { failureIn, useConsole } from './console-context.ts';

/** A sentence about a form, or about the field of the API that it names. */
export interface Trouble {
  readonly said: string;
  readonly field?: string | undefined;
}

/** Sends a form, never twice at once, and keeps what went wrong until that field changes. */
export function useSending(work: (form: FormData) => Promise<Trouble | undefined>) {
  const { data } = useConsole();
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  useEffect(() => {
    const selector = `[data-field="${trouble?.field}"]`;
    const place = trouble && form.current?.querySelector<HTMLElement>(selector);
    const field = place?.matches('fieldset') ? place.querySelector('input:enabled') : place;
    if (field instanceof HTMLElement) field.focus();
  }, [trouble]);
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending.current || form.current === null) return;
    isSending.current = true;
    setBusy(true);
    setTrouble(undefined);
    try {
      setTrouble(await work(new FormData(form.current)));
    } catch (error) {
      const field = error instanceof VesfxError ? error.field : undefined;
      setTrouble({ said: failureIn(error, data), field });
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };
  const onInput = ({ target }: Event) => {
    const changed = target instanceof Element ? target.closest('[data-field]') : null;
    if (changed?.getAttribute('data-field') === trouble?.field) setTrouble(undefined);
  };
  return { form, isBusy, trouble, onSubmit, onInput };
}

export type Sending = ReturnType<typeof useSending>;

/** The sentence of a field, or of the form when no field has its name. */
export function troubleOf(
  {
    trouble,
    form,
  }: {
    readonly trouble: Trouble | undefined;
    readonly form: { readonly current: HTMLElement | null };
  },
  field: string | undefined,
): string | undefined {
  if (trouble === undefined) return undefined;
  const isNamed =
    trouble.field !== undefined &&
    form.current?.querySelector(`[data-field="${trouble.field}"]`) != null;
  return (isNamed ? trouble.field : undefined) === field ? trouble.said : undefined;
}

interface FieldProps {
  readonly sending: Sending;
  readonly name: string;
  /** Its name in the API, if that is another. */
  readonly field?: string;
  readonly label: string;
  readonly note?: string | undefined;
  readonly hint?: string;
  readonly [attribute: string]: unknown;
}

/** A text field: its name above, and below it a hint that a problem replaces. */
export function TextField(props: FieldProps): Html {
  const { sending, name, field = name, label, note, hint, ...attributes } = props;
  const said = troubleOf(sending, field);
  const ids = { hint: `${name}-hint`, trouble: `${name}-trouble` };
  return html`<div class="field"><label for=${`f-${name}`}>${label}${note && html` <small>${note}</small>`}</label>
<input id=${`f-${name}`} name=${name} data-field=${field} autocomplete="off" aria-invalid=${said && 'true'} aria-errormessage=${said && ids.trouble} aria-describedby=${hint && ids.hint} ...${attributes} />
${said ? html`<p class="hint trouble" role="alert" id=${ids.trouble}>${said}</p>` : html`<p class="hint" id=${ids.hint}>${hint}</p>`}</div>`;
}

/** Boxes to tick, with the problem of the group below them. */
export function Ticks(props: {
  readonly sending: Sending;
  readonly name: string;
  readonly field: string;
  readonly label: string;
  readonly hint?: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly chosen: readonly string[];
}): Html {
  const { sending, name, field, label, hint, choices, chosen } = props;
  const said = troubleOf(sending, field);
  return html`<fieldset class="ticks" data-field=${field}><legend>${label}</legend>
${hint && html`<p class="hint">${hint}</p>`}
<div>${choices.map(([value, text]) => html`<label class="tick" key=${value}><input type="checkbox" name=${name} value=${value} defaultChecked=${chosen.includes(value)} /> ${text}</label>`)}</div>
${said && html`<p class="hint trouble" role="alert">${said}</p>`}</fieldset>`;
}

/** The buttons of a form, and its own problem. Where something ends for ever, the safe one comes first. */
export function FormEnd(props: {
  readonly sending: Sending;
  readonly submit: string;
  readonly onCancel: () => void;
  readonly isDestructive?: boolean;
}): Html {
  const { sending, submit, onCancel, isDestructive = false } = props;
  const { data } = useConsole();
  const main = html`<button class="main${isDestructive ? ' danger' : ''}" disabled=${sending.isBusy}>${submit}</button>`;
  const cancel = html`<button type="button" data-cancel onClick=${onCancel}>${data.texts.cancel}</button>`;
  return html`<p class="trouble" role="alert">${troubleOf(sending, undefined)}</p>
<div class="buttons">${isDestructive ? [cancel, main] : [main, cancel]}</div>`;
}
