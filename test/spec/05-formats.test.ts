import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/domain/time.ts';
import { bankTable, fullMarket, iso, official, quote } from '../harness/make.ts';
import { type Reply, START, startTestService, type TestService } from '../harness/service.ts';

const HISTORY = '/v1/fx/rates/parallel/history';

interface Kind {
  readonly path: string;
  /** Root element in XML. */
  readonly root: string;
  /** The list whose items are the rows in CSV; none for a single object. */
  readonly rows?: string;
  readonly header: readonly string[];
}

const POINT = ['rate', 'updated_at', 'captured_at'];
const ENVELOPE = ['country', 'currency', 'fetched_at'];
const COLLECTION = {
  root: 'history',
  rows: 'points',
  header: ['date', ...POINT, 'market', 'from', 'to', 'granularity', 'count', 'truncated'],
};
const INDEX = [
  'value',
  'version',
  'as_of',
  'weights_bcv',
  'weights_paralelo',
  'weights_p2p',
  'components_bcv',
  'components_paralelo',
  'components_p2p',
  'p2p_median',
  'p2p_count',
  'flags_bcv_stale',
  'flags_degraded',
  'flags_missing_sources',
  'flags_outliers_excluded',
  'methodology_url',
];

/** Every answer that has formats. */
const KINDS: Readonly<Record<string, Kind>> = {
  rates: {
    path: '/v1/fx/rates',
    root: 'rates',
    rows: 'rates',
    header: [
      'market',
      'type',
      'base',
      'mid',
      'ask',
      'bid',
      'updated_at',
      'effective_date',
      'stale_after_sec',
      ...ENVELOPE,
    ],
  },
  'marked rates': {
    path: '/v1/fx/rates?markup=shop',
    root: 'rates',
    rows: 'rates',
    header: [
      'market',
      'type',
      'mid',
      'ask',
      'bid',
      'updated_at',
      'mid_with_markup',
      'markup_applied_kind',
      'markup_applied_value',
      ...ENVELOPE,
    ],
  },
  rate: {
    path: '/v1/fx/rates/reference',
    root: 'rate',
    header: [
      'market',
      'type',
      'base',
      'mid',
      'ask',
      'bid',
      'updated_at',
      'effective_date',
      'stale_after_sec',
    ],
  },
  'a point of history': {
    path: `${HISTORY}?date=2026-11-20`,
    root: 'history_point',
    header: ['market', 'date', ...POINT],
  },
  'daily history': { path: HISTORY, ...COLLECTION },
  'raw history': { path: `${HISTORY}?granularity=raw`, ...COLLECTION },
  'empty history': { path: `${HISTORY}?to=2026-11-15`, ...COLLECTION },
  conversion: {
    path: '/v1/fx/convert?from=USD&to=VES&amount=12.5',
    root: 'conversion',
    header: [
      'from_currency',
      'from_amount',
      'to_currency',
      'to_amount',
      'rate',
      'market',
      'type',
      'updated_at',
      'effective_date',
      'staleness_sec',
      'stale',
    ],
  },
  route: {
    path: '/v1/fx/route?from=USD&to=VES&amount=100',
    root: 'route',
    header: [
      'rank',
      'market',
      'type',
      'rate',
      'amount',
      'updated_at',
      'staleness_sec',
      'from_currency',
      'from_amount',
      'direction',
      'fetched_at',
    ],
  },
  index: { path: '/v1/fx/index', root: 'index', header: INDEX },
  spread: {
    path: '/v1/fx/spread',
    root: 'spread',
    header: [
      'reference_market',
      'reference_value',
      'reference_updated_at',
      'compared_market',
      'compared_value',
      'compared_updated_at',
      'spread_absolute',
      'spread_percentage',
      'spread_direction',
      'fetched_at',
    ],
  },
  'bank table': {
    path: '/v1/fx/bcv/banks',
    root: 'bank_table',
    rows: 'bank_rates',
    header: [
      'bank',
      'buy',
      'sell',
      'date',
      'stale',
      'days_behind',
      'indicator_date',
      'captured_at',
    ],
  },
  currencies: {
    path: '/v1/fx/bcv/currencies',
    root: 'currencies',
    header: [
      'reference_value_date',
      'reference_value_date_text',
      'rates_EUR',
      'rates_CNY',
      'rates_TRY',
      'rates_RUB',
      'captured_at',
    ],
  },
};

