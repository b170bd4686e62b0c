/** Characters of a text that show its format. */
const FORMAT_LENGTH = 1_000;

/** Bytes of a file that show its format. The names of an archive's first files are among them. */
const FORMAT_BYTES = 4_096;

const TAKEN = 'import takes NDJSON, one JSON object per line';

const WORKBOOK =
  `This is a workbook; ${TAKEN}. One of the central bank: vesfx source parse bcv-archive FILE | ` +
  'vesfx import -, and "vesfx backfill" loads those on its site.';
const BY_HAND = `${TAKEN}, and no command reads it. One rate by hand: vesfx rate set reference RATE --date DAY.`;
const PACKED = `This is a compressed file; ${TAKEN}, also as gzip. Unpack it first.`;

interface BinaryFormat {
  /** The first bytes, in hexadecimal; any of them. */
  readonly begins: readonly string[];
  /** How many bytes stand before those. */
  readonly after?: number;
  /** What else the beginning has in it, in Latin-1. */
  readonly has?: RegExp;
  readonly message: string;
}

/** Formats of bytes, with what reads them. The first that fits counts. */
const BINARY_FORMATS: readonly BinaryFormat[] = [
  { begins: ['d0cf11e0a1b11ae1'], message: WORKBOOK },
  {
    begins: ['504b0304'],
    has: /\[Content_Types\]|xl\/|opendocument\.spreadsheet/,
    message: WORKBOOK,
  },
  // ZIP, gzip within gzip, bzip2, xz, Zstandard and 7-Zip.
  {
    begins: ['504b0304', '1f8b', '425a68', 'fd377a58', '28b52ffd', '377abcaf'],
    message: PACKED,
  },
  { begins: ['255044462d'], message: `This is a PDF; ${BY_HAND}` },
  // PNG, JPEG, GIF, TIFF and WebP; below, that of telephones.
  {
    begins: ['89504e470d0a', 'ffd8ff', '47494638', '49492a00', '4d4d002a', '52494646'],
    message: `This is a picture; ${BY_HAND}`,
  },
  { begins: ['66747970'], after: 4, message: `This is a picture; ${BY_HAND}` },
  {
    begins: ['53514c69746520666f726d6174203300'],
    message: `This is a SQLite database; ${TAKEN}. A backup of vesfx: vesfx restore FILE.`,
  },
  {
    begins: ['50415231'],
    message: `This is a Parquet file; ${TAKEN}, as "vesfx export FILE.ndjson" writes.`,
  },
];

/** How the first line of other texts looks. No record looks like these. */
const TEXT_FORMATS: readonly { readonly looks: RegExp; readonly message: string }[] = [
  { looks: /^\[/, message: `This is a JSON array; ${TAKEN}. Convert it: jq -c '.[]'.` },
  { looks: /^\{\s*$/, message: `This is JSON over several lines; ${TAKEN}. Convert it: jq -c .` },
  {
    looks: /^</,
    message: `This is HTML or XML; ${TAKEN}. A saved page of the central bank: vesfx source parse bcv-official FILE | vesfx import -.`,
  },
  { looks: /^[^{}[\]<>]+[,;\t][^{}[\]<>]*$/, message: `This is a CSV; ${TAKEN}.` },
];

/**
 * What a file is if it is not NDJSON, as a sentence that says what reads it; undefined for one that
 * may have records. So a file in another format is one error, not one for each line.
 */
export function otherFormatOf(file: Uint8Array): string | undefined {
  const beginning = Buffer.from(file.subarray(0, FORMAT_BYTES));
  const [bytes, hex] = [beginning.toString('latin1'), beginning.toString('hex')];
  const binary = BINARY_FORMATS.find(
    ({ begins, after = 0, has }) =>
      begins.some((one) => hex.startsWith(one, 2 * after)) && (has?.test(bytes) ?? true),
  );
  if (binary !== undefined) return binary.message;
  if (isUtf16(beginning)) {
    return 'This is UTF-16; import takes UTF-8. Convert it: iconv -f UTF-16 -t UTF-8.';
  }
  if (bytes.includes('\0')) return `This is no text; ${TAKEN}.`;
  const text = new TextDecoder().decode(beginning).slice(0, FORMAT_LENGTH);
  const [line = ''] = text.trimStart().split(/\r?\n/, 1);
  return TEXT_FORMATS.find(({ looks }) => looks.test(line))?.message;
}

function isUtf16([first = -1, second = -1]: Uint8Array): boolean {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Without a mark every ASCII character has a zero byte.
  return isMarked || (first === 0) !== (second === 0);
}
