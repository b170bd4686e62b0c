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

/** How a cell without quotes and the end of a cell look, by separator. */
const PATTERNS: Readonly<Record<Separator, { readonly plain: RegExp; readonly end: RegExp }>> = {
  ',': patternsOf(','),
  ';': patternsOf(';'),
  '\t': patternsOf('\t'),
};

function patternsOf(separator: string) {
  return {
    plain: new RegExp(`[^"${separator}\r\n]*`, 'y'),
    end: new RegExp(`${separator}|\r\n|\r|\n|$`, 'y'),
  };
}

/**
 * The records of a CSV file as RFC 4180 has it: cells between separators, in quotes where they hold
 * one, a quote (doubled) or a line end, which may be that of any system. Blank lines are left out.
 * @throws CsvFault for quotes that do not surround a cell.
 */
export function* csvRecords(text: string, separator: Separator = ','): Generator<CsvRow> {
  const { plain, end } = PATTERNS[separator];
  const body = text.replace(/^\uFEFF/, '');
  let [at, line] = [0, 1];
  while (at < body.length) {
    const [start, cells]: [number, string[]] = [line, []];
    for (let ended: string = separator; ended === separator; ) {
      const isQuoted = body[at] === '"';
      const after = isQuoted ? endOfQuotes(body, at) : endOfMatch(plain, body, at);
      const found = after === undefined ? undefined : matchAt(end, body, after);
      if (after === undefined || found === undefined)
        throw new CsvFault(start, 'has a quote that does not surround a cell');
      const cell = body.slice(at, after);
      if (isQuoted) line += cell.split(/\r\n|\r|\n/).length - 1;
      cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell);
      at = after + found.length;
      ended = found;
    }
    line += 1;
    if (cells.length > 1 || cells[0]?.trim() !== '') yield { line: start, cells };
  }
}

/** Where the cell ends that begins with a quote there. A pattern would take a long one for too deep. */
function endOfQuotes(text: string, start: number): number | undefined {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) return undefined;
    if (text[at + 1] !== '"') return at + 1;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  return at + (matchAt(pattern, text, at)?.length ?? 0);
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
