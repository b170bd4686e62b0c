import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { page } from '../frame/layout.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { Sections, type SectionsProps } from '../text/page-sections.ts';
import { DOCS_TEXTS, SEARCH_TEXTS } from '../texts/texts.ts';
import { type DocsPlace, docsGroups } from './docs-places.ts';
import { Search } from './search/search-box.ts';

interface DocsFrame {
  readonly title: string;
  readonly description: string;
  readonly sections: SectionsProps['sections'];
  /** The page as Markdown. */
  readonly markdown?: string;
  readonly content: Html;
}

/** A page of the documentation: the index at its side, and the ways to its neighbours. */
export function docsFrame(view: PageView, frame: DocsFrame): string {
  const texts = DOCS_TEXTS[view.language];
  const groups = docsGroups(view.language);
  const places = groups.flatMap((group) => group.places);
  const at = places.findIndex(({ path }) => path === view.path);
  const group = groups.find(({ places: of }) => of.some(({ path }) => path === view.path));
  const { markdown } = frame;
  return page(view, {
    title: `${frame.title} · vesfx`,
    description: frame.description,
    kind: 'reference',
    assets: ['docs.js'],
    content: html`<div class="docs">
<div class="side" id="contents">
${searchPlace(view)}
<nav class="contents" tabindex="0" aria-label="${texts.contents}">
<details><summary>${group && html`<span>${group.name}</span> `}<b>${group ? frame.title : texts.heading}</b></summary>
${groups.map(
  ({ name, places: of }) => html`<h2>${name}</h2>
<ul>
${of.map((place) => placeLink(view, place, frame.sections))}</ul>
`,
)}</details></nav>
</div>
<article class="guide">
${group && html`<p class="crumb">${group.name}</p>\n`}${frame.content}
${markdown !== undefined && html`<p class="quiet as-markdown"><a href="${linkTo(view, markdown)}">${texts.markdown}</a></p>\n`}${
  group &&
  html`<nav class="neighbours" aria-label="${texts.neighbours}">
${neighbour(view, 'prev', places[at - 1] ?? { path: '/docs', title: texts.heading })}
${neighbour(view, 'next', places[at + 1])}
</nav>
`
}<a class="button to-contents no-print" href="#contents" title="${texts.toContents}" aria-label="${texts.toContents}">↑</a>
</article>
</div>`,
  });
}

/** The search. Its script goes on with it, in these words: it brings none, to be small. */
export function searchPlace({ language, languageChosen }: PageView): Html {
  const texts = SEARCH_TEXTS[language];
  return html`<div id="search" data-texts=${JSON.stringify(texts)}><${Search} ...${{ language, languageChosen, texts }} /></div>`;
}

function placeLink(view: PageView, place: DocsPlace, sections: DocsFrame['sections']): Html {
  if (place.path !== view.path) {
    return html`<li><a href="${linkTo(view, place.path)}">${place.title}</a></li>\n`;
  }
  return html`<li><a href="${linkTo(view, place.path)}" aria-current="page">${place.title}</a>
<div id="sections" data-sections="${JSON.stringify(sections)}"><${Sections} sections=${sections} /></div></li>
`;
}

function neighbour(
  view: PageView,
  rel: 'prev' | 'next',
  place: Pick<DocsPlace, 'path' | 'title'> | undefined,
): Html {
  if (place === undefined) return undefined;
  const texts = DOCS_TEXTS[view.language];
  return html`<a class="${rel}" rel="${rel}" href="${linkTo(view, place.path)}"><small>${texts[rel]}</small>${' '}${place.title}</a>`;
}
