import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../../../test/harness/bodies.ts';
import { textOf } from './body-text.ts';

const MARK = '\uFEFF';
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** How a page may come. Those without a byte order mark begin with `<`, as pages do. */
const ENCODINGS: readonly (readonly [string, (text: string) => Uint8Array])[] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a mark', (text) => Buffer.from(MARK + text)],
  ['UTF-16 LE with a mark', (text) => Buffer.from(MARK + text, 'utf16le')],
  ['UTF-16 BE with a mark', (text) => bigEndian(MARK + text)],
  ['UTF-16 LE', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16 BE', (text) => bigEndian(text)],
  ['Latin-1', (text) => Buffer.from(text, 'latin1')],
];

describe.each(ENCODINGS)('textOf, %s', (_, encode) => {
  test('any Spanish text is read as it was written', () => {
    const letter = fc.constantFrom(...'abcXYZ ,.<>\n0123áéíóúüñÁÉÍÓÚÜÑ');
    fc.assert(
      fc.property(fc.string({ unit: letter }), (text) => {
        expect(textOf(bodyOf(encode(`<${text}`)))).toBe(`<${text}`);
      }),
    );
  });

  test('the charsets declared in header and page are ignored', () => {
    for (const said of ['utf-8', 'utf-16', 'iso-8859-1', 'windows-1251', 'x-unknown']) {
      const text = `<meta charset="${said}"><p>Miércoles</p>`;
      const contentType = `text/html; charset=${said}`;
      expect(textOf({ url: '', bytes: encode(text), contentType })).toBe(text);
    }
  });
});

describe('textOf', () => {
  test('Windows-1252 has letters where Latin-1 has none', () => {
    const bytes = Buffer.from([0x3c, 0x93, 0xd1, 0x94, 0x80]);
    expect(textOf(bodyOf(bytes))).toBe('<“Ñ”€');
  });

  test('damage in UTF-8 becomes U+FFFD, and the rest stays readable', () => {
    const [before, after] = [Buffer.from('<p>Crédito Ca'), Buffer.from('aracas, sábado')];
    const bytes = Buffer.concat([before, Buffer.from([0xc3]), after]);
    expect(textOf(bodyOf(bytes))).toBe('<p>Crédito Ca\uFFFDaracas, sábado');
  });

  test('half a character at the end of UTF-16 becomes U+FFFD', () => {
    const bytes = Buffer.from('\uFEFF<p>889,57', 'utf16le').subarray(0, -1);
    expect(textOf(bodyOf(bytes))).toBe('<p>889,5\uFFFD');
  });

  test('an empty body is an empty text', () => {
    expect(textOf(bodyOf(''))).toBe('');
  });
});
