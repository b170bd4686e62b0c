import { describe, expect, test } from 'vitest';
import { bodyOf, contentFailure, soundRecords } from '../../../../test/harness/bodies.ts';
import {
  AT,
  type Day,
  dollarWorkbook,
  quarterWorkbook,
} from '../../../../test/harness/workbooks.ts';
import { SourceFailure } from '../../../core/app/failures.ts';
import type { Fetch, UpstreamRequest } from '../../../core/app/ports/sources.ts';
import { bcvArchive, bcvWorkbooks, MAX_LIST_PAGES } from './bcv-archive.ts';
import { parseBcvArchive, quartersOn } from './bcv-archive-parser.ts';

const LIST = 'https://www.bank.example/statistics/rates';
const FILES = 'https://www.bank.example/files/';
const DOLLAR = `${FILES}2_1_1_tdc.xlsx`;

/** A page of the list: the addresses it links to, and its next page. */
function listPage(hrefs: readonly string[], next?: string) {
  const rows = hrefs.map((href) => `<tr><td>Trimestre</td><td><a href="${href}">x</a></td></tr>`);
  const more = next === undefined ? '' : `<li class="next"><a href="${next}">siguiente</a></li>`;
  const pages = `<ul class="pagination"><li class="active">1</li>${more}</ul>`;
  const html = `<html><body><table>${rows.join('')}</table>${pages}</body></html>`;
  return { ...bodyOf(html), url: LIST };
}

/** Answers by address; any other is no page of the site. */
function site(answers: Readonly<Record<string, ReturnType<typeof bodyOf>>>) {
  const asked: UpstreamRequest[] = [];
  const fetch: Fetch = async (request) => {
    asked.push(request);
    const answer = answers[request.url];
    if (answer === undefined) throw new SourceFailure('status', 'bank.example answered 404');
    return { ...answer, url: request.url };
  };
  return { fetch, asked };
}

const friday: Day = {
  operations: '03/01/2025',
  value: '06/01/2025',
  asks: { EUR: 53.76600123, USD: 52.2 },
};
const monday: Day = {
  operations: '06/01/2025',
  value: '07/01/2025',
  asks: { EUR: 54.1, USD: 52.4 },
};
const dollar = dollarWorkbook({
  '2025': [
    ['FECHA', 'COMPRA', 'VENTA'],
    ['06/01/2025', 52.06, 52.19],
    ['03/01/2025', 51.87, 52],
  ],
});

describe('the list of quarterly workbooks', () => {
  test('has the workbooks of the page, whatever else it links to', () => {
    const page = listPage([
      '/',
      `${FILES}2_1_2b26_smc.xls`,
      '/files/2_1_2a26_smc.xls',
      `${FILES}2_1_2a26_otrasmonedas.xls`,
      `${FILES}2_1_2e26_smc.xls`,
      `${FILES}2_1_2a26_smc.pdf`,
      'http://[broken',
    ]);
    expect(quartersOn(page)).toEqual({
      quarters: [
        { url: `${FILES}2_1_2b26_smc.xls`, firstDay: '2026-04-01', upload: 0 },
        { url: `${FILES}2_1_2a26_smc.xls`, firstDay: '2026-01-01', upload: 0 },
      ],
      next: undefined,
    });
  });

  test('never leads to another host, nor off https', () => {
    const page = listPage(
      [
        'https://elsewhere.example/files/2_1_2a26_smc.xls',
        'https://www.bank.example:8443/files/2_1_2b26_smc.xls',
        'ftp://bank.example/files/2_1_2c26_smc.xls',
        'http://bank.example/files/2_1_2d26_smc.xls',
      ],
      'https://elsewhere.example/?page=1',
    );
    const { quarters, next } = quartersOn(page);
    expect(quarters.map(({ url }) => url)).toEqual([
      `${FILES}2_1_2c26_smc.xls`,
      `${FILES}2_1_2d26_smc.xls`,
    ]);
    expect(next).toBeUndefined();
  });

  test.each([
    ['nothing', ''],
    ['a page without workbooks', '<html><body><a href="/x.xls">x</a></body></html>'],
    ['a page that is cut short', '<html><a href="/files/2_1_2a26_smc.xls">x</a>'],
    ['JSON', '{"error":"not found"}'],
  ])('%s is a failure', (_, html) => {
    expect(contentFailure(() => quartersOn({ ...bodyOf(html), url: LIST }))).toMatch(/^expected /);
  });

  test('is read page by page: the last upload of each quarter, oldest first, then the dollar', async () => {
    const { fetch, asked } = site({
      [LIST]: listPage([`${FILES}2_1_2a24_smc.xls`, `${FILES}2_1_2c23_smc.xls`], '?page=1'),
      [`${LIST}?page=1`]: listPage([
        `${FILES}2_1_2c23_smc_9.xls`,
        `${FILES}2_1_2c23_smc_60.xls`,
        `${FILES}2_1_2d23_smc.xls`,
      ]),
    });
    const files = await bcvWorkbooks(fetch, LIST, { dollar_url: DOLLAR }).list();
    expect(files.map(({ name, span }) => [name, span?.from, span?.to])).toEqual([
      ['2_1_2c23_smc_60.xls', '2023-07-01', '2023-10-11'],
      ['2_1_2d23_smc.xls', '2023-10-01', '2024-01-11'],
      ['2_1_2a24_smc.xls', '2024-01-01', '2024-04-12'],
      ['2_1_1_tdc.xlsx', undefined, undefined],
    ]);
    expect(asked).toEqual([
      { url: LIST, accept: ['text/html'] },
      { url: `${LIST}?page=1`, accept: ['text/html'] },
    ]);
    expect(await bcvWorkbooks(fetch, `${LIST}?page=1`, {}).list()).toHaveLength(2);
  });

  test('has at most MAX_LIST_PAGES pages, even if each links to another', async () => {
    const pages = (last: number) => {
      const address = (page: number) => (page === 1 ? LIST : `${LIST}?page=${page}`);
      const workbook = [`${FILES}2_1_2a24_smc.xls`];
      return site(
        Object.fromEntries(
          Array.from({ length: last }, (_, at) => [
            address(at + 1),
            listPage(workbook, at + 1 === last ? undefined : `?page=${at + 2}`),
          ]),
        ),
      );
    };
    const list = (last: number) => bcvWorkbooks(pages(last).fetch, LIST, {}).list();
    await expect(list(MAX_LIST_PAGES)).resolves.toHaveLength(1);
    await expect(list(MAX_LIST_PAGES + 1)).rejects.toThrow(`at most ${MAX_LIST_PAGES} pages`);
  });
});

