import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkZip, MAX_ZIP_ENTRIES } from './zip.ts';

interface Made {
  readonly data: Uint8Array;
  readonly method?: number;
  /** Whether checksum and sizes follow the data, so that the local header has zeros. */
  readonly streamed?: boolean;
  /** Changes of the local header, and of the entry in the directory. */
  readonly local?: (header: Buffer) => void;
  readonly listed?: (header: Buffer) => void;
  /** An extra field behind the name of the local header, or of the entry. */
  readonly localExtra?: string;
  readonly listedExtra?: string;
}

const none = () => undefined;

/** An archive as its format asks: local headers with data, the directory, its end. */
function zip(entries: readonly Made[], comment = ''): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { data, method = 8, streamed = false, local = none, listed = none } = entry;
    const { localExtra = '', listedExtra = '' } = entry;
    const packed = method === 8 ? deflateRawSync(data) : Buffer.from(data);
    const name = Buffer.from('part');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(streamed ? 8 : 0, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const own = Buffer.concat([Buffer.from('PK\x03\x04'), common]);
    if (streamed) own.fill(0, 14, 26);
    own.writeUInt16LE(localExtra.length, 28);
    local(own);
    const inDirectory = Buffer.concat([Buffer.from('PK\x01\x02\0\0'), common, Buffer.alloc(14)]);
    inDirectory.writeUInt16LE(listedExtra.length, 30);
    inDirectory.writeUInt32LE(offset, 42);
    listed(inDirectory);
    parts.push(own, name, Buffer.from(localExtra), packed);
    directory.push(inDirectory, name, Buffer.from(listedExtra));
    offset += own.length + name.length + localExtra.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, ...directory, end, Buffer.from(comment)]);
}

const text = Buffer.from('The dollar of a year, row by row. '.repeat(20));
const entry = { data: text };

describe('checkZip', () => {
  test('accepts valid archives: packed, stored, empty, with a comment, sizes after the data', () => {
    const streamed = { ...entry, streamed: true };
    const entries = [entry, { data: text, method: 0 }, { data: Buffer.alloc(0) }, streamed];
    checkZip(zip(entries, 'a comment'), 10_000);
    checkZip(zip([]), 10_000);
  });

  test('accepts exactly `maxBytes` unpacked bytes over all entries', () => {
    const archive = zip([entry, entry]);
    checkZip(archive, 2 * text.length);
    expect(() => checkZip(archive, 2 * text.length - 1)).toThrow('too large');
  });

  test('detects a false size without unpacking more than stated', () => {
    const one = (at: number) => (header: Buffer) => header.writeUInt32LE(1, at);
    const bomb = { data: Buffer.alloc(5_000_000), local: one(22), listed: one(24) };
    expect(() => checkZip(zip([bomb]), 10_000)).toThrow();
  });

  test.each([
    ['unpacked size', { local: (header: Buffer) => header.writeUInt32LE(7, 22) }],
    ['packed size', { local: (header: Buffer) => header.writeUInt32LE(7, 18) }],
    ['checksum', { local: (header: Buffer) => header.writeUInt32LE(7, 14) }],
    ['method', { local: (header: Buffer) => header.writeUInt16LE(0, 8) }],
    ['flags', { listed: (header: Buffer) => header.writeUInt16LE(8, 8) }],
    ['length of the name', { local: (header: Buffer) => header.writeUInt16LE(3, 26) }],
    [
      'sizes left out, though they do not follow',
      { local: (header: Buffer) => header.fill(0, 14, 26) },
    ],
    ['sizes left out of stored data', { method: 0, streamed: true }],
  ])('refuses an entry whose headers differ: %s', (_, change) => {
    expect(() => checkZip(zip([{ ...entry, ...change }]), 10_000)).toThrow('differ');
  });

  test('refuses entries that overlap before it unpacks any', () => {
    const second = { ...entry, listed: (header: Buffer) => header.writeUInt32LE(0, 42) };
    expect(() => checkZip(zip([entry, second]), 10_000)).toThrow('overlap');
    // Data that reach into the next entry, or into the directory.
    const longer = (header: Buffer) => (at: number) =>
      header.writeUInt32LE(header.readUInt32LE(at) + 1, at);
    const reaching = {
      ...entry,
      local: (header: Buffer) => longer(header)(18),
      listed: (header: Buffer) => longer(header)(20),
    };
    expect(() => checkZip(zip([reaching, entry]), 10_000)).toThrow('overlap');
    expect(() => checkZip(zip([reaching]), 10_000)).toThrow('overlap');
  });

  test('accepts MAX_ZIP_ENTRIES entries and no more', () => {
    const archive = (count: number) => zip(Array(count).fill({ data: Buffer.alloc(0) }));
    checkZip(archive(MAX_ZIP_ENTRIES), 10_000);
    expect(() => checkZip(archive(MAX_ZIP_ENTRIES + 1), 10_000)).toThrow('more than');
    const twoCounts = Buffer.from(archive(2));
    twoCounts.writeUInt16LE(1, twoCounts.length - 12);
    expect(() => checkZip(twoCounts, 10_000)).toThrow('damaged');
  });

  test('refuses sizes of 64 bits in either header, and accepts other extra fields', () => {
    const other = '\x55\x54\x01\x00x';
    checkZip(zip([{ ...entry, localExtra: other, listedExtra: other }]), 10_000);
    const zip64 = `${other}\x01\x00\x10\x00${'\0'.repeat(16)}`;
    for (const place of ['localExtra', 'listedExtra']) {
      expect(() => checkZip(zip([{ ...entry, [place]: zip64 }]), 10_000)).toThrow('64 bits');
    }
  });

  test('refuses a second end of the directory, which some readers take', () => {
    const second = Buffer.alloc(22);
    second.write('PK\x05\x06', 'latin1');
    for (const length of [4, 20, 21]) {
      const comment = second.toString('latin1', 0, length);
      expect(() => checkZip(zip([entry], comment), 10_000), `${length}`).toThrow(
        /no directory|outside/,
      );
    }
  });

  test('detects an altered byte anywhere in the data', () => {
    const archive = zip([entry]);
    const start = 34;
    const end = Buffer.from(archive).indexOf('PK\x01\x02', 0, 'latin1');
    for (let at = start; at < end; at += 1) {
      const altered = Uint8Array.from(archive);
      altered[at] = (altered[at] ?? 0) ^ 0x10;
      expect(() => checkZip(altered, 10_000), `byte ${at}`).toThrow();
    }
  });

  test('refuses an archive that is truncated, empty, or packed in another way', () => {
    const archive = zip([entry]);
    for (const length of [0, 4, 30, 60, archive.length - 1]) {
      expect(() => checkZip(archive.subarray(0, length), 10_000), `${length} bytes`).toThrow();
    }
    expect(() => checkZip(zip([{ ...entry, method: 12 }]), 10_000)).toThrow(
      'another compression method',
    );
  });
});
