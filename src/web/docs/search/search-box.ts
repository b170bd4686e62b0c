import { type Html, html } from '../../frame/html.ts';
import { inBoth, type Language } from '../../frame/language.ts';
import type { SearchEntry } from './search.ts';

export const SEARCH_TEXTS = inBoth({
  es: {
    label: 'Buscar en la documentación',
    hint: 'Buscar',
    keyHint: 'Buscar (tecla /)',
    results: 'Resultados',
    wholePage: 'Página',
    none: 'No se encontró nada. Pruebe con menos palabras.',
    failed: 'No se pudo cargar el buscador. Intente de nuevo.',
    count: (count: number) => (count === 1 ? '1 resultado' : `${count} resultados`),
  },
  en: {
    label: 'Search the documentation',
    hint: 'Search',
    keyHint: 'Search (press /)',
    results: 'Results',
    wholePage: 'Page',
    none: 'Nothing was found. Try fewer words.',
    failed: 'The search could not be loaded. Try again.',
    count: (count) => (count === 1 ? '1 result' : `${count} results`),
  },
});

/** Most characters of a query. */
const MAX_QUERY_LENGTH = 80;

/** The field. It is hidden until its script runs. */
export function searchBox(language: Language): Html {
  const { label, hint, results } = SEARCH_TEXTS[language];
  return html`<form class="search no-print" role="search" id="search" hidden>
<label class="unseen" for="search-words">${label}</label>
<input type="search" id="search-words" placeholder="${hint}" maxlength="${MAX_QUERY_LENGTH}" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go" aria-keyshortcuts="/" />
<p class="unseen" role="status" id="search-said"></p>
<div class="found" id="search-found" role="region" aria-label="${results}" hidden></div>
</form>`;
}

/** The results as links. `address` gives the address of a path in the reader's language. */
export function foundList(
  found: readonly SearchEntry[],
  language: Language,
  address: (path: string) => string,
): Html {
  if (found.length === 0) return html`<p>${SEARCH_TEXTS[language].none}</p>`;
  return html`<ul>
${found.map(
  ({ title, place, path, about }) => html`<li><a href="${address(path)}"><strong>${title}</strong>
<span>${place === title ? SEARCH_TEXTS[language].wholePage : place}</span>
<small>${about}</small></a></li>
`,
)}</ul>`;
}
