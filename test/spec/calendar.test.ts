import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_CALENDAR_DAYS } from '../../src/core/domain/calendar.ts';
import { calendar as declaration } from '../../src/core/http/endpoints/central-bank/calendar.ts';
import {
  faultOf,
  type Reply,
  startTestService,
  type TestServiceOptions,
  temporaryDir,
} from '../harness/service.ts';

const PATH = '/v1/fx/calendar';
const PLANS = ['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'];

/** Nothing is loaded: the calendar needs no records. */
async function serving(plan = 'Gratis', options: TestServiceOptions = {}) {
  const service = await startTestService(options);
  const key = await service.keyFor(plan);
  const ask = (query = '', headers = {}) =>
    service.call(`${PATH}${query && `?${query}`}`, { key, headers });
  return { service, calendar: ask };
}

interface Day {
  readonly date: string;
  readonly business_day: boolean;
  readonly holiday?: string;
  readonly next_value_date: string;
  readonly computed?: true;
}

const daysOf = ({ json }: Reply): Day[] => json.days;
const rangeOf = ({ json }: Reply) => [json.from, json.to, json.count];

describe('the calendar', () => {
  test('each day has its fields, and holiday only on a holiday', async () => {
    const { calendar } = await serving();
    const reply = await calendar('from=2026-11-20&to=2026-11-24');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      from: '2026-11-20',
      to: '2026-11-24',
      count: 5,
      days: [
        { date: '2026-11-20', business_day: true, next_value_date: '2026-11-24' },
        { date: '2026-11-21', business_day: false, next_value_date: '2026-11-24' },
        { date: '2026-11-22', business_day: false, next_value_date: '2026-11-24' },
        {
          date: '2026-11-23',
          business_day: false,
          holiday: 'Virgen de Chiquinquirá',
          next_value_date: '2026-11-24',
        },
        { date: '2026-11-24', business_day: true, next_value_date: '2026-11-25' },
      ],
      announced_until: '2026-12-31',
    });
  });

  test('without from the calendar begins today in Caracas, and without to it has 31 days', async () => {
    const { service, calendar } = await serving();
    service.clock.set(Date.parse('2026-11-22T03:59:59.999Z'));
    expect(rangeOf(await calendar())).toEqual(['2026-11-21', '2026-12-21', 31]);
    service.clock.set(Date.parse('2026-11-22T04:00:00Z'));
    expect(rangeOf(await calendar())).toEqual(['2026-11-22', '2026-12-22', 31]);
    expect(rangeOf(await calendar('to=2026-11-22'))).toEqual(['2026-11-22', '2026-11-22', 1]);
    expect(rangeOf(await calendar('from=2025-02-01'))).toEqual(['2025-02-01', '2025-03-03', 31]);
  });

  test('no Saturday, Sunday or holiday of a year is a value date', async () => {
    const { calendar } = await serving();
    const days = daysOf(await calendar('from=2026-01-01&to=2026-12-31'));
    expect(days).toHaveLength(365);
    const business = new Set(days.filter((day) => day.business_day).map(({ date }) => date));
    // Of 261 weekdays, 22 are holidays.
    expect(business.size).toBe(239);
    for (const { date, business_day, holiday, next_value_date } of days) {
      const isWeekend = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
      expect([date, business_day]).toEqual([date, !isWeekend && holiday === undefined]);
      expect(next_value_date > date).toBe(true);
      if (next_value_date < '2027') expect(business).toContain(next_value_date);
    }
  });

  test('days after the announced list are computed from the rules and marked computed', async () => {
    const { calendar } = await serving();
    const reply = await calendar('from=2026-12-31&to=2027-01-12');
    expect(reply.json.announced_until).toBe('2026-12-31');
    expect(
      daysOf(reply)
        .filter((day) => day.holiday)
        .map(({ date, holiday, computed }) => [date, holiday, computed]),
    ).toEqual([
      ['2026-12-31', 'Fin de Año', undefined],
      ['2027-01-01', 'Año Nuevo', true],
      ['2027-01-11', 'Reyes', true],
    ]);
    expect(daysOf(reply).filter(({ computed }) => computed)).toHaveLength(12);
    expect(daysOf(reply).at(-5)).toEqual({
      date: '2027-01-08',
      business_day: true,
      next_value_date: '2027-01-12',
      computed: true,
    });
  });

  test("the operator's own list of holidays applies", async () => {
    const catalogueDir = await temporaryDir();
    await writeFile(
      join(catalogueDir, 'holidays.json'),
      JSON.stringify({ announced_until: '2027-12-31', announced: { '2026-11-24': 'Luto' } }),
    );
    const { calendar } = await serving('Gratis', { config: { catalogueDir } });
    const reply = await calendar('from=2026-11-23&to=2026-11-24');
    expect(reply.json.announced_until).toBe('2027-12-31');
    expect(daysOf(reply)).toEqual([
      { date: '2026-11-23', business_day: true, next_value_date: '2026-11-25' },
      { date: '2026-11-24', business_day: false, holiday: 'Luto', next_value_date: '2026-11-25' },
    ]);
  });

  test('the example of the reference is the answer of the service', async () => {
    const { calendar } = await serving();
    const { parameters, answers } = declaration.operation ?? {};
    const reply = await calendar(`${new URLSearchParams({ ...parameters })}`);
    expect(reply.json).toEqual(answers?.['answer']?.value);
  });
});

