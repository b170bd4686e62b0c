import { parseExactJson, repeatedName } from '../../domain/exact-json.ts';
import type { SourceRecord } from '../ports/sources.ts';
import { type IncomingRecord, Refused } from './record.ts';

/** Longest line of an NDJSON file, in characters. */
export const MAX_RECORD_LENGTH = 262_144;

/** Longest part of a field name in a refusal, in characters. */
const MAX_SHOWN_NAME = 64;

/** Reads the lines of an NDJSON file, one JSON object each (decisions §7). */
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

/** Characters of a text that show its format. */
const FORMAT_LENGTH = 1_000;

const TAKEN = 'import takes NDJSON, one JSON object per line';

/** How the first line of another format looks. No record looks like these. */
const OTHER_FORMATS: readonly { readonly looks: RegExp; readonly message: string }[] = [
  { looks: /^\[/, message: `This is a JSON array; ${TAKEN}. Convert it: jq -c '.[]'.` },
  { looks: /^\{\s*$/, message: `This is JSON over several lines; ${TAKEN}. Convert it: jq -c .` },
  { looks: /^[^{}[\]<>]+[,;\t][^{}[\]<>]*$/, message: `This is a CSV; ${TAKEN}.` },
];

/** A sentence about records in UTF-16; undefined for others. */
export function utf16ProblemOf([first = -1, second = -1]: Uint8Array): string | undefined {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Without a mark every ASCII character has a zero byte.
  if (!isMarked && first !== 0 && second !== 0) return undefined;
  return 'This is UTF-16; import takes UTF-8. Convert it: iconv -f UTF-16 -t UTF-8.';
}

/**
 * What a text is if it is not NDJSON, as a sentence; undefined for one that may have records. So a
 * file in another format is one error, not one for each line.
 */
export function otherFormatOf(text: string): string | undefined {
  const [line = ''] = text.slice(0, FORMAT_LENGTH).trimStart().split(/\r?\n/, 1);
  return OTHER_FORMATS.find(({ looks }) => looks.test(line))?.message;
}
