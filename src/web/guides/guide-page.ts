import { DOCS_TEXTS } from '../docs/docs-texts.ts';
import { markdownPage } from '../docs/markdown-page.ts';
import { html } from '../frame/html.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { type GuideFacts, guideText } from './guide-text.ts';
import { GUIDES, type GuideName } from './guides.ts';

export function guidePage(view: PageView, name: GuideName, facts: GuideFacts): string {
  const { language } = view;
  return markdownPage(view, {
    text: guideText(name, language, facts),
    description: GUIDES[name][language],
    end: html`<p class="quiet"><a href="${linkTo(view, `/docs/${name}.md`)}">${DOCS_TEXTS[language].markdown}</a></p>
`,
  });
}
