import { hash } from 'node:crypto';
import { boundedCache } from '../../../app/bounded-cache.ts';
import type { Snapshot } from '../../../app/snapshot.ts';
import type { Instant } from '../../../domain/time.ts';
import { COMPRESSED_FROM_BYTES, compressed } from './compression.ts';
import type { Body } from './formats.ts';
import { keptBy } from './made-once.ts';
import type { Coding } from './negotiation.ts';

/** Caching rules of an answer, for clients and proxies: the headers of these names. */
export interface CacheRules {
  readonly lastModified: string;
  readonly cacheControl: string;
  readonly vary: string;
}

/** Characters of the digest in a tag: 132 bits, so that different answers have different tags. */
const TAG_LENGTH = 22;

/** An encoded answer with its compressed forms, each of which is made once. */
export class CachedAnswer {
  readonly contentType: string;
  readonly body: Body;
  /** Absent when no cache may keep it. */
  readonly rules: CacheRules | undefined;
  /** Headers of its endpoint, `[name, value, …]`. */
  readonly headers: readonly string[];
  /** Whether the body is long enough to compress. */
  readonly isCompressible: boolean;
  #compressed: Map<Coding, Buffer | Promise<Buffer>> | undefined;
  #tag: string | undefined;

  constructor(made: Pick<CachedAnswer, 'contentType' | 'body' | 'rules' | 'headers'>) {
    this.contentType = made.contentType;
    this.body = made.body;
    this.rules = made.rules;
    this.headers = made.headers;
    this.isCompressible = made.body.length >= COMPRESSED_FROM_BYTES;
  }

  /**
   * The strong `ETag` of a coding (RFC 9110 §8.8.3.3). It depends on the bytes alone, so an ingestion
   * that does not change an answer does not change its tag (contract §4).
   */
  etag(coding: Coding | 'identity'): string {
    this.#tag ??= hash('sha256', this.body, 'base64url').slice(0, TAG_LENGTH);
    return coding === 'identity' ? `"${this.#tag}"` : `"${this.#tag}-${coding}"`;
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
// limit: Answers kept of a snapshot, what a short one counts | 16 MB, 16 KB | the least used made again | MIN_CACHED_ANSWER_BYTES
const MAX_CACHED_ANSWER_BYTES = 16 * 1024 * 1024;
/** A short answer counts as one of this length, so there are at most about a thousand. */
const MIN_CACHED_ANSWER_BYTES = 16 * 1024;

/** The bytes of a text with its compressed forms, which together are shorter than the text. */
export function bytesWithForms(length: number): number {
  return 2 * length;
}

/** The cached answers of a snapshot, by cache key. They go with it: nothing is invalidated. */
export const cachedAnswers = keptBy((_: Snapshot) =>
  boundedCache<CachedAnswer>(MAX_CACHED_ANSWER_BYTES, ({ body }) =>
    Math.max(MIN_CACHED_ANSWER_BYTES, bytesWithForms(body.length)),
  ),
);

/** Whether an `If-None-Match` names this version. Weak and strong forms of a tag are equal here. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}

const dates = { second: Number.NaN, text: '' };

/** A time in the format of HTTP headers. Kept, because many answers have the same one. */
export function httpDate(instant: Instant): string {
  const second = Math.floor(instant / 1000);
  if (dates.second !== second) {
    dates.second = second;
    dates.text = new Date(instant).toUTCString();
  }
  return dates.text;
}
