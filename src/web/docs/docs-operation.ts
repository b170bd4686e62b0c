import { type Html, type HtmlValue, html, inlineCode, paragraphs } from '../frame/html.ts';
import { type TextTable, table } from '../frame/table.ts';
import type { DocsTexts } from './docs-texts.ts';
import type { ShownExample, ShownOperation } from './reference.ts';

/** Blocks with more lines than this scroll. */
const LONG_LINES = 24;

/** Long lines do not wrap. The block scrolls. */
export function codeBlock(text: string): Html {
  const isLong = text.split('\n').length > LONG_LINES;
  return html`<pre${isLong && html` class="long"`} tabindex="0"><code>${text}</code></pre>`;
}

export function textTable({ label, columns, rows }: TextTable): Html {
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
function answerSection({ answer }: ShownOperation, texts: DocsTexts): HtmlValue {
  if (answer === undefined) return undefined;
  const { status, about, examples, fields } = answer;
  const [first, ...others] = examples;
  return html`<h4>${texts.answer} ${status}</h4>
${first === undefined ? html`<p>${about}</p>` : html`<p>${first.summary}:</p>${codeBlock(first.text)}`}
${others.map(foldedExample)}
${fields.map((shown) => foldedTable(shown.title, shown))}`;
}

export function operationSection(
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
