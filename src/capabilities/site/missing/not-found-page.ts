import { html } from '../../../core/http/framework/encoding/html.ts';
import { docsFrame, searchPlace } from '../docs/docs-frame.ts';
import { nearestPlace } from '../docs/docs-places.ts';
import { page } from '../frame/layout.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { MISSING_TEXTS } from '../texts/texts.ts';

const WAYS = [
  { path: '/', way: 'board' },
  { path: '/docs', way: 'docs' },
  { path: '/status', way: 'status' },
] as const;

/**
 * The page for an unknown address, which among the documentation has its index. It repeats no part of
 * the address, and offers the page at `near` if one is similar.
 */
export function notFoundPage(
  view: PageView,
  { near, isDocs }: { readonly near: string | undefined; readonly isDocs: boolean },
): string {
  const { title, advice, near: nearby, ...ways } = MISSING_TEXTS[view.language];
  const place = near === undefined ? undefined : nearestPlace(near, view.language);
  const places = html`<ul class="ways">
${WAYS.map(({ path, way }) => {
  const [name, about] = ways[way];
  return html`<li><a href="${linkTo(view, path)}"><strong>${name}</strong> ${about}</a></li>\n`;
})}</ul>`;
  const words = html`<h1>${title}</h1>
${place && html`<p>${nearby} <a href="${linkTo(view, place.path)}">${place.title}</a></p>\n`}<p>${advice}</p>\n`;
  if (isDocs) {
    return docsFrame(view, {
      ...{ title, description: title, sections: [] },
      content: html`${words}${places}`,
    });
  }
  return page(view, {
    title: `${title} · vesfx`,
    description: title,
    assets: ['docs.js'],
    content: html`${words}${searchPlace(view)}\n${places}`,
  });
}