const cases = Object.entries(KINDS);
/** The answers that Gratis gets in JSON; the others need a dearer plan whatever the format. */
const FOR_ALL = cases.filter(([name]) => !['marked rates', 'route', 'spread'].includes(name));

async function serving(...more: object[]) {
  const service = await startTestService();
  await service.push(
    ...fullMarket(),
    official(
      '2026-11-20',
      { USD: 800.5, EUR: 920.25, CNY: 110.1, TRY: 19.5, RUB: 9.9 },
      { value_date_text: 'Viernes, 20 Noviembre 2026', captured_at: iso(START + 1) },
    ),
    // Below the others, so that the index has flags and a spread is negative.
    quote('parallel', 790.25, { captured_at: iso(START + 1) }),
    quote('parallel', 780, { captured_at: iso(START - DAY_MS) }),
    quote('parallel', 781, { captured_at: iso(START - DAY_MS + 1) }),
    quote('saldo', 90, { captured_at: iso(START + 1) }),
    bankTable('2026-11-20', [
      { bank: 'Banesco', buy: 888.1, sell: 889.9 },
      { bank: 'Banco, "del" Tesoro', buy: 887, date: '2026-11-18' },
    ]),
    ...more,
  );
  const key = await service.keyFor('Escala');
  await service.call('/v1/account/markups', {
    key,
    method: 'POST',
    body: { tag: 'shop', kind: 'percent', value: 3.5, markets: ['parallel', 'cash'] },
  });
  return { service, key, ask: askOn(service, key) };
}

function askOn(service: TestService, key: string) {
  return (path: string, format?: string, method = 'GET'): Promise<Reply> => {
    const joined = path + (path.includes('?') ? '&' : '?');
    return service.call(format === undefined ? path : `${joined}format=${format}`, { key, method });
  };
}

/** RFC 4180 as a reader takes it, character by character. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = '';
  let inQuotes = false;
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at];
    if (inQuotes) {
      if (one !== '"') cell += one;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else inQuotes = false;
    } else if (one === '"' && cell === '') inQuotes = true;
    else if (one === ',') {
      record.push(cell);
      cell = '';
    } else if (one === '\r' && text[at + 1] === '\n') {
      records.push([...record, cell]);
      record = [];
      cell = '';
      at += 1;
    } else if (one === '"' || one === '\r' || one === '\n') {
      throw new Error(`${JSON.stringify(one)} outside of quotes at ${at}`);
    } else cell += one;
  }
  // The last line ends like every other.
  expect([inQuotes, cell, record]).toEqual([false, '', []]);
  return records;
}

/** The rows as objects by column. */
function csvRows(reply: Reply): Record<string, string>[] {
  const [header = [], ...rows] = readCsv(reply.text);
  return rows.map((row) => {
    expect(row).toHaveLength(header.length);
    return Object.fromEntries(header.map((name, position) => [name, row[position] ?? '']));
  });
}

/** The plain values of an object by the names that CSV gives them; lists of plain values joined. */
function flat(value: object, before = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, string][] => {
      if (Array.isArray(field)) return [[before + name, field.join(';')]];
      if (typeof field === 'object') return Object.entries(flat(field, `${before}${name}_`));
      return [[before + name, String(field)]];
    }),
  );
}

