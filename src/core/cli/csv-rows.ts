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

const CELL = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
const END = /,|\r\n|\r|\n|$/y;

/**
 * The records of a CSV file as RFC 4180 has it: cells between commas, in quotes where they hold a
 * comma, a quote (doubled) or a line end, which may be that of any system. Blank lines are left out.
 * @throws CsvFault for quotes that do not surround a cell.
 */
export function csvRows(text: string): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  const body = text.replace(/^\uFEFF/, '');
  let [at, line] = [0, 1];
  while (at < body.length) {
    const [start, cells]: [number, string[]] = [line, []];
    for (let end = ','; end === ','; ) {
      CELL.lastIndex = at;
      const [whole = '', quoted, plain = ''] = CELL.exec(body) ?? [];
      line += whole.split(/\r\n|\r|\n/).length - 1;
      END.lastIndex = at + whole.length;
      const found = END.exec(body)?.[0];
      if (found === undefined)
        throw new CsvFault(start, 'has a quote that does not surround a cell');
      cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      at += whole.length + found.length;
      end = found;
    }
    line += 1;
    if (cells.length > 1 || cells[0]?.trim() !== '') rows.push({ line: start, cells });
  }
  return rows;
}

/** One line of a CSV file, with its end. */
export function csvLine(cells: readonly string[]): string {
  const written = cells.map((cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${written.join(',')}\r\n`;
}
