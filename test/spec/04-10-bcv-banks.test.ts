import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { bankTable, iso, official } from '../harness/make.ts';
import { START, startTestService } from '../harness/service.ts';

const PATH = '/v1/fx/bcv/banks';

async function serving(records: object[], plan = 'Gratis') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  return { service, banks: (query = '') => service.call(PATH + query, { key }) };
}

function row(bank: string, date?: string) {
  return { bank, buy: 888.1, sell: 889.9, ...(date !== undefined && { date }) };
}

describe('§2.8 the table of banks', () => {
  test('§2.8 the table has every field, and a row has its six', async () => {
    const { banks } = await serving([
      bankTable('2026-11-20', [
        { bank: 'Banesco', buy: 888.1, sell: 889.9, date: '2026-11-20' },
        { bank: 'BBVA Provincial', buy: 880, sell: 881.25, date: '2026-11-18' },
      ]),
    ]);
    const reply = await banks();
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      indicator_date: '2026-11-20',
      bank_rates: [
        {
          bank: 'Banesco',
          buy: 888.1,
          sell: 889.9,
          date: '2026-11-20',
          stale: false,
          days_behind: 0,
        },
        {
          bank: 'BBVA Provincial',
          buy: 880,
          sell: 881.25,
          date: '2026-11-18',
          stale: true,
          days_behind: 2,
        },
      ],
      captured_at: iso(START),
    });
  });

  test('§2.8 rows of the main publication come before older rows', async () => {
    const { banks } = await serving([
      bankTable('2026-11-20', [
        row('A', '2026-11-10'),
        row('B', '2026-11-20'),
        row('C', '2026-11-19'),
        row('D', '2026-11-20'),
        row('E', '2026-11-10'),
        row('F', '2026-11-20'),
      ]),
    ]);
    const { bank_rates } = (await banks()).json;
    const names = bank_rates.map(({ bank }: { bank: string }) => bank);
    // Rows of the main publication keep the order of the source.
    expect(names.slice(0, 3)).toEqual(['B', 'D', 'F']);
    expect([...names].sort()).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    expect(bank_rates.map(({ stale }: { stale: boolean }) => stale)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  test('§2.8 days_behind counts calendar days to indicator_date and is at least 0', async () => {
    const cases: Record<string, [stale: boolean, daysBehind: number]> = {
      '2026-03-01': [false, 0],
      '2026-02-28': [true, 1],
      '2026-02-27': [true, 2],
      '2026-01-01': [true, 59],
      '2025-03-01': [true, 365],
      '2024-02-29': [true, 731],
      // A row of a later day is stale but not behind.
      '2026-03-02': [true, 0],
    };
    const { banks } = await serving([
      bankTable(
        '2026-03-01',
        Object.keys(cases).map((date) => row(`Bank of ${date}`, date)),
      ),
    ]);
    const found: Record<string, unknown> = {};
    for (const { date, stale, days_behind } of (await banks()).json.bank_rates) {
      found[date] = [stale, days_behind];
    }
    expect(found).toEqual(cases);
  });

  test('§2.8 bank names are exactly those of the source', async () => {
    const names = ['Banco Nacional de Crédito', 'R4', 'Bancrecer  S.A.', '=1+1', '<Plaza> & "Co"'];
    const { banks } = await serving([
      bankTable(
        '2026-11-20',
        names.map((name) => row(name)),
      ),
    ]);
    const { bank_rates } = (await banks()).json;
    expect(bank_rates.map(({ bank }: { bank: string }) => bank)).toEqual(names);
  });

  test('§2.8 the table and the official rate do not affect each other', async () => {
    const { service, banks } = await serving([
      bankTable('2026-11-20', [row('Banesco')]),
      official('2026-11-20', { USD: 800 }),
    ]);
    expect((await banks()).json.bank_rates[0].sell).toBe(889.9);
    const key = await service.keyFor('Gratis');
    const reference = await service.call('/v1/fx/rates/reference', { key });
    expect(reference.json.mid).toBe(800);
  });
});

describe('§4.10 the latest snapshot', () => {
  test('§4.10 the answer is the table captured last, whatever the order of arrival', async () => {
    const { service, banks } = await serving([
      bankTable('2026-11-20', [row('Second')], { captured_at: iso(START - MINUTE_MS) }),
    ]);
    await service.push(
      bankTable('2026-11-19', [row('First')], { captured_at: iso(START - 2 * MINUTE_MS) }),
    );
    expect((await banks()).json.bank_rates[0].bank).toBe('Second');
    await service.push(bankTable('2026-11-20', [row('Third')]));
    const { json } = await banks();
    expect([json.bank_rates.length, json.bank_rates[0].bank, json.captured_at]).toEqual([
      1,
      'Third',
      iso(START),
    ]);
  });

  test('§4.10 without a snapshot the answer is 404 and costs nothing', async () => {
    const { service, banks } = await serving([]);
    const reply = await banks();
    expect([reply.status, reply.json.code]).toEqual([404, 'bcv_snapshot_unavailable']);
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('1500');
    await service.push(bankTable('2026-11-20', [row('Banesco')]));
    const answered = await banks();
    expect([answered.status, answered.headers.get('x-ratelimit-remaining')]).toEqual([200, '1499']);
  });

  test('§4.10 a publication of rates creates no bank table', async () => {
    const { banks } = await serving([official('2026-11-20', { USD: 800, EUR: 900 })]);
    expect((await banks()).json.code).toBe('bcv_snapshot_unavailable');
  });

  test('§4.10 every plan includes the bank table', async () => {
    const { service } = await serving([bankTable('2026-11-20', [row('Banesco')])]);
    for (const plan of ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala']) {
      const reply = await service.call(PATH, { key: await service.keyFor(plan) });
      expect([plan, reply.status]).toEqual([plan, 200]);
    }
  });

  test('§4.10 the CSV has a row for each bank, with the scalar fields repeated', async () => {
    const { banks } = await serving(
      [bankTable('2026-11-20', [row('Banesco'), row('=Plaza', '2026-11-19')])],
      'Esencial',
    );
    const csv = await banks('?format=csv');
    expect(csv.text).toBe(
      [
        'bank,buy,sell,date,stale,days_behind,indicator_date,captured_at',
        `Banesco,888.1,889.9,2026-11-20,false,0,2026-11-20,${iso(START)}`,
        `'=Plaza,888.1,889.9,2026-11-19,true,1,2026-11-20,${iso(START)}`,
        '',
      ].join('\r\n'),
    );
    const xml = await banks('?format=xml');
    expect(xml.text).toMatch(/<bank_table>[\s\S]*<item>\s*<bank>Banesco<\/bank>/);
    const wrong = await banks('?format=Json');
    expect([wrong.status, wrong.json.field]).toEqual([400, 'format']);
  });

  test('contract §4 unknown parameters are ignored', async () => {
    const { banks } = await serving([bankTable('2026-11-20', [row('Banesco')])]);
    expect((await banks('?institution=x&bank=x')).status).toBe(200);
  });

  test('§4.10 the former beta route is 404, with a key and without', async () => {
    const { service } = await serving([bankTable('2026-11-20', [row('Banesco')])]);
    for (const key of [await service.keyFor('Escala'), undefined]) {
      const reply = await service.call('/v1/beta/fx/bcv/banks', { key });
      expect([reply.status, reply.json.code]).toEqual([404, 'resource_not_found']);
    }
  });
});
