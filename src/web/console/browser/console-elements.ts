import { VesfxError } from '../../../client/errors.ts';
import type { Html } from '../../frame/html.ts';
import type { Language } from '../../frame/language.ts';
import { CONSOLE_TEXTS, filled } from '../texts.ts';

export const language: Language = document.documentElement.lang === 'en' ? 'en' : 'es';
export const texts = CONSOLE_TEXTS[language];

/** Puts markup, which is safe by its making, into an element. */
export function show(element: HTMLElement, content: Html): void {
  element.innerHTML = content.markup;
}

/** Appends a panel to the element, replacing a previous one, and announces it. */
export function openPanel(container: HTMLElement, content: Html): HTMLElement {
  container.querySelector('.panel')?.remove();
  container.insertAdjacentHTML('beforeend', content.markup);
  const panel = container.querySelector<HTMLElement>('.panel');
  if (panel === null) throw new Error('the panel has no class');
  panel.querySelector('h3')?.focus();
  panel.scrollIntoView({ block: 'nearest' });
  return panel;
}

export function failureText(error: unknown): string {
  if (!(error instanceof VesfxError)) throw error;
  const { code, message } = error;
  const failures: Readonly<Record<string, string>> = texts.failures;
  const said = failures[code] ?? texts.failures.other;
  // Only the API knows why a value is wrong or what the plan allows.
  const isVague = code === 'invalid_format' || code === 'feature_not_in_plan';
  return isVague ? `${said} ${filled(texts.serviceSaid, { message })}` : said;
}

/** Says what went wrong where the form has a place for it, and marks the field that it is about. */
function showError(form: HTMLElement, error: unknown): void {
  const said = error === undefined ? '' : failureText(error);
  showTrouble(form, said, error instanceof VesfxError ? error.field : undefined);
}

/** `name` is a field of the API, such as `origins`. An empty sentence takes an earlier one away. */
export function showTrouble(form: HTMLElement, said: string, name: string | undefined): void {
  const place = form.querySelector('.trouble');
  if (place !== null) place.textContent = said;
  for (const input of form.querySelectorAll<HTMLElement>('[data-field]')) {
    if (said === '' || input.dataset['field'] !== name) {
      input.removeAttribute('aria-invalid');
      continue;
    }
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  }
}

/** Runs the work of a form once at a time, and shows its failure in the form. */
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

/** The element that a click was meant for, by an attribute of its own. */
export function clicked(event: Event, attribute: string): string | undefined {
  const target = event.target instanceof Element ? event.target.closest(`[${attribute}]`) : null;
  return target?.getAttribute(attribute) ?? undefined;
}

/** Copies the text of an element, and says beside its button whether that worked. */
export async function copyText(button: Element, source: HTMLElement): Promise<void> {
  const status = button.parentElement?.querySelector('[role=status]');
  let said = texts.copied;
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
  } catch {
    // Without a secure connection there is no clipboard: then the text is at least selected.
    getSelection()?.selectAllChildren(source);
    said = texts.notCopied;
  }
  if (status !== null && status !== undefined) status.textContent = said;
}
