import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bodyOf, contentFailure, NO_FIGURES } from '../../../../test/harness/bodies.ts';
import type { UpstreamRequest } from '../../app/ports/sources.ts';
import { MAX_PAGE_DEPTH } from '../body/page.ts';
import { bcvOfficial } from './bcv-official.ts';
import { parseBcvOfficial } from './bcv-official-page.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
const parse = (html: string | Uint8Array) => parseBcvOfficial([bodyOf(html)]);

/** Replaces a text that is there; a test that replaces nothing would test nothing. */
function replaced(html: string, from: string | RegExp, to: string): string {
  const result = html.replace(from, to);
  if (result === html) throw new Error(`${from} is not there`);
  return result;
}

const home = fixture('bcv-home-2026-11-23.html');
const olderHome = fixture('bcv-home-2024-05-15.html');
const rates = {
  USD: 889.5754,
  EUR: 1012.3456,
  CNY: 125.10473218,
  TRY: 21.20360117,
  RUB: 11.0098765,
};
const record = {
  kind: 'official',
  value_date: '2026-11-23',
  value_date_text: 'Lunes, 23 Noviembre  2026',
  rates,
};
const olderRecord = {
  kind: 'official',
  value_date: '2024-05-15',
  value_date_text: 'Miércoles, 15 Mayo  2024',
  rates: { USD: 36.5683, EUR: 39.53410266, CNY: 5.05317482, TRY: 1.13317002, RUB: 0.40013579 },
};
const without = (currency: keyof typeof rates) => {
  const { [currency]: _, ...others } = rates;
  return { ...record, rates: others };
};
const block = (id: string) => new RegExp(`<div id="${id}" class[\\s\\S]*?</strong>\\s*</div>`);

