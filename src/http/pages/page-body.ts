import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Smaller bodies gain nothing: with its headers an answer fills one packet anyway. */
const COMPRESSED_FROM_BYTES = 1_000;

/** For bodies that are sent once; those that are kept take more time and become smaller. */
const QUICK = { brotli: 4, gzip: 5 } as const;
const THOROUGH = { brotli: 11, gzip: 9 } as const;

/** The bytes of a page and its compressed forms, each made once, when it is first asked for. */
export class PageBody {
  readonly bytes: Buffer;
  /** Weak: the same content in another coding is the same page (RFC 9110 §8.8.1). */
  readonly etag: string;
  readonly #effort: typeof QUICK | typeof THOROUGH;
  readonly #coded = new Map<Coding, Promise<Buffer>>();

  /**
   * `kept` says that it will be sent many times; `version` names the content where some of the bytes
   * are not part of what matters.
   */
  constructor(
    text: string,
    { kept = true, version }: { readonly kept?: boolean; readonly version?: string } = {},
  ) {
    this.bytes = Buffer.from(text);
    const size = this.bytes.length.toString(36);
    this.etag = `W/"${version ?? `${size}-${crc32(this.bytes).toString(36)}`}"`;
    this.#effort = kept ? THOROUGH : QUICK;
  }

  /** @returns undefined where compressing is not worth it. */
  coded(coding: Coding): Promise<Buffer> | undefined {
    if (this.bytes.length < COMPRESSED_FROM_BYTES) return undefined;
    let made = this.#coded.get(coding);
    if (made === undefined) {
      made = this.#compress(coding);
      this.#coded.set(coding, made);
    }
    return made;
  }

  #compress(coding: Coding): Promise<Buffer> {
    switch (coding) {
      case 'br':
        return brotli(this.bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: this.#effort.brotli,
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
            [constants.BROTLI_PARAM_SIZE_HINT]: this.bytes.length,
          },
        });
      case 'gzip':
        return gzipped(this.bytes, { level: this.#effort.gzip });
      default:
        return coding satisfies never;
    }
  }
}

/** The coding of ours that an `Accept-Encoding` takes, the better one first; none by default. */
export function codingFor(acceptEncoding: string | undefined): Coding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const refused = /;\s*q=0(?:\.0{0,3})?\s*$/i;
  const taken = acceptEncoding
    .split(',')
    .filter((one) => !refused.test(one))
    .map((one) => one.split(';')[0]?.trim().toLowerCase());
  return CODINGS.find((coding) => taken.includes(coding));
}
