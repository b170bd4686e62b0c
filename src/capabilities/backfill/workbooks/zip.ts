import { crc32, inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_BYTES = 22;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
/** Fields of both headers of an entry, counted from its flags. */
const [FLAGS, METHOD, CHECKSUM, PACKED_BYTES, UNPACKED_BYTES, NAME_BYTES, EXTRA_BYTES] = [
  0, 2, 8, 12, 16, 20, 22,
];
/** The local header has zeros, because sizes and checksum follow the data. */
const SIZES_FOLLOW = 1 << 3;
const [STORED, DEFLATED] = [0, 8];
const ZIP64_FIELD = 1;

/** Most entries of an archive. A workbook has some three for each sheet. */
// limit: Workbook: ZIP entries | 1,000, none overlapping | refused
export const MAX_ZIP_ENTRIES = 1_000;

type Entry = ReturnType<typeof entryAt>;

/**
 * Unpacks every entry, compares its checksum and limits the total to `maxBytes`, so that an altered
 * or oversized archive is never used. Where readers differ about an archive, it is refused: all
 * must unpack what was unpacked here.
 * @throws Error also for features that spreadsheets do not use.
 */
export function checkZip(bytes: Uint8Array, maxBytes: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = entriesOf(view);
  const total = entries.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0);
  if (total > maxBytes) throw new Error('An entry of the archive is too large.');
  for (const entry of entries) checkData(bytes, entry);
}

/** The entries in the order of their data, which do not overlap: none is unpacked twice. */
function entriesOf(view: DataView): readonly Entry[] {
  const end = endOfDirectory(view);
  const count = view.getUint16(end + 10, true);
  if (count !== view.getUint16(end + 8, true)) throw damaged();
  if (count > MAX_ZIP_ENTRIES) {
    throw new Error(`The archive has more than ${MAX_ZIP_ENTRIES} entries.`);
  }
  const directory = view.getUint32(end + 16, true);
  const entries: Entry[] = [];
  let at = directory;
  for (let left = count; left > 0; left -= 1) {
    expectSignature(view, at, DIRECTORY_ENTRY);
    entries.push(entryAt(view, at));
    const variableBytes = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    at = variableBytes.reduce((sum, length) => sum + length, at + DIRECTORY_ENTRY_BYTES);
  }
  entries.sort((a, b) => a.from - b.from);
  if (entries.some(({ end: own }, index) => own > (entries[index + 1]?.from ?? directory))) {
    throw new Error('Entries of the archive overlap.');
  }
  return entries;
}

/** Offset of the end-of-directory record. Only its comment may follow it. */
function endOfDirectory(view: DataView): number {
  for (let at = view.byteLength - 4; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== END_OF_DIRECTORY) continue;
    // Some readers take the last signature, even one within the comment.
    const comment = view.getUint16(at + 20, true);
    if (at + END_OF_DIRECTORY_BYTES + comment === view.byteLength) return at;
    break;
  }
  throw new Error('The archive has no directory.');
}

function entryAt(view: DataView, at: number) {
  const from = view.getUint32(at + 42, true);
  expectSignature(view, from, LOCAL_HEADER);
  const [listed, local] = [at + 8, from + 6];
  if (!areAlike(view, listed, local)) {
    throw new Error('The directory of the archive and an entry differ.');
  }
  const nameBytes = view.getUint16(listed + NAME_BYTES, true);
  const start = from + LOCAL_HEADER_BYTES + nameBytes + view.getUint16(local + EXTRA_BYTES, true);
  refuseZip64(view, at + DIRECTORY_ENTRY_BYTES + nameBytes, listed);
  refuseZip64(view, from + LOCAL_HEADER_BYTES + nameBytes, local);
  return {
    method: view.getUint16(listed + METHOD, true),
    checksum: view.getUint32(listed + CHECKSUM, true),
    unpackedBytes: view.getUint32(listed + UNPACKED_BYTES, true),
    /** Where its local header begins, where its data begin, and where they end. */
    from,
    start,
    end: start + view.getUint32(listed + PACKED_BYTES, true),
  };
}

/** Whether both headers say the same. Some readers trust the one, some the other. */
function areAlike(view: DataView, listed: number, local: number): boolean {
  const isAlike = (at: number) =>
    view.getUint16(local + at, true) === view.getUint16(listed + at, true);
  if (![FLAGS, METHOD, NAME_BYTES].every(isAlike)) return false;
  const sizes = [CHECKSUM, PACKED_BYTES, UNPACKED_BYTES];
  const isStreamed =
    (view.getUint16(local + FLAGS, true) & SIZES_FOLLOW) !== 0 &&
    view.getUint16(local + METHOD, true) === DEFLATED;
  if (isStreamed && sizes.every((at) => view.getUint32(local + at, true) === 0)) return true;
  return sizes.every((at) => isAlike(at) && isAlike(at + 2));
}

/** Sizes of 64 bits stand in an extra field, and replace those of the header. */
function refuseZip64(view: DataView, extra: number, header: number): void {
  const end = extra + view.getUint16(header + EXTRA_BYTES, true);
  for (let at = extra; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) === ZIP64_FIELD) {
      throw new Error('An entry of the archive has sizes of 64 bits.');
    }
  }
}

function checkData(
  bytes: Uint8Array,
  { method, checksum, unpackedBytes, start, end }: Entry,
): void {
  const data = unpack(bytes.subarray(start, end), method, unpackedBytes);
  if (data.length !== unpackedBytes || crc32(data) !== checksum) {
    throw new Error('An entry of the archive differs from its checksum.');
  }
}

function unpack(packed: Uint8Array, method: number, unpackedBytes: number): Uint8Array {
  if (method === STORED) return packed;
  if (method !== DEFLATED)
    throw new Error('An entry of the archive uses another compression method.');
  return inflateRawSync(packed, { maxOutputLength: Math.max(1, unpackedBytes) });
}

function expectSignature(view: DataView, at: number, signature: number): void {
  if (view.getUint32(at, true) !== signature) throw damaged();
}

function damaged(): Error {
  return new Error('The archive is damaged.');
}
