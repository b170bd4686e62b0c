import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Coding } from './negotiation.ts';

/** Smaller bodies gain nothing: with headers they fit into one packet. */
export const COMPRESSED_FROM_BYTES = 1_000;

/** Longer bodies are compressed in Node's thread pool. For shorter ones the handover costs more. */
// limit: Compressed on the main thread | 16 kB | in a thread
const MAX_SYNC_BYTES = 16 * 1024;

/** `quick` for bodies that may be sent once, `thorough` for pages. */
export type Effort = 'quick' | 'thorough';

const LEVELS = {
  quick: { br: 4, zstd: 3, gzip: 5 },
  thorough: { br: 11, zstd: 19, gzip: 9 },
} as const satisfies Record<Effort, Record<Coding, number>>;

const inThreadPool = {
  br: promisify(zlib.brotliCompress),
  zstd: promisify(zlib.zstdCompress),
  gzip: promisify(zlib.gzip),
};

const atOnce = { br: zlib.brotliCompressSync, zstd: zlib.zstdCompressSync, gzip: zlib.gzipSync };

const { constants } = zlib;

function optionsOf(coding: Coding, level: number, length: number) {
  switch (coding) {
    case 'br':
      return {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: level,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: length,
        },
      };
    case 'zstd':
      // Without the length zstd takes the tables of its level: 83 MB for a page, not 4.
      return { params: { [constants.ZSTD_c_compressionLevel]: level }, pledgedSrcSize: length };
    case 'gzip':
      return { level };
    default:
      return coding satisfies never;
  }
}

/** Compresses a body; synchronously if it is short. */
export function compressed(
  bytes: Buffer,
  coding: Coding,
  effort: Effort,
): Buffer | Promise<Buffer> {
  const options = optionsOf(coding, LEVELS[effort][coding], bytes.length);
  const isShort = effort === 'quick' && bytes.length <= MAX_SYNC_BYTES;
  return isShort ? atOnce[coding](bytes, options) : inThreadPool[coding](bytes, options);
}
