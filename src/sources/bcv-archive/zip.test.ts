import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkZip } from './zip.ts';

interface Made {
  readonly data: Uint8Array;
  readonly method?: number;
  /** What the local header says instead of the unpacked size. */
  readonly localSize?: number;
}

/** An archive as its format asks: local headers with data, the directory, its end. */
function zip(entries: readonly Made[], comment = ''): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { data, method = 8, localSize = data.length } of entries) {
    const packed = method === 8 ? deflateRawSync(data) : Buffer.from(data);
    const name = Buffer.from('part');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common]);
    local.writeUInt32LE(localSize, 22);
    const listed = Buffer.concat([Buffer.from('PK\x01\x02\0\0'), common, Buffer.alloc(14)]);
    listed.writeUInt32LE(offset, 42);
    parts.push(local, name, packed);
    directory.push(listed, name);
    offset += local.length + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, ...directory, end, Buffer.from(comment)]);
}

const text = Buffer.from('The dollar of a year, row by row. '.repeat(20));
const entry = { data: text };

describe('checkZip', () => {
  test('accepts valid archives: packed, stored, empty, with a comment, sizes after the data', () => {
    const streamed = { ...entry, localSize: 0 };
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
    const bomb = zip([{ data: Buffer.alloc(5_000_000) }]);
    for (const signature of ['PK\x01\x02', 'PK\x03\x04']) {
      const at = Buffer.from(bomb).indexOf(signature, 0, 'latin1');
      bomb.set([1, 0, 0, 0], at + (signature === 'PK\x01\x02' ? 24 : 22));
    }
    expect(() => checkZip(bomb, 10_000)).toThrow();
    expect(() => checkZip(zip([{ ...entry, localSize: 7 }]), 10_000)).toThrow('too large');
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
