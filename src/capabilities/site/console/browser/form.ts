import { createContext, h } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { VesfxError } from '../../../../client/errors.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { failureIn } from '../failures.ts';
import { useConsole } from './console-context.ts';
import { Dialog } from './dialog.ts';

/** What is wrong, by the field of the API. */
export type Troubles = Readonly<Record<string, string>>;

/** The place of what is wrong with the form as a whole. */
const WHOLE = '';

/** What is wrong with fields of the form. */
export class FieldError extends Error {
  readonly troubles: Troubles;

  constructor(troubles: Troubles) {
    super();
    this.troubles = troubles;
  }
}

const FormTroubles = createContext<Troubles>({});

const useTrouble = (field: string): string | undefined => useContext(FormTroubles)[field];

interface FormProps {
  readonly id: string;
  readonly title: string;
  /** The name of its button. */
  readonly submit: string;
  /** Whether something ends for ever. Then the safe button comes first. */
  readonly isDestructive?: boolean;
  readonly onClose: () => void;
  readonly onInput?: (form: FormData) => void;
  /** What is wrong besides what the browser finds by the fields' attributes. */
  readonly check?: (form: FormData) => Troubles;
  /** Sends the form. @throws VesfxError or FieldError, which the form explains. */
  readonly work: (form: FormData) => Promise<void>;
  readonly children?: Html;
}

/** A form in a dialog. It is never sent twice at once, and says what went wrong until that changes. */
export function FormDialog(props: FormProps): Html {
  const {
    id,
    title,
    submit,
    isDestructive = false,
    onClose,
    onInput,
    check,
    work,
    children,
  } = props;
  const open = useConsole();
  const { texts } = open;
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [troubles, setTroubles] = useState<Troubles>({});
  const [refusals, setRefusals] = useState(0);
  const fields = () => [...(form.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
  const nameOf = ({ dataset }: HTMLElement) => dataset['field'] ?? WHOLE;
  // The first wrong field, once for each time that the form was refused.
  useEffect(() => {
    const wrong = fields().find((one) => nameOf(one) in troubles);
    (wrong?.querySelector<HTMLElement>('input:enabled') ?? wrong)?.focus();
  }, [refusals]);
  const explained = (error: unknown): Troubles => {
    if (error instanceof FieldError) return error.troubles;
    const named = error instanceof VesfxError ? error.field : undefined;
    // What is said about a field of no form is said about the whole.
    const place =
      fields()
        .map(nameOf)
        .find((one) => one === named) ?? WHOLE;
    return { [place]: failureIn(error, open) };
  };
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy || form.current === null) return;
    setBusy(true);
    setTroubles({});
    try {
      const sent = new FormData(form.current);
      const wrong = form.current.querySelectorAll<HTMLInputElement>('input[data-field]:invalid');
      const said = [...wrong].map((one) => {
        const rule = one.validity.valueMissing ? undefined : texts.fieldRules[nameOf(one)];
        return [nameOf(one), rule ?? texts.fieldMissing] as const;
      });
      const found = { ...check?.(sent), ...Object.fromEntries(said) };
      if (Object.keys(found).length > 0) throw new FieldError(found);
      await work(sent);
    } catch (error) {
      setTroubles(explained(error));
      setRefusals((before) => before + 1);
      // Another tab removed what the form is about: the list behind it shows that.
      if (error instanceof VesfxError && error.status === 404) void open.refresh();
    } finally {
      setBusy(false);
    }
  };
  const onChange = ({ target }: Event) => {
    const changed = fields().find((one) => target instanceof Node && one.contains(target));
    setTroubles(({ [WHOLE]: _, [changed ? nameOf(changed) : WHOLE]: __, ...others }) => others);
    if (form.current !== null) onInput?.(new FormData(form.current));
  };
  const main = html`<button class="main${isDestructive ? ' danger' : ''}" disabled=${isBusy}>${submit}</button>`;
  const cancel = html`<button type="button" data-cancel onClick=${onClose}>${texts.cancel}</button>`;
  const content = html`<form id=${id} class="stack" novalidate ref=${form} onSubmit=${onSubmit} onInput=${onChange}>
<${FormTroubles.Provider} value=${troubles}>${children}<//>
<p class="trouble" role="alert">${troubles[WHOLE]}</p>
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
  readonly choices: readonly (readonly [value: string, text: string, help?: string])[];
  readonly chosen: readonly string[];
}

/** Boxes to tick, with the problem of the group below them. */
export function Ticks({ name, field, label, hint, choices, chosen }: TicksProps): Html {
  const said = useTrouble(field);
  return html`<fieldset class="ticks" data-field=${field}><legend>${label}</legend>
${hint && html`<p class="hint">${hint}</p>`}
<div>${choices.map(([value, text, help]) => html`<label class="tick" key=${value}><input type="checkbox" name=${name} value=${value} defaultChecked=${chosen.includes(value)} /> <span>${text}${help && html`<small>${help}</small>`}</span></label>`)}</div>
${said && html`<p class="hint trouble" role="alert">${said}</p>`}</fieldset>`;
}
