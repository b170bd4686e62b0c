import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { otherFormatOf } from './other-format.ts';

const bytes = (hex: string, text = '') =>
  Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from(text)]);
const RECORD = '{"kind":"quote","market":"cash","mid":850}\n';
const BOM = '\uFEFF';

describe('contract §7 a file in another format is one sentence, with what reads it', () => {
  test.each([
    [
      'a workbook, .xls',
      bytes('d0cf11e0a1b11ae1', '\0'.repeat(500)),
      'vesfx source parse bcv-archive',
    ],
    ['a workbook, .xlsx', bytes('504b030414000600', '[Content_Types].xml'), 'vesfx backfill'],
    [
      'a workbook, .ods',
      bytes('504b0304', 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
      'workbook',
    ],
    ['a ZIP', bytes('504b0304', 'records.ndjson'), 'Unpack it first'],
    ['gzip', gzipSync(RECORD), 'Unpack it first'],
    ['xz', bytes('fd377a585a00'), 'Unpack it first'],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'This is a PDF; '],
    ['a PNG', bytes('89504e470d0a1a0a0000'), 'vesfx rate set reference RATE'],
    ['a JPEG', bytes('ffd8ffe000104a464946'), 'This is a picture; '],
    ['a picture of a telephone', bytes('0000001866747970', 'heic'), 'This is a picture; '],
    ['a WebP', bytes('52494646', '\0\0\0\0WEBP'), 'This is a picture; '],
    ['SQLite', Buffer.from('SQLite format 3\0'), 'vesfx restore FILE'],
    ['Parquet', Buffer.from('PAR1'), 'vesfx export FILE.ndjson'],
    ['HTML', Buffer.from('<!DOCTYPE html>\n<html>'), 'vesfx source parse bcv-official'],
    ['HTML after a mark and blank lines', Buffer.from(`${BOM}\n\n  <html>`), 'This is HTML'],
    ['UTF-16 LE', Buffer.from(BOM + RECORD, 'utf16le'), 'This is UTF-16'],
    ['UTF-16 BE', Buffer.from(RECORD, 'utf16le').swap16(), 'This is UTF-16'],
    ['other bytes', Buffer.from('abc\0def'), 'This is no text'],
    ['a CSV', Buffer.from('market,mid\ncash,850'), 'This is a CSV'],
    ['a JSON array', Buffer.from(`[${RECORD}]`), "jq -c '.[]'"],
    ['JSON over several lines', Buffer.from('{\n "kind": "quote"\n}'), 'jq -c .'],
  ])('%s', (_, file, said) => {
    const sentence = otherFormatOf(file)?.en ?? '';
    expect(sentence).toContain(said);
    expect(sentence).toMatch(/^This is [^\n]*\.$/);
  });

  test.each([
    ['a record', RECORD],
    ['a record after a mark', BOM + RECORD],
    ['blank lines before a record', `\n\n${RECORD}`],
    ['accents', '{"kind":"quote","market":"efectivo Táchira"}'],
    ['nothing', ''],
    ['text that is no record, which its line names', 'hello'],
  ])('%s may have records', (_, text) => {
    expect(otherFormatOf(Buffer.from(text))).toBeUndefined();
  });
});
