export type DecimalMark = '.' | ',';

/** A figure may have the sign of the bolívar around it, and of no other currency. */
const AROUND = /^(?:bs\.?[dsf]?\.?|ves)?\s*(.*?)\s*(?:bs\.?[dsf]?\.?|ves)?$/iu;
/** What programs write of very small and large figures. */
const EXPONENT = /^\d+(?:\.\d+)?e[+-]?\d{1,3}$/i;

/** How a figure is written. `1.234`: its mark may part thousands or decimals. */
type Shape = 'plain' | DecimalMark | '1.234' | '1,234' | 'none';

/** A figure with a decimal mark, and perhaps marks of thousands: the other mark, a space or an apostrophe. */
const WRITTEN: Readonly<Record<DecimalMark, RegExp>> = {
  '.': /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:[ '’]\d{3})+)(?:\.\d+)?$/,
  ',': /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:[ '’]\d{3})+)(?:,\d+)?$/,
};

/** The figure without what stands around it. */
function bare(text: string): string {
  const plain = text.replace(/[\u00A0\u202F\u2009]/g, ' ').trim();
  return AROUND.exec(plain)?.[1] ?? plain;
}

function shapeOf(figure: string): Shape {
  const [point, comma] = [WRITTEN['.'].test(figure), WRITTEN[','].test(figure)];
  if (point && comma) {
    return figure.includes('.') ? '1.234' : figure.includes(',') ? '1,234' : 'plain';
  }
  return point ? '.' : comma ? ',' : 'none';
}

/** The figure as JSON has numbers; undefined when it is none with that decimal mark. */
export function writtenFigure(text: string, mark: DecimalMark): string | undefined {
  const figure = bare(text);
  if (mark === '.' && EXPONENT.test(figure)) return figure;
  if (!WRITTEN[mark].test(figure)) return undefined;
  const other = mark === '.' ? ',' : '.';
  return figure
    .replace(/[ '’]/g, '')
    .replaceAll(other, '')
    .replace(mark, '.')
    .replace(/^0+(?=\d)/, '');
}

interface Seen {
  readonly line: number;
  readonly text: string;
}

/** Finds out which mark parts the decimals of a file. */
export class FigureEvidence {
  readonly #seen: Partial<Record<Shape, Seen>> = {};

  add(text: string, line: number): void {
    this.#seen[shapeOf(bare(text))] ??= { line, text };
  }

  /** The decimal mark; undefined when no figure needs one. */
  get mark(): DecimalMark | undefined {
    if (this.#seen[','] !== undefined) return ',';
    return this.#seen['.'] === undefined ? undefined : '.';
  }

  /**
   * The line and the reason why the figures cannot be read, if they cannot.
   * @param isOurs Whether this product wrote the file, which writes a decimal point and no thousands.
   */
  problem(isOurs: boolean): { readonly line: number; readonly reason: string } | undefined {
    const { '.': point, ',': comma, '1.234': twofold, '1,234': other } = this.#seen;
    if (point !== undefined && comma !== undefined) {
      const [first, later] = point.line <= comma.line ? [point, comma] : [comma, point];
      const reason =
        `${later.text} and ${first.text} on line ${first.line} have different decimal marks: a file ` +
        'has one, . or ,';
      return { line: later.line, reason };
    }
    const either = isOurs ? other : firstOf(twofold, other);
    if (either === undefined || point !== undefined || comma !== undefined) return undefined;
    const [asPoint, asComma] = [writtenFigure(either.text, '.'), writtenFigure(either.text, ',')];
    const reason =
      `${either.text} can be ${asPoint} (decimal point) or ${asComma} (decimal comma), and nothing in ` +
      'the file says which: write it without marks of thousands, and with four decimals';
    return { line: either.line, reason };
  }
}

function firstOf(one: Seen | undefined, other: Seen | undefined): Seen | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.line <= other.line ? one : other;
}
