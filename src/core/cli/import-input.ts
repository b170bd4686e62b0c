import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { otherFormatOf, otherThanTextOf } from '../app/ingest/other-format.ts';
import { linesOf } from './lines.ts';

/** Most bytes that a compressed file of records unpacks to. */
// limit: Import in gzip, unpacked | 4 GB | refused, nothing stored
export const MAX_INFLATED_BYTES = 4_000_000_000;

/** Bytes of a file that show its format. */
const BEGINNING_BYTES = 4096;

const GZIP = Buffer.from([0x1f, 0x8b]);

/** A file to import, unpacked, and its first bytes, which show its format. */
export interface ImportedFile {
  readonly beginning: Uint8Array;
  /** All of it. */
  readonly all: AsyncIterable<Buffer>;
}

/**
 * Opens a file to import, which may be compressed with gzip.
 * @throws Error when it is no text, is damaged, or unpacks to more than `maxBytes`.
 */
export async function openedFile(
  chunks: AsyncIterable<Buffer>,
  maxBytes = MAX_INFLATED_BYTES,
): Promise<ImportedFile> {
  const packed = await begun(chunks);
  const isPacked = packed.beginning.subarray(0, 2).equals(GZIP);
  const file = isPacked ? await begun(inflated(packed.all, maxBytes)) : packed;
  const problem = otherThanTextOf(file.beginning);
  if (problem !== undefined) throw new Error(problem.en);
  return file;
}

/**
 * The lines of a file of records.
 * @throws Error when it has another format.
 */
export function recordLinesOf({ beginning, all }: ImportedFile): AsyncIterable<string> {
  const problem = otherFormatOf(beginning);
  if (problem !== undefined) throw new Error(problem.en);
  return linesOf(all);
}

/** Reads the beginning, which a pipe may give in parts. `all` has it too. */
async function begun(chunks: AsyncIterable<Buffer>) {
  const source = chunks[Symbol.asyncIterator]();
  const parts: Buffer[] = [];
  for (let length = 0; length < BEGINNING_BYTES; ) {
    const { done, value } = await source.next();
    if (done === true) break;
    parts.push(value);
    length += value.length;
  }
  const beginning = Buffer.concat(parts);
  const all = async function* () {
    if (beginning.length > 0) yield beginning;
    yield* { [Symbol.asyncIterator]: () => source };
  };
  return { beginning, all: all() };
}

async function* inflated(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    const unpacked = pipeline(Readable.from(chunks), createGunzip(), () => undefined);
    for await (const chunk of unpacked) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      yield chunk;
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw new Error('The gzip file is damaged or cut off.', { cause: error });
  }
  if (bytes > maxBytes) {
    throw new Error(`The gzip file unpacks to more than ${maxBytes} bytes: split it.`);
  }
}
