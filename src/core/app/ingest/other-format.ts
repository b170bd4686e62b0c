import { type Sentence, sentence } from '../../domain/errors/sentence.ts';

/** Characters of a text that show its format. */
const FORMAT_LENGTH = 1_000;

/** Bytes of a file that show its format. The names of an archive's first files are among them. */
const FORMAT_BYTES = 4_096;

const TAKEN = sentence(
  'import takes NDJSON, one JSON object per line',
  'se acepta NDJSON, un objeto JSON por línea',
);

const WORKBOOK = sentence(
  `This is a workbook; ${TAKEN.en}. One of the central bank: vesfx source parse bcv-archive FILE | ` +
    'vesfx import -, and "vesfx backfill" loads those on its site. Another one: save it as CSV, and import that.',
  `Esto es un libro de cálculo; ${TAKEN.es}. Uno del Banco Central: vesfx source parse bcv-archive ARCHIVO | ` +
    'vesfx import -, y "vesfx backfill" carga los de su sitio. Otro: guárdelo como CSV y cárguelo con vesfx import.',
);
const PACKED = sentence(
  `This is a compressed file; ${TAKEN.en}, also as gzip. Unpack it first.`,
  `Esto es un archivo comprimido; ${TAKEN.es}, también en gzip. Descomprímalo primero.`,
);

/** What is read by no command. */
function byHand(en: string, es: string): Sentence {
  return sentence(
    `This is ${en}; ${TAKEN.en}, and no command reads it. One rate by hand: vesfx rate set reference RATE --date DAY.`,
    `Esto es ${es}; ${TAKEN.es}, y ningún comando lo lee. Una tasa a mano: vesfx rate set reference TASA --date DÍA.`,
  );
}

const PICTURE = byHand('a picture', 'una imagen');

interface BinaryFormat {
  /** The first bytes, in Latin-1; any of them. */
  readonly begins: readonly string[];
  /** What else the beginning has in it. */
  readonly has?: RegExp;
  readonly message: Sentence;
}

/** Formats of bytes, with what reads them. The first that fits counts. */
const BINARY_FORMATS: readonly BinaryFormat[] = [
  { begins: ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'], message: WORKBOOK },
  {
    begins: ['PK\x03\x04'],
    has: /\[Content_Types\]|xl\/|opendocument\.spreadsheet/,
    message: WORKBOOK,
  },
  // ZIP, gzip within gzip, bzip2, xz, Zstandard and 7-Zip.
  {
    begins: ['PK\x03\x04', '\x1f\x8b', 'BZh', '\xfd7zX', '(\xb5/\xfd', '7z\xbc\xaf'],
    message: PACKED,
  },
  { begins: ['%PDF-'], message: byHand('a PDF', 'un PDF') },
  // PNG, JPEG, GIF, TIFF and WebP; below, that of telephones, after its length.
  {
    begins: ['\x89PNG\r\n', '\xff\xd8\xff', 'GIF8', 'II*\0', 'MM\0*', 'RIFF'],
    message: PICTURE,
  },
  { begins: [''], has: /^.{4}ftyp/s, message: PICTURE },
  {
    begins: ['SQLite format 3\0'],
    message: sentence(
      `This is a SQLite database; ${TAKEN.en}. A backup of vesfx: vesfx restore FILE.`,
      `Esto es una base de datos SQLite; ${TAKEN.es}. Un respaldo de vesfx: vesfx restore ARCHIVO.`,
    ),
  },
  {
    begins: ['PAR1'],
    message: sentence(
      `This is a Parquet file; ${TAKEN.en}, as "vesfx export FILE.ndjson" writes.`,
      `Esto es un archivo Parquet; ${TAKEN.es}, como lo escribe "vesfx export ARCHIVO.ndjson".`,
    ),
  },
];

/** How the first line of other texts looks. No record looks like these. */
const TEXT_FORMATS: readonly { readonly looks: RegExp; readonly message: Sentence }[] = [
  {
    looks: /^\[/,
    message: sentence(
      `This is a JSON array; ${TAKEN.en}. Convert it: jq -c '.[]'.`,
      `Esto es una lista JSON; ${TAKEN.es}. Conviértala: jq -c '.[]'.`,
    ),
  },
  {
    looks: /^\{\s*$/,
    message: sentence(
      `This is JSON over several lines; ${TAKEN.en}. Convert it: jq -c .`,
      `Esto es JSON en varias líneas; ${TAKEN.es}. Conviértalo: jq -c .`,
    ),
  },
  {
    looks: /^</,
    message: sentence(
      `This is HTML or XML; ${TAKEN.en}. A saved page of the central bank: vesfx source parse bcv-official FILE | vesfx import -.`,
      `Esto es HTML o XML; ${TAKEN.es}. Una página guardada del Banco Central: vesfx source parse bcv-official ARCHIVO | vesfx import -.`,
    ),
  },
  {
    looks: /^[^{}[\]<>]+[,;\t][^{}[\]<>]*$/,
    message: sentence(`This is a CSV; ${TAKEN.en}.`, `Esto es un CSV; ${TAKEN.es}.`),
  },
];

/**
 * What a file is if it is not NDJSON, as a sentence that says what reads it; undefined for one that
 * may have records. So a file in another format is one error, not one for each line.
 */
export function otherFormatOf(file: Uint8Array): Sentence | undefined {
  return otherThanTextOf(file) ?? otherTextOf(file);
}

/** The same of a file that is no text in UTF-8 or in a code page. */
export function otherThanTextOf(file: Uint8Array): Sentence | undefined {
  const beginning = Buffer.from(file.subarray(0, FORMAT_BYTES));
  const bytes = beginning.toString('latin1');
  const binary = BINARY_FORMATS.find(
    ({ begins, has }) => begins.some((one) => bytes.startsWith(one)) && (has?.test(bytes) ?? true),
  );
  if (binary !== undefined) return binary.message;
  if (isUtf16(beginning)) {
    return sentence(
      'This is UTF-16; import takes UTF-8. Convert it: iconv -f UTF-16 -t UTF-8.',
      'Esto es UTF-16; se acepta UTF-8. Conviértalo: iconv -f UTF-16 -t UTF-8.',
    );
  }
  if (!bytes.includes('\0')) return undefined;
  return sentence(`This is no text; ${TAKEN.en}.`, `Esto no es texto; ${TAKEN.es}.`);
}

/** The same of a text. */
function otherTextOf(file: Uint8Array): Sentence | undefined {
  const text = new TextDecoder().decode(file.subarray(0, FORMAT_BYTES)).slice(0, FORMAT_LENGTH);
  const [line = ''] = text.trimStart().split(/\r?\n/, 1);
  return TEXT_FORMATS.find(({ looks }) => looks.test(line))?.message;
}

function isUtf16([first = -1, second = -1]: Uint8Array): boolean {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Without a mark every ASCII character has a zero byte.
  return isMarked || (first === 0) !== (second === 0);
}
