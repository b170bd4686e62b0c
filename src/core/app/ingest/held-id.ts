import { hash } from 'node:crypto';
import type { SourceRecord } from '../ports/sources.ts';

/** Digits of a held record's id: short enough to copy, long enough to be unique. */
const ID_LENGTH = 16;

/** The same record of the same source is held only once. */
export function heldIdOf(source: string, record: SourceRecord): string {
  return hash('sha256', JSON.stringify([source, JSON.stringify(record)])).slice(0, ID_LENGTH);
}
