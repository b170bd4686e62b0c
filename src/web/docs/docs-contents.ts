import { type Html, html } from '../frame/html.ts';
import { LAYOUT_TEXTS } from '../frame/layout-texts.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { GUIDE_NAMES, guideTitle } from '../guides/guides.ts';
import { DOCS_TEXTS } from './docs-texts.ts';

interface ContentsGroup {
  readonly name: string;
  readonly links: readonly { readonly path: string; readonly text: string }[];
}

/** The list of pages and of this page's sections; folded on a small screen. */
export function docsContents(view: PageView, groups: readonly ContentsGroup[]): Html {
  const texts = DOCS_TEXTS[view.language];
  const pages = [
    { path: '/docs', text: texts.reference },
    ...GUIDE_NAMES.map((name) => ({
      path: `/docs/${name}`,
      text: guideTitle(name, view.language),
    })),
    { path: '/methodology', text: LAYOUT_TEXTS[view.language].methodology },
  ];
  const link = ({ path, text }: ContentsGroup['links'][number]) => {
    const address = path.startsWith('#') ? path : linkTo(view, path);
    return html`<li><a href="${address}" aria-current=${path === view.path ? 'page' : undefined}>${text}</a></li>\n`;
  };
  return html`<nav class="contents" tabindex="0" aria-label="${texts.contents}">
<details><summary>${texts.contents}</summary>
<ul>
<li><strong>${texts.heading}</strong>
<ul>
${pages.map(link)}</ul></li>
${groups.map(
  ({ name, links }) => html`<li><strong>${name}</strong>
<ul>
${links.map(link)}</ul></li>
`,
)}</ul></details></nav>`;
}
