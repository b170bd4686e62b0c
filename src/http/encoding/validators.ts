import { crc32 } from 'node:zlib';
import type { Instant } from '../../domain/time.ts';
import type { Body } from './formats.ts';

/** Tells versions of an answer apart: the snapshot it came from, its size and its checksum. */
export function etagOf(version: number, body: Body): string {
  return `"${version.toString(36)}-${body.length.toString(36)}-${crc32(body).toString(36)}"`;
}

/** Whether an `If-None-Match` names this version; its strong and its weak tag are the same. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => opaque(one) === opaque(etag));
}

const dates = { instant: Number.NaN, text: '' };

/** `Last-Modified` is the snapshot's time, the same for thousands of answers. */
export function httpDate(instant: Instant): string {
  if (dates.instant !== instant) {
    dates.instant = instant;
    dates.text = new Date(instant).toUTCString();
  }
  return dates.text;
}
