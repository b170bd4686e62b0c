import { parseExactJson, repeatedName } from '../../domain/exact-json.ts';
import type { SourceRecord } from '../ports/sources.ts';
import { type IncomingRecord, Refused } from './record.ts';

/** Longest line of an NDJSON file, in characters. */
// limit: Line of an import | 262,144 characters | refused
export const MAX_RECORD_LENGTH = 262_144;

/** Longest part of a field name in a refusal, in characters. */
// limit: Field name in a refusal | 64 characters | cut
const MAX_SHOWN_NAME = 64;

/** Reads the lines of an NDJSON file, one JSON object each (contract §7). */
export async function* recordsIn(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<IncomingRecord> {
  for await (const line of lines) yield line.trim() === '' ? undefined : recordIn(line);
}

/** The cast is safe: `checkRecord` refuses every value that is not a record. */
function recordIn(line: string): SourceRecord | Refused {
  if (line.length > MAX_RECORD_LENGTH) {
    return new Refused(`longer than ${MAX_RECORD_LENGTH} characters`);
  }
  let value: unknown;
  try {
    value = parseExactJson(line);
  } catch {
    return new Refused('not JSON');
  }
  const name = repeatedName(line);
  if (name !== undefined) return new Refused(`${name.slice(0, MAX_SHOWN_NAME)}: is given twice`);
  return value as SourceRecord;
}
