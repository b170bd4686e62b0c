import type { Market } from '../../domain/markets.ts';
import type { Plans } from '../../domain/plans.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language, Texts } from '../frame/language.ts';
import { page } from '../frame/layout.ts';
import { headingsOf, markdownHtml, markdownTable } from '../frame/markdown.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { GUIDES, type GuideName, guideFile } from '../guides/guides.ts';
import { type MethodologyFacts, methodologyText } from '../methodology/methodology-text.ts';
import { docsContents } from './docs-contents.ts';
import { DOCS_TEXTS } from './docs-texts.ts';
import { marketTable } from './market-table.ts';
import { planTable } from './plan-table.ts';
import { searchBox } from './search/search-box.ts';

/** The values for the placeholders of guides. */
export interface GuideFacts {
  /** Address of this service, without a slash at its end. */
  readonly publicUrl: string;
  readonly plans: Plans;
  readonly markets: readonly Market[];
}

/** A guide in Markdown, with the addresses and the plans of this service. */
export function guideText(name: GuideName, language: Language, facts: GuideFacts): string {
  return guideFile(name, language)
    .replaceAll('{{url}}', facts.publicUrl)
    .replaceAll('{{plans}}', () => markdownTable(planTable(facts.plans, language)))
    .replaceAll('{{markets}}', () => markdownTable(marketTable(facts.markets, language)));
}

/** A guide as a page, with a link to its Markdown. */
export function guidePage(view: PageView, name: GuideName, facts: GuideFacts): string {
  const { language } = view;
  return markdownPage(view, {
    text: guideText(name, language, facts),
    description: GUIDES[name][language],
    end: html`<p class="quiet"><a href="${linkTo(view, `/docs/${name}.md`)}">${DOCS_TEXTS[language].markdown}</a></p>
`,
  });
}

const METHODOLOGY_DESCRIPTION: Texts<string> = {
  es: 'Cómo hace vesfx el índice y todas las demás cifras.',
  en: 'How vesfx makes the index and every other figure.',
};

/** A sentence for readers of the file, who do not see the numbers of this service. */
const FOR_THE_FILE = /<!--file-->[\s\S]*?<!--\/file-->\s/g;

/** How every figure is made; anyone may read it without a key. */
export function methodologyPage(view: PageView, facts: MethodologyFacts): string {
  // The comments name the filled-in numbers, for editors of the text.
  const text = methodologyText(view.language, facts)
    .replaceAll(FOR_THE_FILE, '')
    .replaceAll(/<!--.*?-->/g, '');
  return markdownPage(view, { text, description: METHODOLOGY_DESCRIPTION[view.language] });
}

/** A page from a text in Markdown. The first heading is the title, the others form the contents. */
function markdownPage(
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
<div dangerouslySetInnerHTML=${{ __html: markdownHtml(text, (path) => linkTo(view, path)) }}></div>
${end}</article>
</div>`,
  });
}
