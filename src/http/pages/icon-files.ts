import { MARK_POINTS } from '../../web/frame/icon.ts';
import { Canvas, type Rgb } from './picture/canvas.ts';
import type { Segment } from './picture/strokes.ts';

/** The site's mark in pixels, for programs that do not read SVG. */

/** `THEME_COLOR` of the pages. */
const GROUND: Rgb = [11, 102, 102];
const WHITE: Rgb = [255, 255, 255];

const GRID = 24;
const MARK_MIDDLE = { x: 12, y: 10.5 };
const LINE_WIDTH = 3.2;

/** Share of the icon's width that the mark covers. */
const SHARE = 0.74;
/** Small enough to stay whole when a phone cuts the icon to a circle. */
const MASKABLE_SHARE = 0.56;

export function iconPng(size: number, { maskable = false } = {}): Buffer {
  const scale = (size * (maskable ? MASKABLE_SHARE : SHARE)) / GRID;
  const placed = MARK_POINTS.map(([x, y]) => ({
    x: size / 2 + (x - MARK_MIDDLE.x) * scale,
    y: size / 2 + (y - MARK_MIDDLE.y) * scale,
  }));
  const segments = placed.slice(1).map((end, index): Segment => {
    const start = placed[index] ?? end;
    return { x1: start.x, y1: start.y, x2: end.x, y2: end.y };
  });
  const canvas = new Canvas(size, size, GROUND);
  canvas.stroke(segments, LINE_WIDTH * scale, WHITE);
  return canvas.png();
}

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const FAVICON_SIZES = [16, 32, 48] as const;

/** `favicon.ico`: PNGs of the usual sizes. */
export function favicon(): Buffer {
  const pictures = FAVICON_SIZES.map((size) => ({ size, png: iconPng(size) }));
  const head = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let place = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = ICO_HEADER_BYTES + index * ICO_ENTRY_BYTES;
    head[at] = size;
    head[at + 1] = size;
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(24, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(place, at + 12);
    place += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}
