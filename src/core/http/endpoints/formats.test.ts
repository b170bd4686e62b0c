import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anyCharacter } from '../../../../test/harness/any-text.ts';
import { columnsOf, itemSchema } from '../framework/encoding/csv.ts';
import {
  answerText,
  bodyOf,
  encode,
  encodeInSlices,
  isLong,
} from '../framework/encoding/formats.ts';
import { ClientGone, ITEMS_PER_SLICE, nextSlice } from '../framework/encoding/slices.ts';
import type { Endpoint } from '../pipeline/endpoint.ts';
import { listBankRates, listBcvCurrencies } from './central-bank/bcv.ts';
import { convert } from './convert.ts';
import { listMarkets } from './markets.ts';
import { history } from './rates/history.ts';
import { rateByMarket, rates } from './rates/rates.ts';
import { getIndex } from './reference-index.ts';
import { route } from './route.ts';
import { spread } from './spread.ts';

const AT = '2026-11-20T21:10:00.000Z';
const OFFICIAL_AT = '2026-11-20T04:00:00.000Z';

const official = {
  market: 'reference',
  type: 'reference',
  base: 'USD',
  mid: 889.5754,
  updated_at: OFFICIAL_AT,
  effective_date: '2026-11-20',
  stale_after_sec: 475200,
};

const index = {
  value: 900.1234,
  version: 'v1',
  as_of: AT,
  weights: { bcv: 0.3, paralelo: 0.2, p2p: 0.5 },
  components: { bcv: 889.5754, paralelo: 910, p2p: 905 },
  p2p_median: 905,
  p2p_count: 4,
  flags: { missing_sources: ['bcv', 'p2p'], outliers_excluded: ['binance'] },
  methodology_url: 'https://rates.example/methodology',
};

const envelope = { country: 'VE', currency: 'VES', base: 'USD' };
const money = { currency: 'USD', amount: 100 };

type Format = Parameters<typeof encode>[2];

const csvLines = (endpoint: Endpoint, answer: object) =>
  answerText(endpoint, answer, 'csv').split('\r\n');

/** RFC 4180 as a reader takes it, character by character; an independent check of the writer. */
function readCsv(given: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = '';
  let inQuotes = false;
  for (let at = 0; at < given.length; at += 1) {
    const one = given[at];
    if (inQuotes) {
      if (one !== '"') cell += one;
      else if (given[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else inQuotes = false;
    } else if (one === '"') inQuotes = true;
    else if (one === ',') {
      record.push(cell);
      cell = '';
    } else if (one === '\r' && given[at + 1] === '\n') {
      records.push([...record, cell]);
      record = [];
      cell = '';
      at += 1;
    } else if (one === '\r' || one === '\n') throw new Error('a bare line end outside of quotes');
    else cell += one;
  }
  expect([inQuotes, cell, record]).toEqual([false, '', []]);
  return records;
}

/** One plain row with a text and a number, to try cells on. */
const pair = {
  answer: z.object({ first: z.string(), second: z.number() }),
  encoding: { root: 'x' },
};
const pairCsv = (first: string, second = 1) => readCsv(answerText(pair, { first, second }, 'csv'));

describe('content types', () => {
  test('contract §5 each format has its content type with charset', () => {
    const typeOf = (format: Format) => encode(rateByMarket, official, format).contentType;
    expect(typeOf('json')).toBe('application/json; charset=utf-8');
    expect(typeOf('csv')).toBe('text/csv; charset=utf-8; header=present');
    expect(typeOf('xml')).toBe('application/xml; charset=utf-8');
  });

  test('an endpoint without an encoding has only JSON', () => {
    const plain = { answer: z.object({ a: z.number() }) };
    expect(answerText(plain, { a: 1, b: undefined }, 'json')).toBe('{"a":1}');
    expect(() => encode(plain, { a: 1 }, 'csv')).toThrow('no format but JSON');
    expect(() => encode(plain, { a: 1 }, 'xml')).toThrow('no format but JSON');
  });

  test('bodies are UTF-8, and their length counts bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const body = bodyOf(text);
        const bytes = Buffer.from(text);
        expect(typeof body === 'string' ? Buffer.from(body, 'latin1') : body).toEqual(bytes);
        expect(body.length).toBe(bytes.length);
      }),
    );
  });

  test.each([
    ['plain', 'x', 16_384],
    ['two bytes each', 'ñ', 8_192],
  ])('bodies of up to 16 KB are sent in one piece with their head (%s)', (_, letter, count) => {
    expect(bodyOf(letter.repeat(count))).toBe(Buffer.from(letter.repeat(count)).toString('latin1'));
    expect(bodyOf(letter.repeat(count + 1))).toEqual(Buffer.from(letter.repeat(count + 1)));
  });
});