/** The expected cells of an answer in JSON, without empty columns. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
function expectedRows({ rows, root }: Kind, json: any): Record<string, string>[] {
  if (root === 'route') {
    const { best, alternatives, from, direction, fetched_at } = json;
    return [best, ...alternatives].map((entry, position) =>
      flat({ rank: position + 1, ...entry, from, direction, fetched_at }),
    );
  }
  if (rows === undefined) return [flat(json)];
  const scalars = Object.fromEntries(
    Object.entries(json).filter(([, value]) => typeof value !== 'object'),
  );
  // The snapshot's base is not that of every row (§2.3).
  if (root === 'rates') delete scalars['base'];
  return json[rows].map((row: object) => flat({ ...scalars, ...row }));
}

const withoutEmpty = (row: Record<string, string>) =>
  Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== ''));

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const xmlReader = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  isArray: (name) => name === 'item',
});

/** The document as a tree of texts, once it is known to be well-formed. */
function readXml(text: string): Record<string, unknown> {
  expect(text.startsWith(DECLARATION)).toBe(true);
  expect(XMLValidator.validate(text)).toBe(true);
  return xmlReader.parse(text);
}

/** The tree that an answer in JSON should make. */
function tree(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '' : { item: value.map(tree) };
  const fields = Object.entries(value);
  if (fields.length === 0) return '';
  return Object.fromEntries(fields.map(([name, field]) => [name, tree(field)]));
}