describe('bcv-official', () => {
  test('makes one request', async () => {
    const asked: UpstreamRequest[] = [];
    await bcvOfficial.read(
      async (request) => {
        asked.push(request);
        return bodyOf('');
      },
      'https://www.bcv.example/',
      {},
    );
    expect(asked).toEqual([{ url: 'https://www.bcv.example/', accept: ['text/html'] }]);
  });

  test('reads the five currencies, the value date and its label as published', () => {
    expect(parse(home)).toEqual([record]);
    expect(parse(olderHome)).toEqual([olderRecord]);
  });

  test('reads the same block on the page of the bank table', () => {
    const { USD, EUR } = rates;
    const page = fixture('bcv-banks-page-0.html');
    expect(parse(page)).toEqual([{ ...record, rates: { USD, EUR } }]);
  });

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${olderHome}`)],
    ['UTF-16 LE with one', Buffer.from(`\uFEFF${olderHome}`, 'utf16le')],
    ['UTF-16 LE with CRLF', Buffer.from(`\uFEFF${olderHome.replaceAll('\n', '\r\n')}`, 'utf16le')],
    ['UTF-16 BE with one', Buffer.from(`\uFEFF${olderHome}`, 'utf16le').swap16()],
    ['UTF-16 LE', Buffer.from(olderHome, 'utf16le')],
    ['Latin-1', Buffer.from(olderHome, 'latin1')],
  ])('reads the same from a page in %s declared as UTF-8', (_, bytes) => {
    expect(parse(bytes)).toEqual([olderRecord]);
  });

  test.each([
    ['another order of classes', replaced(home, /class="col-sm-6 col-xs-6 centrado textp"/g, '')],
    ['an element around the figure', replaced(home, '889,57540000', '<b>889,57540000</b>')],
    ['hard spaces', replaced(home, ' 125,10473218', '&nbsp;125,10473218&nbsp;')],
    ['no thousands dot', replaced(home, '1.012,34560000', '1012,34560000')],
    ['a block without its id', replaced(home, 'id="dolar" class="col', 'class="col')],
    ['a block without its label', replaced(home, '<span> USD</span>', '')],
    ['no class on the value date', replaced(home, /class="date-display-single" (?=.*Lunes)/, '')],
    ['no property on the value date', replaced(home, /property="dc:date" (?=.*2026-11-23)/, '')],
    ['no attribute on the value date', replaced(home, 'content="2026-11-23T00:00:00-04:00"', '')],
    ['a block that is there twice', replaced(home, block('dolar'), '$&</div></div></div>$&')],
  ])('reads the same from a page with %s', (_, html) => {
    expect(parse(html)).toEqual([record]);
  });

  test('fails on a value date that nothing else on the page confirms', () => {
    const lonely = [
      replaced(home, record.value_date_text, ''),
      replaced(home, / content="2026-11-23[^>]*>[^<]*/, '>23-11-2026'),
      replaced(home, / content="2026-11-23[^>]*>[^<]*/, '>23 Noviembre 2026'),
    ];
    for (const html of lonely) {
      expect(contentFailure(() => parse(html))).toMatch(
        /^expected a day with its weekday or attribute, there was "/,
      );
    }
  });

  test('accepts a page without a currency other than dollar and euro', () => {
    expect(parse(replaced(home, block('lira'), ''))).toEqual([without('TRY')]);
    expect(parse(replaced(home, block('yuan'), ''))).toEqual([without('CNY')]);
    expect(parse(replaced(home, block('rublo'), ''))).toEqual([without('RUB')]);
    for (const [id, code] of [
      ['dolar', 'USD'],
      ['euro', 'EUR'],
    ] as const) {
      expect(contentFailure(() => parse(replaced(home, block(id), '')))).toBe(
        `expected the rate of ${code}, there was a page "Página de muestra"`,
      );
    }
  });

  test.each([
    ['an empty figure', 'TRY', replaced(home, '21,20360117', '')],
    ['a zero', 'TRY', replaced(home, '21,20360117', '0,00000000')],
    ['an English figure', 'EUR', replaced(home, '1.012,34560000', '1,012.34560000')],
    ['a figure with a minus', 'USD', replaced(home, '889,57540000', '-889,57540000')],
    ['a figure without a comma', 'USD', replaced(home, '889,57540000', '88957540000')],
    ['a word for a figure', 'RUB', replaced(home, '11,00987650', 'N/D')],
    [
      'two figures',
      'USD',
      replaced(home, '889,57540000', '1,00000000</strong><strong>889,57540000'),
    ],
    ['half a figure in an element', 'USD', replaced(home, '889,575', '889</strong><strong>,575')],
  ])('fails on %s in a block', (_, currency, html) => {
    expect(contentFailure(() => parse(html))).toMatch(
      new RegExp(`^expected one figure of ${currency}, as 889,57540000, there was "`),
    );
  });

  test('fails on a figure with a different number of decimals', () => {
    for (const damaged of ['88,957540000', '889,5754000', '889,575400000']) {
      expect(() => parse(replaced(home, '889,57540000', damaged))).toThrow(/^expected /);
    }
    expect(contentFailure(() => parse(replaced(home, '889,57540000', '889,5754000')))).toBe(
      'expected figures with the same number of decimals, there was EUR 1.012,34560000, ' +
        'CNY 125,10473218, TRY 21,20360117, RUB 11,00987650, USD 889,5754000',
    );
    const four = home.replaceAll(/(?<=,\d{4})\d{4}/g, '');
    expect(parse(four)).toEqual([
      { ...record, rates: { ...rates, CNY: 125.1047, TRY: 21.2036, RUB: 11.0098 } },
    ]);
  });

  test('fails on two blocks of one currency that disagree', () => {
    const twice = replaced(
      home,
      '</body>',
      '<div id="dolar"><strong>890,00000000</strong></div></body>',
    );
    expect(contentFailure(() => parse(twice))).toBe(
      'expected one rate of USD, there was 889.5754 and 890',
    );
    const labelled = replaced(
      home,
      '</body>',
      '<p class="recuadrotsmc"><span>USD</span><strong>890,00000000</strong></p></body>',
    );
    expect(contentFailure(() => parse(labelled))).toBe(
      'expected one rate of USD, there was 889.5754 and 890',
    );
  });

  test('fails on a block labelled as another currency', () => {
    const swapped = replaced(
      replaced(home, '"dolar"', '"rublo" data-x="1"'),
      '"rublo" c',
      '"dolar" c',
    );
    expect(contentFailure(() => parse(swapped))).toBe(
      'expected one currency in a block, there was USD and RUB',
    );
  });

  test.each(['JPY', 'CNX', '100 CNY', 'CNY/USD', 'Bs', 'cny'])(
    'does not read a block labelled %s as CNY',
    (label) => {
      expect(parse(replaced(home, '<span> CNY </span>', `<span> ${label} </span>`))).toEqual([
        without('CNY'),
      ]);
    },
  );

  test('fails on a required block with another label, and names it', () => {
    expect(
      contentFailure(() => parse(replaced(home, '<span> USD</span>', '<span>JPY</span>'))),
    ).toBe('expected the rate of USD, there was a block of "JPY"');
    const loose = replaced(home, /<strong[^>]*>889,57540000<\/strong>/, '<i>889,57540000</i>');
    expect(contentFailure(() => parse(loose))).toBe(
      'expected the rate of USD, there was a block of "USD 889,57540000"',
    );
  });

  test('shows the figure in a message even if the page is indented', () => {
    const indented = replaced(home, '21,20360117', `${' '.repeat(200)}\n\t21.20360117`);
    expect(contentFailure(() => parse(indented))).toBe(
      'expected one figure of TRY, as 889,57540000, there was "TRY 21.20360117"',
    );
  });

  test.each([
    ['text and attribute of different days', replaced(home, 'Lunes, 23', 'Martes, 24')],
    ['the wrong weekday', replaced(home, 'Lunes, 23', 'Martes, 23')],
    ['an attribute that is no day', replaced(home, '2026-11-23T00:00:00-04:00', '2026-11-23')],
    ['neither', replaced(home, /content="2026-11-23[^>]*>[^<]*/, '>')],
  ])('fails on a value date with %s', (_, html) => {
    expect(contentFailure(() => parse(html))).toMatch(/^expected one day as text and attribute/);
  });

  test('ignores other dates of the page', () => {
    const removed = replaced(home, /Fecha Valor:[\s\S]*?<\/span>/, '');
    expect(contentFailure(() => parse(removed))).toBe(
      'expected a date after "Fecha Valor:", there was a page "Página de muestra"',
    );
    const elsewhere = replaced(
      home,
      'Fecha Valor: <span class="date-display-single" property="dc:date"',
      'Fecha Valor: <span',
    );
    expect(() => parse(elsewhere)).toThrow(/^expected a date after "Fecha Valor:"/);
  });

  test('fails on two value dates that disagree', () => {
    const second =
      '<div>Fecha Valor: <i class="date-display-single">Martes, 24 Noviembre 2026</i></div></body>';
    expect(contentFailure(() => parse(replaced(home, '</body>', second)))).toBe(
      'expected one value date, there was 2026-11-23 and 2026-11-24',
    );
  });

  test.each([
    ...NO_FIGURES,
    ['an error page', fixture('bcv-error.html')],
    ['the page without its end', home.slice(0, home.indexOf('</html>'))],
    ['the page cut after the block', home.slice(0, home.indexOf('<hr>'))],
    ['a page nested too deep', `${'<div>'.repeat(MAX_PAGE_DEPTH)}${home}`],
    ['the export of the bank table', fixture('bcv-banks-export.xls')],
  ] as const)('%s is a failure', (_, content) => {
    expect(contentFailure(() => parse(content))).toMatch(/^expected /);
  });

  test('fails unless there is exactly one body', () => {
    expect(contentFailure(() => parseBcvOfficial([]))).toBe('expected 1 body, there were 0');
    const twice = [bodyOf(home), bodyOf(home)];
    expect(contentFailure(() => parseBcvOfficial(twice))).toBe('expected 1 body, there were 2');
  });
});
