import { html } from './html.ts';
import { inBoth } from './language.ts';
import { page } from './layout.ts';
import { linkTo, type PageView } from './page-view.ts';

const TEXTS = inBoth({
  es: {
    title: 'Esta página no existe',
    advice: 'Revise la dirección, o siga desde aquí:',
    board: ['Tasas', 'Las de hoy y de otros días, con un conversor.'],
    docs: ['Documentación', 'La API, sus guías y sus recetas.'],
    status: ['Estado', 'Si las tasas están al día.'],
  },
  en: {
    title: 'There is no such page',
    advice: 'Check the address, or go on from here:',
    board: ['Rates', 'Those of today and of other days, with a converter.'],
    docs: ['Documentation', 'The API, its guides and its recipes.'],
    status: ['Status', 'Whether the rates are up to date.'],
  },
});

const WAYS = [
  { path: '/', way: 'board' },
  { path: '/docs', way: 'docs' },
  { path: '/status', way: 'status' },
] as const;

/** The page for an unknown address. It repeats no part of the address. */
export function notFoundPage(view: PageView): string {
  const { title, advice, ...ways } = TEXTS[view.language];
  return page(view, {
    title: `${title} · vesfx`,
    description: title,
    kind: 'missing',
    content: html`<h1>${title}</h1>
<p>${advice}</p>
<ul class="ways">
${WAYS.map(({ path, way }) => {
  const [name, about] = ways[way];
  return html`<li><a href="${linkTo(view, path)}"><strong>${name}</strong> ${about}</a></li>\n`;
})}</ul>`,
  });
}
