import { type Language, languageNamed } from '../language.ts';

export const language: Language = languageNamed(document.documentElement.lang) ?? 'es';
/** Whether the address names the language, so that links carry it on. */
export const languageChosen =
  languageNamed(new URLSearchParams(location.search).get('lang')) !== undefined;

/** Elements of the page by their id. What the server always writes is there. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`there is no ${kind.name} #${id}`);
}

/** Only when it changes: what stays keeps its focus. `html` has escaped the markup. */
export function show(place: HTMLElement, markup: string): void {
  if (lastMarkup.get(place) === markup) return;
  lastMarkup.set(place, markup);
  place.innerHTML = markup;
}

const lastMarkup = new WeakMap<HTMLElement, string>();

/** Copies the text of an element. Without a clipboard, which needs TLS, it is at least selected. */
export async function copyText(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
}
