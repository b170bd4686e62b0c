import { crc32, deflateSync } from 'node:zlib';
import { boundedCache } from '../../../app/bounded-cache.ts';
import { lineOf, type Segment, strokesOf } from './strokes.ts';

export type Rgb = readonly [red: number, green: number, blue: number];

const CHANNELS = 3;
/** Length of the IHDR chunk: the size of the picture and the kind of its pixels. */
const HEADER_BYTES = 13;
const OPAQUE = 1;
/** `cover` of a stamp where it is opaque. */
const FULL = 255;
/** The ground is even, so more effort saves little. */
const DEFLATE_LEVEL = 2;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS_A_CHANNEL = 8;
const TRUE_COLOUR = 2;

/** Glyphs that are kept drawn: the characters of the font in the sizes of the picture. */
const MAX_STAMPS = 600;

/** How much of each pixel a glyph covers, of 255. Its capitals begin at `x` and `y` within. */
interface Stamp {
  readonly cover: Uint8Array;
  readonly width: number;
  readonly x: number;
  readonly y: number;
}

const stamps = boundedCache<Stamp>(MAX_STAMPS);

/** A bitmap on which texts and round strokes are drawn, as a PNG. */
export class Canvas {
  readonly #width: number;
  readonly #height: number;
  /** In rows; each begins with its filter: none. */
  readonly #pixels: Buffer;

  constructor(width: number, height: number, ground: Rgb) {
    this.#width = width;
    this.#height = height;
    const row = Buffer.concat([
      Buffer.alloc(1),
      Buffer.alloc(width * CHANNELS, Buffer.from(ground)),
    ]);
    this.#pixels = Buffer.alloc(row.length * height, row);
  }

  /** Writes a text in capitals, without characters that the font lacks. */
  write(
    text: string,
    { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
    colour: Rgb,
  ): void {
    for (const { character, left } of lineOf(text, size).characters) {
      const stamp = stampOf(character, size);
      const [startX, startY] = [Math.floor(x + left) - stamp.x, Math.floor(y) - stamp.y];
      for (let place = 0; place < stamp.cover.length; place += 1) {
        const cover = stamp.cover[place] ?? 0;
        if (cover === 0) continue;
        const column = place % stamp.width;
        const row = (place - column) / stamp.width;
        this.#blend(startX + column, startY + row, colour, cover / FULL);
      }
    }
  }

  /** Draws antialiased strokes with round ends. */
  stroke(segments: readonly Segment[], width: number, colour: Rgb): void {
    covered(segments, width, (x, y, cover) => this.#blend(x, y, colour, cover));
  }

  #blend(x: number, y: number, colour: Rgb, cover: number): void {
    if (x < 0 || x >= this.#width || y < 0 || y >= this.#height) return;
    const at = y * (this.#width * CHANNELS + 1) + 1 + x * CHANNELS;
    for (let channel = 0; channel < CHANNELS; channel += 1) {
      const below = this.#pixels[at + channel] ?? 0;
      this.#pixels[at + channel] = below + ((colour[channel] ?? 0) - below) * cover;
    }
  }

  png(): Buffer {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32BE(this.#width, 0);
    header.writeUInt32BE(this.#height, 4);
    header[8] = BITS_A_CHANNEL;
    header[9] = TRUE_COLOUR;
    return Buffer.concat([
      PNG_SIGNATURE,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(this.#pixels, { level: DEFLATE_LEVEL })),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
}

/** The glyph, drawn once for each size: its strokes take far longer than its pixels. */
function stampOf(character: string, size: number): Stamp {
  const name = `${character} ${size}`;
  const known = stamps.get(name);
  if (known !== undefined) return known;
  // Accents are above capitals, commas below them, and the ends of strokes around.
  const [x, y] = [Math.ceil(size / 6), Math.ceil(size / 2)];
  const [width, height] = [2 * x + size, 2 * y + size];
  const cover = new Uint8Array(width * height);
  covered(strokesOf(character, { x, y, size }), strokeWidth(size), (column, row, share) => {
    const at = row * width + column;
    cover[at] = Math.max(cover[at] ?? 0, Math.ceil(share * FULL));
  });
  const stamp = { cover, width, x, y };
  stamps.set(name, stamp);
  return stamp;
}

/** Calls back with each pixel that strokes cover, and the share that they cover. */
function covered(
  segments: readonly Segment[],
  width: number,
  paint: (x: number, y: number, cover: number) => void,
): void {
  const radius = width / 2;
  for (const segment of segments) {
    const { x1, y1, x2, y2 } = segment;
    const [left, right] = [Math.min(x1, x2) - radius - 1, Math.max(x1, x2) + radius + 1];
    const [top, bottom] = [Math.min(y1, y2) - radius - 1, Math.max(y1, y2) + radius + 1];
    for (let y = Math.floor(top); y <= bottom; y += 1) {
      for (let x = Math.floor(left); x <= right; x += 1) {
        const cover = radius + 0.5 - distance(segment, x + 0.5, y + 0.5);
        if (cover > 0) paint(x, y, Math.min(OPAQUE, cover));
      }
    }
  }
}

function strokeWidth(size: number): number {
  return size / 7;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

function distance({ x1, y1, x2, y2 }: Segment, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const lengthSquared = dx * dx + dy * dy;
  const along = lengthSquared === 0 ? 0 : ((x - x1) * dx + (y - y1) * dy) / lengthSquared;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - x1 - share * dx, y - y1 - share * dy);
}
