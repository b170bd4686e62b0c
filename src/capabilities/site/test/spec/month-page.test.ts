import { read, utils } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { official } from '../../../../../test/harness/make.ts';
import { fault, startTestService } from '../../../../../test/harness/service.ts';
import { BOARD_REQUESTS_PER_MINUTE } from '../../figures/board.ts';

/** The page of a month and its files: read without a key (contract §27). */

const READ = { captured_at: '2026-11-19T20:10:00.000Z' };
/** Monday 23 is a bank holiday. The rate of Friday 27 is published on Thursday. */
const RATES = {
  '2026-10-30': 790,
  '2026-11-18': 800,
  '2026-11-19': 801,
  '2026-11-20': 802,
  '2026-11-24': 803,
  '2026-11-25': 804,
  '2026-11-26': 805.25,
};
const RECORDS = [
  ...Object.entries(RATES).map(([day, USD]) => official(day, { USD, EUR: USD + 120 }, READ)),
  official('2026-11-27', { USD: 806.25, EUR: 937 }, { captured_at: '2026-11-26T20:10:00.000Z' }),
];

async function pages({
  records = RECORDS,
  now = '2026-11-26T22:00:00Z',
  config = {},
}: {
  readonly records?: readonly object[];
  readonly now?: string;
  readonly config?: object;
} = {}) {
  const service = await startTestService({ start: Date.parse(now), config });
  if (records.length > 0) await service.push(...records);
  const page = async (path: string, language = 'es') => {
    const { status, text } = await service.call(path, {
      headers: { 'accept-language': language },
    });
    return { status, html: text, words: wordsOf(text) };
  };
  return { service, page };
}

const wordsOf = (markup: string): string =>
  markup
    .replace(/^.*<main[^>]*>/s, '')
    .replaceAll(/<\/(?:th|td|dt|dd|h\d|p|tr|b|a)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/[\s\u00a0]+/g, ' ');

/** The words of the row of a day. */
function rowOf(html: string, day: string): string {
  const rows = html.match(/<tr[^>]*>.*?<\/tr>/gs) ?? [];
  return wordsOf(rows.find((row) => row.includes(`datetime="${day}"`)) ?? '').trim();
}

