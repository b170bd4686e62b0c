import { boundedCache } from '../../app/bounded-cache.ts';
import type { Snapshot } from '../../app/snapshot.ts';
import { COMPRESSED_FROM_BYTES, compressed } from './compression.ts';
import type { Body } from './formats.ts';
import type { Coding } from './negotiation.ts';
import { etagOf, tagOf } from './validators.ts';

/** Caching rules of an answer, for clients and proxies: the headers of these names. */
export interface CacheRules {
  readonly lastModified: string;
  readonly cacheControl: string;
  readonly vary: string;
}

/** An encoded answer with its compressed forms, each of which is made once. */
export class CachedAnswer {
  readonly contentType: string;
  readonly body: Body;
  /** Absent when no cache may keep it. */
  readonly rules: CacheRules | undefined;
  /** Headers of its endpoint, `[name, value, …]`. */
  readonly headers: readonly string[];
  #compressed: Map<Coding, Buffer | Promise<Buffer>> | undefined;
  readonly #etags = new Map<Coding | 'identity', string>();
  #tag: string | undefined;

  constructor(made: Pick<CachedAnswer, 'contentType' | 'body' | 'rules' | 'headers'>) {
    this.contentType = made.contentType;
    this.body = made.body;
    this.rules = made.rules;
    this.headers = made.headers;
  }

  /** `ETag` in a coding. It depends on the bytes of the answer alone. */
  etag(coding: Coding | 'identity'): string {
    let etag = this.#etags.get(coding);
    if (etag === undefined) {
      this.#tag ??= tagOf(this.body);
      etag = etagOf(this.#tag, coding);
      this.#etags.set(coding, etag);
    }
    return etag;
  }

  /** Whether the body is long enough to compress. */
  get isCompressible(): boolean {
    return this.body.length >= COMPRESSED_FROM_BYTES;
  }

  compressed(coding: Coding): Buffer | Promise<Buffer> {
    this.#compressed ??= new Map();
    const made = this.#compressed.get(coding);
    if (made !== undefined) return made;
    const bytes = typeof this.body === 'string' ? Buffer.from(this.body, 'latin1') : this.body;
    const making = compressed(bytes, coding, 'quick');
    this.#compressed.set(coding, making);
    return making;
  }
}

/** Most bytes of cached answers per snapshot; the least recently used goes first. */
const MAX_CACHED_ANSWER_BYTES = 16 * 1024 * 1024;
/** A short answer counts as one of this length, so there are at most about a thousand. */
const MIN_CACHED_ANSWER_BYTES = 16 * 1024;

/** What is derived from a snapshot. It is made at its first use and goes with the snapshot. */
export function keptBySnapshot<Kept>(make: () => Kept): (snapshot: Snapshot) => Kept {
  const kept = new WeakMap<Snapshot, { readonly value: Kept }>();
  return (snapshot) => {
    const found = kept.get(snapshot) ?? { value: make() };
    kept.set(snapshot, found);
    return found.value;
  };
}

/** The bytes of a text with its compressed forms, which together are shorter than the text. */
export function bytesWithForms(length: number): number {
  return 2 * length;
}

/** The cached answers of a snapshot, by cache key. They go with it: nothing is invalidated. */
export const cachedAnswers = keptBySnapshot(() =>
  boundedCache<CachedAnswer>(MAX_CACHED_ANSWER_BYTES, ({ body }) =>
    Math.max(MIN_CACHED_ANSWER_BYTES, bytesWithForms(body.length)),
  ),
);
