import { createContext, h } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { VesfxError } from '../../../client/errors.ts';
import { type Html, html } from '../../frame/html.ts';
import { failureIn } from '../failures.ts';
import { useConsole } from './console-context.ts';
import { Dialog } from './dialog.ts';

/** A sentence about a form, or about the field of the API that it names. */
interface Trouble {
  readonly said: string;
  readonly field?: string | undefined;
}

/** What is wrong with a field of the form. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string, said: string) {
    super(said);
    this.field = field;
  }
}

const FormTrouble = createContext<Trouble | undefined>(undefined);

function useTrouble(field: string): string | undefined {
  const trouble = useContext(FormTrouble);
  return trouble?.field === field ? trouble.said : undefined;
}

interface FormProps {
  readonly id: string;
  readonly title: string;
  /** The name of its button. */
  readonly submit: string;
  /** Whether something ends for ever. Then the safe button comes first. */
  readonly isDestructive?: boolean;
  readonly onClose: () => void;
  readonly onInput?: (form: FormData) => void;
  /** Sends the form. @throws VesfxError or FieldError, which the form explains. */
  readonly work: (form: FormData) => Promise<void>;
  readonly children?: Html;
}

/** A form in a dialog. It is never sent twice at once, and says what went wrong until that changes. */
export function FormDialog(props: FormProps): Html {
  const { id, title, submit, isDestructive = false, onClose, onInput, work, children } = props;
  const open = useConsole();
  const { texts } = open;
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const place = (field: string | undefined) =>
    form.current?.querySelector<HTMLElement>(`[data-field="${field}"]`) ?? undefined;
  useEffect(() => {
    const field = place(trouble?.field);
    (field?.querySelector<HTMLElement>('input:enabled') ?? field)?.focus();
  }, [trouble]);
  const explained = (error: unknown): Trouble => {
    if (error instanceof FieldError) return { said: error.message, field: error.field };
    const field = error instanceof VesfxError ? error.field : undefined;
    // What is said about a field of no form is said about the whole.
    return { said: failureIn(error, open), field: place(field) && field };
  };
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy || form.current === null) return;
    setBusy(true);
    setTrouble(undefined);
    try {
      const wrong = form.current.querySelector<HTMLInputElement>('[data-field]:invalid');
      if (wrong !== null) {
        const { dataset, validity } = wrong;
        const rule = validity.valueMissing ? undefined : texts.fieldRules[dataset['field'] ?? ''];
        throw new FieldError(dataset['field'] ?? '', rule ?? texts.fieldMissing);
      }
      await work(new FormData(form.current));
    } catch (error) {
      setTrouble(explained(error));
    } finally {
      setBusy(false);
    }
  };
  const onChange = ({ target }: Event) => {
    const field = trouble?.field === undefined ? form.current : place(trouble.field);
    if (target instanceof Node && field?.contains(target)) setTrouble(undefined);
    if (form.current !== null) onInput?.(new FormData(form.current));
  };
  const main = html`<button class="main${isDestructive ? ' danger' : ''}" disabled=${isBusy}>${submit}</button>`;
  const cancel = html`<button type="button" data-cancel onClick=${onClose}>${texts.cancel}</button>`;
  const content = html`<form id=${id} class="stack" novalidate ref=${form} onSubmit=${onSubmit} onInput=${onChange}>
<${FormTrouble.Provider} value=${trouble}>${children}<//>
<p class="trouble" role="alert">${trouble?.field === undefined && trouble?.said}</p>
<div class="buttons">${isDestructive ? [cancel, main] : [main, cancel]}</div></form>`;
  return h(Dialog, { title, onClose, children: content });
}

interface FieldProps {
  readonly name: string;
  /** Its name in the API, if that is another. */
  readonly field?: string;
  readonly label: string;
  readonly note?: string;
  readonly hint?: string;
  readonly [attribute: string]: unknown;
}

/** A text field: its name above, and below it a hint that a problem replaces. */
export function TextField(props: FieldProps): Html {
  const { name, field = name, label, note, hint, ...attributes } = props;
  const said = useTrouble(field);
  const ids = { hint: `${name}-hint`, trouble: `${name}-trouble` };
  return html`<div class="field"><label for=${`f-${name}`}>${label}${note && html` <small>${note}</small>`}</label>
<input id=${`f-${name}`} name=${name} data-field=${field} autocomplete="off" aria-invalid=${said && 'true'} aria-errormessage=${said && ids.trouble} aria-describedby=${hint && ids.hint} ...${attributes} />
${said ? html`<p class="hint trouble" role="alert" id=${ids.trouble}>${said}</p>` : html`<p class="hint" id=${ids.hint}>${hint}</p>`}</div>`;
}

interface TicksProps extends FieldProps {
  readonly field: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly chosen: readonly string[];
}

/** Boxes to tick, with the problem of the group below them. */
export function Ticks({ name, field, label, hint, choices, chosen }: TicksProps): Html {
  const said = useTrouble(field);
  return html`<fieldset class="ticks" data-field=${field}><legend>${label}</legend>
${hint && html`<p class="hint">${hint}</p>`}
<div>${choices.map(([value, text]) => html`<label class="tick" key=${value}><input type="checkbox" name=${name} value=${value} defaultChecked=${chosen.includes(value)} /> ${text}</label>`)}</div>
${said && html`<p class="hint trouble" role="alert">${said}</p>`}</fieldset>`;
}
