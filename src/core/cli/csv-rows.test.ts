import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CsvFault, csvLine, csvRows } from './csv-rows.ts';

describe('CSV as RFC 4180 has it', () => {
  const cells = (text: string) => csvRows(text).map(({ line, cells: own }) => [line, ...own]);

  test.each([
    [
      'a,b\nc,d',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      '\uFEFFa,b\r\nc,d\r\n',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      '"a, ""b""",c\n"d\ne",f\ng,\n',
      [
        [1, 'a, "b"', 'c'],
        [2, 'd\ne', 'f'],
        [4, 'g', ''],
      ],
    ],
    [
      '\n\na\n\nb\n',
      [
        [3, 'a'],
        [5, 'b'],
      ],
    ],
    [
      'a,,\n,,',
      [
        [1, 'a', '', ''],
        [2, '', '', ''],
      ],
    ],
    ['""\n"",""', [[2, '', '']]],
    [
      'a,b\rc,d\r\re,"f\rg"\rh,i',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
        [4, 'e', 'f\rg'],
        [6, 'h', 'i'],
      ],
    ],
    [
      'a,b\n   \nc,d\n \t\r\n\r\ne,f',
      [
        [1, 'a', 'b'],
        [3, 'c', 'd'],
        [6, 'e', 'f'],
      ],
    ],
    ['', []],
  ])('reads %j', (text, expected) => {
    expect(cells(text)).toEqual(expected);
  });

  test.each([
    ['a,b"c', 1],
    ['a\n"b"c,d', 2],
    ['a\n"b\nc', 2],
    ['a\r"b"c', 2],
  ])('refuses %j, and names the line', (text, line) => {
    expect(() => csvRows(text)).toThrow(CsvFault);
    try {
      csvRows(text);
    } catch (error) {
      expect(error).toMatchObject({ line });
    }
  });

  test('a cell of some megabytes is read, and one whose quote never ends is refused', () => {
    const long = 'x\n""'.repeat(2_000_000);
    expect(cells(`a\n"${long}"`)[1]).toEqual([2, long.replaceAll('""', '"')]);
    expect(() => csvRows(`a\n"${long}`)).toThrow(CsvFault);
  });

  test('what is written is read again, whatever stands in the cells', () => {
    const row = fc.array(
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '\r\n', ' ', 'ñ') }),
      {
        minLength: 2,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const read = csvRows(rows.map(csvLine).join(''));
        expect(read.map((one) => one.cells)).toEqual(rows);
      }),
    );
  });
});
