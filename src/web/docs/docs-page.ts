import type { Plans } from '../../domain/plans.ts';
import { html, inlineCode, paragraphs } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { guideTitle } from '../guides/guide-text.ts';
import { GUIDE_NAMES, GUIDES } from '../guides/guides.ts';
import type { ApiDocument } from './api-document.ts';
import { docsContents } from './docs-contents.ts';
import { codeBlock, operationSection, textTable } from './docs-operation.ts';
import { ERROR_SAMPLE, referenceText } from './reference.ts';
import { searchBox } from './search/search-box.ts';

/** The guides and the reference, which comes from the OpenAPI document and needs no script. */
export function docsPage(
  view: PageView,
  { document, plans }: { readonly document: ApiDocument; readonly plans: Plans },
): string {
  const { language } = view;
  const { texts, ...reference } = referenceText(document, plans, language);
  const contents = docsContents(view, [
    {
      name: texts.reference,
      links: [
        { path: '#start', text: texts.start },
        { path: '#plans', text: texts.plans },
        { path: '#errors', text: texts.errors },
        { path: '#headers', text: texts.headers },
      ],
    },
    ...reference.groups.map(({ name, operations }) => ({
      name,
      links: operations.map(({ id, title }) => ({ path: `#${id}`, text: title })),
    })),
  ]);
  return page(view, {
    title: texts.title,
    description: texts.description,
    kind: 'reference',
    assets: ['search.js'],
    content: html`${searchBox(language)}
<div class="columns">
${contents}
<div>
<h1>${texts.heading}</h1>
<h2 id="guides">${texts.guides}</h2>
<ul class="guide-list">
${GUIDE_NAMES.map(
  (name) => html`<li><a href="${linkTo(view, `/docs/${name}`)}">${guideTitle(name, language)}</a>
<span>${GUIDES[name][language]}</span></li>
`,
)}</ul>
<section id="start">
<h2>${texts.reference}</h2>
${paragraphs(reference.about)}
<p>${texts.addresses} <code>${reference.baseUrl}</code>.</p>
<p>${texts.programs}: <a href="/openapi.json">openapi.json</a>.
<a href="${linkTo(view, '/docs/reference.md')}">${texts.markdown}</a>.</p>
</section>
<section id="plans">
<h2>${texts.plans}</h2>
<p>${texts.plansAbout}
<a href="${linkTo(view, '/docs/markets')}">${texts.marketPlans}</a>.</p>
${textTable(reference.plans)}
</section>
<section id="errors">
<h2>${texts.errors}</h2>
<p>${inlineCode(texts.errorsAbout)}</p>
${codeBlock(ERROR_SAMPLE)}
${textTable(reference.errors)}
</section>
<section id="headers">
<h2>${texts.headers}</h2>
${textTable(reference.headers)}
</section>
${reference.groups.map(
  ({ name, about, operations }) => html`<h2>${name}</h2>
<p>${about}</p>
${operations.map((shown) => {
  const consoleAddress = linkTo(view, `/console?try=${shown.id}`);
  return operationSection(shown, texts, { consoleAddress });
})}
`,
)}</div>
</div>`,
  });
}
