/**
 * A stroke font for generated pictures, so that no system font is needed. Each glyph consists of
 * polylines on a grid 4 wide and 6 high: `x y` pairs, with `|` between lines.
 */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': '1.2 0 2.8 0 4 1.2 4 4.8 2.8 6 1.2 6 0 4.8 0 1.2 1.2 0',
  '1': '.6 1.4 2.2 0 2.2 6',
  '2': '0 1.3 .4 .4 1.3 0 2.7 0 3.7 .5 4 1.5 3.6 2.5 0 6 4 6',
  '3': '.2 .6 1.3 0 2.7 0 3.7 .6 3.8 1.8 3 2.7 1.6 2.8 3 2.9 4 3.9 3.9 5.1 2.8 6 1.2 6 0 5.3',
  '4': '3 6 3 0 0 4.3 4 4.3',
  '5': '3.7 0 .6 0 .3 2.7 1.4 2.3 2.7 2.4 3.8 3.3 4 4.4 3.3 5.6 2.2 6 1 6 0 5.3',
  '6': '3.5 .4 2.4 0 1.3 .4 .3 1.9 0 3.6 .3 5 1.2 6 2.8 6 3.8 5.2 4 4 3.4 2.9 2.3 2.5 1 2.8 .1 3.9',
  '7': '0 0 4 0 1.4 6',
  '8': '1.3 0 2.7 0 3.7 .6 3.7 2 2.8 2.8 1.2 2.8 .3 2 .3 .6 1.3 0|1.2 2.8 0 3.8 0 5.1 1.2 6 2.8 6 4 5.1 4 3.8 2.8 2.8',
  '9': '.5 5.6 1.6 6 2.7 5.6 3.7 4.1 4 2.4 3.7 1 2.8 0 1.2 0 .2 .8 0 2 .6 3.1 1.7 3.5 3 3.2 3.9 2.1',
  '.': '.4 5.8 .5 5.8',
  ',': '.6 5.7 .5 6.2 .1 7',
  '+': '2 1.6 2 4.8|.4 3.2 3.6 3.2',
  '-': '.6 3.2 3.4 3.2',
  '=': '.4 2.2 3.6 2.2|.4 4.2 3.6 4.2',
  '%': '3.6 .4 .4 5.6|.8 .2 1.4 .8 .8 1.4 .2 .8 .8 .2|3.2 4.6 3.8 5.2 3.2 5.8 2.6 5.2 3.2 4.6',
  '/': '3.4 0 .6 6',
  ':': '.5 2 .6 2|.5 5.2 .6 5.2',
  A: '0 6 2 0 4 6|.7 4 3.3 4',
  Á: '0 6 2 0 4 6|.7 4 3.3 4|1.8 -1 2.6 -1.8',
  B: '0 0 0 6 2.6 6 3.8 5.2 3.8 3.8 2.8 2.9 0 2.9|2.6 2.9 3.5 2.2 3.5 .8 2.5 0 0 0',
  C: '4 1.2 2.9 0 1.3 0 0 1.4 0 4.6 1.3 6 2.9 6 4 4.8',
  D: '0 0 0 6 2.2 6 3.6 5.2 4 4 4 2 3.6 .8 2.2 0 0 0',
  E: '3.7 0 0 0 0 6 3.7 6|0 3 3 3',
  F: '3.7 0 0 0 0 6|0 3 3 3',
  G: '4 1.2 2.9 0 1.3 0 0 1.4 0 4.6 1.3 6 2.9 6 4 4.9 4 3.3 2.4 3.3',
  H: '0 0 0 6|4 0 4 6|0 3 4 3',
  I: '.4 0 .4 6',
  J: '3.4 0 3.4 4.6 2.4 6 1.2 6 .2 5',
  K: '0 0 0 6|3.8 0 0 3.6|1.4 2.4 4 6',
  L: '0 0 0 6 3.6 6',
  M: '0 6 0 0 2 3.4 4 0 4 6',
  N: '0 6 0 0 4 6 4 0',
  O: '1.3 0 2.7 0 4 1.4 4 4.6 2.7 6 1.3 6 0 4.6 0 1.4 1.3 0',
  Ó: '1.3 0 2.7 0 4 1.4 4 4.6 2.7 6 1.3 6 0 4.6 0 1.4 1.3 0|1.8 -1 2.6 -1.8',
  P: '0 6 0 0 2.6 0 3.8 .9 3.8 2.3 2.6 3.2 0 3.2',
  Q: '1.3 0 2.7 0 4 1.4 4 4.6 2.7 6 1.3 6 0 4.6 0 1.4 1.3 0|2.6 4.4 4.1 6.4',
  R: '0 6 0 0 2.6 0 3.8 .9 3.8 2.2 2.6 3.1 0 3.1|2.2 3.1 4 6',
  S: '3.8 1 2.8 0 1.2 0 .2 .8 .3 2 1.2 2.7 2.8 3.2 3.8 4 3.8 5.2 2.8 6 1.1 6 0 5',
  T: '0 0 4 0|2 0 2 6',
  U: '0 0 0 4.6 1.3 6 2.7 6 4 4.6 4 0',
  V: '0 0 2 6 4 0',
  W: '0 0 1 6 2 2 3 6 4 0',
  X: '0 0 4 6|4 0 0 6',
  Y: '0 0 2 3 4 0|2 3 2 6',
  Z: '0 0 4 0 0 6 4 6',
};

const GRID_HEIGHT = 6;
const GRID_WIDTH = 4;
const NARROW_WIDTH = 0.8;
const SPACE_WIDTH = 2.4;
const GAP = 1.5;

export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

function widthOf(character: string): number {
  if (character === ' ') return SPACE_WIDTH;
  return '.,:I'.includes(character) ? NARROW_WIDTH : GRID_WIDTH;
}

/** The characters of a text in capitals, each with its left edge in pixels, and the whole width. */
export function lineOf(text: string, size: number) {
  const unit = size / GRID_HEIGHT;
  let width = 0;
  const characters = [...text.toUpperCase()].map((written) => {
    // A letter without its accent is better than none.
    const character = written in GLYPHS ? written : written.normalize('NFD').charAt(0);
    const left = width;
    width += (widthOf(character) + GAP) * unit;
    return { character, left };
  });
  return { characters, width };
}

/** The strokes of a character, none if the font lacks it; `size` is the height of capitals. */
export function strokesOf(
  character: string,
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
): readonly Segment[] {
  const unit = size / GRID_HEIGHT;
  const segments: Segment[] = [];
  for (const line of GLYPHS[character]?.split('|') ?? []) {
    const at = line.split(' ').map(Number);
    for (let index = 0; index + 3 < at.length; index += 2) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = at.slice(index, index + 4);
      segments.push({ x1: x + x1 * unit, y1: y + y1 * unit, x2: x + x2 * unit, y2: y + y2 * unit });
    }
  }
  return segments;
}
