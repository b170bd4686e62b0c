import { crc32, deflateSync } from 'node:zlib';
import { boundedCache } from '../../../app/bounded-cache.ts';
import { lineOf, type Segment, strokesOf } from './strokes.ts';

export type Rgb = readonly [red: number, green: number, blue: number];

/** `cover` of a stamp where it is opaque. */
const FULL = 255;
/** The ground is even, so more effort saves little. */
const DEFLATE_LEVEL = 2;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Steps from the ground to a colour, for smooth edges: all steps of all colours fit into a byte. */
const STEPS = 63;
/** Colours that a palette has room for, beside the ground. */
const PALETTE_COLOURS = 4;

/** Glyphs that are kept drawn: the characters of the font in the sizes of the picture. */
const MAX_STAMPS = 600;

/** The pixels that a glyph covers: column, row and share of 255 of each, from where its capitals begin. */
type Stamp = Int16Array;

const stamps = boundedCache<Stamp>(MAX_STAMPS);

/** A bitmap on which texts and round strokes are drawn, as a PNG. */
export class Canvas {
  readonly #width: number;
  readonly #height: number;
  readonly #ground: Rgb;
  readonly #colours: Rgb[] = [];
  /** Entries of the palette, in rows; each row begins with its filter: none. */
  readonly #pixels: Buffer;

  constructor(width: number, height: number, ground: Rgb) {
    this.#width = width;
    this.#height = height;
    this.#ground = ground;
    this.#pixels = Buffer.alloc((width + 1) * height);
  }

  /** Writes a text in capitals, without characters that the font lacks. */
  write(
    text: string,
    { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
    colour: Rgb,
  ): void {
    const place = this.#placeOf(colour);
    for (const { character, left } of lineOf(text, size).characters) {
      const stamp = stampOf(character, size);
      const [startX, startY] = [Math.floor(x + left), Math.floor(y)];
      for (let at = 0; at + 2 < stamp.length; at += 3) {
        const cover = (stamp[at + 2] ?? 0) / FULL;
        this.#paint(startX + (stamp[at] ?? 0), startY + (stamp[at + 1] ?? 0), place, cover);
      }
    }
  }

  /** Draws antialiased strokes with round ends. */
  stroke(segments: readonly Segment[], width: number, colour: Rgb): void {
    const place = this.#placeOf(colour);
    covered(segments, width, (x, y, cover) => this.#paint(x, y, place, cover));
  }

  /** The first entry of a colour in the palette is the one next to the ground. */
  #placeOf(colour: Rgb): number {
    let index = this.#colours.indexOf(colour);
    if (index < 0) index = this.#colours.push(colour) - 1;
    if (index >= PALETTE_COLOURS)
      throw new Error(`A picture has at most ${PALETTE_COLOURS} colours.`);
    return 1 + index * STEPS;
  }

  #paint(x: number, y: number, place: number, cover: number): void {
    if (x < 0 || x >= this.#width || y < 0 || y >= this.#height) return;
    const at = y * (this.#width + 1) + 1 + x;
    const entry = place + Math.ceil(cover * STEPS) - 1;
    const painted = this.#pixels[at] ?? 0;
    // Where strokes of one colour cross, the fuller one counts.
    const isFuller = painted < place || painted >= place + STEPS || painted < entry;
    if (isFuller) this.#pixels[at] = entry;
  }

  #palette(): Buffer {
    const steps = this.#colours.flatMap((colour) =>
      Array.from({ length: STEPS }, (_, step) =>
        this.#ground.map(
          (below, channel) => below + (((colour[channel] ?? 0) - below) * (step + 1)) / STEPS,
        ),
      ),
    );
    return Buffer.from([this.#ground, ...steps].flat());
  }

  png(): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.#width, 0);
    header.writeUInt32BE(this.#height, 4);
    // Eight bits a pixel, from a palette.
    header[8] = 8;
    header[9] = 3;
    return Buffer.concat([
      PNG_SIGNATURE,
      chunk('IHDR', header),
      chunk('PLTE', this.#palette()),
      chunk('IDAT', deflateSync(this.#pixels, { level: DEFLATE_LEVEL })),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
}

/** The glyph, drawn once for each size: its strokes take far longer than its pixels. */
function stampOf(character: string, size: number): Stamp {
  const name = `${character} ${size}`;
  const drawnStamp = stamps.get(name);
  if (drawnStamp !== undefined) return drawnStamp;
  const covers = new Map<string, readonly [column: number, row: number, cover: number]>();
  covered(strokesOf(character, { x: 0, y: 0, size }), size / 7, (column, row, share) => {
    const place = `${column} ${row}`;
    const cover = Math.max(covers.get(place)?.[2] ?? 0, Math.ceil(share * FULL));
    covers.set(place, [column, row, cover]);
  });
  const stamp = Int16Array.from([...covers.values()].flat());
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
        if (cover > 0) paint(x, y, Math.min(1, cover));
      }
    }
  }
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
