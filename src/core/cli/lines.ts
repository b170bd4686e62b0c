import { isUtf8 } from 'node:buffer';
import { MAX_RECORD_LENGTH } from '../app/ingest/ndjson.ts';

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Most bytes of a line that may still be short enough in characters. */
// limit: Line of an import, in memory | 786,432 bytes | refused
const MAX_LINE_BYTES = 3 * MAX_RECORD_LENGTH;

/** Replaces a line that is too long to keep. Ingestion refuses it for its length. */
const TOO_LONG = 'x'.repeat(MAX_RECORD_LENGTH + 1);

/** Replaces a line that is not UTF-8. Ingestion refuses it as not JSON. */
const NOT_UTF8 = '\uFFFD';

/**
 * The lines of a UTF-8 stream, without line ends and without a byte order mark at the start. Memory
 * is bounded for any line length. It is several times faster than `node:readline`, because it
 * decodes whole chunks instead of single characters.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let restLength = 0;
  let isFirst = true;
  for await (const chunk of chunks) {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      restLength += chunk.length;
      // A line that is already too long is not kept.
      if (restLength <= MAX_LINE_BYTES) rest.push(chunk);
      else rest = [];
      continue;
    }
    if (restLength > MAX_LINE_BYTES) {
      yield TOO_LONG;
      yield* decoded(chunk.subarray(chunk.indexOf(NEWLINE) + 1, last + 1));
    } else {
      const whole = Buffer.concat([...rest, chunk.subarray(0, last + 1)]);
      yield* decoded(isFirst ? withoutMark(whole) : whole);
    }
    isFirst = false;
    rest = [chunk.subarray(last + 1)];
    restLength = chunk.length - last - 1;
  }
  if (restLength > MAX_LINE_BYTES) yield TOO_LONG;
  else if (restLength > 0) {
    const whole = Buffer.concat([...rest, Buffer.from([NEWLINE])]);
    yield* decoded(isFirst ? withoutMark(whole) : whole);
  }
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;
}

/** Decodes bytes that end with a newline, or are empty, into lines. */
function* decoded(bytes: Buffer): Generator<string> {
  if (bytes.length === 0) return;
  if (isUtf8(bytes)) {
    const lines = bytes.toString('utf8').split('\n');
    lines.pop();
    yield* lines;
    return;
  }
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    const line = bytes.subarray(start, end);
    yield isUtf8(line) ? line.toString('utf8') : NOT_UTF8;
    start = end + 1;
  }
}