describe('the page of a month (contract §27)', () => {
  test.each(['month', 'mes'])(
    'takes the month also as %s=, and never the running one for it',
    async (name) => {
      const { page } = await pages();
      const named = await page(`/mes?${name}=2026-10`);
      expect([named.status, rowOf(named.html, '2026-10-30')]).toEqual([200, expect.anything()]);
      expect(rowOf(named.html, '2026-10-30')).toContain('790');
      for (const wrong of ['', '2026-13', 'octubre']) {
        expect((await page(`/mes?${name}=${wrong}`)).status).toBe(404);
      }
    },
  );

  test('has every day with the rates of both rules, the close so far and the average', async () => {
    const { page } = await pages();
    const { status, html, words } = await page('/mes');
    expect(status).toBe(200);
    expect(words).toContain('Tasa oficial, noviembre de 2026');
    expect(rowOf(html, '2026-11-20')).toBe('vie 20 802,0000 802,0000 ▲+ 0,12 %');
    expect(rowOf(html, '2026-11-21')).toBe('sáb 21 del vie 20 802,0000 del mar 24 803,0000');
    expect(rowOf(html, '2026-11-23')).toBe(
      'lun 23 feriado del vie 20 802,0000 del mar 24 803,0000',
    );
    expect(rowOf(html, '2026-11-26')).toMatch(/^jue 26 hoy 805,2500/);
    expect(rowOf(html, '2026-11-27')).toMatch(/^vie 27 806,2500/);
    expect(html).not.toContain('datetime="2026-11-28"');
    expect(words).toContain('Última conocida 806,2500');
    expect(words).toContain('El mes no ha terminado.');
    // (800 + 801 + 802 + 803 + 804 + 805.25 + 806.25) / 7
    expect(words).toContain('Promedio 803,0714 de 7 fechas valor, hasta ahora');
  });

  test('is in English too, and of the euro', async () => {
    const { page } = await pages();
    const { html, words } = await page('/mes/2026-11?currency=EUR', 'en');
    expect(words).toContain('Official rate, November 2026');
    expect(rowOf(html, '2026-11-21')).toBe('Sat 21 of Fri 20 922.0000 of Tue 24 923.0000');
    expect(words).toContain('Bolívares for one euro.');
    expect(html).toContain('<title>BCV euro, November 2026');
  });

  test('a whole month says its close; the months beside it are linked as far as something is known', async () => {
    const { service, page } = await pages();
    service.clock.set(Date.parse('2026-12-02T12:00:00Z'));
    await service.push(
      official('2026-11-30', { USD: 807 }, { captured_at: '2026-12-01T12:00:00.000Z' }),
    );
    const { html, words } = await page('/mes/2026-11');
    expect(words).toContain('Cierre 807,0000 lunes 30.');
    expect(html).toContain('href="/mes/2026-10"');
    expect(html).toContain('href="/mes/2026-12"');
    expect((await page('/mes/2026-10')).html).not.toContain('href="/mes/2026-09"');
    expect((await page('/mes/2026-12')).html).not.toContain('href="/mes/2027-01"');
  });

  test('days without a publication, and those after them, say that nobody knows their rate', async () => {
    const { page } = await pages();
    const { html, words } = await page('/mes');
    expect(rowOf(html, '2026-11-01')).toContain('del vie 30 790,0000');
    expect(rowOf(html, '2026-11-02')).toBe('lun 2 falta la publicación');
    expect(rowOf(html, '2026-11-07')).toBe('sáb 7 no se conoce');
    expect(words).toContain('Faltan 12 publicaciones');
    const october = await page('/mes/2026-10');
    expect(rowOf(october.html, '2026-10-29')).toBe('jue 29 sin datos');
  });

  test('the close of a month whose last business day is missing is not known', async () => {
    const { page } = await pages({ now: '2026-12-05T12:00:00Z' });
    const { words } = await page('/mes/2026-11');
    expect(words).toContain('Cierre No se conoce: falta la publicación de ese día.');
  });

  test('a month without rates, and a service without any, say so', async () => {
    const { page } = await pages();
    const { status, words, html } = await page('/mes/2026-08');
    expect(status).toBe(200);
    expect(words).toContain('No hay tasas guardadas de este mes.');
    expect(html).not.toContain('/board/month.xlsx');
    const empty = await pages({ records: [] });
    expect((await empty.page('/mes')).words).toContain('No hay tasas guardadas de este mes.');
  });

  test.each([
    ['/mes/2026-12', 'un mes futuro'],
    ['/mes/2026-13', 'termina así: /mes/2026-11'],
    ['/mes/hoy', 'termina así: /mes/2026-11'],
    ['/mes?currency=CNY', 'USD y EUR'],
  ])('%s is no page, and says why with a way to the running month', async (path, why) => {
    const { page } = await pages();
    const { status, words, html } = await page(path);
    expect(status).toBe(404);
    expect(words).toContain(why);
    expect(html).toContain('href="/mes"');
  });

  test('the rate of today as amounts says until when it is valid, and the sheet has both currencies', async () => {
    const { service, page } = await pages();
    service.clock.set(Date.parse('2026-11-27T12:00:00Z'));
    const { words, html } = await page('/mes');
    expect(words).toContain('Dólar BCV, 806,2500');
    expect(words).toMatch(/500 USD Bs\. 403\.125,00/);
    expect(words).toContain('Rige desde el viernes 27 hasta el domingo 29 de noviembre de 2026.');
    expect(html).toContain('href="/mes?hoja=montos"');
    const sheet = await page('/mes?hoja=montos');
    expect(sheet.html).toMatch(/<body class="month amounts-only">/);
    expect(sheet.words.indexOf('Dólar BCV, 806,2500')).toBeLessThan(
      sheet.words.indexOf('Euro BCV, 937,0000'),
    );
    // With a rate of tomorrow that of today holds for a day.
    service.clock.set(Date.parse('2026-11-26T22:00:00Z'));
    expect((await page('/mes')).words).toContain('Rige solo el jueves 26 de noviembre de 2026.');
  });

  test('a stale rate is no sheet to charge with, and the page warns above the figures', async () => {
    const { service, page } = await pages();
    service.clock.set(Date.parse('2026-12-08T15:00:00Z'));
    const { html, words } = await page('/mes?hoja=montos');
    expect(words).toContain('No cobre');
    expect(html).not.toContain('amounts-only');
    expect(html).not.toContain('Bs.\u00a0403.125,00');
  });

  test('contract §1 over a reform each row is in the unit of its day, close and average in that of the last', async () => {
    const records = ['2021-09-28', '2021-09-29', '2021-09-30', '2021-10-01'].map((date, at) =>
      official(date, { USD: 4 + at / 10 }, { captured_at: `${date}T12:00:00Z` }),
    );
    const { page } = await pages({ records });
    const { html, words } = await page('/mes/2021-09');
    expect(rowOf(html, '2021-09-29')).toBe('mié 29 4.100.000,0000 4.100.000,0000 ▲+ 2,50 %');
    expect(words).toContain('Cierre 4.200.000,0000');
    expect(words).toContain('Desde el 1 de octubre de 2021, un bolívar nuevo son 1.000.000');
  });

  test('contract §1 a month of 2018 has the strong bolívar before 20 August and the sovereign one from then on', async () => {
    const records = [
      official('2018-08-17', { USD: 0.0000025 }, { captured_at: '2018-08-17T12:00:00Z' }),
      official('2018-08-20', { USD: 0.00006 }, { captured_at: '2018-08-20T12:00:00Z' }),
    ];
    const { page } = await pages({ records });
    const { html, words } = await page('/mes/2018-08');
    expect(rowOf(html, '2018-08-17')).toContain('250.000,0000');
    expect(rowOf(html, '2018-08-19')).toContain('250.000,0000');
    expect(rowOf(html, '2018-08-20')).toContain('bolívar nuevo 60,0000');
    expect(words).toContain('Promedio 31,2500 de 2 fechas valor');
    expect(words).toContain('Desde el 20 de agosto de 2018, un bolívar nuevo son 100.000');
  });

  test('the link of a chat has the month, its close and its own address', async () => {
    const { page } = await pages();
    const { html } = await page('/mes/2026-11?currency=EUR&lang=en');
    expect(html).toContain('property="og:title" content="BCV euro, November 2026: Bs. 937.0000"');
    expect(html).toMatch(
      /property="og:url" content="[^"]*\/mes\/2026-11\?currency=EUR&amp;lang=en"/,
    );
  });

  test('the operator switches it off with the board, and its number of days limits it', async () => {
    const off = await pages({ config: { added: { VESFX_BOARD: '0' } } });
    expect((await off.page('/mes')).status).toBe(404);
    const short = await pages({ config: { added: { VESFX_BOARD_HISTORY_DAYS: '20' } } });
    expect((await short.page('/mes/2026-11')).status).toBe(200);
    expect((await short.page('/mes/2026-10')).words).toContain('El tablero llega 20 días atrás.');
    const reply = await short.service.call('/board/month.csv?month=2026-10');
    expect(fault(reply).slice(0, 2)).toEqual([403, 'history_out_of_retention']);
  });
});