describe('contract §5 CSV', () => {
  test('each rate is a row, with the scalar fields of the envelope at its end', () => {
    const p2p = { ...official, market: 'binance', type: 'p2p', ask: 891, bid: 888.5 };
    const answer = { ...envelope, rates: [official, p2p], index, fetched_at: AT };
    expect(csvLines(rates, answer)).toEqual([
      'market,type,base,mid,ask,bid,updated_at,effective_date,stale_after_sec,country,currency,fetched_at',
      `reference,reference,USD,889.5754,,,${OFFICIAL_AT},2026-11-20,475200,VE,VES,${AT}`,
      `binance,p2p,USD,889.5754,891,888.5,${OFFICIAL_AT},2026-11-20,475200,VE,VES,${AT}`,
      '',
    ]);
  });

  test('a row keeps its own field if the envelope has one of the same name', () => {
    const answer = { ...envelope, rates: [{ ...official, base: 'EUR' }], fetched_at: AT };
    const [header = [], row] = readCsv(answerText(rates, answer, 'csv'));
    expect(header.filter((name) => name === 'base')).toHaveLength(1);
    expect(row?.[header.indexOf('base')]).toBe('EUR');
  });

  test('columns do not depend on which optional fields are present', () => {
    const { effective_date: _, ...plain } = official;
    const with_ = { ...envelope, rates: [official], index, fetched_at: AT };
    const without = { ...envelope, rates: [plain], fetched_at: AT };
    expect(csvLines(rates, without)[0]).toBe(csvLines(rates, with_)[0]);
  });

  test('a CSV without rows has a header', () => {
    const answer = { ...envelope, rates: [], fetched_at: AT };
    expect(csvLines(rates, answer)).toHaveLength(2);
    expect(csvLines(rates, answer)[0]).toMatch(/^market,type,base,mid,/);
  });

  test('§2.12 the markup of a row has two columns, and that of the envelope is left out', () => {
    const { base: _, effective_date: __, stale_after_sec: ___, ...plain } = official;
    const marked = {
      ...plain,
      market: 'parallel',
      mid_with_markup: 916.2627,
      markup_applied: { kind: 'percent', value: 3 },
    };
    const answer = {
      ...envelope,
      rates: [plain, marked],
      markup_applied: { tag: 'shop', kind: 'percent', value: 3 },
      fetched_at: AT,
    };
    const lines = csvLines(rates, answer);
    expect(lines[0]).toMatch(/,mid_with_markup,markup_applied_kind,markup_applied_value,country,/);
    expect(lines[1]).toContain(`${OFFICIAL_AT},,,,VE`);
    expect(lines[2]).toContain(`${OFFICIAL_AT},916.2627,percent,3,VE`);
  });

  test('a history point is one row, and a collection has a row per point', () => {
    const point = { date: '2026-11-20', rate: 889.5, updated_at: AT, captured_at: AT };
    expect(csvLines(history, { market: 'parallel', ...point })).toEqual([
      'market,date,rate,updated_at,captured_at',
      `parallel,2026-11-20,889.5,${AT},${AT}`,
      '',
    ]);
    const collection = {
      market: 'parallel',
      from: '2026-11-13',
      to: '2026-11-20',
      granularity: 'raw',
      count: 1,
      points: [point],
    };
    const lines = (answer: object) => csvLines(history, answer);
    expect(lines(collection)).toEqual([
      'date,rate,updated_at,captured_at,market,from,to,granularity,count,truncated',
      `2026-11-20,889.5,${AT},${AT},parallel,2026-11-13,2026-11-20,raw,1,`,
      '',
    ]);
    expect(lines({ ...collection, truncated: true })[1]).toMatch(/,1,true$/);
    expect(lines({ ...collection, count: 0, points: [] })).toHaveLength(2);
  });

  test('a single object is one row, nested fields joined with _', () => {
    const answer = {
      from: money,
      to: { currency: 'VES', amount: 88957.54 },
      rate: 889.5754,
      market: 'reference',
      type: 'reference',
      updated_at: OFFICIAL_AT,
      staleness_sec: 61800,
      stale: false,
    };
    expect(csvLines(convert, answer)).toEqual([
      'from_currency,from_amount,to_currency,to_amount,rate,market,type,updated_at,effective_date,staleness_sec,stale',
      `USD,100,VES,88957.54,889.5754,reference,reference,${OFFICIAL_AT},,61800,false`,
      '',
    ]);
  });

  test('a list inside a row is one cell, its values joined with ;', () => {
    const [header = [], row] = readCsv(answerText(getIndex, index, 'csv'));
    const cell = (name: string) => row?.[header.indexOf(name)];
    expect(cell('weights_bcv')).toBe('0.3');
    expect(cell('flags_missing_sources')).toBe('bcv;p2p');
    expect(cell('flags_outliers_excluded')).toBe('binance');
    expect(cell('flags_bcv_stale')).toBe('');
  });

  test('route entries have a rank, best first', () => {
    const entry = (market: string, rate: number) => ({
      market,
      type: 'p2p',
      rate,
      amount: rate * 100,
      updated_at: AT,
      staleness_sec: 5,
    });
    const answer = {
      from: money,
      direction: 'send',
      best: entry('bingx', 910),
      alternatives: [entry('binance', 905)],
      skipped: [{ market: 'reference', reason: 'not_executable' }],
      fetched_at: AT,
    };
    expect(csvLines(route, answer)).toEqual([
      'rank,market,type,rate,amount,updated_at,staleness_sec,from_currency,from_amount,direction,fetched_at',
      `1,bingx,p2p,910,91000,${AT},5,USD,100,send,${AT}`,
      `2,binance,p2p,905,90500,${AT},5,USD,100,send,${AT}`,
      '',
    ]);
  });

  test('rows of the bank table repeat its date, and an absent side is an empty cell', () => {
    const row = { bank: 'Banco, "Uno"', sell: 891, date: '2026-11-20', stale: false };
    const answer = {
      indicator_date: '2026-11-20',
      bank_rates: [{ ...row, days_behind: 0 }],
      captured_at: AT,
    };
    expect(csvLines(listBankRates, answer)).toEqual([
      'bank,buy,sell,date,stale,days_behind,indicator_date,captured_at',
      `"Banco, ""Uno""",,891,2026-11-20,false,0,2026-11-20,${AT}`,
      '',
    ]);
  });

  test.each([
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', ' =1+1', '\u00A0=1', '\u200B=1'],
    ...['＝1+1', '＋1', '－1', '＠SUM(A1)', '\u0000=1', 'a;b'],
  ])('a text that a spreadsheet would run gets an apostrophe: %j', (formula) => {
    expect(pairCsv(formula)[1]?.[0]).toBe(`'${formula}`);
  });

  test('every form of = + - or @ gets an apostrophe, even after invisible characters', () => {
    const unguarded: string[] = [];
    for (let code = 0; code <= 0x10_ff_ff; code += 1) {
      // Surrogates are no text of their own.
      if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
      const character = String.fromCodePoint(code);
      const isHidden = /\p{Default_Ignorable_Code_Point}/u.test(character);
      if (!isHidden && !/^[=+\-\u2212@]/.test(character.normalize('NFKC'))) continue;
      const text = `${character}=1`;
      if (pairCsv(text)[1]?.[0] !== `'${text}`) unguarded.push(code.toString(16));
    }
    expect(unguarded).toEqual([]);
  });

  test('no cell becomes a formula where a semicolon separates cells', () => {
    for (const begin of ['=1', '+1', '-1', '@A1', ' =1', '＝1', '﹢1', '₌1', '\t=1']) {
      for (const name of [`Banco;${begin}`, `;${begin};${begin}`, `"";${begin}`]) {
        const [, ...lines] = answerText(pair, { first: name, second: 1 }, 'csv').split('\r\n');
        for (const cell of lines.join('\n').split(';').slice(1)) {
          expect([name, cell[0]]).toEqual([name, "'"]);
        }
      }
    }
  });

  test('no cell of a Spanish file becomes a formula, with semicolons or commas as separators', () => {
    for (const begin of ['=1', '+1', '-1', '@A1', ' =1', '＝1', '\t=1']) {
      for (const name of [begin, `Banco;${begin}`, `Banco,${begin}`, `"",${begin};${begin}`]) {
        const text = answerText(pair, { first: name, second: -1.5 }, 'csv', 'es');
        const [, line = ''] = /\r\n(.*);-1,5\r\n$/s.exec(text) ?? [];
        expect(line).not.toBe('');
        for (const cell of line.split(/[;,]/)) {
          expect([
            name,
            /^[="'+\-@＝＋－＠\s]*$/.test(cell) || /^["']|^[^=+\-@＝＋－＠\s]/.test(cell),
          ]).toEqual([name, true]);
        }
      }
    }
  });

  test('a file in Spanish has its own separator, decimal mark, headers and truth values', () => {
    const bank = {
      bank: 'Banco, C.A.',
      buy: 887.25,
      sell: 891,
      date: '2026-11-20',
      stale: true,
      days_behind: 1,
    };
    const answer = { indicator_date: '2026-11-20', bank_rates: [bank], captured_at: AT };
    expect(answerText(listBankRates, answer, 'csv', 'es').split('\r\n')).toEqual([
      '\uFEFFBanco;Compra (Bs.);Venta (Bs.);Fecha;Desactualizada;Días de atraso;Fecha del indicador;Capturada (UTC)',
      `"Banco, C.A.";887,25;891;2026-11-20;VERDADERO;1;2026-11-20;${AT}`,
      '',
    ]);
  });

  test('numbers never get an apostrophe and are written as in JSON', () => {
    const number = (value: number) => pairCsv('x', value)[1]?.[1];
    expect([-1.5, 0, -0, 1e21, 1e-7, 1e12].map(number)).toEqual([
      '-1.5',
      '0',
      '0',
      '1e+21',
      '1e-7',
      '1000000000000',
    ]);
  });

  test('a list of objects in a row is an error', () => {
    expect(() => columnsOf(listMarkets.answer)).toThrow('the list markets has no place');
    expect(() => itemSchema(listBankRates.answer, 'captured_at')).toThrow('no list');
  });

  test('an answer that fits no declared schema is an error, not a wrong table', () => {
    expect(() => encode(history, { nothing: 1 }, 'csv')).toThrow('fits no option');
  });

  test('any text in a cell is read back unchanged, apart from the apostrophe', () => {
    const anyText = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom(...'=+-@,;"\'\r\n\t a') }),
    );
    fc.assert(
      fc.property(anyText, (given) => {
        const text = given.toWellFormed();
        const [header, row] = pairCsv(text);
        expect(header).toEqual(['first', 'second']);
        // Nothing but apostrophes is added.
        const bare = (cell: string) => cell.replaceAll("'", '');
        expect([bare(row?.[0] ?? ''), row?.[1]]).toEqual([bare(text), '1']);
        // What a spreadsheet passes over may hide the sign of a formula, which has many forms.
        const mayAct = /^[=+\-@\u2212\s\p{C}\p{Default_Ignorable_Code_Point}]|;/u;
        if (![text, text.normalize('NFKC')].some((one) => mayAct.test(one))) {
          expect(row?.[0]).toBe(text);
        }
      }),
    );
  });
});

