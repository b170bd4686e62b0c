import { crc32 } from 'node:zlib';
import { COMPRESSED_FROM_BYTES, compressed, type Effort } from './compression.ts';
import type { Coding } from './negotiation.ts';

/** How long a cache may keep a page that changes only with the version. */
export const PAGE_MAX_AGE_SEC = 300;

/** Writes the text of a body for one request. */
export type WriteBody = () => string | Promise<string>;

/** The answer of a page, or of an endpoint that writes its own bytes. */
export interface WrittenAnswer {
  readonly status?: number;
  readonly contentType: string;
  /**
   * A body that is sent often is a `WrittenBody`, which keeps its compressed forms. A page that is
   * made for one request is a `WriteBody`: it is written and compressed in one turn of the client.
   */
  readonly body: string | WriteBody | WrittenBody;
  /** The answer gets an ETag unless these contain `no-store`. */
  readonly headers?: readonly string[];
}

/** Bytes sent often, with their compressed forms. Each form is made at the first request for it. */
export class WrittenBody {
  readonly bytes: Buffer;
  /** Weak: the same content in another coding is the same page (RFC 9110 §8.8.1). */
  readonly etag: string;
  readonly #effort: Effort;
  readonly #isPacked: boolean;
  readonly #coded = new Map<Coding, Buffer | Promise<Buffer>>();

  /**
   * @param how `kept` when the body will be sent many times; `isPacked` when no coding makes it
   *   shorter; `version` replaces the checksum in the ETag, for bodies whose bytes may differ while
   *   their content is the same.
   */
  constructor(
    content: string | Buffer,
    how: { readonly kept?: boolean; readonly isPacked?: boolean; readonly version?: string } = {},
  ) {
    this.bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const size = this.bytes.length.toString(36);
    this.etag = `W/"${how.version ?? `${size}-${crc32(this.bytes).toString(36)}`}"`;
    this.#isPacked = how.isPacked ?? false;
    this.#effort = (how.kept ?? true) ? 'thorough' : 'quick';
  }

  /** @returns undefined for a body that is not worth compressing. */
  coded(coding: Coding): Buffer | Promise<Buffer> | undefined {
    if (this.#isPacked || this.bytes.length < COMPRESSED_FROM_BYTES) return undefined;
    const made = this.#coded.get(coding) ?? compressed(this.bytes, coding, this.#effort);
    this.#coded.set(coding, made);
    return made;
  }
}