describe('parameters of the calendar', () => {
  test('days and ranges out of bounds are invalid_format with their field', async () => {
    const { calendar } = await serving();
    const cases: [query: string, field: string][] = [
      ['from=2026-11-31', 'from'],
      ['from=2026-1-1', 'from'],
      ['from=today', 'from'],
      ['from=%202026-11-20', 'from'],
      ['from=2026-11-20T00:00:00Z', 'from'],
      ['to=2026-02-29', 'to'],
      ['from=2018-12-31&to=2019-01-02', 'from'],
      ['from=2028-11-21', 'from'],
      ['from=2028-11-20&to=2028-11-21', 'to'],
      ['from=2026-11-21&to=2026-11-20', 'from'],
      ['to=2026-11-20', 'to'],
      ['from=2024-01-01&to=2025-01-01', 'to'],
      ['from=2026-11-20&from=2026-11-20', 'from'],
      ['format=JSON', 'format'],
    ];
    for (const [query, field] of cases) {
      const found = faultOf(await calendar(query));
      expect([query, ...found]).toEqual([query, 400, 'invalid_format', field]);
    }
  });

  test('the first day, the last day and the longest range are answered', async () => {
    const { calendar } = await serving();
    for (const [query, count] of [
      ['from=2019-01-01&to=2019-01-01', 1],
      ['from=2028-11-20', 1],
      ['from=2024-01-01&to=2024-12-31', MAX_CALENDAR_DAYS],
    ] as const) {
      const reply = await calendar(query);
      expect([query, reply.status, reply.json.count]).toEqual([query, 200, count]);
      expect(daysOf(reply)).toHaveLength(count);
    }
  });

  test('unknown parameters are rejected', async () => {
    const { calendar } = await serving();
    for (const name of ['date', 'From', 'country', 'days']) {
      expect(faultOf(await calendar(`${name}=2026-11-20`))).toEqual([
        400,
        'unknown_parameter',
        name,
      ]);
    }
  });
});

describe('access, formats and caching', () => {
  test('every plan has the calendar for one unit, and an error costs nothing', async () => {
    const { service } = await serving();
    for (const plan of PLANS) {
      const key = await service.keyFor(plan);
      const left = async (path: string) => {
        const reply = await service.call(path, { key });
        return [reply.status, Number(reply.headers.get('x-ratelimit-remaining'))];
      };
      const [status, first] = await left(PATH);
      expect([plan, status]).toEqual([plan, 200]);
      expect(await left(`${PATH}?from=x`)).toEqual([400, first]);
      expect(await left(PATH)).toEqual([200, Number(first) - 1]);
    }
    expect(faultOf(await service.call(PATH))).toEqual([401, 'missing_api_key', undefined]);
  });

  test('contract §5 CSV has a row for each day, with the range in each', async () => {
    const { calendar } = await serving('Inicio');
    const reply = await calendar('from=2026-11-23&to=2026-11-24&format=csv');
    expect(reply.text.split('\r\n')).toEqual([
      'date,business_day,holiday,next_value_date,computed,from,to,count,announced_until',
      '2026-11-23,false,Virgen de Chiquinquirá,2026-11-24,,2026-11-23,2026-11-24,2,2026-12-31',
      '2026-11-24,true,,2026-11-25,,2026-11-23,2026-11-24,2,2026-12-31',
      '',
    ]);
  });

  test('contract §5 XML has the root calendar, with an item for each day', async () => {
    const { calendar } = await serving('Esencial');
    const { text } = await calendar('from=2026-11-23&to=2026-11-23&format=xml');
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><calendar><from>2026-11-23</from>' +
        '<to>2026-11-23</to><count>1</count><days><item><date>2026-11-23</date>' +
        '<business_day>false</business_day><holiday>Virgen de Chiquinquirá</holiday>' +
        '<next_value_date>2026-11-24</next_value_date></item></days>' +
        '<announced_until>2026-12-31</announced_until></calendar>',
    );
  });

  test('contract §3 the formats are those of the plan', async () => {
    const { calendar } = await serving('Gratis');
    expect(faultOf(await calendar('format=csv')).slice(0, 2)).toEqual([402, 'feature_not_in_plan']);
  });

  test('contract §4 the calendar has an ETag, which changes on the next day', async () => {
    const { service, calendar } = await serving();
    const first = await calendar();
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, max-age=60');
    expect((await calendar('', { 'If-None-Match': etag })).status).toBe(304);
    expect((await calendar('from=2026-11-20', { 'If-None-Match': etag })).status).toBe(200);
    service.clock.set(Date.parse('2026-11-22T04:00:00Z'));
    expect((await calendar('', { 'If-None-Match': etag })).status).toBe(200);
  });
});
