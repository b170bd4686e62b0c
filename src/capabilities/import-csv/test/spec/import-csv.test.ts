import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { hasCapability } from '../../../../../test/harness/capabilities.ts';
import { type Outcome, runHere } from '../../../../../test/harness/commands.ts';
import { addressOf, createDatabase, postgresPort } from '../../../../../test/harness/postgres.ts';
import { ON_POSTGRES, temporaryDir } from '../../../../../test/harness/service.ts';
import { day } from '../../../../../testkit/day.ts';
import { openToolbox } from '../../../../core/compose.ts';
import { readConfig } from '../../../../core/config.ts';
import { addCaracasDays, caracasDayOf } from '../../../../core/domain/time.ts';

/* Figures that come from elsewhere (contract §26). */

let folder: string;
let data: string;
let environment: NodeJS.ProcessEnv;

/** Lets the commands work on a new database. */
async function startAgain(): Promise<void> {
  data = join(folder, randomUUID());
  environment = ON_POSTGRES
    ? { VESFX_DATABASE_URL: addressOf(await postgresPort(), await createDatabase()) }
    : {};
}

beforeEach(async () => {
  folder = await temporaryDir();
  await startAgain();
});

function vesfx(...args: readonly string[]): Promise<Outcome> {
  return runHere([...args, '--data', data], { ...process.env, ...environment });
}

/** Imports a text or bytes, under a name that no reader looks at. */
function imports(content: string | Buffer, ...flags: readonly string[]): Promise<Outcome> {
  const file = join(folder, 'figures');
  writeFileSync(file, content);
  return vesfx('import', file, ...flags);
}

async function imported(content: string | Buffer, ...flags: readonly string[]) {
  const { out, code } = await imports(content, '--json', '--trust', ...flags);
  return { code, ...JSON.parse(out) };
}

/** What is refused: the lines with their reasons. */
async function refused(content: string | Buffer, ...flags: readonly string[]) {
  const { code, out } = await imports(content, '--json', ...flags);
  expect(code).toBe(1);
  const { accepted, errors } = JSON.parse(out);
  expect(accepted).toBe(0);
  return errors.map(({ line, reason }: { line: number; reason: string }) => `${line}: ${reason}`);
}

/** The official rates of a name as they are stored, by value date. */
async function stored(name: string) {
  const { store } = await openToolbox(readConfig({ data }, environment));
  try {
    const rates = await store.officialRates(name, {
      from: day('1990-01-01'),
      to: day('2030-01-01'),
    });
    return Object.fromEntries(rates.map(({ effectiveDate, mid }) => [effectiveDate, mid]));
  } finally {
    await store.close();
  }
}

const today = caracasDayOf(Date.now());

