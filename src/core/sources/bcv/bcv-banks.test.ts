import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bodyOf, contentFailure, NO_FIGURES } from '../../../../test/harness/bodies.ts';
import { SourceFailure } from '../../app/failures.ts';
import type { UpstreamRequest } from '../../app/ports/sources.ts';
import { bcvBanks, MAX_BANK_PAGES } from './bcv-banks.ts';
import { parseBcvBanks } from './bcv-banks-page.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
const parse = (...pages: readonly (string | Uint8Array)[]) => parseBcvBanks(pages.map(bodyOf));

/** Replaces a text that is there; a test that replaces nothing would test nothing. */
function replaced(html: string, from: string | RegExp, to: string): string {
  const result = html.replace(from, to);
  if (result === html) throw new Error(`${from} is not there`);
  return result;
}

const first = fixture('bcv-banks-page-0.html');
const last = fixture('bcv-banks-page-1.html');
const bankExport = fixture('bcv-banks-export.xls');
const bancoUno = { bank: 'Banco Uno', buy: 885.1, sell: 891.2, date: '2026-11-20' };
const delSur = { bank: 'Banco de Crédito del Sur', buy: 1003.45, date: '2026-11-20' };
const others = { bank: 'Otras Instituciones', sell: 884.7, date: '2026-11-18' };
const digital = { bank: '100% Digital', buy: 878.9, sell: 877.1, date: '2026-11-18' };

/** A table as the pages have it. */
const tableOf = (...rows: readonly (readonly string[])[]) =>
  `<html><table><tr><th>Fecha del Indicador</th><th>Banco</th><th>Compra</th><th>Venta</th></tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</table></html>`;

