import { type Html, type HtmlValue, html } from './html.ts';

/** A mark for the tab, inside the page so that nobody asks for one elsewhere. */
const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
      '<rect width="16" height="16" rx="3" fill="#0a5a8c"/>' +
      '<path d="M4 4l4 8 4-8" fill="none" stroke="#fff" stroke-width="2"/></svg>',
  );

const NAVIGATION = [
  { path: '/docs', label: 'Reference' },
  { path: '/methodology', label: 'Methodology' },
  { path: '/openapi.json', label: 'OpenAPI' },
] as const;

export interface PageFrame {
  readonly title: string;
  readonly description: string;
  /** Its own path, marked in the navigation. */
  readonly path: string;
  /** What the demonstration has to say of itself, on top of every page. */
  readonly notice: string | undefined;
  /** A class of the body, for pages that are wider than text. */
  readonly kind?: string;
  readonly content: HtmlValue;
}

/** A whole page around its content. */
export function page({ title, description, path, notice, kind = '', content }: PageFrame): string {
  const links = NAVIGATION.map(({ path: target, label }) =>
    target === path
      ? html`<a href="${target}" aria-current="page">${label}</a>`
      : html`<a href="${target}">${label}</a>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/web/style.css">
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to the content</a>
${notice !== undefined && html`<p class="notice" role="note">${notice}</p>`}
<header class="top"><nav aria-label="Site"><a class="name" href="/">vesfx</a>${links}</nav></header>
<main id="content">
${content}
</main>
<footer>Information, not an offer: the service executes no payment and no exchange.</footer>
</body>
</html>
`.markup;
}

export interface TableColumn {
  readonly label: string;
  /** Figures stand under each other, at the right. */
  readonly kind?: 'figure' | 'wide' | 'nowrap' | 'type';
}

/** A table in a box of its own that scrolls sideways; the first cell of a row is its heading. */
export function table(
  label: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly HtmlValue[])[],
): Html {
  const heading = ({ label: text, kind }: TableColumn) =>
    html`<th scope="col" class="${kind}">${text}</th>`;
  const cell = (value: HtmlValue, position: number) =>
    position === 0
      ? html`<th scope="row">${value}</th>`
      : html`<td class="${columns[position]?.kind}">${value}</td>`;
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${row.map(cell)}</tr>\n`)}</tbody></table></div>`;
}