describe('contract §26 five shapes of files that people publish', () => {
  test('Fecha,USD,EUR with ISO days and two decimals, as Abrahanq/bcv-price keeps', async () => {
    const days = [
      '02-02',
      '02-03',
      '02-04',
      '02-05',
      '02-06',
      '02-09',
      '02-10',
      '02-11',
      '02-12',
      '02-13',
    ];
    const rows = days.map((own, place) => `2026-${own},${400 + place}.25,${470 + place}.50`);
    const file = `Fecha,USD,EUR\n${rows.join('\n')}\n`;
    const told = await imports(file, '--json');
    expect(told.code).toBe(0);
    expect(JSON.parse(told.out)).toEqual({
      ...{ accepted: 20, held: 0, refused: 0, duplicate: 0 },
      read_as: {
        ...{ separator: 'comma', encoding: 'UTF-8', decimal_mark: '.', days: 'YYYY-MM-DD' },
        ...{ columns: { Fecha: 'day', USD: 'reference', EUR: 'eur_reference' }, left_out: [] },
      },
      notes: [
        expect.stringMatching(
          /^The 10 official dollars have 2 decimals at most: they look rounded/,
        ),
      ],
    });
    expect(await stored('reference')).toMatchObject({ '2026-02-02': 400.25, '2026-02-13': 409.25 });
    expect(await stored('eur_reference')).toMatchObject({ '2026-02-13': 479.5 });
    expect(await imports(file, '--json').then(({ out }) => JSON.parse(out))).toMatchObject({
      ...{ accepted: 0, duplicate: 20 },
    });
    // One figure with more decimals, and one figure less: they look as they were published.
    expect(await imported(file.replace('409.25', '409.2512'), '--dry-run')).not.toHaveProperty(
      'notes',
    );
    expect(await imported(file.replace(/2026-02-13.*\n/, ''), '--dry-run')).not.toHaveProperty(
      'notes',
    );
  });

  test('fecha, moneda and a rate in long form with a mark, as FelixCabrita/DOLAR keeps', async () => {
    const file =
      '\uFEFFfecha,moneda,pais,tasa\r\n2026-02-03,USD,E.U.A.,401.2512\r\n2026-02-03,EUR,Zona Euro,471.5001\r\n' +
      '2026-02-03,CNY,China,57.3301\r\n2026-02-04,usd,E.U.A.,402.2512\r\n2026-02-04,CNY,China,57.4302\r\n';
    expect(await imported(file)).toMatchObject({
      read_as: { columns: { moneda: 'currency', tasa: 'rate' }, left_out: ['pais'] },
    });
    expect(await stored('reference')).toEqual({ '2026-02-03': 401.2512, '2026-02-04': 402.2512 });
    expect(await stored('CNY')).toEqual({ '2026-02-03': 57.3301, '2026-02-04': 57.4302 });
    expect(await refused(file.replace(',CNY,China,57.4302', ',UDS,China,57.4302'))).toEqual([
      '6: UDS is not the code of a currency',
    ]);
  });

  test('days with points and decimal commas in Windows-1252, as the Spanish downloads of investing.com', async () => {
    const file = Buffer.from(
      '"Fecha","Último","Apertura","Máximo","Mínimo","Vol.","% var."\r\n' +
        '"24.02.2026","1.407,37","1.405,00","1.408,10","1.404,00","","0,12%"\r\n' +
        '"23.02.2026","1.405,35","1.402,10","1.406,00","1.401,00","","0,11%"\r\n',
      'latin1',
    );
    expect(await refused(file)).toEqual([
      '1: the header does not say whose rates they are: add --as official, or --as and a market',
    ]);
    expect(await imported(file, '--as', 'paralelo')).toMatchObject({
      accepted: 2,
      read_as: {
        ...{ encoding: 'Windows-1252', decimal_mark: ',', days: 'dd/mm/yyyy', market: 'parallel' },
        left_out: ['Apertura', 'Máximo', 'Mínimo', 'Vol.', '% var.'],
      },
    });
  });

  test.runIf(hasCapability('export'))(
    'a quote of a day without a time counts at noon in Caracas',
    async () => {
      await imported('fecha,tasa\n2026-02-23,1405.35\n2026-02-24,1407.37\n', '--as', 'paralelo');
      const exported = join(folder, 'out.csv');
      await vesfx('export', exported, '--market', 'parallel');
      expect(readFileSync(exported, 'utf8').split('\r\n').slice(1, 3)).toEqual([
        'parallel,2026-02-23,1405.35,,,2026-02-23T16:00:00.000Z,2026-02-23T16:00:00.000Z,,2021-10-01,',
        'parallel,2026-02-24,1407.37,,,2026-02-24T16:00:00.000Z,2026-02-24T16:00:00.000Z,,2021-10-01,',
      ]);
    },
  );

  test('bid and ask are no official rate, which is one figure', async () => {
    const file = 'fecha,compra,venta\n2026-02-23,405.1,406.2\n';
    expect(await refused(file, '--as', 'official')).toEqual([
      '2: an official rate is one figure: its column is tasa or rate, not compra and venta',
    ]);
    expect(await imported(file, '--as', 'paralelo')).toMatchObject({ accepted: 1 });
    expect(await refused('fecha,moneda,compra,venta\n2026-02-23,EUR,405.1,406.2\n')).toHaveLength(
      1,
    );
  });

  test('a column for each market, as scripts keep that write Fecha,BCV,Binance and a gap', async () => {
    const file =
      'Fecha,BCV,Binance,Brecha_Porcentaje\n2026-02-03,401.25,520.5,29.71\n2026-02-04,402.25,521,29.52\n';
    expect(await imported(file)).toMatchObject({
      accepted: 4,
      read_as: {
        columns: { BCV: 'reference', Binance: 'binance' },
        left_out: ['Brecha_Porcentaje'],
      },
    });
    expect(await stored('reference')).toEqual({ '2026-02-03': 401.25, '2026-02-04': 402.25 });
    // A time beside an official rate may be when it was read, on the eve of its value date.
    expect(await refused(file.replace('2026-02-04', '2026-02-04 18:30:00'))).toEqual([
      '3: 2026-02-04 18:30:00 may be when the rate was read: write its value date alone',
    ]);
  });

  test('a title, semicolons and a sign of the bolívar, as Excel in Spanish saves; weekends repeat', async () => {
    const file =
      'sep=;\r\nBanco Central de Venezuela;;\r\n;;\r\nFECHA VALOR;Dólar BCV;Notas\r\n' +
      '06/02/2026;"Bs. 404,2512";\r\n07/02/2026;Bs. 404,2512;sábado\r\n08/02/2026;Bs. 404,2512;domingo\r\n' +
      '09/02/2026;"Bs. 405,2512";\r\n13/02/2026;408,1;\r\n;;\r\n';
    const told = await imported(file);
    expect(told).toMatchObject({
      accepted: 3,
      read_as: { separator: 'semicolon', left_out: ['Notas'] },
    });
    expect(told.notes).toEqual([
      expect.stringMatching(/^2 figures of days on which banks are closed/),
    ]);
    expect(await stored('reference')).toEqual({
      ...{ '2026-02-06': 404.2512, '2026-02-09': 405.2512, '2026-02-13': 408.1 },
    });
    // Another figure on a Saturday is judged, as in every file.
    const other = await imports(file.replace('Bs. 404,2512;sábado', 'Bs. 404,9;sábado'), '--json');
    expect(JSON.parse(other.out)).toMatchObject({ accepted: 0, held: 1 });
  });
});

