import { type Html, html, inlineCode } from '../../../core/http/framework/encoding/html.ts';

interface TableColumn {
  readonly label: string;
  /** Figures stand under each other, at the right. */
  readonly kind?: 'figure' | 'action';
}

/** A table in words: text between backticks is code. */
export interface TextTable {
  /** Caption of the table, unique on its page. */
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly string[])[];
}

/** A table that scrolls sideways. One that stacks shows each row as a block on a phone. */
export function table(
  label: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Html[])[],
  { stacks = false }: { readonly stacks?: boolean } = {},
): Html {
  const heading = ({ label: text, kind }: TableColumn) =>
    html`<th scope="col" class=${kind}>${inlineCode(text)}</th>`;
  const cell = (value: Html, position: number) =>
    position === 0
      ? html`<th scope="row">${value}</th>`
      : html`<td class=${columns[position]?.kind} data-label=${stacks ? columns[position]?.label.replaceAll('`', '') : undefined}>${value}</td>`;
  return html`<div class="scroll${stacks ? ' stacks' : ''}" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${row.map(cell)}</tr>\n`)}</tbody></table></div>`;
}
