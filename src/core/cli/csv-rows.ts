/** A record of a CSV file, and the line on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file that is no CSV from that line on. */
export class CsvFault extends Error {
  readonly line: number;

  constructor(line: number, problem: string) {
    super(problem);
    this.line = line;
  }
}

/** What stands between cells: a comma, or what programs of other countries write. */
export type Separator = ',' | ';' | '\t';

/** How a cell and its end look, by separator. */
const PATTERNS: Readonly<Record<Separator, { readonly cell: RegExp; readonly end: RegExp }>> = {
  ',': patternsOf(','),
  ';': patternsOf(';'),
  '\t': patternsOf('\t'),
};

function patternsOf(separator: string) {
  return {
    cell: new RegExp(`"((?:[^"]|"")*)"|([^"${separator}\r\n]*)`, 'y'),
    end: new RegExp(`${separator}|\r\n|\r|\n|$`, 'y'),
  };
}

/**
 * The records of a CSV file as RFC 4180 has it: cells between separators, in quotes where they hold
 * one, a quote (doubled) or a line end, which may be that of any system. Blank lines are left out.
 * @throws CsvFault for quotes that do not surround a cell.
 */
export function* csvRecords(text: string, separator: Separator = ','): Generator<CsvRow> {
  const { cell, end } = PATTERNS[separator];
  const body = text.replace(/^\uFEFF/, '');
  let [at, line] = [0, 1];
  while (at < body.length) {
    const [start, cells]: [number, string[]] = [line, []];
    for (let ended: string = separator; ended === separator; ) {
      cell.lastIndex = at;
      const [whole = '', quoted, plain = ''] = cell.exec(body) ?? [];
      if (quoted !== undefined) line += whole.split(/\r\n|\r|\n/).length - 1;
      end.lastIndex = at + whole.length;
      const found = end.exec(body)?.[0];
      if (found === undefined)
        throw new CsvFault(start, 'has a quote that does not surround a cell');
      cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      at += whole.length + found.length;
      ended = found;
    }
    line += 1;
    if (cells.length > 1 || cells[0]?.trim() !== '') yield { line: start, cells };
  }
}

/** All of them. */
export function csvRows(text: string): readonly CsvRow[] {
  return [...csvRecords(text)];
}

/** One line of a CSV file, with its end. */
export function csvLine(cells: readonly string[]): string {
  const written = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${written.join(',')}\r\n`;
}
