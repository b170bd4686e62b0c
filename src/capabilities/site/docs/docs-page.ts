import {
  type Html,
  html,
  inlineCode,
  paragraphs,
} from '../../../core/http/framework/encoding/html.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { type TextTable, table } from '../frame/table.ts';
import { codeBlock, codeBlocks, foldedBlock } from '../text/code-block.ts';
import type { DocsTexts } from '../texts/es/docs.ts';
import { REFERENCE, REFERENCE_ERRORS } from './docs-addresses.ts';
import { docsFrame } from './docs-frame.ts';
import {
  FACT_DOT,
  type ReferenceText,
  type ShownExample,
  type ShownOperation,
} from './reference.ts';
import { ERROR_SAMPLE } from './reference-tables.ts';

/** What holds for the whole reference, which comes from the OpenAPI document and needs no script. */
export function referencePage(view: PageView, { texts, ...reference }: ReferenceText): string {
  return docsFrame(view, {
    title: texts.start,
    description: texts.description,
    markdown: `${REFERENCE}.md`,
    sections: [
      { anchor: 'addresses', text: texts.addressesTitle },
      { anchor: 'headers', text: texts.headers },
    ],
    content: html`<h1>${texts.start}</h1>
${paragraphs(reference.about)}
<h2 id="addresses">${texts.addressesTitle}</h2>
<p>${texts.addresses} <code>${reference.baseUrl}</code>.</p>
<p>${texts.programs}: <a href="/openapi.json">openapi.json</a>.</p>
<h2 id="headers">${texts.headers}</h2>
${factList(reference.headers, texts)}`,
  });
}

/** Every error code, and what each plan allows. */
export function referenceErrorsPage(
  view: PageView,
  { texts, ...reference }: ReferenceText,
): string {
  return docsFrame(view, {
    title: texts.errorsAndLimits,
    description: texts.errorsAndLimitsAbout,
    markdown: `${REFERENCE_ERRORS}.md`,
    sections: [
      { anchor: 'errors', text: texts.errors },
      { anchor: 'rules', text: texts.rules },
      { anchor: 'plans', text: texts.plans },
    ],
    content: html`<h1>${texts.errorsAndLimits}</h1>
<h2 id="errors">${texts.errors}</h2>
<p>${inlineCode(texts.errorsAbout)}</p>
${codeBlock(ERROR_SAMPLE, view.language)}
${errorList(reference.errors, texts)}
<h2 id="rules">${texts.rules}</h2>
<p>${inlineCode(texts.rulesAbout)}</p>
${wordTable(reference.rules)}
<h2 id="plans">${texts.plans}</h2>
<p>${texts.plansAbout}${' '}<a href="${linkTo(view, '/docs/markets')}">${texts.marketPlans}</a>.</p>
${wordTable(reference.plans)}`,
  });
}

/** A group of the reference with all its endpoints. */
export function groupPage(
  view: PageView,
  { texts, groups, samplesSaid }: ReferenceText,
  tag: string,
): string {
  const group = groups.find((one) => one.tag === tag);
  if (group === undefined) throw new Error(`the document has no group ${tag}`);
  return docsFrame(view, {
    title: group.name,
    description: group.about,
    markdown: `${view.path}.md`,
    sections: group.operations.map(({ id, title }) => ({ anchor: id, text: title })),
    content: html`<h1>${group.name}</h1>
<p class="lead">${group.about}</p>
${group.operations.length > 0 && html`<p class="quiet">${samplesSaid}</p>\n`}${group.operations.map((shown) => operationSection(shown, texts, view))}`,
  });
}

function wordTable({ label, columns, rows }: TextTable): Html {
  return table(
    label,
    columns,
    rows.map((row) => row.map((text) => inlineCode(text))),
  );
}

/** A table of three columns as a list: a name with its facts in a line, and below what it means. */
function factList({ rows }: TextTable, { required }: DocsTexts): Html {
  const fact = (text: string) =>
    html` <small class=${text === required ? 'must' : undefined}>${inlineCode(text)}</small>`;
  return html`<dl class="names">
${rows.map(
  ([name = '', facts = '', meaning = '']) =>
    html`<div><dt>${inlineCode(name)}${facts.split(FACT_DOT).filter(Boolean).map(fact)}</dt><dd>${inlineCode(meaning)}</dd></div>\n`,
)}</dl>`;
}

/** What each status answers, and why: the status stands before its code. */
const errorList = ({ rows, ...table }: TextTable, texts: DocsTexts) =>
  factList(
    {
      ...table,
      rows: rows.map(([code, status, meaning = '']) => [`\`${status}\` ${code}`, '', meaning]),
    },
    texts,
  );

function operationSection(shown: ShownOperation, texts: DocsTexts, view: PageView): Html {
  const { id, title, method, path, facts, description, parameters, body, answer, errors } = shown;
  const { language } = view;
  const consoleAddress = linkTo(view, `/console?try=${id}`);
  const [first, ...others] = answer?.examples ?? [];
  const folded = (one: ShownExample) =>
    html`<details><summary>${one.summary}${
      one.type !== 'application/json' && html` <span class="quiet">(${one.type})</span>`
    }</summary>${codeBlock(one, language)}</details>`;
  return html`<section class="operation" id="${id}">
<div class="lead-in">
<h2>${title}</h2>
<p class="call"><span class="method">${method}</span>${' '}<span>${path}</span></p>
<p class="access">${inlineCode(facts.join(FACT_DOT))}</p>
${description !== '' && paragraphs(description)}
${shown.tried && html`<p class="try"><a class="button" href="${consoleAddress}">${texts.tryIt}</a></p>\n`}</div>
<div class="beside">
${codeBlocks(shown.codes, language)}
${first !== undefined && foldedBlock({ ...first, label: `${answer?.status} · ${first.summary}` }, language)}</div>
<div class="details">
${parameters !== undefined && html`<h3>${texts.parameters}</h3>\n${factList(parameters, texts)}`}
${body !== undefined && html`<h3>${texts.body}</h3>\n<p>${inlineCode(body.about)}</p>`}
${body?.fields !== undefined && factList(body.fields, texts)}
${answer !== undefined && html`<h3>${texts.answer} ${answer.status}</h3>\n${answer.fields.length === 0 && html`<p>${answer.about}</p>`}`}
${answer?.fields.map((one) => html`${answer.fields.length > 1 && html`<h4>${one.title}</h4>\n`}${factList(one, texts)}`)}
${others.length > 0 && html`<h3>${texts.otherAnswers}</h3>\n${others.map(folded)}`}
<h3>${texts.errors}</h3>
${errorList(errors, texts)}
</div>
</section>`;
}
