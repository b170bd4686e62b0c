import { VesfxError } from '../../../client/errors.ts';
import { element, language } from '../../frame/browser/elements.ts';
import { show } from '../../frame/browser/show.ts';
import type { Html } from '../../frame/html.ts';
import type { ConsoleReader } from '../console-reader.ts';
import { failureText } from '../failures.ts';

/** The language and texts, which the service wrote into the page. */
export const reader: ConsoleReader = {
  language,
  texts: JSON.parse(element('account', HTMLElement).dataset['texts'] ?? '{}'),
};
export const texts = reader.texts;

/** Appends a panel to the element, replacing a previous one, and announces it. */
export function openPanel(container: HTMLElement, content: Html): HTMLElement {
  container.querySelector('.panel')?.remove();
  const holder = document.createElement('div');
  show(holder, content);
  container.append(...holder.childNodes);
  const panel = container.querySelector<HTMLElement>('.panel');
  if (panel === null) throw new Error('the panel has no class');
  panel.querySelector('h3')?.focus();
  panel.scrollIntoView({ block: 'nearest' });
  return panel;
}

/** Focuses the first of the elements that exists. */
export function focusOn(place: HTMLElement, selectors: readonly string[]): void {
  for (const selector of selectors) {
    const match = place.querySelector<HTMLElement>(selector);
    if (match === null) continue;
    match.focus();
    return;
  }
}

/** @throws the error itself if it does not come from the API. */
export function failureIn(error: unknown): string {
  if (!(error instanceof VesfxError)) throw error;
  return failureText(error, reader);
}

/** Shows the error in the form and marks the field that it names. */
function showError(form: HTMLElement, error: unknown): void {
  if (error === undefined) showTrouble(form, '', undefined);
  else showTrouble(form, failureIn(error), error instanceof VesfxError ? error.field : undefined);
}

/**
 * Shows a sentence below its field, or at the form's own place for errors. An empty sentence
 * removes an earlier one.
 * @param name A field of the API, such as `origins`.
 */
export function showTrouble(form: HTMLElement, said: string, name: string | undefined): void {
  for (const input of form.querySelectorAll('[aria-invalid]')) {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-errormessage');
  }
  form.querySelector('.trouble.of-field')?.remove();
  const place = form.querySelector<HTMLElement>('.trouble');
  const fields = form.querySelectorAll<HTMLElement>('[data-field]');
  const field = [...fields].find((one) => one.dataset['field'] === name);
  if (place !== null) place.textContent = field === undefined ? said : '';
  if (said === '' || field === undefined) return;
  const sentence = document.createElement('p');
  sentence.className = 'trouble of-field';
  sentence.id = `${form.id}-trouble`;
  sentence.setAttribute('role', 'alert');
  (field.closest('fieldset') ?? field.closest('div'))?.append(sentence);
  // An alert is read aloud when its text changes.
  sentence.textContent = said;
  field.addEventListener('input', () => showTrouble(form, '', undefined), { once: true });
  if (field.matches('input')) {
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-errormessage', sentence.id);
    field.focus();
  } else field.querySelector<HTMLElement>('input:enabled')?.focus();
}

/** Runs the work when the form is sent, never twice at once. The form shows a failure. */
export function onSubmit(form: HTMLElement, work: () => Promise<void>): void {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector<HTMLButtonElement>('button.main');
    if (button === null || button.disabled) return;
    button.disabled = true;
    showError(form, undefined);
    try {
      await work();
    } catch (error) {
      showError(form, error);
    } finally {
      button.disabled = false;
    }
  });
}

/** The clicked element or its nearest ancestor with the attribute. */
export function clicked(event: Event, attribute: string): string | undefined {
  const target = event.target instanceof Element ? event.target.closest(`[${attribute}]`) : null;
  return target?.getAttribute(attribute) ?? undefined;
}