describe('contract §5 CSV', () => {
  test.each(cases)(
    'contract §5 the CSV of %s has a header row and a row per item, with the values of the JSON',
    async (_, kind) => {
      const { ask } = await serving();
      const [json, csv] = await Promise.all([ask(kind.path), ask(kind.path, 'csv')]);
      expect([json.status, csv.status]).toEqual([200, 200]);
      expect(csv.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8(;|$)/);
      expect(readCsv(csv.text)[0]).toEqual(kind.header);
      expect(csvRows(csv).map(withoutEmpty)).toEqual(expectedRows(kind, json.json));
      expect(csv.text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      expect(csv.text.endsWith('\r\n')).toBe(true);
    },
  );

  test('contract §5 the envelope’s scalars are repeated at the end of every row', async () => {
    const { ask } = await serving();
    for (const row of csvRows(await ask('/v1/fx/rates', 'csv'))) {
      expect([row['country'], row['currency'], row['fetched_at']]).toEqual([
        'VE',
        'VES',
        iso(START),
      ]);
    }
    const banks = csvRows(await ask('/v1/fx/bcv/banks', 'csv'));
    expect(banks.map(({ indicator_date, date }) => [indicator_date, date])).toEqual([
      ['2026-11-20', '2026-11-20'],
      ['2026-11-20', '2026-11-18'],
    ]);
  });

  test('contract §5 an absent value is an empty cell, and every row has the same number of cells', async () => {
    const { ask } = await serving();
    const rows = csvRows(await ask('/v1/fx/rates', 'csv'));
    const of = (id: string) => rows.find(({ market }) => market === id);
    expect(of('reference')).toMatchObject({ ask: '', bid: '', effective_date: '2026-11-20' });
    expect(of('cash')).toMatchObject({ effective_date: '' });
    const marked = csvRows(await ask('/v1/fx/rates?markup=shop', 'csv'));
    expect(
      marked.filter((row) => row['mid_with_markup'] !== '').map((row) => row['market']),
    ).toEqual(['parallel', 'cash']);
  });

  test('contract §5 a CSV without items has only the header', async () => {
    const service = await startTestService();
    const ask = askOn(service, await service.keyFor('Inicio'));
    for (const name of ['rates', 'empty history'] as const) {
      const { path = '', header } = KINDS[name] ?? {};
      const reply = await ask(path, 'csv');
      expect([reply.status, reply.text]).toEqual([200, `${header?.join(',')}\r\n`]);
    }
  });

  test('contract §5 route entries have a rank, the best first', async () => {
    const { ask } = await serving();
    const rows = csvRows(await ask('/v1/fx/route?from=VES&to=USD&amount=1000', 'csv'));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, position) => `${position + 1}`));
    const amounts = rows.map(({ amount }) => Number(amount));
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
  });

  test('contract §5 only the rows of a truncated series have truncated', async () => {
    const { service, ask } = await serving();
    const points = Array.from({ length: 5_000 }, (_, position) =>
      quote('cash', position + 1, { captured_at: iso(START - DAY_MS + position) }),
    );
    await service.push(...points.slice(1));
    const path = '/v1/fx/rates/cash/history?granularity=raw';
    const truncated = async () =>
      new Set(csvRows(await ask(path, 'csv')).map((row) => row['truncated']));
    expect(await truncated()).toEqual(new Set(['']));
    await service.push(...points);
    expect(await truncated()).toEqual(new Set(['true']));
  });

  test('contract §5 only a text that a spreadsheet would run gets an apostrophe', async () => {
    const dangerous = [
      '=1+1',
      '=HYPERLINK("http://x.example","y")',
      "=cmd|' /C calc'!A0",
      '+1',
      '-1',
      '@SUM(A1)',
      ' =1+1',
      '＝1+1',
      '＋1',
      '－1',
      '＠SUM(A1)',
      'Banco; C.A.',
      '=',
      '=a,b"c"',
    ];
    const harmless = ['Banesco', "'=1", 'a=1', '1-2', 'Banco "A", C.A.', 'Ñandú €', '🏦'];
    const banks = [...dangerous, ...harmless];
    const { ask } = await serving(
      bankTable(
        '2026-11-21',
        banks.map((bank) => ({ bank, buy: 1 })),
        { captured_at: iso(START + 2) },
      ),
    );
    const rows = csvRows(await ask('/v1/fx/bcv/banks', 'csv'));
    expect(rows.map(({ bank }) => bank)).toEqual([
      ...dangerous.map((bank) => `'${bank}`),
      ...harmless,
    ]);
    // Only CSV, for spreadsheets, adds the apostrophe.
    const names = (given: { bank: string }[]) => given.map(({ bank }) => bank);
    expect(names((await ask('/v1/fx/bcv/banks')).json.bank_rates)).toEqual(banks);
  });

  test.each(['=2+2', '\t=2', '\r=2', '\n=2', ' =2', '＝2+2'])(
    'contract §5 the label of a value date gets the apostrophe too: %j',
    async (label) => {
      const { ask } = await serving(
        official(
          '2026-11-20',
          { EUR: 920 },
          { value_date_text: label, captured_at: iso(START + 2) },
        ),
      );
      const [row] = csvRows(await ask('/v1/fx/bcv/currencies', 'csv'));
      expect(row?.['reference_value_date_text']).toBe(`'${label}`);
    },
  );

  test('contract §5 a negative number gets no apostrophe', async () => {
    const { ask } = await serving();
    const { json } = await ask('/v1/fx/spread');
    expect(json.spread.absolute).toBeLessThan(0);
    const [row] = csvRows(await ask('/v1/fx/spread', 'csv'));
    expect(row).toMatchObject({
      spread_absolute: String(json.spread.absolute),
      spread_percentage: String(json.spread.percentage),
      spread_direction: 'lower',
    });
    expect(row?.['spread_absolute']).toMatch(/^-\d/);
  });

  test('contract §5 a CSV is UTF-8 without a byte order mark, and Content-Length counts its bytes', async () => {
    const { service, key } = await serving(
      bankTable('2026-11-21', [{ bank: 'Peñón 🏦', sell: 1 }], { captured_at: iso(START + 2) }),
    );
    const response = await fetch(`${service.url}/v1/fx/bcv/banks?format=csv`, {
      headers: { 'X-API-Key': key },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(`${bytes.length}`);
    expect(bytes.subarray(0, 5).toString('latin1')).toBe('bank,');
    expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toContain('Peñón 🏦');
  });
});

