import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refused } from '../../../core/app/ingest/record.ts';
import { loadCatalogue } from '../../../core/catalogue/catalogue.ts';
import { loadRules } from '../../../core/compose.ts';
import { PACKAGED_CATALOGUE, readConfig } from '../../../core/config.ts';
import { importCsv } from '../import-csv.ts';
import { MAX_TABLE_BYTES } from '../table.ts';

/* A table means the same in whatever dialect it is written (contract §26). */

const NOW = Date.parse('2026-11-28T20:00:00Z');
const { markets } = loadCatalogue(PACKAGED_CATALOGUE);
const rules = loadRules(readConfig({}, {}));
const [reader] = importCsv.readers ?? [];

async function read(content: string | Buffer, as?: string) {
  if (reader === undefined) throw new Error('There is no reader.');
  const bytes = Buffer.from(content);
  const around = { markets, ...rules, now: NOW, as };
  return reader.read(
    (async function* () {
      yield bytes;
    })(),
    around,
  );
}

/** What is refused, and the figures of what is not. */
async function figuresRead(content: string | Buffer, as?: string) {
  const { records } = await read(content, as);
  return [...records].flatMap(({ record }) => {
    if (record instanceof Refused) return [`refused: ${record.message}`];
    const { kind, rates, mid, market, effective_date: own, value_date: day } = record;
    const codes = new Map([
      ['reference', 'USD'],
      ['eur_reference', 'EUR'],
    ]);
    if (kind === 'quote') return [`${own} ${codes.get(String(market))} ${mid}`];
    return Object.entries(Object(rates)).map(([code, rate]) => `${day} ${code} ${rate}`);
  });
}

interface Dialect {
  readonly separator: ',' | ';' | '\t';
  readonly mark: '.' | ',';
  readonly thousands: boolean;
  readonly days: 'iso' | '/' | '-' | '.';
  readonly padded: boolean;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly quoted: boolean;
  readonly encoding: 'utf8' | 'bom' | 'latin1';
  readonly form: 'wide' | 'long';
  readonly english: boolean;
  readonly newestFirst: boolean;
  readonly title: boolean;
  readonly blank: boolean;
}

const dialects = fc.record<Dialect>({
  separator: fc.constantFrom(',', ';', '\t'),
  mark: fc.constantFrom('.', ','),
  thousands: fc.boolean(),
  days: fc.constantFrom('iso', '/', '-', '.'),
  padded: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  quoted: fc.boolean(),
  encoding: fc.constantFrom('utf8', 'bom', 'latin1'),
  form: fc.constantFrom('wide', 'long'),
  english: fc.boolean(),
  newestFirst: fc.boolean(),
  title: fc.boolean(),
  blank: fc.boolean(),
});

/** Business days of November 2026, some over 12, and figures of four decimals. */
const DAYS = ['2026-11-03', '2026-11-10', '2026-11-12', '2026-11-16', '2026-11-19', '2026-11-27'];
const tables = fc.array(
  fc.record({
    USD: fc.option(fc.integer({ min: 1, max: 99_999_999 })),
    EUR: fc.integer({ min: 1, max: 99_999_999 }),
    CNY: fc.option(fc.integer({ min: 1, max: 9_999 })),
  }),
  { minLength: DAYS.length, maxLength: DAYS.length },
);
type Rates = Readonly<Record<'USD' | 'EUR' | 'CNY', number | null>>;

const NAMES = { USD: ['USD', 'Dólar'], EUR: ['EUR', 'Tasa Euro'], CNY: ['CNY', 'Yuan'] } as const;
const CODES = ['USD', 'EUR', 'CNY'] as const;

/** A figure of ten-thousandths with its four decimals. */
function figureText(figure: number, { mark, thousands }: Dialect): string {
  const digits = String(figure).padStart(5, '0');
  const whole = digits.slice(0, -4);
  const other = mark === '.' ? ',' : '.';
  const grouped = thousands ? whole.replace(/\B(?=(?:\d{3})+$)/g, other) : whole;
  return `${grouped}${mark}${digits.slice(-4)}`;
}

function dayText(day: string, { days, padded }: Dialect): string {
  if (days === 'iso') return day;
  const numbers = day.split('-').reverse();
  return numbers.map((number) => (padded ? number : String(Number(number)))).join(days);
}

function written(rows: readonly Rates[], dialect: Dialect): Buffer {
  const { separator, lineEnd, quoted, encoding, form, english, newestFirst } = dialect;
  const cell = (text: string) => (quoted || text.includes(separator) ? `"${text}"` : text);
  const line = (cells: readonly string[]) => cells.map(cell).join(separator);
  const name = (code: (typeof CODES)[number]) => NAMES[code][english ? 0 : 1];
  const day = english ? 'Date' : 'FECHA';
  const header =
    form === 'wide'
      ? [day, ...CODES.map(name), 'Año']
      : [day, english ? 'currency' : 'Moneda', english ? 'rate' : 'Tasa', 'Año'];
  const lines = rows.map((rates, place) => {
    const at = dayText(DAYS[place] ?? '', dialect);
    const text = (code: (typeof CODES)[number]) =>
      rates[code] === null ? '' : figureText(rates[code], dialect);
    return form === 'wide'
      ? [line([at, ...CODES.map(text), ''])]
      : CODES.flatMap((code) =>
          rates[code] === null ? [] : line([at, code.toLowerCase(), text(code), '2026']),
        );
  });
  const body = (newestFirst ? lines.reverse() : lines).flat();
  const all = [
    ...(dialect.title ? ['Tasas del año'] : []),
    line(header),
    ...(dialect.blank ? ['', separator.repeat(3)] : []),
    ...body,
  ];
  const text = `${encoding === 'bom' ? '\uFEFF' : ''}${all.join(lineEnd)}${lineEnd}`;
  return Buffer.from(text, encoding === 'latin1' ? 'latin1' : 'utf8');
}