describe('the files of a month (contract §27)', () => {
  test('have the columns and figures of the API, in the language of the reader, without a key', async () => {
    const { service } = await pages();
    const key = await service.keyFor('Inicio');
    const csv = async (locale: string) => {
      const { text, headers } = await service.call(
        `/board/month.csv?month=2026-11&currency=EUR&locale=${locale}`,
      );
      expect(headers.get('content-disposition')).toBe(
        'attachment; filename="vesfx-EUR-2026-11.csv"',
      );
      expect(headers.get('access-control-allow-origin')).toBe('*');
      return text;
    };
    for (const locale of ['es', 'en']) {
      const range = 'days=all&currency=EUR&from=2026-11-01&to=2026-11-30';
      const { text } = await service.call(
        `/v1/fx/official/history?${range}&format=csv&locale=${locale}`,
        { key },
      );
      const sorted = (file: string) =>
        file.split('\r\n').map((line) =>
          line
            .split(locale === 'es' ? ';' : ',')
            .sort()
            .join(),
        );
      expect(sorted(await csv(locale))).toEqual(sorted(text));
    }
  });

  test('a workbook has a row for each day, with dates as dates, and close and average beside them', async () => {
    const { service } = await pages();
    const reply = await fetch(`${service.url}/board/month.xlsx?month=2026-11`);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const { Sheets, SheetNames } = read(bytes, { cellDates: true });
    expect(SheetNames).toEqual(['Mes', 'Resumen']);
    const summary = utils.sheet_to_json<unknown[]>(Sheets['Resumen'] ?? {}, { header: 1 });
    expect(summary).toContainEqual(['Tasa de cierre (Bs.)', 806.25]);
    expect(summary).toContainEqual(['Promedio de las fechas valor (Bs.)', 803.07142857]);
    const rows = utils.sheet_to_json<Record<string, unknown>>(Sheets['Mes'] as never);
    expect(rows.at(-1)).toMatchObject({ 'Tasa (Bs.)': 806.25, 'Día hábil bancario': true });
    expect(rows.at(-1)?.['Fecha']).toBeInstanceOf(Date);
  });

  test('the workbooks of a demonstration say that they are of one', async () => {
    const notice = { en: 'Not of today.', es: 'No son de hoy.' };
    const { service } = await pages({ config: { notice } });
    const lastLine = async (path: string) => {
      const reply = await fetch(`${service.url}/board/${path}`);
      const { Sheets, SheetNames } = read(new Uint8Array(await reply.arrayBuffer()));
      const sheet = Sheets[SheetNames[1] ?? ''] ?? {};
      return [SheetNames[1], utils.sheet_to_json<unknown[]>(sheet, { header: 1 }).at(-1)];
    };
    expect(await lastLine('month.xlsx')).toEqual(['Resumen', ['Aviso', notice.es]]);
    expect(await lastLine('month.xlsx?locale=en')).toEqual(['Summary', ['notice', notice.en]]);
    const history = 'history.xlsx?market=reference&days=7';
    expect(await lastLine(history)).toEqual(['Resumen', ['Aviso', notice.es]]);
  });

  test.each([
    ['month=2026-12', 400, 'invalid_format'],
    ['month=noviembre', 400, 'invalid_format'],
    ['currency=GBP', 404, 'resource_not_found'],
    ['currency=pesos', 400, 'invalid_format'],
    ['locale=fr', 400, 'invalid_format'],
    ['mes=2026-11', 400, 'unknown_parameter'],
  ])('%s is refused with %i %s', async (query, status, code) => {
    const { service } = await pages();
    expect(fault(await service.call(`/board/month.csv?${query}`)).slice(0, 2)).toEqual([
      status,
      code,
    ]);
  });

  test('page and files count with the board: one more than the minute admits is refused', async () => {
    const { service } = await pages();
    for (let call = 0; call < BOARD_REQUESTS_PER_MINUTE; call += 1) {
      await service.call('/board/month.csv?locale=xx');
    }
    expect((await service.call('/mes')).status).toBe(429);
    expect((await service.call('/board/month.csv')).status).toBe(429);
  });
});
