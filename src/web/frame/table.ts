import { type Html, type HtmlValue, html } from './html.ts';

export interface TableColumn {
  readonly label: string;
  /** Figures stand under each other, at the right. */
  readonly kind?: 'figure' | 'wide' | 'nowrap' | 'type' | 'action';
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
