import { useEffect, useState } from 'preact/hooks';
import type { Language } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { copyText } from '../frame/copy-text.ts';
import { CODE_TEXTS } from '../texts/texts.ts';
import { CODE_NAMES } from './samples.ts';

export interface CodeHeadProps {
  readonly language: Language;
  /** Kinds of the blocks below, of which the reader chooses one; empty for a single block. */
  readonly kinds: readonly string[];
  /** What the single block is. */
  readonly label: string;
}

/** Where the browser keeps the choice, for all pages. */
const KEY = 'vesfx-code';
const CHANGED = 'codechange';
const COPY_MARK = 'M9 9h11v12H9zM15 9V3H4v12h5';
const DONE_MARK = 'M4 12l6 6L20 6';
/** How long the button shows that the text was copied. */
const SAID_MS = 2_000;

/** The choice stands at the root of the page, where the stylesheet reads it. */
function useChosenCode(): string | undefined {
  const [chosen, setChosen] = useState<string | undefined>();
  useEffect(() => {
    const read = () => setChosen(document.documentElement.dataset['code']);
    read();
    addEventListener(CHANGED, read);
    return () => removeEventListener(CHANGED, read);
  }, []);
  return chosen;
}

/** Blocks above may change their height; the pressed button stays where it is. */
function choose(kind: string, button: HTMLElement): void {
  const before = button.getBoundingClientRect().top;
  document.documentElement.dataset['code'] = kind;
  try {
    localStorage.setItem(KEY, kind);
  } catch {}
  dispatchEvent(new Event(CHANGED));
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
}

const SEEN = { visibilityProperty: true };

/** The visible block below a head. */
function blockBelow(button: HTMLElement): HTMLElement | undefined {
  const head = button.parentElement;
  for (let next = head?.nextElementSibling; next; next = next.nextElementSibling) {
    const block = next.matches('pre') ? next : next.querySelector('pre');
    if (block instanceof HTMLElement && block.checkVisibility(SEEN)) return block;
  }
  return undefined;
}

/** The line above code: what it is or the choice of languages, and the button that copies it. */
export function CodeHead({ language, kinds, label }: CodeHeadProps): Html {
  const texts = CODE_TEXTS[language];
  const chosen = useChosenCode();
  const [done, setDone] = useState<boolean | undefined>();
  useEffect(() => {
    if (done === undefined) return;
    const timer = setTimeout(() => setDone(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const shown = kinds.find((kind) => kind === chosen) ?? kinds[0];
  const copy = async ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const block = blockBelow(currentTarget);
    if (block !== undefined) setDone(await copyText(block));
  };
  const choice = (kind: string) => html`<button type="button" aria-pressed="${kind === shown}"
onClick=${(event: { currentTarget: HTMLElement }) => choose(kind, event.currentTarget)}>${CODE_NAMES[kind]}</button>`;
  const said = done === undefined ? '' : texts[done ? 'copied' : 'failed'];
  return html`${
    kinds.length > 0
      ? html`<div class="kinds" role="group" aria-label="${texts.language}">${kinds.map(choice)}</div>`
      : html`<span>${label}</span>`
  }<button type="button" class="copy" title="${texts.copy}" aria-label="${texts.copy}" onClick=${copy}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${done ? DONE_MARK : COPY_MARK}"/></svg></button><span class="unseen" role="status">${said}</span>`;
}
