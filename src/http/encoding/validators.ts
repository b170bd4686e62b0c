import { hash } from 'node:crypto';
import type { Instant } from '../../domain/time.ts';
import type { Body } from './formats.ts';
import type { Coding } from './negotiation.ts';

/** Characters of the digest in a tag: 132 bits, so that different answers have different tags. */
const TAG_LENGTH = 22;

/**
 * The entity tag of an answer, without quotes. It depends on the bytes alone, so an ingestion that
 * does not change an answer does not change its tag (decisions §4).
 */
export function tagOf(body: Body): string {
  return hash('sha256', body, 'base64url').slice(0, TAG_LENGTH);
}

/** A strong `ETag`. Each content coding of the same bytes has its own (RFC 9110 §8.8.3.3). */
export function etagOf(tag: string, coding: Coding | 'identity'): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;
}

/** Whether an `If-None-Match` names this version. Weak and strong forms of a tag are equal here. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => opaque(one) === opaque(etag));
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
