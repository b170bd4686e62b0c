import { describe, expect, test } from 'vitest';
import { MAX_LISTED_ERRORS } from '../../src/core/app/ingest/ingest.ts';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { bankTable, iso, official, quote } from '../harness/make.ts';
import {
  ADMIN_TOKEN,
  type Reply,
  START,
  startTestService,
  type TestService,
} from '../harness/service.ts';

const PATH = '/v1/admin/records';
const MAX_BODY_BYTES = 64 * 1024;

/** Pushes lines with trust, because judgement has its own tests. */
function pushOn(service: TestService) {
  return (lines: readonly (object | string)[], query = '?trust=true'): Promise<Reply> =>
    service.call(PATH + query, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${ADMIN_TOKEN}`,
        'Content-Type': 'application/x-ndjson',
      },
      body: lines
        .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
        .join('\n'),
    });
}

async function serving() {
  const service = await startTestService();
  const key = await service.keyFor('Escala');
  return {
    service,
    push: pushOn(service),
    get: async (path: string) => (await service.call(`/v1/fx/${path}`, { key })).json,
  };
}

function counts(accepted: number, duplicate = 0) {
  return { accepted, held: 0, refused: 0, duplicate };
}

/** The numbers of the reported bad lines. */
function badLines({ json }: Reply): number[] {
  const errors: { line: number; reason: string }[] = json.details.errors;
  for (const { reason } of errors) expect(reason).toMatch(/\S/);
  return errors.map(({ line }) => line);
}

/** The status of a push of this record alone into a new service. */
async function verdicts(records: Record<string, object | string>) {
  const { push } = await serving();
  const found: Record<string, number> = {};
  for (const [name, record] of Object.entries(records)) {
    found[name] = (await push([record])).status;
  }
  return found;
}

const allOf = (names: Iterable<string>, status: number) =>
  Object.fromEntries([...names].map((name) => [name, status]));

const MINIMAL = { kind: 'quote', market: 'cash', mid: 850 };

describe('contract §7 the kinds of records', () => {
  test('contract §7 a quote is published as pushed', async () => {
    const { push, get } = await serving();
    const reply = await push([
      {
        kind: 'quote',
        market: 'binance',
        mid: 889.58,
        ask: 890.1,
        bid: 889.06,
        updated_at: '2026-11-21T02:58:00Z',
        captured_at: '2026-11-21T03:00:00Z',
      },
    ]);
    expect([reply.status, reply.json]).toEqual([200, counts(1)]);
    expect(await get('rates/binance')).toEqual({
      market: 'binance',
      type: 'p2p',
      base: 'USD',
      mid: 889.58,
      ask: 890.1,
      bid: 889.06,
      updated_at: '2026-11-21T02:58:00.000Z',
      stale_after_sec: 900,
    });
    expect((await get('rates/binance/history?granularity=raw')).points).toEqual([
      {
        date: '2026-11-21',
        rate: 889.58,
        updated_at: '2026-11-21T02:58:00.000Z',
        captured_at: '2026-11-21T03:00:00.000Z',
      },
    ]);
  });

  test('contract §7 an official record gives both official rates and the other currencies', async () => {
    const { push, get } = await serving();
    const reply = await push([
      {
        kind: 'official',
        value_date: '2026-11-20',
        value_date_text: 'Viernes, 20 Noviembre 2026',
        rates: { USD: 889.5754, EUR: 1012.34, CNY: 125.1, TRY: 21.2, RUB: 11.0 },
        captured_at: '2026-11-19T21:10:00Z',
      },
    ]);
    expect([reply.status, reply.json]).toEqual([200, counts(1)]);
    const usd = await get('rates/reference');
    expect([usd.mid, usd.effective_date, usd.updated_at]).toEqual([
      889.5754,
      '2026-11-20',
      '2026-11-20T04:00:00.000Z',
    ]);
    const eur = await get('rates/eur_reference');
    expect([eur.mid, eur.base, eur.effective_date]).toEqual([1012.34, 'EUR', '2026-11-20']);
    const others = await get('bcv/currencies');
    expect([others.rates, others.captured_at]).toEqual([
      { EUR: 1012.34, CNY: 125.1, TRY: 21.2, RUB: 11 },
      '2026-11-19T21:10:00.000Z',
    ]);
  });

  test('contract §7 a bank table is published', async () => {
    const { push, get } = await serving();
    const reply = await push([
      {
        kind: 'bank_table',
        indicator_date: '2026-11-20',
        rows: [{ bank: 'Banesco', buy: 888.1, sell: 889.9, date: '2026-11-20' }],
        captured_at: '2026-11-20T21:10:00Z',
      },
    ]);
    expect([reply.status, reply.json]).toEqual([200, counts(1)]);
    const table = await get('bcv/banks');
    expect([table.indicator_date, table.bank_rates.length, table.captured_at]).toEqual([
      '2026-11-20',
      1,
      '2026-11-20T21:10:00.000Z',
    ]);
  });

  test('contract §7 a quote of an official market relays its updated_at and value date', async () => {
    const { push, get } = await serving();
    await push([
      {
        kind: 'quote',
        market: 'reference',
        mid: 880,
        updated_at: '2026-11-20T13:30:00Z',
        effective_date: '2026-11-20',
      },
    ]);
    const rate = await get('rates/reference');
    expect([rate.mid, rate.updated_at, rate.effective_date]).toEqual([
      880,
      '2026-11-20T13:30:00.000Z',
      '2026-11-20',
    ]);
  });

  test('contract §1 an official quote without a time is dated 00:00 in Caracas', async () => {
    const { push, get } = await serving();
    await push([
      { kind: 'quote', market: 'eur_reference', mid: 990, effective_date: '2026-11-20' },
    ]);
    expect((await get('rates/eur_reference')).updated_at).toBe('2026-11-20T04:00:00.000Z');
  });

  test('contract §7 one batch may have all kinds of records, CRLF, empty lines and a final newline', async () => {
    const { push, get } = await serving();
    const records = [
      quote('parallel', 900),
      official('2026-11-20', { USD: 800, EUR: 900 }),
      bankTable('2026-11-20', [{ bank: 'Banesco', buy: 1, sell: 2 }]),
    ].map((record) => JSON.stringify(record));
    const reply = await push([`${records.join('\r\n\r\n')}\r\n`, '', '  ']);
    expect([reply.status, reply.json]).toEqual([200, counts(3)]);
    expect((await get('rates')).rates.length).toBe(3);
  });

  test.each(['', '\n', ' \r\n\t\n'])(
    'contract §7 a body without a record is refused: %j',
    async (body) => {
      const { push } = await serving();
      const { status, json } = await push([body]);
      expect([status, json.code]).toEqual([400, 'invalid_format']);
      expect(json.message).toBe('The body has no records: send one record per line.');
    },
  );

  test('contract §7 a push in UTF-16 is named for what it is', async () => {
    const service = await startTestService();
    const marked = Buffer.from(`\uFEFF${JSON.stringify(MINIMAL)}\n`, 'utf16le');
    const turned = Buffer.from(marked).swap16();
    for (const body of [marked, turned, marked.subarray(2), turned.subarray(2)]) {
      const headers = { 'Content-Type': 'application/x-ndjson', 'X-Admin-Token': ADMIN_TOKEN };
      const url = service.url + PATH;
      const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { code: 'invalid_format', message: expect.stringContaining('This is UTF-16') },
      ]);
    }
  });

  test.each([
    ['market,mid\nbinance,640', 'This is a CSV; import takes NDJSON, one JSON object per line.'],
    [`[${JSON.stringify(quote('cash', 850))}]`, 'This is a JSON array; import takes NDJSON'],
  ])('contract §7 a push in another format is named for what it is: %s', async (body, message) => {
    const { push } = await serving();
    const reply = await push([body]);
    expect([reply.status, reply.json.code]).toEqual([400, 'invalid_format']);
    expect(reply.json.message).toContain(message);
  });

  test.each([
    ['d0cf11e0a1b11ae1', 'This is a workbook; import takes NDJSON'],
    ['89504e470d0a1a0a', 'This is a picture; import takes NDJSON'],
    ['255044462d312e37', 'This is a PDF; import takes NDJSON'],
    ['1f8b0800', 'This is a compressed file; import takes NDJSON'],
    ['3c68746d6c3e', 'This is HTML or XML; import takes NDJSON'],
  ])('contract §7 a push of a file in another format is one sentence: %s', async (hex, message) => {
    const { service } = await serving();
    const headers = { 'Content-Type': 'application/x-ndjson', 'X-Admin-Token': ADMIN_TOKEN };
    const body = new Uint8Array(Buffer.from(`${hex}0aff0a`, 'hex'));
    const answer = await fetch(service.url + PATH, { method: 'POST', headers, body });
    const told = await answer.json();
    expect([answer.status, told.code]).toEqual([400, 'invalid_format']);
    expect(told.message).toContain(message);
  });

  test('contract §7 a push over HTTP stores the same as the ingestion in the process', async () => {
    const { service, get } = await serving();
    await service.push(quote('cash', 850), official('2026-11-20', { USD: 800 }));
    expect((await get('rates')).rates.length).toBe(2);
    await expect(service.push(quote('cash', 0))).rejects.toThrow('line 1');
  });
});

describe('contract §7 defaults', () => {
  test('contract §7 captured_at and the time of observation default to now', async () => {
    const { service, push, get } = await serving();
    service.clock.advance(90 * MINUTE_MS);
    await push([
      MINIMAL,
      { kind: 'bank_table', indicator_date: '2026-11-20', rows: [{ bank: 'B', buy: 1, sell: 2 }] },
    ]);
    const now = iso(START + 90 * MINUTE_MS);
    expect((await get('rates/cash')).updated_at).toBe(now);
    const [point] = (await get('rates/cash/history?granularity=raw')).points;
    expect(point.captured_at).toBe(now);
    expect((await get('bcv/banks')).captured_at).toBe(now);
  });

  test('contract §1 without updated_at the time is the capture time', async () => {
    const { push, get } = await serving();
    await push([{ ...MINIMAL, captured_at: iso(START - 10 * MINUTE_MS) }]);
    expect((await get('rates/cash')).updated_at).toBe(iso(START - 10 * MINUTE_MS));
  });

  test('contract §7 times are read in any zone and answered in UTC', async () => {
    const { push, get } = await serving();
    await push([{ ...MINIMAL, updated_at: '2026-11-21T07:30:00-04:00' }]);
    expect((await get('rates/cash')).updated_at).toBe('2026-11-21T11:30:00.000Z');
  });

  test("contract §7 a row of a bank table without a date has the table's date", async () => {
    const { push, get } = await serving();
    await push([bankTable('2026-11-20', [{ bank: 'Banesco', buy: 1, sell: 2 }])]);
    const [row] = (await get('bcv/banks')).bank_rates;
    expect([row.date, row.stale]).toEqual(['2026-11-20', false]);
  });

  test('contract §7 without mid, a quote with both sides gets their middle', async () => {
    const cases: [ask: number, bid: number, mid: number][] = [
      [900, 800, 850],
      [800, 900, 850],
      [890.1, 889.06, 889.58],
      [0.3, 0.1, 0.2],
      [1.1, 2.2, 1.65],
      // Rounded to 8 decimals, half away from zero.
      [1.00000001, 1, 1.00000001],
      [1.00000002, 1.00000001, 1.00000002],
      [0.00000001, 0.00000002, 0.00000002],
    ];
    const { service, push, get } = await serving();
    const found: unknown[] = [];
    for (const [ask, bid] of cases) {
      service.clock.advance(1);
      const reply = await push([{ kind: 'quote', market: 'cash', ask, bid }], '?trust=true');
      expect(reply.status).toBe(200);
      const rate = await get('rates/cash');
      found.push([rate.ask, rate.bid, rate.mid]);
    }
    expect(found).toEqual(cases);
  });

  test('contract §7 a given mid is kept, whatever its sides', async () => {
    const { push, get } = await serving();
    await push([{ ...MINIMAL, mid: 851.5, ask: 900, bid: 800 }]);
    expect((await get('rates/cash')).mid).toBe(851.5);
  });

  test('contract §7 a quote without mid and with fewer than two sides is refused', async () => {
    const found = await verdicts({
      'ask only': { kind: 'quote', market: 'cash', ask: 1 },
      'bid only': { kind: 'quote', market: 'cash', bid: 1 },
      neither: { kind: 'quote', market: 'cash' },
      'mid and ask': { ...MINIMAL, ask: 1 },
      'mid and bid': { ...MINIMAL, bid: 1 },
    });
    expect(found).toEqual({
      'ask only': 400,
      'bid only': 400,
      neither: 400,
      'mid and ask': 200,
      'mid and bid': 200,
    });
  });

  test('contract §1 a middle that rounds to zero is refused', async () => {
    const { push, get } = await serving();
    const reply = await push([{ kind: 'quote', market: 'cash', ask: 1e-9, bid: 1e-9 }]);
    expect(reply.status).toBe(400);
    expect((await get('rates')).rates).toEqual([]);
  });

  test('contract §1 a market may be named by its alias', async () => {
    const { push, get } = await serving();
    const reply = await push([
      { kind: 'quote', market: 'p2p_market_1', mid: 850 },
      { kind: 'quote', market: 'paralelo', mid: 900 },
      { kind: 'quote', market: 'bcv', mid: 800, effective_date: '2026-11-20' },
      { kind: 'quote', market: 'euro', mid: 950, effective_date: '2026-11-20' },
    ]);
    expect(reply.json).toEqual(counts(4));
    const { rates } = await get('rates');
    expect(rates.map(({ market }: { market: string }) => market)).toEqual([
      'reference',
      'eur_reference',
      'parallel',
      'binance',
    ]);
  });
});

describe('contract §7 the same record twice', () => {
  test('contract §7 the same record of any kind, in one batch or two, is one record', async () => {
    const { push, get } = await serving();
    const records = [
      quote('cash', 850),
      official('2026-11-20', { USD: 800, EUR: 900 }),
      bankTable('2026-11-20', [{ bank: 'Banesco', buy: 1, sell: 2 }]),
    ];
    expect((await push([...records, ...records])).json).toEqual(counts(3, 3));
    expect((await push(records)).json).toEqual(counts(0, 3));
    for (const market of ['cash', 'reference', 'eur_reference']) {
      expect((await get(`rates/${market}/history?granularity=raw`)).count).toBe(1);
    }
  });

  test('contract §7 an alias and the order of fields do not make another record', async () => {
    const { push } = await serving();
    const times = { updated_at: iso(START), captured_at: iso(START) };
    expect((await push([{ kind: 'quote', market: 'binance', mid: 850, ...times }])).json).toEqual(
      counts(1),
    );
    expect(
      (await push([{ ...times, mid: 850, market: 'p2p_market_1', kind: 'quote' }])).json,
    ).toEqual(counts(0, 1));
  });

  test('contract §1 duplicates alone do not change fetched_at', async () => {
    const { service, push, get } = await serving();
    await push([quote('cash', 850)]);
    service.clock.advance(MINUTE_MS);
    await push([quote('cash', 850)]);
    expect((await get('rates')).fetched_at).toBe(iso(START));
    await push([quote('cash', 851, { captured_at: iso(START + MINUTE_MS) })]);
    expect((await get('rates')).fetched_at).toBe(iso(START + MINUTE_MS));
  });

  test('contract §1 unchanged content without a time does not refresh updated_at', async () => {
    const { service, push, get } = await serving();
    const record = { ...MINIMAL, ask: 851, bid: 849 };
    await push([record]);
    service.clock.advance(10 * MINUTE_MS);
    const again = await push([record]);
    expect(again.json).toEqual(counts(1));
    expect((await get('rates/cash')).updated_at).toBe(iso(START));
    for (const change of [{ mid: 850.01 }, { ask: 851.5 }, { bid: 848 }, { ask: undefined }]) {
      service.clock.advance(MINUTE_MS);
      await push([{ ...record, ...change }]);
      const { updated_at } = await get('rates/cash');
      expect([change, updated_at]).toEqual([change, iso(service.clock.now())]);
    }
  });

  test('contract §1 content that returns after another counts as new', async () => {
    const { service, push, get } = await serving();
    for (const mid of [850, 851, 850]) {
      service.clock.advance(MINUTE_MS);
      await push([{ ...MINIMAL, mid }]);
    }
    expect((await get('rates/cash')).updated_at).toBe(iso(START + 3 * MINUTE_MS));
  });

  test('contract §1 unchanged content within one batch is recognised too, in the order of capture', async () => {
    const { push, get } = await serving();
    await push([
      { ...MINIMAL, captured_at: iso(START - 20 * MINUTE_MS) },
      { ...MINIMAL, captured_at: iso(START - 10 * MINUTE_MS) },
    ]);
    expect((await get('rates/cash')).updated_at).toBe(iso(START - 20 * MINUTE_MS));
    expect((await get('rates/cash/history?granularity=raw')).count).toBe(2);
  });

  test('contract §7 a quote observed again is a new capture', async () => {
    const { service, push, get } = await serving();
    await push([MINIMAL]);
    service.clock.advance(MINUTE_MS);
    await push([MINIMAL]);
    const { points } = await get('rates/cash/history?granularity=raw');
    expect(
      points.map((point: { updated_at: string; captured_at: string }) => [
        point.updated_at,
        point.captured_at,
      ]),
    ).toEqual([
      [iso(START), iso(START)],
      [iso(START), iso(START + MINUTE_MS)],
    ]);
  });

  test('contract §7 an older observation goes into history and does not replace a newer one', async () => {
    const { push, get } = await serving();
    await push([quote('cash', 850)]);
    const early = iso(START - 60 * MINUTE_MS);
    await push([quote('cash', 700, { updated_at: early, captured_at: early })]);
    expect((await get('rates/cash')).mid).toBe(850);
    expect((await get('rates/cash/history?granularity=raw')).count).toBe(2);
  });
});

describe('contract §7 bad lines', () => {
  test.each([MAX_LISTED_ERRORS, MAX_LISTED_ERRORS + 1])(
    'contract §7 of %i bad lines the first 1,000 are listed, and all are counted',
    async (count) => {
      const { push } = await serving();
      const reply = await push(Array.from({ length: count }, () => 'x'));
      expect(reply.status).toBe(400);
      expect(reply.json.message).toBe(`${count} bad lines; nothing was stored.`);
      expect(reply.json.details.refused).toBe(count);
      expect(badLines(reply)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
    },
  );

  test('contract §7 the message tells one bad line in the singular', async () => {
    const { push } = await serving();
    expect((await push(['x'])).json.message).toBe('1 bad line; nothing was stored.');
    expect((await push(['x', 'y'])).json.message).toBe('2 bad lines; nothing was stored.');
  });

  test('contract §7 a bad line stores nothing, and every bad line is named', async () => {
    const { service, push, get } = await serving();
    service.clock.advance(MINUTE_MS);
    const reply = await push([
      quote('cash', 850),
      'not json',
      '',
      quote('cucuta', -1),
      official('2026-11-20', { USD: 800 }),
      { kind: 'quote', market: 'nothing', mid: 1 },
      bankTable('2026-11-20', [{ bank: 'Banesco', buy: 1, sell: 2 }]),
      '{"kind":"quote"',
    ]);
    expect([reply.status, reply.json.code]).toEqual([400, 'invalid_format']);
    expect(badLines(reply)).toEqual([2, 4, 6, 8]);
    expect([reply.json.details.accepted, reply.json.details.refused]).toEqual([0, 4]);
    const rates = await get('rates');
    expect([rates.rates, rates.fetched_at]).toEqual([[], iso(START)]);
    expect((await get('bcv/banks')).code).toBe('bcv_snapshot_unavailable');
    expect((await get('rates/cash/history?granularity=raw')).count).toBe(0);
  });

  test('contract §7 a refused batch changes nothing', async () => {
    const { service, push, get } = await serving();
    await push([quote('cash', 850)]);
    service.clock.advance(MINUTE_MS);
    await push([quote('cash', 900, { captured_at: iso(START + MINUTE_MS) }), '{}']);
    const rate = await get('rates/cash');
    expect([rate.mid, (await get('rates')).fetched_at]).toEqual([850, iso(START)]);
  });

  test('contract §7 a corrected file is stored whole', async () => {
    const { push } = await serving();
    const good = [quote('cash', 850), quote('cucuta', 851)];
    expect((await push([...good, 'x'])).status).toBe(400);
    expect((await push(good)).json).toEqual(counts(2));
  });

  test('contract §7 a line that is not a record of a known kind is refused', async () => {
    const bad: Record<string, object | string> = {
      array: [quote('cash', 1)],
      null: 'null',
      number: '5',
      text: '"quote"',
      'no kind': { market: 'cash', mid: 1 },
      'unknown kind': { ...MINIMAL, kind: 'trade' },
      'kind in capitals': { ...MINIMAL, kind: 'QUOTE' },
      'two records on a line': `${JSON.stringify(MINIMAL)} ${JSON.stringify(MINIMAL)}`,
      'single quotes': "{'kind':'quote','market':'cash','mid':850}",
      'trailing comma': '{"kind":"quote","market":"cash","mid":850,}',
    };
    expect(await verdicts(bad)).toEqual(allOf(Object.keys(bad), 400));
  });

  test('contract §1 an unknown market is refused, in any spelling', async () => {
    const bad: Record<string, object> = {};
    for (const market of ['nothing', 'Cash', ' cash', 'cash ', '', '__proto__', 5, null]) {
      bad[`market ${market}`] = { ...MINIMAL, market };
    }
    bad['no market'] = { kind: 'quote', mid: 1 };
    expect(await verdicts(bad)).toEqual(allOf(Object.keys(bad), 400));
  });

  test('contract §1 a rate is finite and positive, on every side and in every kind', async () => {
    const values = ['0', '-0', '0.0', '-1', '-0.5', 'null', '"850"', 'true', '[]', '{}', '1e400'];
    const notJson = ['NaN', 'Infinity', '-Infinity', '0x10', '.5', '5.', '+5', '1,5', '01', ''];
    const bad: Record<string, string> = {};
    for (const value of [...values, ...notJson]) {
      bad[`mid ${value}`] = `{"kind":"quote","market":"cash","mid":${value}}`;
      bad[`ask ${value}`] = `{"kind":"quote","market":"cash","mid":1,"ask":${value}}`;
      bad[`bid ${value}`] = `{"kind":"quote","market":"cash","mid":1,"bid":${value}}`;
      bad[`USD ${value}`] =
        `{"kind":"official","value_date":"2026-11-20","rates":{"USD":${value}}}`;
      if (value === 'null') continue;
      bad[`buy ${value}`] =
        `{"kind":"bank_table","indicator_date":"2026-11-20","rows":[{"bank":"B","buy":${value},"sell":1}]}`;
    }
    expect(await verdicts(bad)).toEqual(allOf(Object.keys(bad), 400));
  });

  test('contract §7 a text that databases or pages cannot hold is refused with its reason', async () => {
    const { push, get } = await serving();
    const rates = { USD: 850, EUR: 950 };
    const label = (text: string) =>
      `{"kind":"official","value_date":"2026-11-20","value_date_text":"${text}","rates":{"USD":850}}`;
    const bank = (text: string) =>
      `{"kind":"bank_table","indicator_date":"2026-11-20","rows":[{"bank":"${text}","buy":850,"sell":860}]}`;
    const half = 'must be Unicode text without unpaired surrogates';
    const control = 'must not have control characters';
    for (const [line, reason] of [
      [label('a\\ud800b'), `value_date_text: ${half}`],
      [label('\\udc00'), `value_date_text: ${half}`],
      [label('a\\u0000'), `value_date_text: ${control}`],
      [label('\\u001b[2J'), `value_date_text: ${control}`],
      [label('x'.repeat(201)), 'value_date_text: must have at most 200 characters'],
      [bank('a\\ud800b'), `rows.0.bank: ${half}`],
      [bank('a\\u0000b'), `rows.0.bank: ${control}`],
      [bank('a\\nb'), `rows.0.bank: ${control}`],
    ] as const) {
      const { status, json } = await push([line]);
      expect([status, json.details?.errors]).toEqual([400, [{ line: 1, reason }]]);
    }
    // A line break of the page is accepted, and a whole surrogate pair is one character.
    const text = 'Viernes,\n\t20 \u{1F4B5}';
    await push([{ kind: 'official', value_date: '2026-11-20', value_date_text: text, rates }]);
    expect((await get('bcv/currencies')).reference_value_date_text).toBe(text);
    expect((await push([MINIMAL])).status).toBe(200);
  });

  test('contract §1 a rate has at most 15 significant digits', async () => {
    const accepted = ['123456789.123456', '0.00123456789012345', '123456789012345', '1e15', '1e-7'];
    const refused = [
      '1234567890.123456',
      '0.001234567890123456',
      '1234567890123456',
      '889.5754000000001',
      // The nearest double has three digits.
      '900.0000000000000000001',
      '9e2000',
    ];
    const { push, get, service } = await serving();
    for (const mid of accepted) {
      service.clock.advance(1);
      const line = `{"kind":"quote","market":"cash","mid":${mid}}`;
      expect([mid, (await push([line], '?trust=true')).status]).toEqual([mid, 200]);
      expect((await get('rates/cash')).mid).toBe(Number(mid));
    }
    for (const rate of refused) {
      for (const line of [
        `{"kind":"quote","market":"cash","mid":${rate}}`,
        `{"kind":"quote","market":"cash","mid":1,"ask":${rate}}`,
        `{"kind":"official","value_date":"2026-11-20","rates":{"EUR":${rate}}}`,
        `{"kind":"bank_table","indicator_date":"2026-11-20","rows":[{"bank":"B","buy":1,"sell":${rate}}]}`,
      ]) {
        expect([line, (await push([line])).status]).toEqual([line, 400]);
      }
    }
  });

  test('contract §7 a bank whose name has a control character is refused', async () => {
    const named = (bank: string) => ({
      kind: 'bank_table',
      indicator_date: '2026-11-20',
      rows: [{ bank, buy: 888 }],
    });
    const bad = ['\tBanco', 'Ban\nco', 'Banco\r', '\u0000', 'Ban\u001B[31mco', 'Ban\u0085co'];
    const good = ['Banco', 'Banco de Venezuela, S.A.', 'Peñón 🏦'];
    const names = [...bad, ...good];
    const records = Object.fromEntries(names.map((name) => [JSON.stringify(name), named(name)]));
    expect(await verdicts(records)).toEqual({
      ...allOf(
        bad.map((name) => JSON.stringify(name)),
        400,
      ),
      ...allOf(
        good.map((name) => JSON.stringify(name)),
        200,
      ),
    });
  });

  test('contract §7 5 minutes in the future are accepted, a millisecond more is not', async () => {
    const limit = START + 5 * MINUTE_MS;
    const at = (instant: number): Record<string, object> => ({
      'quote captured_at': { ...MINIMAL, captured_at: iso(instant) },
      'quote updated_at': { ...MINIMAL, updated_at: iso(instant), captured_at: iso(START) },
      'official captured_at': official('2026-11-20', { USD: 1 }, { captured_at: iso(instant) }),
      'bank_table captured_at': bankTable('2026-11-20', [{ bank: 'B', buy: 1, sell: 2 }], {
        captured_at: iso(instant),
      }),
    });
    expect(await verdicts(at(limit + 1))).toEqual(allOf(Object.keys(at(limit)), 400));
    expect(await verdicts(at(limit))).toEqual(allOf(Object.keys(at(limit)), 200));
  });

  test('contract §7 a record read up to 5 minutes ahead is captured now, and shuts none out', async () => {
    const { service, push, get } = await serving();
    const ahead = iso(START + 280_000);
    await push([
      { ...quote('bitget', 907, { updated_at: ahead }), captured_at: ahead },
      official('2026-11-24', { USD: 805, CNY: 111 }, { captured_at: ahead }),
      bankTable('2026-11-20', [{ bank: 'Banesco', buy: 1, sell: 2 }], { captured_at: ahead }),
    ]);
    const day = '2026-11-21';
    const { mid, updated_at, as_of } = await get(`rates/bitget?date=${day}`);
    expect([mid, updated_at, as_of.captured_at]).toEqual([907, iso(START), iso(START)]);
    expect((await get(`rates/bitget/history?date=${day}`)).rate).toBe(907);
    for (const path of ['bcv/currencies', 'bcv/banks']) {
      expect([path, (await get(path)).captured_at]).toEqual([path, iso(START)]);
    }
    const next = `rates/reference?date=${day}&rule=next_banking_day`;
    service.clock.advance(MINUTE_MS);
    expect((await get(next)).updated_at).toBe(iso(START));
    await push([{ kind: 'quote', market: 'bitget', mid: 906 }]);
    for (const path of ['rates/bitget', `rates/bitget?date=${day}`]) {
      expect([path, (await get(path)).mid]).toEqual([path, 906]);
    }
  });

  test('contract §1 a value date may lie in the future', async () => {
    const { push } = await serving();
    expect((await push([official('2026-12-24', { USD: 800 })])).status).toBe(200);
  });

  test('contract §7 times and dates that do not exist are refused', async () => {
    const times = [
      ...['2026-02-30T00:00:00Z', '2026-11-21T24:00:00Z', '2026-11-21T10:60:00Z', '2026-11-21'],
      ...['2026-11-21T10:00:00', '2026-11-21 10:00:00Z', '21/11/2026', 'yesterday', ''],
    ];
    const days = ['2026-02-29', '2026-13-01', '2026-11-00', '26-11-20', '2026-11-20T00:00:00Z', ''];
    const bad: Record<string, object> = {};
    for (const time of times) {
      bad[`captured_at ${time}`] = { ...MINIMAL, captured_at: time };
      bad[`updated_at ${time}`] = { ...MINIMAL, updated_at: time };
    }
    bad['captured_at as a number'] = { ...MINIMAL, captured_at: START };
    for (const day of days) {
      bad[`value_date ${day}`] = official(day, { USD: 1 });
      bad[`indicator_date ${day}`] = bankTable(day, [{ bank: 'B', buy: 1, sell: 2 }]);
      bad[`row date ${day}`] = bankTable('2026-11-20', [{ bank: 'B', buy: 1, sell: 2, date: day }]);
      bad[`effective_date ${day}`] = { ...MINIMAL, market: 'reference', effective_date: day };
    }
    expect(await verdicts(bad)).toEqual(allOf(Object.keys(bad), 400));
  });

  test('contract §7 an official record and a bank table without content are refused', async () => {
    const bad: Record<string, object> = {
      'no rates': { kind: 'official', value_date: '2026-11-20' },
      'empty rates': official('2026-11-20', {}),
      'no currency': { kind: 'official', value_date: '2026-11-20', rates: { USD: 1, EURO: 1 } },
      'the bolívar': { kind: 'official', value_date: '2026-11-20', rates: { USD: 1, VES: 1 } },
      'no value date': { kind: 'official', rates: { USD: 1 } },
      'no rows': { kind: 'bank_table', indicator_date: '2026-11-20' },
      'empty rows': bankTable('2026-11-20', []),
      'row without a bank': bankTable('2026-11-20', [{ buy: 1, sell: 2 }]),
      'row with an empty bank': bankTable('2026-11-20', [{ bank: '', buy: 1, sell: 2 }]),
      'row without a rate': bankTable('2026-11-20', [{ bank: 'B' }]),
    };
    expect(await verdicts(bad)).toEqual(allOf(Object.keys(bad), 400));
  });
});

describe('contract §7 access', () => {
  const post = (
    service: TestService,
    headers: Readonly<Record<string, string | undefined>>,
    key?: string,
  ) => service.call(PATH, { method: 'POST', key, headers, body: JSON.stringify(MINIMAL) });

  test('contract §7 without the admin token nothing is accepted', async () => {
    const { service, get } = await serving();
    const apiKey = await service.keyFor('Escala');
    const wrong = `${ADMIN_TOKEN.slice(0, -1)}x`;
    const cases: [headers: Record<string, string>, key: string | undefined, code: string][] = [
      [{}, undefined, 'missing_api_key'],
      [{}, apiKey, 'missing_api_key'],
      [{ Authorization: '' }, undefined, 'missing_api_key'],
      [{ Authorization: `Basic ${ADMIN_TOKEN}` }, undefined, 'missing_api_key'],
      [{ Authorization: `Bearer ${wrong}` }, undefined, 'invalid_api_key'],
      [{ Authorization: `Bearer ${ADMIN_TOKEN}x` }, undefined, 'invalid_api_key'],
      [{ Authorization: `Bearer ${ADMIN_TOKEN.toUpperCase()}` }, undefined, 'invalid_api_key'],
      [{ Authorization: `Bearer ${apiKey}` }, apiKey, 'invalid_api_key'],
      [{}, ADMIN_TOKEN, 'missing_api_key'],
    ];
    for (const [headers, key, code] of cases) {
      const reply = await post(service, headers, key);
      expect([headers, reply.status, reply.json.code]).toEqual([headers, 401, code]);
      expect(reply.headers.get('www-authenticate')).toMatch(/\S/);
    }
    expect((await get('rates')).rates).toEqual([]);
    const right = await post(service, { Authorization: `Bearer ${ADMIN_TOKEN}` });
    expect(right.status).toBe(200);
  });

  test('contract §7 the admin token opens no other endpoint', async () => {
    const { service } = await serving();
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    for (const key of [undefined, ADMIN_TOKEN]) {
      const reply = await service.call('/v1/fx/rates', { headers, key });
      expect(reply.status).toBe(401);
    }
  });

  test('contract §7 without a configured token the address does not exist', async () => {
    const service = await startTestService({ config: { adminToken: undefined } });
    for (const headers of [
      {},
      { Authorization: 'Bearer ' },
      { Authorization: 'Bearer undefined' },
      { Authorization: `Bearer ${ADMIN_TOKEN}` },
    ]) {
      const reply = await post(service, headers);
      expect([reply.status, reply.json.code]).toEqual([404, 'resource_not_found']);
    }
  });

  test('contract §7 pushing costs nothing and carries no quota', async () => {
    const { push } = await serving();
    const reply = await push([MINIMAL]);
    expect([
      reply.headers.get('x-ratelimit-cost'),
      reply.headers.get('x-ratelimit-remaining'),
    ]).toEqual([null, null]);
  });

  test('contract §4 a body of 64 KB is accepted, and one a byte larger is 413 and stores nothing', async () => {
    const { push, get } = await serving();
    const line = JSON.stringify(MINIMAL);
    const over = await push([line + ' '.repeat(MAX_BODY_BYTES + 1 - line.length)]);
    expect([over.status, over.json.code]).toEqual([413, 'payload_too_large']);
    expect((await get('rates')).rates).toEqual([]);
    const full = await push([line + ' '.repeat(MAX_BODY_BYTES - line.length)]);
    expect([full.status, full.json]).toEqual([200, counts(1)]);
  });

  test('contract §4 only UTF-8 JSON lines are accepted', async () => {
    const { service } = await serving();
    const statusOf = async (type: string, body: string | Uint8Array) => {
      const response = await fetch(service.url + PATH, {
        method: 'POST',
        headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': type },
        body: typeof body === 'string' ? body : new Blob([Uint8Array.from(body)], { type }),
      });
      return response.status;
    };
    const line = JSON.stringify(MINIMAL);
    expect(await statusOf('application/json', line)).toBe(200);
    expect(await statusOf('application/x-ndjson; charset=utf-8', line)).toBe(200);
    expect(await statusOf('text/plain', line)).toBe(415);
    expect(await statusOf('application/x-ndjson; charset=latin1', line)).toBe(415);
    const bytes = Buffer.from(line.replace('cash', 'c\u00e9'), 'latin1');
    expect(await statusOf('application/x-ndjson', bytes)).toBe(400);
  });

  test('contract §7 trust is true or false', async () => {
    const { push } = await serving();
    expect((await push([MINIMAL], '?trust=true')).status).toBe(200);
    expect((await push([quote('cucuta', 850)], '?trust=false')).status).toBe(200);
    const wrong = await push([quote('cucuta', 851)], '?trust=yes');
    expect([wrong.status, wrong.json.code, wrong.json.field]).toEqual([
      400,
      'invalid_format',
      'trust',
    ]);
  });

  test('contract §7 trust never skips the validity checks', async () => {
    const { push } = await serving();
    for (const record of [
      quote('cash', -1),
      quote('nothing', 1),
      quote('cash', 1.234567890123456),
    ]) {
      expect((await push([record], '?trust=true')).status).toBe(400);
    }
  });

  test('§4 only POST is answered', async () => {
    const { service } = await serving();
    const reply = await service.call(PATH, {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect([reply.status, reply.json.code]).toEqual([405, 'method_not_allowed']);
  });
});
