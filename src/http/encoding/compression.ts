import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import type { Coding } from './negotiation.ts';

/** Smaller bodies gain nothing: with headers they fit into one packet. */
export const COMPRESSED_FROM_BYTES = 1_000;

/** Longer bodies are compressed in Node's thread pool. For shorter ones the handover costs more. */
const MAX_SYNC_BYTES = 16 * 1024;

/** `quick` for bodies that may be sent once, `thorough` for pages. */
export type Effort = 'quick' | 'thorough';

const LEVELS = {
  quick: { br: 4, zstd: 3, gzip: 5 },
  thorough: { br: 11, zstd: 19, gzip: 9 },
} as const satisfies Record<Effort, Record<Coding, number>>;

const later = {
  br: promisify(brotliCompress),
  zstd: promisify(zstdCompress),
  gzip: promisify(gzip),
};

/** Compresses a body; synchronously if it is short. */
export function compressed(
  bytes: Buffer,
  coding: Coding,
  effort: Effort,
): Buffer | Promise<Buffer> {
  const level = LEVELS[effort][coding];
  const isShort = effort === 'quick' && bytes.length <= MAX_SYNC_BYTES;
  switch (coding) {
    case 'br': {
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: level,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      return isShort ? brotliCompressSync(bytes, { params }) : later.br(bytes, { params });
    }
    case 'zstd': {
      const params = { [constants.ZSTD_c_compressionLevel]: level };
      return isShort ? zstdCompressSync(bytes, { params }) : later.zstd(bytes, { params });
    }
    case 'gzip':
      return isShort ? gzipSync(bytes, { level }) : later.gzip(bytes, { level });
    default:
      return coding satisfies never;
  }
}
