import { crc32, inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_BYTES = 22;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
const [STORED, DEFLATED] = [0, 8];

/**
 * Unpacks every entry, compares its checksum and limits the total to `maxBytes`, so that an altered
 * or oversized archive is never used.
 * @throws Error also for features that spreadsheets do not use.
 */
export function checkZip(bytes: Uint8Array, maxBytes: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfDirectory(view);
  const entries = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let left = maxBytes;
  for (let entry = 0; entry < entries; entry += 1) {
    expectSignature(view, at, DIRECTORY_ENTRY);
    left -= checkEntry(bytes, view, at, left);
    const variableBytes = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    at = variableBytes.reduce((sum, length) => sum + length, at + DIRECTORY_ENTRY_BYTES);
  }
}

/** Offset of the end-of-directory record. Only a comment may follow it. */
function endOfDirectory(view: DataView): number {
  for (let at = view.byteLength - END_OF_DIRECTORY_BYTES; at >= 0; at -= 1) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  throw new Error('The archive has no directory.');
}

/** @returns the entry's unpacked bytes. */
function checkEntry(bytes: Uint8Array, view: DataView, entry: number, left: number): number {
  const method = view.getUint16(entry + 10, true);
  const checksum = view.getUint32(entry + 16, true);
  const packedBytes = view.getUint32(entry + 20, true);
  const unpackedBytes = view.getUint32(entry + 24, true);
  const local = view.getUint32(entry + 42, true);
  expectSignature(view, local, LOCAL_HEADER);
  // Some readers trust the local header: the same size, or 0 when the size follows the data.
  const localBytes = view.getUint32(local + 22, true);
  if (unpackedBytes > left || (localBytes !== 0 && localBytes !== unpackedBytes)) {
    throw new Error('An entry of the archive is too large.');
  }
  const start =
    local +
    LOCAL_HEADER_BYTES +
    view.getUint16(local + 26, true) +
    view.getUint16(local + 28, true);
  const data = unpack(bytes.subarray(start, start + packedBytes), method, unpackedBytes);
  if (data.length !== unpackedBytes || crc32(data) !== checksum) {
    throw new Error('An entry of the archive differs from its checksum.');
  }
  return unpackedBytes;
}

function unpack(packed: Uint8Array, method: number, unpackedBytes: number): Uint8Array {
  if (method === STORED) return packed;
  if (method !== DEFLATED)
    throw new Error('An entry of the archive uses another compression method.');
  return inflateRawSync(packed, { maxOutputLength: Math.max(1, unpackedBytes) });
}

function expectSignature(view: DataView, at: number, signature: number): void {
  if (view.getUint32(at, true) !== signature) throw new Error('The archive is damaged.');
}
