import { read, utils } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { official } from '../harness/make.ts';
import { faultOf, startTestService } from '../harness/service.ts';

const HISTORY = '/v1/fx/official/history?days=all&from=2026-11-18';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function serving(plan = 'Inicio') {
  const service = await startTestService({ start: Date.parse('2026-11-21T12:00:00Z') });
  await service.push(
    official('2026-11-18', { USD: 0.12345678 }, { captured_at: '2026-11-17T20:10:00.000Z' }),
    official('2026-11-19', { USD: 801 }, { captured_at: '2026-11-18T20:10:00.000Z' }),
    official('2026-11-20', { USD: 802.5 }, { captured_at: '2026-11-19T20:10:00.000Z' }),
  );
  const key = await service.keyFor(plan);
  const get = (path: string) => service.call(path, { key });
  const workbook = async (path: string) => {
    const { url } = service;
    const reply = await fetch(`${url}${path}&format=xlsx`, { headers: { 'X-API-Key': key } });
    const book = read(await reply.arrayBuffer(), { cellDates: true, UTC: true });
    const [sheet = ''] = book.SheetNames;
    const rows = utils.sheet_to_json(book.Sheets[sheet] ?? {}, { UTC: true, defval: null });
    return { status: reply.status, type: reply.headers.get('content-type'), sheet, rows };
  };
  return { service, key, get, workbook };
}

describe('contract §27 the official history as a workbook', () => {
  test('it has the columns and rows of the CSV: days, numbers and booleans are such', async () => {
    const { get, workbook } = await serving();
    const { status, type, rows } = await workbook(HISTORY);
    expect([status, type]).toEqual([200, TYPE]);
    const { json } = await get(HISTORY);
    const instants = (row: Record<string, unknown>) => ({
      ...row,
      date: new Date(`${row['date']}`),
      value_date: new Date(`${row['value_date']}`),
      captured_at: new Date(`${row['captured_at']}`),
      next_banking_day: row['next_banking_day'] && new Date(`${row['next_banking_day']}`),
      currency: 'USD',
    });
    expect(rows).toEqual(json.rows.map(instants));
    const { text } = await get(`${HISTORY}&format=csv`);
    expect(Object.keys(rows[0] ?? {})).toEqual(text.split('\r\n')[0]?.split(','));
  });

  test('locale=es gives it Spanish column names', async () => {
    const { workbook } = await serving();
    const { sheet, rows } = await workbook(`${HISTORY}&locale=es`);
    expect(sheet).toBe('Tasas oficiales');
    expect(rows[0]).toMatchObject({ Fecha: expect.any(Date), 'Tasa (Bs.)': 0.12345678 });
  });

  test('in a demonstration it says so in a sheet of its own, and what is missing behind its headers', async () => {
    const notice = { en: 'Not of today.', es: 'No son de hoy.' };
    const service = await startTestService({
      start: Date.parse('2026-11-21T12:00:00Z'),
      config: { notice },
    });
    await service.push(
      ...['2026-11-17', '2026-11-20'].map((date) =>
        official(date, { USD: 801 }, { captured_at: '2026-11-16T20:10:00.000Z' }),
      ),
    );
    const headers = { 'X-API-Key': await service.keyFor('Inicio') };
    const sheetsOf = async (path: string) => {
      const reply = await fetch(`${service.url}${path}`, { headers });
      const { Sheets, SheetNames } = read(await reply.arrayBuffer());
      return SheetNames.map((name) =>
        utils.sheet_to_json<unknown[]>(Sheets[name] ?? {}, { header: 1 }),
      );
    };
    const [days, summary] = await sheetsOf(`${HISTORY}&format=xlsx`);
    expect(summary).toEqual([['notice', notice.en]]);
    expect(days?.[0]?.at(-1)).toBe(
      'INCOMPLETE: no rate is stored for 2 business days: 2026-11-18, 2026-11-19',
    );
    const [, spanish] = await sheetsOf(`${HISTORY}&format=xlsx&locale=es`);
    expect(spanish).toEqual([['Aviso', notice.es]]);
  });

  test('it belongs to the plans with CSV, and addresses without it refuse the format', async () => {
    const { get } = await serving('Gratis');
    const refused = await get(`${HISTORY}&format=xlsx`);
    expect([refused.status, refused.json.details.feature]).toEqual([402, 'format_csv']);
    expect(faultOf(await get('/v1/fx/rates?format=xlsx'))).toEqual([
      400,
      'invalid_format',
      'format',
    ]);
  });

  test('a long one is written while others are answered, and it is the same file each time', async () => {
    const { service, key } = await serving('Escala');
    const path = '/v1/fx/official/history?days=all&from=2019-01-01&to=2026-11-20&format=xlsx';
    const ask = async () => {
      const reply = await fetch(`${service.url}${path}`, { headers: { 'X-API-Key': key } });
      return { etag: reply.headers.get('etag'), size: (await reply.arrayBuffer()).byteLength };
    };
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(first).toEqual(second);
    expect(first.etag).not.toBeNull();
  });
});