describe('contract §26 one reading must be possible', () => {
  test.each([
    [
      'days',
      'fecha;usd\n03/04/2026;889,57\n04/04/2026;890,12\n',
      '2: 03/04/2026 can be 2026-04-03 (dd/mm/yyyy) or 2026-03-04 (mm/dd/yyyy), and nothing in the file says ' +
        'which: write the days as YYYY-MM-DD',
    ],
    [
      'mm/dd',
      'fecha;usd\n03/04/2026;889,57\n03/14/2026;890,12\n',
      '3: 03/14/2026 is 2026-03-14 as mm/dd/yyyy, which is not taken: write the days of the file as YYYY-MM-DD or ' +
        'dd/mm/yyyy',
    ],
    [
      'decimals',
      'fecha;usd\n2026-02-03;1,234\n2026-02-04;1,235\n',
      '2: 1,234 can be 1234 (decimal point) or 1.234 (decimal comma), and nothing in the file says which: write it ' +
        'without marks of thousands, and with four decimals',
    ],
    [
      'two decimal marks',
      'fecha;usd\n2026-02-03;889.57\n2026-02-04;889,58\n',
      '3: 889,58 and 889.57 on line 2 have different decimal marks: a file has one, . or ,',
    ],
  ])('%s', async (_, file, reason) => {
    expect(await refused(file, '--trust')).toEqual([reason]);
    expect(await stored('reference')).toEqual({});
  });

  test('what decides: a day over 12, the order of the days, a day in the future, other figures', async () => {
    const of = (rows: string) => imported(`fecha;usd\n${rows}`, '--dry-run');
    const good = { refused: 0, read_as: { days: 'dd/mm/yyyy' } };
    expect(await of('03/02/2026;889,57\n13/02/2026;890,12\n')).toMatchObject(good);
    expect(await of('11/02/2026;889,57\n12/02/2026;890,12\n02/03/2026;891,12\n')).toMatchObject(
      good,
    );
    expect(await of('05/05/2026;889,57\n')).toMatchObject(good);
    // As mm/dd it would be after the end of the year that has begun.
    const [year = ''] = addCaracasDays(today, 400).split('-');
    const future = await refused(`fecha;usd\n01/11/${year};889,57\n02/01/${year};889,57\n`);
    expect(future).toHaveLength(1);
    expect(await of('2026-02-03;1,234\n2026-02-04;1,2351\n')).toMatchObject({ refused: 0 });
    expect(await of('2026-02-03;1.234\n2026-02-04;1.235,51\n')).toMatchObject({ refused: 0 });
  });
});

