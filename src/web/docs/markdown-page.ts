import { type Html, html } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { headingsOf, markdownHtml } from '../frame/markdown.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { docsContents } from './docs-contents.ts';
import { searchBox } from './search/search-box.ts';

/** A page from a text in Markdown. The first heading is the title, the others form the contents. */
export function markdownPage(
  view: PageView,
  written: { readonly text: string; readonly description: string; readonly end?: Html },
): string {
  const { text, description, end } = written;
  const headings = headingsOf(text);
  const title = headings.find(({ depth }) => depth === 1)?.text ?? '';
  const sections = headings.filter(({ depth }) => depth === 2);
  return page(view, {
    title: `${title} · vesfx`,
    description,
    kind: 'reference',
    assets: ['search.js'],
    content: html`${searchBox(view.language)}
<div class="columns">
${docsContents(view, [
  {
    name: title,
    links: sections.map((one) => ({ path: `#${one.anchor}`, text: one.text })),
  },
])}
<article class="guide">
${markdownHtml(text, (path) => linkTo(view, path))}
${end}</article>
</div>`,
  });
}