const xmlReader = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
});

function wellFormed(document: string): string {
  expect(XMLValidator.validate(document)).toBe(true);
  return document;
}

describe('contract §5 XML', () => {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

  test('an element per field with its name in JSON, under the root of the resource', () => {
    expect(wellFormed(answerText(rateByMarket, official, 'xml'))).toBe(
      `${declaration}<rate><market>reference</market><type>reference</type><base>USD</base>` +
        `<mid>889.5754</mid><updated_at>${OFFICIAL_AT}</updated_at>` +
        '<effective_date>2026-11-20</effective_date><stale_after_sec>475200</stale_after_sec></rate>',
    );
  });

  test('a list is an element with an item for each value', () => {
    const document = wellFormed(answerText(getIndex, index, 'xml'));
    expect(document).toContain(
      '<missing_sources><item>bcv</item><item>p2p</item></missing_sources>',
    );
    const answer = { ...envelope, rates: [official, official], fetched_at: AT };
    const read = xmlReader.parse(wellFormed(answerText(rates, answer, 'xml')));
    expect(read.rates.rates.item).toHaveLength(2);
    expect(read.rates.rates.item[1].mid).toBe('889.5754');
  });

  test('absent fields are absent, null and empty lists are empty elements', () => {
    const odd = { answer: z.looseObject({}), encoding: { root: 'odd' } };
    const answer = { gone: undefined, none: null, list: [], flags: {}, text: '', no: false, n: 0 };
    expect(wellFormed(answerText(odd, answer, 'xml'))).toBe(
      `${declaration}<odd><none/><list/><flags/><text/><no>false</no><n>0</n></odd>`,
    );
  });

  test('§4.3 a history point has its own root', () => {
    const point = { market: 'parallel', date: '2026-11-20', rate: 1, updated_at: AT };
    expect(answerText(history, { ...point, captured_at: AT }, 'xml')).toContain('<history_point>');
    expect(answerText(history, { market: 'parallel', points: [] }, 'xml')).toContain('<history>');
  });

  test.each([
    [convert, 'conversion'],
    [route, 'route'],
    [getIndex, 'index'],
    [spread, 'spread'],
    [listBankRates, 'bank_table'],
    [listBcvCurrencies, 'currencies'],
    [rates, 'rates'],
  ] as const)('roots are named as decided: %#', (endpoint, root) => {
    expect(answerText(endpoint, { fetched_at: AT }, 'xml')).toContain(`?><${root}>`);
  });

  test('characters that XML 1.0 does not allow are dropped, and the rest is escaped', () => {
    const given =
      '<a b="c">\'&\u0000\u0001\u000b\u001f\ud800\udc00\ud800x\udfff\ufffe\uffff]]>\r\n\t';
    const document = wellFormed(answerText(pair, { first: given, second: 1 }, 'xml'));
    expect(document).toContain(
      '<first>&lt;a b=&quot;c&quot;&gt;&apos;&amp;\ud800\udc00x]]&gt;&#13;\n\t</first>',
    );
  });

  test('numbers are written as in JSON', () => {
    const number = (second: number) => answerText(pair, { first: 'x', second }, 'xml');
    expect(number(1e21)).toContain('<second>1e+21</second>');
    expect(number(-0)).toContain('<second>0</second>');
  });

  test('any text gives a well-formed document and is read back', () => {
    const anyText = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom(...'<>&"\'\r\n\t ]a\u0000\ud800\ufffe') }),
    );
    const dropped = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
    fc.assert(
      fc.property(anyText, (given) => {
        const document = wellFormed(answerText(pair, { first: given, second: 1 }, 'xml'));
        const read = xmlReader.parse(document.replaceAll('&#13;', '\u{E000}'));
        expect(read.x.first.replaceAll('\u{E000}', '\r')).toBe(given.replace(dropped, ''));
      }),
    );
  });
});