describe('contract §26 a bad file', () => {
  test('every bad line is named, in order, and nothing is stored', async () => {
    const file =
      'fecha,usd,eur\n2026-02-03,889.57,\n2026-02-03,889.58,\nx,1,2\n2026-02-04,,\n2026-02-05,0,1\n2026-02-06,1,5,2\n' +
      '31/02/2026,7,8\n2026-02-10,n/d,3\n2026-02-11\n';
    expect(await refused(file, '--trust')).toEqual([
      '3: reference has another figure for the same day on line 2',
      '4: x is no day: YYYY-MM-DD or dd/mm/yyyy',
      '5: has no figure',
      '6: reference: must be greater than 0, and at least 1e-15',
      '7: has 4 cells, and the header 3: a cell that has the separator in it must stand in quotes',
      '8: 31/02/2026 is no day: YYYY-MM-DD or dd/mm/yyyy',
      '9: n/d is no figure',
      '10: has 1 cells, and the header 3: a cell that has the separator in it must stand in quotes',
    ]);
    expect(await stored('reference')).toEqual({});
  });

  test.each([
    ['only a header', 'fecha;usd\n', 3],
    ['nothing', '', 3],
    ['a header without a day', 'usd;eur\n1,25;2,25\n', 1],
    ['two columns of one currency', 'fecha;usd;dólar\n2026-02-03;1,25;2,25\n', 1],
    ['a quote that does not surround a cell', 'fecha;usd\n2026-02-03;"1,2"5\n', 1],
    ['a figure of a future time', `fecha;binance\n${addCaracasDays(today, 3)};850,25\n`, 1],
    [
      'another currency than that of the market',
      'mercado,moneda,fecha,tasa\nbinance,EUR,2026-02-03,1.25\n',
      1,
    ],
    ['an unknown market', 'mercado,fecha,tasa\nBinanse,2026-02-03,1.25\n', 1],
  ])('%s stores nothing', async (_, file, code) => {
    expect(await imports(file, '--trust')).toMatchObject({ code });
    expect(await stored('reference')).toEqual({});
  });

  test.each(['market,mid\nbinance,640\n', '"market";"mid"\n', '\uFEFFmarket\tmid'])(
    'a CSV without a day is named for what is missing: %j',
    async (file) => {
      expect(await refused(file)).toEqual([
        '1: this is a CSV whose first 20 rows have no header: it needs a column fecha (date), and tasa (rate) or a ' +
          'column for each currency or market, such as usd',
      ]);
    },
  );

  test('--as is a market or official, for a table that does not say it', async () => {
    const table = 'mercado,fecha,tasa\nbinance,2026-02-03,850.25\n';
    expect(await imports(table, '--as', 'gold')).toMatchObject({ code: 2 });
    expect(await refused(table, '--as', 'binance')).toEqual([
      '1: the header says the market of each row: leave out --as',
    ]);
    const record = '{"kind":"quote","market":"cash","mid":850}\n';
    expect(await imports(record, '--as', 'cash')).toMatchObject({ code: 2 });
    expect(await imported('fecha,usd\n2026-02-03,850.25\n', '--as', 'parallel')).toMatchObject({
      ...{ accepted: 1, read_as: { columns: { usd: 'parallel' } } },
    });
    expect(await refused('fecha,eur\n2026-02-03,850.25\n', '--as', 'parallel')).toEqual([
      '1: the header has a column of EUR, and parallel is a market of USD',
    ]);
  });
});

