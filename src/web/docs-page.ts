import type { Plan, Plans } from '../domain/plans.ts';
import type { ApiDocument } from './api-document.ts';
import { operationSection, type ShownOperation } from './docs-operation.ts';
import { type Html, type HtmlValue, html, paragraphs } from './html.ts';
import { page, table } from './layout.ts';
import { inEnglish, type PageView } from './page-view.ts';

const FIGURES = new Intl.NumberFormat('en-US');

function operationsOf(document: ApiDocument): readonly ShownOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

function contents(document: ApiDocument, operations: readonly ShownOperation[]): Html {
  const groups = document.tags.map(
    ({ name }) => html`<li>${name}
<ul>
${operations
  .filter(({ operation }) => operation.tags.includes(name))
  .map(
    ({ operation }) =>
      html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>\n`,
  )}</ul></li>
`,
  );
  return html`<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary>
<ul>
<li><a href="#start">Start</a></li>
<li><a href="#plans">Plans</a></li>
<li><a href="#errors">Errors</a></li>
<li><a href="#headers">Headers</a></li>
${groups}</ul></details></nav>`;
}

function limit(value: number | null): string {
  return value === null ? 'no limit' : FIGURES.format(value);
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function planRows(plans: Plans): readonly (readonly HtmlValue[])[] {
  const row = (label: string, cell: (plan: Plan) => string): readonly HtmlValue[] => [
    label,
    ...plans.list.map(cell),
  ];
  return [
    row('Units a UTC month', ({ unitsPerMonth }) => limit(unitsPerMonth)),
    row('Requests a minute', ({ requestsPerMinute }) => limit(requestsPerMinute)),
    row('Days of history', ({ historyDays }) => limit(historyDays)),
    row('Formats', ({ formats }) => formats.join(', ')),
    row('Live keys', ({ keysMax }) => limit(keysMax)),
    row('Markup rules', ({ markupsMax }) => limit(markupsMax)),
    row('Market catalogue', ({ features }) => yesNo(features.includes('markets'))),
    row('Spread', ({ features }) => yesNo(features.includes('spread'))),
    row('Bulk conversion', ({ features }) => yesNo(features.includes('bulk_convert'))),
    row('Batches an hour', ({ features, bulkCallsPerHour }) =>
      features.includes('bulk_convert') ? limit(bulkCallsPerHour) : '',
    ),
    row('Route', ({ features }) => yesNo(features.includes('route'))),
  ];
}

function planTable(plans: Plans): Html {
  const columns = plans.list.map(({ name }) => ({ label: name, kind: 'figure' as const }));
  return table('Plans', [{ label: 'Plan' }, ...columns], planRows(plans));
}

function errorTable(document: ApiDocument): Html {
  return table(
    'Errors',
    [{ label: 'Code' }, { label: 'Status', kind: 'figure' }, { label: 'Meaning', kind: 'wide' }],
    document['x-errors'].map(({ code, status, message }) => [
      html`<code>${code}</code>`,
      status,
      message,
    ]),
  );
}

function headerTable(document: ApiDocument): Html {
  return table(
    'Headers of answers',
    [{ label: 'Header' }, { label: 'Example', kind: 'nowrap' }, { label: 'Meaning', kind: 'wide' }],
    Object.entries(document.components.headers).map(([name, { example, description }]) => [
      html`<code>${name}</code>`,
      html`<code>${String(example)}</code>`,
      description,
    ]),
  );
}

const ERROR_SAMPLE = JSON.stringify(
  { code: 'missing_field', message: 'amount is required.', field: 'amount' },
  undefined,
  2,
);

/** The API reference, made from the OpenAPI document; it needs no script. */
export function docsPage(
  view: PageView,
  { document, plans }: { readonly document: ApiDocument; readonly plans: Plans },
): string {
  const operations = operationsOf(document);
  const groups = document.tags.map(
    ({ name, description }) => html`<h2>${name}</h2>
<p>${description}</p>
${operations
  .filter(({ operation }) => operation.tags.includes(name))
  .map((shown) => operationSection(document, shown))}
`,
  );
  return page(inEnglish(view), {
    title: 'API reference · vesfx',
    description: 'Every endpoint of vesfx with its parameters, answers and errors.',
    kind: 'reference',
    content: html`<div class="columns">
${contents(document, operations)}
<div>
<h1>API reference</h1>
<section id="start">
${paragraphs(document.info.description)}
<p>The addresses below start at <code>${document.servers[0]?.url}</code>. How each figure is made is
told on the page <a href="/methodology">Methodology</a>; <a href="/openapi.json">openapi.json</a> is
this reference for programs (interface version ${document.info.version}).</p>
</section>
<section id="plans">
<h2>Plans</h2>
<p>Units and limits belong to the account and are shared by its keys. Some markets need a dearer
plan too: the market catalogue says which.</p>
${planTable(plans)}
</section>
<section id="errors">
<h2>Errors</h2>
<p>Every error has the same body. <code>field</code> and <code>details</code> are there when they
have something to say.</p>
<pre tabindex="0"><code>${ERROR_SAMPLE}</code></pre>
${errorTable(document)}
</section>
<section id="headers">
<h2>Headers of answers</h2>
${headerTable(document)}
</section>
${groups}
</div>
</div>`,
  });
}