describe('contract §5 XML', () => {
  test.each(cases)(
    'contract §5 the XML of %s has its root and an element per field, with the values of the JSON',
    async (_, kind) => {
      const { ask } = await serving();
      const [json, xml] = await Promise.all([ask(kind.path), ask(kind.path, 'xml')]);
      expect([json.status, xml.status]).toEqual([200, 200]);
      expect(xml.headers.get('content-type')).toBe('application/xml; charset=utf-8');
      expect(readXml(xml.text)).toEqual({ [kind.root]: tree(json.json) });
    },
  );

  test('contract §5 XML omits absent fields, and a list has an item for each value', async () => {
    const { ask } = await serving();
    const rate = (await ask('/v1/fx/rates/reference', 'xml')).text;
    expect(rate).toContain('<effective_date>2026-11-20</effective_date>');
    expect(rate).not.toMatch(/<(ask|bid)\b/);
    expect((await ask('/v1/fx/rates/cash', 'xml')).text).not.toContain('effective_date');

    const { index } = readXml((await ask('/v1/fx/index', 'xml')).text) as {
      index: { flags: unknown };
    };
    expect(index.flags).toEqual({ outliers_excluded: { item: ['saldo'] } });
  });

  test('contract §5 an XML document without items is well-formed', async () => {
    const service = await startTestService();
    const ask = askOn(service, await service.keyFor('Esencial'));
    expect(readXml((await ask('/v1/fx/rates', 'xml')).text)).toEqual({
      rates: {
        country: 'VE',
        currency: 'VES',
        base: 'USD',
        rates: '',
        fetched_at: iso(START),
      },
    });
    expect(readXml((await ask(HISTORY, 'xml')).text)).toMatchObject({
      history: { count: '0', points: '' },
    });
  });

  test('contract §5 XML with any bank name is well-formed and reads back equal', async () => {
    const banks = [
      '<b>&amp;</b>',
      'A & B',
      `"Banco" 'C'`,
      ']]>',
      '<!-- x',
      '<?xml version="1.0"?>',
      '<!DOCTYPE x [<!ENTITY y "z">]>',
      '&y; &#60;',
      '=1+1',
      'Peñón 🏦',
    ];
    const { ask } = await serving(
      bankTable(
        '2026-11-21',
        banks.map((bank) => ({ bank, buy: 1 })),
        { captured_at: iso(START + 2) },
      ),
    );
    const { bank_table } = readXml((await ask('/v1/fx/bcv/banks', 'xml')).text) as {
      bank_table: { bank_rates: { item: { bank: string }[] } };
    };
    expect(bank_table.bank_rates.item.map(({ bank }) => bank)).toEqual(banks);
  });

  test('contract §5 characters that XML does not allow never make it ill-formed', async () => {
    // Control characters, which XML lacks too, are refused in records.
    const codes = [0xfffe, 0xffff];
    const label = codes.map((code) => `a${String.fromCharCode(code)}b${code}`).join(' ');
    const { ask } = await serving(
      official('2026-11-20', { EUR: 920 }, { value_date_text: label, captured_at: iso(START + 2) }),
    );
    const { text } = await ask('/v1/fx/bcv/currencies', 'xml');
    readXml(text);
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      expect(
        code === 9 || code === 10 || code === 13 || (code >= 32 && code < 0xfffe) || code > 0xffff,
      ).toBe(true);
    }
    for (const code of codes) expect(text).toContain(`ab${code}`);
  });
});