describe('contract §26 a table in whatever dialect', () => {
  test('is read as it was meant', async () => {
    await fc.assert(
      fc.asyncProperty(tables, dialects, async (rows, dialect) => {
        const expected = rows.flatMap((rates, place) =>
          CODES.flatMap((code) =>
            rates[code] === null ? [] : `${DAYS[place]} ${code} ${rates[code] / 10_000}`,
          ),
        );
        const file = written(rows, dialect);
        expect(reader?.recognizes(file.subarray(0, 4096))).toBe(true);
        expect((await figuresRead(file)).sort()).toEqual(expected.sort());
      }),
      { numRuns: 200 },
    );
  });

  test('whatever the bytes are, each record is one of the table or a refusal with its line', async () => {
    const parts = fc.constantFrom(
      ...[
        'fecha',
        'usd',
        'tasa',
        'moneda',
        ';',
        ',',
        '\t',
        '"',
        '\n',
        '\r',
        '2026-11-03',
        '03/04/2026',
      ],
      ...[
        '1.234',
        '1,234',
        '889,57',
        '',
        ' ',
        '-',
        'é',
        '\uFEFF',
        'EUR',
        '9'.repeat(30),
        '1e9',
        '00',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 60 }), async (texts) => {
        const text = texts.join('');
        const records = [...(await read(`fecha;usd\n${text}`)).records];
        const lines = text.split(/\r\n|\r|\n/).length + 1;
        for (const { line } of records) expect(line).toBeGreaterThan(0);
        for (const { line } of records) expect(line).toBeLessThanOrEqual(lines);
      }),
      { numRuns: 500 },
    );
  });
});

describe('contract §26 days and decimals', () => {
  const dayOf = async (...days: readonly string[]) =>
    (
      await figuresRead(`fecha;usd\n${days.map((own, place) => `${own};88${place},55`).join('\n')}`)
    ).map((text) => text.split(' ', 2)[0]);

  test.each([
    [
      'the order, though no day is over 12',
      ['11/02/2026', '12/02/2026', '02/03/2026'],
      '2026-02-11',
    ],
    ['a day over 12', ['13/02/2026', '03/02/2026'], '2026-02-03'],
    ['both numbers are equal', ['02/02/2026'], '2026-02-02'],
    ['11 days ahead in the other reading', ['12/09/2026'], '2026-09-12'],
    ['10 days ahead in the other reading', ['12/08/2026'], 'refused:'],
  ])('%s', async (_, days, first) => {
    expect((await dayOf(...days))[0]).toBe(first);
  });

  test('a day more than 10 days ahead in one reading decides for the other', async () => {
    // 10/12 is 12 days ahead as a day of December, so it is October 12th.
    expect(await figuresRead('fecha;usd\n10/12/2026;881,55\n')).toEqual([
      expect.stringMatching(
        /^refused: 10\/12\/2026 is 2026-10-12 as mm\/dd\/yyyy, which is not taken/,
      ),
    ]);
    expect(await figuresRead('fecha;usd\n08/12/2026;881,55\n')).toEqual([
      expect.stringMatching(/^refused: 08\/12\/2026 can be 2026-12-08 .* or 2026-08-12/),
    ]);
    expect(await figuresRead('fecha;usd\n12/10/2026;881,55\n')).toEqual(['2026-10-12 USD 881.55']);
  });

  test.each([
    ['889,5754', '889.5754'],
    ['1.012,34', '1012.34'],
    ['1,012.34', '1012.34'],
    ["1'012.34", '1012.34'],
    ['1 012,34', '1012.34'],
    ['1\u00A0012,34', '1012.34'],
    ['1.234.567', '1234567'],
    ['0,123', '0.123'],
    ['1234,567', '1234.567'],
    ['Bs. 889,57', '889.57'],
    ['889,57 Bs', '889.57'],
    ['1e-7', '1e-7'],
  ])('%s', async (text, figure) => {
    const cell = text.includes(';') ? `"${text}"` : text;
    expect(await figuresRead(`fecha;usd\n2026-11-03;${cell}\n`)).toEqual([
      `2026-11-03 USD ${Number(figure)}`,
    ]);
  });

  test.each([
    '$889,57',
    '-889,57',
    '1,2,3',
    '1.23.456',
    '12.34,567,8',
    '8 89,57',
    '889,57%',
    'NaN',
    '0x10',
    '١٢',
  ])('%s is no figure', async (text) => {
    expect(await figuresRead(`fecha;usd\n2026-11-03;${text}\n`)).toEqual([
      expect.stringMatching(/^refused: .* is no figure$/),
    ]);
  });

  test.each([MAX_TABLE_BYTES, MAX_TABLE_BYTES + 1])(
    'a file of %i bytes',
    { timeout: 60_000 },
    async (bytes) => {
      const table = Buffer.alloc(bytes, '\n');
      table.write('fecha;usd\n2026-11-03;889,57\n');
      const reading = read(table);
      if (bytes > MAX_TABLE_BYTES)
        await expect(reading).rejects.toThrow('The table has more than 32 MB');
      else expect([...(await reading).records]).toHaveLength(1);
    },
  );
});
