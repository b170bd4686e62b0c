/** A table of a document. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const code = (text: string) => `\`${text}\``;

const line = (cells: readonly string[]) =>
  `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;

export function markdownOf({ head, rows }: Table): string {
  return [line(head), line(head.map(() => '-')), ...rows.map(line)].join('\n');
}

/**
 * A document with a table in its place, between two comments with its name.
 * @throws Error when the document has no such place.
 */
export function withTable(document: string, name: string, text: string): string {
  const start = `<!-- ${name}: written by "npm run documents" -->\n`;
  const end = `\n<!-- end of ${name} -->`;
  const [before, rest] = document.split(start);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`no place for the table ${name}`);
  return `${before}${start}\n${text}\n${end}${after}`;
}
