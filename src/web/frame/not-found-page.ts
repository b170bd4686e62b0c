import { html } from './html.ts';
import { inBoth } from './language.ts';
import { page } from './layout.ts';
import { linkTo, type PageView } from './page-view.ts';

const TEXTS = inBoth({
  es: {
    title: 'Esta página no existe',
    advice: 'Revise la dirección, o siga desde aquí:',
    board: 'Las tasas',
    docs: 'La documentación',
  },
  en: {
    title: 'There is no such page',
    advice: 'Check the address, or go on from here:',
    board: 'The rates',
    docs: 'The documentation',
  },
});

/** The page for an unknown address. It repeats no part of the address. */
export function notFoundPage(view: PageView): string {
  const { title, advice, board, docs } = TEXTS[view.language];
  return page(view, {
    title: `${title} · vesfx`,
    description: title,
    kind: 'missing',
    content: html`<h1>${title}</h1>
<p>${advice}</p>
<ul>
<li><a href="${linkTo(view, '/')}">${board}</a></li>
<li><a href="${linkTo(view, '/docs')}">${docs}</a></li>
</ul>`,
  });
}
