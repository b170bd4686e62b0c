import { searchPlace } from '../docs/docs-frame.ts';
import { nearestPlace } from '../docs/docs-places.ts';
import { html } from '../frame/html.ts';
import { inBoth } from '../frame/language.ts';
import { page } from '../frame/layout.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';

const TEXTS = inBoth({
  es: {
    title: 'Esta página no existe',
    near: '¿Buscaba esta?',
    advice: 'Revise la dirección, o siga desde aquí:',
    board: ['Tasas', 'Las de hoy y de otros días, con un conversor.'],
    docs: ['Documentación', 'La API, sus guías y sus recetas.'],
    status: ['Estado', 'Si las tasas están al día.'],
  },
  en: {
    title: 'There is no such page',
    near: 'Did you look for this one?',
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

/**
 * The page for an unknown address. It repeats no part of the address, and offers the page at `near`
 * if one is similar.
 */
export function notFoundPage(view: PageView, near: string | undefined): string {
  const { title, advice, near: nearby, ...ways } = TEXTS[view.language];
  const place = near === undefined ? undefined : nearestPlace(near, view.language);
  return page(view, {
    title: `${title} · vesfx`,
    description: title,
    kind: 'missing',
    assets: ['docs.js'],
    content: html`<h1>${title}</h1>
${place && html`<p>${nearby} <a href="${linkTo(view, place.path)}">${place.title}</a></p>\n`}<p>${advice}</p>
${searchPlace(view)}
<ul class="ways">
${WAYS.map(({ path, way }) => {
  const [name, about] = ways[way];
  return html`<li><a href="${linkTo(view, path)}"><strong>${name}</strong> ${about}</a></li>\n`;
})}</ul>`,
  });
}
