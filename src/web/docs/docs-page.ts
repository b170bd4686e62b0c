import type { Plans } from '../../domain/plans.ts';
import { type Html, html, inlineCode, paragraphs } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { codeBlock } from '../frame/markdown.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { type TextTable, table } from '../frame/table.ts';
import { GUIDE_NAMES, GUIDES, guideTitle } from '../guides/guides.ts';
import type { ApiDocument } from './api-document.ts';
import { docsContents } from './docs-contents.ts';
import type { DocsTexts } from './docs-texts.ts';
import {
  ERROR_SAMPLE,
  referenceText,
  type ShownExample,
  type ShownOperation,
} from './reference.ts';
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

function textTable({ label, columns, rows }: TextTable): Html {
  return table(
    label,
    columns,
    // A stacked cell sets its column's name beside the whole text.
    rows.map((row) => row.map((text) => html`<span>${inlineCode(text)}</span>`)),
    // A description beside three more columns has no room on a phone.
    { stacks: columns.some(({ kind }) => kind === 'wide') },
  );
}

function foldedTable(summary: string, shown: TextTable): Html {
  return html`<details><summary>${summary}</summary>${textTable(shown)}</details>`;
}

function foldedExample({ type, summary, text }: ShownExample): Html {
  const kind = type !== 'application/json' && html` <span class="quiet">(${type})</span>`;
  return html`<details><summary>${summary}${kind}</summary>${codeBlock(text)}</details>`;
}

/** Shows the first JSON example and folds the others. */
function answerSection({ answer }: ShownOperation, texts: DocsTexts): Html {
  if (answer === undefined) return undefined;
  const { status, about, examples, fields } = answer;
  const [first, ...others] = examples;
  return html`<h4>${texts.answer} ${status}</h4>
${first === undefined ? html`<p>${about}</p>` : html`<p>${first.summary}:</p>${codeBlock(first.text)}`}
${others.map(foldedExample)}
${fields.map((shown) => foldedTable(shown.title, shown))}`;
}

function operationSection(
  shown: ShownOperation,
  texts: DocsTexts,
  { consoleAddress }: { readonly consoleAddress: string },
): Html {
  const { id, title, method, path, facts, description, curl, parameters, body, errors } = shown;
  return html`<section class="operation" id="${id}">
<h3>${title}</h3>
<p class="call"><span class="method">${method}</span> <span>${path}</span></p>
<ul class="facts">
${facts.map((fact) => html`<li>${fact}</li>\n`)}</ul>
${description !== '' && paragraphs(description)}
${codeBlock(curl)}
${shown.tried && html`<p class="try"><a href="${consoleAddress}">${texts.tryIt}</a></p>\n`}${parameters !== undefined && html`<h4>${texts.parameters}</h4>\n${textTable(parameters)}`}
${body !== undefined && html`<h4>${texts.body}</h4>\n<p>${inlineCode(body.about)}</p>`}
${body?.fields !== undefined && textTable(body.fields)}
${answerSection(shown, texts)}
${foldedTable(texts.errors, errors)}
</section>`;
}
