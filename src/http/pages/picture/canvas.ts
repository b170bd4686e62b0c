import { crc32, deflateSync } from 'node:zlib';
import type { Segment } from './strokes.ts';

export type Rgb = readonly [red: number, green: number, blue: number];

const CHANNELS = 3;
/** Length of the IHDR chunk: the size of the picture and the kind of its pixels. */
const HEADER_BYTES = 13;
const OPAQUE = 1;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS_A_CHANNEL = 8;
const TRUE_COLOUR = 2;

/** A bitmap on which round strokes are drawn, as a PNG. */
export class Canvas {
  readonly #width: number;
  readonly #height: number;
  readonly #pixels: Buffer;

  constructor(width: number, height: number, ground: Rgb) {
    this.#width = width;
    this.#height = height;
    this.#pixels = Buffer.alloc(width * height * CHANNELS, Buffer.from(ground));
  }

  /** Draws antialiased strokes with round ends. */
  stroke(segments: readonly Segment[], width: number, colour: Rgb): void {
    const radius = width / 2;
    for (const segment of segments) {
      const { x1, y1, x2, y2 } = segment;
      const left = Math.max(0, Math.floor(Math.min(x1, x2) - radius - 1));
      const right = Math.min(this.#width - 1, Math.ceil(Math.max(x1, x2) + radius + 1));
      const top = Math.max(0, Math.floor(Math.min(y1, y2) - radius - 1));
      const bottom = Math.min(this.#height - 1, Math.ceil(Math.max(y1, y2) + radius + 1));
      for (let y = top; y <= bottom; y += 1) {
        for (let x = left; x <= right; x += 1) {
          const cover = radius + 0.5 - distance(segment, x + 0.5, y + 0.5);
          if (cover > 0) this.#blend(x, y, colour, Math.min(OPAQUE, cover));
        }
      }
    }
  }

  #blend(x: number, y: number, colour: Rgb, cover: number): void {
    const at = (y * this.#width + x) * CHANNELS;
    for (let channel = 0; channel < CHANNELS; channel += 1) {
      const below = this.#pixels[at + channel] ?? 0;
      this.#pixels[at + channel] = below + ((colour[channel] ?? 0) - below) * cover;
    }
  }

  png(): Buffer {
    const row = this.#width * CHANNELS;
    // Each row begins with its filter: none.
    const rows = Buffer.alloc((row + 1) * this.#height);
    for (let y = 0; y < this.#height; y += 1) {
      this.#pixels.copy(rows, y * (row + 1) + 1, y * row, (y + 1) * row);
    }
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32BE(this.#width, 0);
    header.writeUInt32BE(this.#height, 4);
    header[8] = BITS_A_CHANNEL;
    header[9] = TRUE_COLOUR;
    return Buffer.concat([
      PNG_SIGNATURE,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]);
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