describe('contract §26 units', () => {
  test('a figure of before October 2021 is in the bolívar of its own day, as it was published', async () => {
    const file = 'fecha;usd\n30/03/2020;77.893,4605\n';
    expect(await imported(file)).toMatchObject({ accepted: 1 });
    expect(await stored('reference')).toEqual({ '2020-03-30': 0.0778934605 });
    const converted = await imports('fecha;usd\n2020-04-30;0,0778934605\n', '--json');
    expect(converted.code).toBe(3);
    expect((await vesfx('held', 'list')).out).toMatch('looks like the bolívar of 2021-10-01');
    // A column says it.
    const said = 'fecha;usd;unit_since\n2020-04-30;0,0778934605;2021-10-01\n';
    expect(await imported(said)).toMatchObject({ accepted: 1 });
    expect(await stored('reference')).toMatchObject({ '2020-04-30': 0.0778934605 });
    expect(await refused(said.replace('2021-10-01', '2022-10-01'))).toHaveLength(1);
  });
});

describe.runIf(hasCapability('export'))(
  'contract §26 what vesfx export writes comes back as it was',
  () => {
    test.each([[[]], [['--captures']]])('with %j, every column', async (flags) => {
      const at = (time: string) => ({ captured_at: `2026-11-${time}:00.000Z` });
      const quotes = [
        { market: 'parallel', mid: 910.25, ask: 912, ...at('18T14:00') },
        {
          market: 'parallel',
          mid: 911.125,
          bid: 910,
          updated_at: '2026-11-18T10:00:00Z',
          ...at('18T15:00'),
        },
        { market: 'binance', mid: 0.0000001, ...at('18T15:00') },
        { market: 'binance', mid: 36.123, ...at('19T15:00') },
        {
          market: 'reference',
          mid: 888.5,
          ask: 889,
          effective_date: '2026-11-17',
          ...at('16T20:00'),
        },
        {
          market: 'reference',
          mid: 77893.4605,
          effective_date: '2020-03-30',
          unit: 'day',
          ...at('16T20:00'),
        },
      ].map((quote) => ({ kind: 'quote', ...quote }));
      const rates = { USD: 889.5754, EUR: 1012.34, CNY: 125.1, TRY: 21.2, RUB: 11.006 };
      const official = [
        { value_date: '2026-11-19', rates, ...at('18T20:10') },
        { value_date: '2026-11-20', rates: { ...rates, USD: 890.1234 }, ...at('19T20:10') },
        {
          value_date: '2026-11-20',
          rates: { ...rates, USD: 890.1234, EUR: 1013.5 },
          ...at('19T21:10'),
        },
      ].map((publication) => ({ kind: 'official', ...publication }));
      const records = [...quotes, ...official].map((record) => JSON.stringify(record)).join('\n');
      expect(await imported(records)).toMatchObject({ code: 0, refused: 0 });
      const [first, second] = [join(folder, 'first.csv'), join(folder, 'second.csv')];
      await vesfx('export', first, ...flags);
      await startAgain();
      const text = readFileSync(first, 'utf8');
      expect(text.split('\r\n').length).toBeGreaterThan(12);
      expect(await imported(gzipSync(text))).toMatchObject({ code: 0, refused: 0, held: 0 });
      await vesfx('export', second, ...flags);
      expect(readFileSync(second, 'utf8')).toBe(text);
    });
  },
);