describe('contract §3 formats of a plan', () => {
  const PLANS: readonly (readonly [plan: string, csv: boolean, xml: boolean])[] = [
    ['Gratis', false, false],
    ['Inicio', true, false],
    ['Esencial', true, true],
    ['Profesional', true, true],
    ['Escala', true, true],
  ];

  test.each(PLANS)(
    'contract §3 %s has JSON, CSV: %s, XML: %s, on every endpoint that has formats',
    async (plan, csv, xml) => {
      const { service } = await serving();
      const ask = askOn(service, await service.keyFor(plan));
      const needed = { json: 'Gratis', csv: 'Inicio', xml: 'Esencial' };
      for (const [name, { path }] of FOR_ALL) {
        for (const [format, has] of [
          ['json', true],
          ['csv', csv],
          ['xml', xml],
        ] as const) {
          const { status, json, headers } = await ask(path, format);
          if (has) {
            expect([name, format, status]).toEqual([name, format, 200]);
            expect(headers.get('x-ratelimit-cost')).toBe('1');
            continue;
          }
          expect([name, format, status, json.code, json.details]).toEqual([
            name,
            format,
            402,
            'feature_not_in_plan',
            {
              feature: `format_${format}`,
              current_plan: plan,
              required_plan: needed[format],
            },
          ]);
          expect(headers.get('x-ratelimit-cost')).toBeNull();
          expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
        }
      }
    },
  );

  test('contract §4 the feature is checked before the format, and the format before the market', async () => {
    const { service } = await serving();
    const ask = askOn(service, await service.keyFor('Gratis'));
    const feature = async (path: string) => (await ask(path, 'csv')).json.details.feature;
    expect(await feature('/v1/fx/spread')).toBe('spread');
    expect(await feature('/v1/fx/route?from=USD&to=VES&amount=1')).toBe('route');
    expect(await feature('/v1/fx/rates/cash')).toBe('format_csv');
    expect(await feature('/v1/fx/rates/nowhere/history')).toBe('format_csv');
    expect(await feature('/v1/fx/convert?from=USD&to=VES&amount=1&via=nowhere')).toBe('format_csv');
  });

  test('contract §4 on every endpoint format is lower case and given once, and an empty one is JSON', async () => {
    const { ask } = await serving();
    for (const [name, { path }] of cases) {
      for (const format of ['CSV', 'Xml', 'text/csv', 'yaml', 'csv%20', 'csv&format=csv']) {
        const { status, json } = await ask(path, format);
        expect([name, format, status, json.code, json.field]).toEqual([
          name,
          format,
          400,
          'invalid_format',
          'format',
        ]);
      }
      const plain = await ask(path);
      for (const format of ['', 'json']) expect((await ask(path, format)).text).toBe(plain.text);
    }
  });

  test('contract §4 Accept is ignored: only format chooses', async () => {
    const { service, key } = await serving();
    const reply = await service.call('/v1/fx/rates', { key, headers: { Accept: 'text/csv' } });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const csv = await service.call('/v1/fx/rates?format=csv', {
      key,
      headers: { Accept: 'application/json' },
    });
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
  });

  test('§4.6 a batch is JSON whatever format is requested', async () => {
    const { service, key } = await serving();
    const reply = await service.call('/v1/fx/bulk/convert?format=csv', {
      key,
      method: 'POST',
      body: { from: 'USD', to: 'VES', amounts: [1] },
    });
    expect([reply.status, reply.json.market]).toEqual([200, 'reference']);
  });

  test('§7 errors are JSON, whatever format is requested', async () => {
    const { ask } = await serving();
    for (const [path, status] of [
      ['/v1/fx/rates?markup=none', 404],
      ['/v1/fx/rates/nowhere', 404],
      [`${HISTORY}?date=2026-02-30`, 400],
      [`${HISTORY}?date=2020-01-01`, 403],
      ['/v1/fx/convert?from=USD', 400],
      ['/v1/fx/spread?base=EUR', 400],
    ] as const) {
      for (const format of ['csv', 'xml']) {
        const reply = await ask(path, format);
        expect([path, reply.status]).toEqual([path, status]);
        expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(typeof reply.json.code).toBe('string');
      }
    }
  });

  test('contract §4 HEAD has the headers of every format without the body, and costs the same', async () => {
    const { ask } = await serving();
    for (const [name, { path }] of cases) {
      for (const format of ['json', 'csv', 'xml']) {
        const get = await ask(path, format);
        const head = await ask(path, format, 'HEAD');
        expect([name, head.status, head.text]).toEqual([name, 200, '']);
        for (const header of ['content-type', 'content-length', 'etag', 'x-ratelimit-cost']) {
          expect([name, header, head.headers.get(header)]).toEqual([
            name,
            header,
            get.headers.get(header),
          ]);
        }
        expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(get.text));
        expect(
          Number(get.headers.get('x-ratelimit-remaining')) -
            Number(head.headers.get('x-ratelimit-remaining')),
        ).toBe(1);
      }
    }
  });
});
