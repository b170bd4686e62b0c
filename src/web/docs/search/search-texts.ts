import { inBoth } from '../../frame/language.ts';

export const SEARCH_TEXTS = inBoth({
  es: {
    label: 'Buscar en la documentación',
    hint: 'Buscar',
    keyHint: 'Buscar (tecla /)',
    results: 'Resultados',
    wholePage: 'Página',
    searching: 'Buscando…',
    none: 'No se encontró nada. Pruebe con menos palabras.',
    failed: 'No se pudo cargar el buscador. Intente de nuevo.',
  },
  en: {
    label: 'Search the documentation',
    hint: 'Search',
    keyHint: 'Search (press /)',
    results: 'Results',
    wholePage: 'Page',
    searching: 'Searching…',
    none: 'Nothing was found. Try fewer words.',
    failed: 'The search could not be loaded. Try again.',
  },
});