describe('the archive as a source', () => {
  const quarter = `${FILES}2_1_2a25_smc.xls`;
  const answers = {
    [LIST]: listPage([quarter]),
    [quarter]: bodyOf(quarterWorkbook([monday, friday])),
    [DOLLAR]: bodyOf(dollar),
  };
  const feed = { dollar_url: DOLLAR };

  test('reads every workbook, without repeating a day of a quarter as the dollar alone', async () => {
    const { fetch } = site(answers);
    const bodies = await bcvArchive.read(fetch, LIST, feed);
    expect(bodies.map(({ url }) => url)).toEqual([quarter, DOLLAR]);
    expect(soundRecords(() => parseBcvArchive(bodies))).toEqual([
      {
        kind: 'official',
        value_date: '2025-01-06',
        rates: { EUR: 53.76600123, USD: 52.2 },
        captured_at: '2025-01-03T19:30:00.000Z',
      },
      {
        kind: 'official',
        value_date: '2025-01-07',
        rates: { EUR: 54.1, USD: 52.4 },
        captured_at: '2025-01-06T19:30:00.000Z',
      },
      {
        kind: 'official',
        value_date: '2025-01-03',
        rates: { USD: 52 },
        captured_at: '2025-01-03T04:00:00.000Z',
      },
    ]);
    expect(bcvArchive.markets(feed)).toEqual([]);
  });

  test('fails a reading with faulty sheets, and names some of them', () => {
    const bad = (day: number): Day => ({
      ...friday,
      operations: `${day}/01/2025`,
      value: `${day + 1}/01/2025`,
      change: (cells) => cells[AT.firstRates]?.splice(AT.ask, 1),
    });
    const bytes = quarterWorkbook([bad(16), bad(15), bad(14), bad(13), monday]);
    expect(contentFailure(() => parseBcvArchive([bodyOf(bytes)]))).toBe(
      'expected sheets without faults; sheet 16012025: the ask of EUR is missing; ' +
        'sheet 15012025: the ask of EUR is missing; ' +
        'sheet 14012025: the ask of EUR is missing; and 1 more',
    );
  });

  test('fails without a body and with a body that is not a workbook', () => {
    expect(contentFailure(() => parseBcvArchive([]))).toBe('expected a workbook, there was none');
    const page = bodyOf('<html><body>404</body></html>');
    expect(contentFailure(() => parseBcvArchive([page]))).toContain('.xls or .xlsx');
  });

  test('accepts an https address for the dollar, or none', () => {
    const accepts = (value: unknown) => bcvArchive.feed.safeParse(value).success;
    expect([feed, {}].map(accepts)).toEqual([true, true]);
    const wrong = [{ dollar_url: 'http://bank.example/x.xlsx' }, { dollar_url: 7 }, { more: 1 }];
    expect(wrong.map(accepts)).toEqual([false, false, false]);
  });
});