describe('bcv-banks', () => {
  const url = 'https://www.bcv.example/tasas-informativas-sistema-bancario';
  async function asked(answer: (page: number) => string, address = url) {
    const requests: UpstreamRequest[] = [];
    const bodies = await bcvBanks.read(
      async (request) => {
        requests.push(request);
        return bodyOf(answer(requests.length - 1));
      },
      address,
      {},
    );
    expect(bodies).toHaveLength(requests.length);
    return requests.map((request) => request.url);
  }

  test('requests pages while there is a next one', async () => {
    expect(await asked((page) => (page < 2 ? first : last))).toEqual([
      url,
      `${url}?page=1`,
      `${url}?page=2`,
    ]);
    expect(await asked(() => last)).toEqual([url]);
    const older = '<ul class="pager"><li class="pager-next"><a>siguiente</a></li></ul></html>';
    expect(await asked((page) => (page === 0 ? older : last))).toHaveLength(2);
  });

  test('requests the maximum of pages and no more', async () => {
    expect(await asked((page) => (page < MAX_BANK_PAGES - 1 ? first : last))).toHaveLength(
      MAX_BANK_PAGES,
    );
    expect(await asked(() => first)).toHaveLength(MAX_BANK_PAGES);
  });

  test('keeps the other parameters of the address', async () => {
    const address = `${url}?items=25`;
    expect(await asked((page) => (page === 0 ? first : last), address)).toEqual([
      address,
      `${address}&page=1`,
    ]);
  });

  test('requests pages and the export by their media types', async () => {
    await bcvBanks.read(
      async ({ accept }) => {
        expect(accept).toEqual(['text/html', 'application/vnd.ms-excel']);
        return bodyOf(last);
      },
      url,
      {},
    );
  });

  test('fails if a page in the middle is not one', async () => {
    const error = fixture('bcv-error.html').replace('</html>', '');
    await expect(asked((page) => (page === 1 ? error : first))).rejects.toThrow(SourceFailure);
  });

  test('gives the newest row of each bank over all pages, newest first', () => {
    expect(parse(first, last)).toEqual([
      {
        kind: 'bank_table',
        indicator_date: '2026-11-20',
        rows: [bancoUno, delSur, others, digital],
      },
    ]);
    expect(parse(last, first)).toEqual(parse(first, last));
  });

  test('a missing side, empty or zero, makes a row incomplete', () => {
    const rows = [
      ['20-11-2026', 'Banco Uno', '', '891,2000'],
      ['20-11-2026', 'Banco Dos', '885,1000', ' '],
      ['20-11-2026', 'Banco Tres', '0,0000', '891,2000'],
    ];
    expect(parse(tableOf(...rows))[0]?.['rows']).toEqual([
      { bank: 'Banco Uno', sell: 891.2, date: '2026-11-20' },
      { bank: 'Banco Dos', buy: 885.1, date: '2026-11-20' },
      { bank: 'Banco Tres', sell: 891.2, date: '2026-11-20' },
    ]);
  });

  test('skips a row with neither side and takes the previous one', () => {
    expect(parse(first)[0]?.['rows']).toEqual([bancoUno, delSur]);
    const table = tableOf(
      ['20-11-2026', 'Banco Uno', '', ''],
      ['19-11-2026', 'Banco Uno', '880,0000', '0,0000'],
    );
    expect(parse(table)[0]).toMatchObject({
      indicator_date: '2026-11-19',
      rows: [{ bank: 'Banco Uno', buy: 880, date: '2026-11-19' }],
    });
  });

  test('takes a repeated row once, and fails on two different rows of one day', () => {
    const row = ['20-11-2026', 'Banco Uno', '885,1000', '891,2000'];
    expect(parse(tableOf(row, row))[0]?.['rows']).toEqual([bancoUno]);
    for (const other of [
      ['20-11-2026', 'Banco Uno', '885,1000', '891,3000'],
      ['20-11-2026', 'Banco Uno', '885,1000', ''],
    ]) {
      expect(contentFailure(() => parse(tableOf(row), tableOf(other)))).toBe(
        'expected one row of Banco Uno on 2026-11-20, there was two that differ',
      );
    }
  });

  test('ignores different rows on an older day of their bank', () => {
    const table = tableOf(
      ['20-11-2026', 'Banco Uno', '885,1000', '891,2000'],
      ['19-11-2026', 'Banco Uno', '880,0000', '886,0000'],
      ['19-11-2026', 'Banco Uno', '881,0000', '886,0000'],
    );
    expect(parse(table)[0]?.['rows']).toEqual([bancoUno]);
  });

  test('reads the same from the export, without rows in bolívares soberanos', () => {
    expect(parse(bankExport)[0]).toEqual({
      kind: 'bank_table',
      indicator_date: '2026-11-20',
      rows: [
        bancoUno,
        delSur,
        { bank: 'Caja Común', buy: 4.1811, sell: 4.1922, date: '2021-10-04' },
      ],
    });
    const row = ['Banco Uno', '4,1811', '4,1922'];
    expect(parse(tableOf(['01-10-2021', ...row]))[0]?.['indicator_date']).toBe('2021-10-01');
    expect(contentFailure(() => parse(tableOf(['30-09-2021', ...row])))).toBe(
      'expected rows since 2021-10-01, there was none',
    );
  });

  test('finds columns by their headings, in any order', () => {
    const turned =
      '<tr><td>891,2000</td><td>Banco Uno</td><td>885,1000</td><td>20-11-2026</td></tr>';
    const headings = '<th>VENTA</th><th>BANCO</th><th>COMPRA</th><th>FECHA</th>';
    const html = `<table><tr>${headings}</tr>${turned}</table></html>`;
    expect(parse(html)[0]?.['rows']).toEqual([bancoUno]);
  });

  test.each([
    ['UTF-16', Buffer.from(`\uFEFF${bankExport}`, 'utf16le')],
    ['Latin-1', Buffer.from(bankExport, 'latin1')],
  ])('reads names in %s', (_, bytes) => {
    expect(parse(bytes)).toEqual(parse(bankExport));
  });

  test.each([
    ['read in another charset', Buffer.from(bankExport).toString('latin1')],
    ['in which a letter was lost', bankExport.replaceAll('é', '\uFFFD')],
    ['that is empty', replaced(bankExport, 'Banco Uno', '')],
  ])('fails on a name %s', (_, html) => {
    expect(contentFailure(() => parse(html))).toMatch(/^expected the name of a bank, there was "/);
  });

  test.each([
    ['no date', ['', 'Banco Uno', '885,1000', '891,2000'], 'one day as text and attribute'],
    ['no such date', ['31-11-2026', 'Banco Uno', '885,1000', ''], 'one day as text and attribute'],
    ['an English figure', ['20-11-2026', 'Banco Uno', '1,885.1000', ''], 'a figure as 889,5754'],
    ['a sign', ['20-11-2026', 'Banco Uno', '-885,1000', ''], 'a figure as 889,5754'],
    ['a word', ['20-11-2026', 'Banco Uno', '885,1000', 'N/D'], 'a figure as 889,5754'],
    ['a cell too few', ['20-11-2026', 'Banco Uno', '885,1000'], '4 cells in a row'],
    ['a cell too many', ['20-11-2026', 'Banco', 'Uno', '885,1000', ''], '4 cells in a row'],
    ['a lost digit', ['20-11-2026', 'Banco Dos', '85,100', ''], 'a figure as 889,5754'],
    [
      'other decimals',
      ['20-11-2026', 'Banco Dos', '88,51000', ''],
      'figures with the same number of',
    ],
  ])('fails on a row with %s', (_, row, expected) => {
    const good = ['20-11-2026', 'Otro', '885,1000', '891,2000'];
    expect(contentFailure(() => parse(tableOf(good, row)))).toMatch(
      new RegExp(`^expected ${expected}`),
    );
  });

  test('fails if the attribute of a date is another day', () => {
    const html = replaced(first, '>20-11-2026<', '>21-11-2026<');
    expect(contentFailure(() => parse(html))).toMatch(/^expected one day as text and attribute/);
  });

  test.each([
    ...NO_FIGURES,
    ['an error page', fixture('bcv-error.html')],
    ['the home page, whose table has no dates', fixture('bcv-home-2026-11-23.html')],
    ['a table without rows', tableOf()],
    ['a page without its end', first.slice(0, first.indexOf('</html>'))],
  ] as const)('%s is a failure', (_, content) => {
    expect(contentFailure(() => parse(content))).toMatch(/^expected /);
    expect(contentFailure(() => parse(first, content))).toMatch(/^expected /);
  });

  test('fails without a body', () => {
    expect(contentFailure(() => parse())).toBe('expected rows since 2021-10-01, there was none');
  });
});
