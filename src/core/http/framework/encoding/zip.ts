import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** The bytes of a file, in order. */
type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** A file deflated piece by piece: the text of a sheet is ten times as long as what is sent. */
async function deflated(pieces: Pieces) {
  let size = 0;
  let checksum = 0;
  async function* counted() {
    for await (const bytes of pieces) {
      size += bytes.length;
      checksum = crc32(bytes, checksum);
      yield bytes;
    }
  }
  const packed = await pipeline(counted, createDeflateRaw(), buffer);
  return { packed, size, checksum };
}

/** Bits and fields of a ZIP's headers: version 2.0, deflated, and the first day that it can have. */
const VERSION = 20;
const DEFLATED = 8;
const FIRST_DAY = 0x21;

/** A ZIP of a few small files, whose names are in ASCII. Equal files give equal bytes. */
export async function zipOf(
  files: readonly (readonly [name: string, pieces: Pieces])[],
): Promise<Buffer> {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, pieces] of files) {
    const { packed, size, checksum } = await deflated(pieces);
    // The fields that both headers of a file share.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(FIRST_DAY, 8);
    common.writeUInt32LE(checksum, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    local.push(Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), common, central, Buffer.from(name));
    offset += 4 + common.length + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...directory, end]);
}