test('contract §5: a long answer written in slices has the same bytes, in every format', async () => {
  const answerOf = (count: number) => ({
    market: 'parallel',
    from: '2026-11-19',
    to: '2026-11-20',
    granularity: 'raw',
    count,
    points: Array.from({ length: count }, (_, position) => ({
      date: '2026-11-20',
      rate: position + 0.5,
      updated_at: AT,
      captured_at: AT,
    })),
    truncated: true,
  });
  expect(isLong(history, answerOf(ITEMS_PER_SLICE))).toBe(false);
  for (const count of [ITEMS_PER_SLICE + 1, 2 * ITEMS_PER_SLICE, 5_000]) {
    const answer = answerOf(count);
    expect(isLong(history, answer)).toBe(true);
    for (const format of ['json', 'csv', 'xml'] as const) {
      expect(await encodeInSlices(history, answer, format)).toEqual(
        encode(history, answer, format),
      );
    }
    expect(answerText(history, answer, 'json')).toBe(JSON.stringify(answer));
  }
});

test('a long answer is abandoned once its client is gone', async () => {
  const points = Array.from({ length: 5_000 }, () => ({
    date: '2026-11-21',
    rate: 1,
    updated_at: AT,
    captured_at: AT,
  }));
  const answer = {
    market: 'cash',
    from: '2026-11-21',
    to: '2026-11-21',
    granularity: 'raw',
    count: 5_000,
    points,
  };
  let asked = 0;
  const isGone = () => {
    asked += 1;
    return asked === 3;
  };
  await expect(encodeInSlices(history, answer, 'json', isGone)).rejects.toThrow(ClientGone);
  expect(asked).toBe(3);
});

test('other work runs between the slices of long answers', async () => {
  const order: string[] = [];
  const long = async (name: string) => {
    for (let slice = 1; slice <= 3; slice += 1) {
      await nextSlice(() => false);
      order.push(`${name}${slice}`);
    }
  };
  let turns = 0;
  const count = () => {
    order.push('turn');
    turns += 1;
    if (turns < 6) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([long('a'), long('b')]);
  const slices = order.filter((one) => one !== 'turn');
  expect(slices).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
  // No two slices in one turn.
  expect(order.join(' ')).not.toMatch(/[ab]\d [ab]\d/);
});
