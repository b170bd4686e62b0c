import { utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentFailure } from '../../../../test/harness/bodies.ts';
import { type Cells, dollarWorkbook, quarterWorkbook } from '../../../../test/harness/workbooks.ts';
import { MAX_WORKBOOK_BYTES } from '../limits.ts';
import { MAX_SHEET_CELLS, MAX_SHEETS, sheetsOf } from './workbook.ts';

const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const failureOf = (bytes: Uint8Array) => contentFailure(() => sheetsOf(bytes));

describe('sheets of a workbook', () => {
  test.each([
    ['xlsx', (cells: Cells) => dollarWorkbook({ ' First ': cells, Second: [] })],
    ['xls', (cells: Cells) => quarterWorkbook([], { ' First ': cells, Second: [] })],
  ])('are rows of texts and numbers, with gaps for empty cells (%s)', (_, make) => {
    const bytes = make([
      ['  A\u00a0text \n of lines ', undefined, 1.10131],
      [],
      ['', ' '],
      [undefined, 80945.7245, -3],
    ]);
    expect(sheetsOf(bytes)).toEqual([
      {
        name: 'First',
        rows: [
          {
            number: 1,
            cells: new Map<number, unknown>([
              [0, 'A text of lines'],
              [2, 1.10131],
            ]),
          },
          {
            number: 4,
            cells: new Map<number, unknown>([
              [1, 80945.7245],
              [2, -3],
            ]),
          },
        ],
      },
      { name: 'Second', rows: [] },
    ]);
  });

  test.each(['biff8', 'xlsx'] as const)('have the saved value of a formula (%s)', (bookType) => {
    const sheet = utils.aoa_to_sheet([[1]]);
    sheet['A1'] = { t: 'n', v: 36.5, f: '1+1' };
    sheet['B1'] = { t: 'b', v: true };
    sheet['C1'] = { t: 'e', v: 0x17 };
    sheet['!ref'] = 'A1:C1';
    const book = utils.book_new(sheet, 'S');
    const bytes = new Uint8Array(write(book, { type: 'array', bookType }));
    // Truth values and errors such as #REF! are no content, least of all their codes.
    expect(sheetsOf(bytes)[0]?.rows).toEqual([{ number: 1, cells: new Map([[0, 36.5]]) }]);
  });

  test.each([
    ['nothing', ''],
    ['a page', '<html><table><tr><td>FECHA</td><td>36.5</td></tr></table></html>'],
    ['separated values', 'FECHA,COMPRA,VENTA\n03/01/2025,51.9,52\n'],
    ['rich text', '{\\rtf1 36.5}'],
  ])('refuse %s, although it could be read as a workbook', (_, content) => {
    const message = 'expected an .xls or .xlsx workbook, there was another sort of file';
    expect(failureOf(new TextEncoder().encode(content))).toBe(message);
  });

  test('report a truncated or altered workbook as damaged', () => {
    const damaged = 'expected a whole workbook, there was one that is damaged or cut short';
    expect(failureOf(dollarWorkbook({ S: [[1]] }).subarray(0, 900))).toBe(damaged);
    expect(failureOf(Uint8Array.from(COMPOUND_FILE))).toBe(damaged);
    const altered = dollarWorkbook({ S: [[1, 2, 3]] });
    altered[60] = (altered[60] ?? 0) ^ 1;
    expect(failureOf(altered)).toBe(damaged);
  });

  test('accept MAX_WORKBOOK_BYTES and no more', () => {
    const most = new Uint8Array(MAX_WORKBOOK_BYTES);
    expect(failureOf(most)).toContain('another sort of file');
    expect(failureOf(new Uint8Array(MAX_WORKBOOK_BYTES + 1))).toContain(
      `at most ${MAX_WORKBOOK_BYTES} bytes`,
    );
  });

  test('accept MAX_SHEETS and no more', () => {
    const sheets = (count: number) =>
      dollarWorkbook(Object.fromEntries(Array.from({ length: count }, (_, at) => [`S${at}`, []])));
    expect(sheetsOf(sheets(MAX_SHEETS))).toHaveLength(MAX_SHEETS);
    expect(failureOf(sheets(MAX_SHEETS + 1))).toContain(`at most ${MAX_SHEETS} sheets`);
  });

  test('accept MAX_SHEET_CELLS and no more', () => {
    const cells = (count: number) =>
      dollarWorkbook({
        S: Array.from({ length: Math.ceil(count / 100) }, (_, row) =>
          Array(Math.min(100, count - row * 100)).fill(7),
        ),
      });
    expect(sheetsOf(cells(MAX_SHEET_CELLS))[0]?.rows).toHaveLength(MAX_SHEET_CELLS / 100);
    expect(failureOf(cells(MAX_SHEET_CELLS + 1))).toContain(`at most ${MAX_SHEET_CELLS} cells`);
  });

  test('have the exact double of a figure, in every form of the file', () => {
    const figure = fc.integer({ min: 1, max: 1e15 - 1 }).map((digits) => Number(`${digits}e-8`));
    fc.assert(
      fc.property(fc.array(figure, { minLength: 1, maxLength: 100 }), (figures) => {
        const [sheet] = sheetsOf(quarterWorkbook([], { S: [figures] }));
        expect([...(sheet?.rows[0]?.cells.values() ?? [])]).toEqual(figures);
      }),
    );
  });
});
