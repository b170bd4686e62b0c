import { type Language, languageNamed } from '../../../../core/domain/words/language.ts';

export const language: Language = languageNamed(document.documentElement.lang) ?? 'es';
/** Whether the address names the language. If so, links must repeat it. */
export const languageChosen =
  languageNamed(new URLSearchParams(location.search).get('lang')) !== undefined;

/** The element with the id. Call it only for elements that the server always writes. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const namedElement = document.getElementById(id);
  if (namedElement instanceof kind) return namedElement;
  throw new Error(`there is no ${kind.name} #${id}`);
}
