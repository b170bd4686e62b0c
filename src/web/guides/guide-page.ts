import { docsContents } from '../docs/docs-contents.ts';
import { DOCS_TEXTS } from '../docs/docs-texts.ts';
import { html } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { headingsOf, markdownHtml } from '../frame/markdown.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { type GuideFacts, guideText, guideTitle } from './guide-text.ts';
import { GUIDES, type GuideName } from './guides.ts';

/** A guide as a page. */
export function guidePage(view: PageView, name: GuideName, facts: GuideFacts): string {
  const { language } = view;
  const text = guideText(name, language, facts);
  const sections = headingsOf(text).filter(({ depth }) => depth === 2);
  return page(view, {
    title: `${guideTitle(name, language)} · vesfx`,
    description: GUIDES[name][language],
    kind: 'reference',
    content: html`<div class="columns">
${docsContents(view, [
  {
    name: guideTitle(name, language),
    links: sections.map((one) => ({ path: `#${one.anchor}`, text: one.text })),
  },
])}
<article class="guide">
${markdownHtml(text, (path) => linkTo(view, path))}
<p class="quiet"><a href="${linkTo(view, `/docs/${name}.md`)}">${DOCS_TEXTS[language].markdown}</a></p>
</article>
</div>`,
  });
}
