import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../../../../../test/harness/commands.ts';
import { bankTable, official, quote } from '../../../../../test/harness/make.ts';
import { LAUNCHER, ownVariables, VesfxProcess } from '../../../../../testkit/vesfx-process.ts';

/* `vesfx export` as an operator runs it, and its files as other programs read them (contract §22). */

/** A program beside those of the project. pandas comes with the Python of Debian. */
const PYTHON = '/usr/bin/python3';
const SQLITE = '/usr/bin/sqlite3';
const PANDAS = 'import json, sys, pandas';

async function ran(command: string, args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(command, [...args])).stdout;
}

async function lacksPandas(): Promise<boolean> {
  return ran(PYTHON, ['-c', PANDAS]).then(
    () => false,
    () => true,
  );
}

const at = (time: string, more: object = {}) => ({ captured_at: time, updated_at: time, ...more });

/** Long past, so that the clock of the machine does not matter. */
const RECORDS = [
  official('2024-05-14', { USD: 36.5, EUR: 39.4 }, { captured_at: '2024-05-13T20:30:00Z' }),
  official('2024-05-15', { USD: 36.6 }, { captured_at: '2024-05-14T20:30:00Z' }),
  bankTable('2024-05-14', [{ bank: 'Banco, "Uno"', buy: 36.4, sell: 36.7 }], {
    captured_at: '2024-05-14T20:30:00Z',
  }),
  quote('parallel', 38.1, at('2024-05-14T10:00:00Z', { ask: 38.2, bid: 38 })),
  quote('parallel', 38.25, at('2024-05-14T23:59:59.999Z')),
  quote('parallel', 1e-7, at('2024-05-15T00:00:00Z')),
  quote('parallel', 123456789012345, at('2024-05-15T01:00:00Z')),
  quote('cash', 40, at('2024-05-15T01:00:00Z')),
];

let folder: string;
let data: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vesfx-export-'));
  data = join(folder, 'data');
  const file = join(folder, 'records.ndjson');
  writeFileSync(file, RECORDS.map((record) => JSON.stringify(record)).join('\n'));
  expect(await vesfx('import', file, '--trust')).toMatchObject({ code: 0 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function vesfx(...args: readonly string[]) {
  return runHere([...args, '--data', data], ownVariables());
}

/** Exports everything but what the flags leave out. */
async function exportTo(name: string, ...flags: readonly string[]) {
  const file = join(folder, name);
  const { code, out, err } = await vesfx('export', file, '--force', '--json', ...flags);
  expect([code, err]).toEqual([0, '']);
  return { file, ...(JSON.parse(out) as { rows: number; bytes: number; sha256: string }) };
}

const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split(/\r?\n/);

describe('the formats', () => {
  test('rows, size and digest are those of the file, and the terms of the bank are told', async () => {
    for (const format of ['csv', 'ndjson', 'sqlite', 'parquet']) {
      const { file, ...told } = await exportTo(`told.${format}`, '--captures');
      const bytes = readFileSync(file);
      const expected = { bytes: bytes.length, sha256: hash('sha256', bytes) };
      expect(told).toMatchObject({ ...expected, notice: expect.stringContaining('non-profit') });
      const rows = { csv: 8, ndjson: 8, sqlite: 9, parquet: 8 };
      expect(told.rows).toBe(rows[format as keyof typeof rows]);
    }
    const shown = await vesfx('export', join(folder, 'shown.CSV'));
    expect(shown.out).toMatch(
      /^Wrote .*shown\.CSV: \d+ rows, \d+ bytes, SHA-256 [0-9a-f]{64}\.\n$/,
    );
    expect(shown.err).toContain('Banco Central de Venezuela');
  });

  test('a CSV has a line for each day and market, and names the source of official rates', async () => {
    const { file } = await exportTo('daily.csv');
    expect(readFileSync(file, 'utf8').split('\r\n')).toEqual([
      'market,date,rate,ask,bid,updated_at,captured_at,value_date,unit_since,source',
      'reference,2024-05-14,36.5,,,2024-05-14T04:00:00.000Z,2024-05-13T20:30:00.000Z,2024-05-14,2021-10-01,Banco Central de Venezuela',
      'reference,2024-05-15,36.6,,,2024-05-15T04:00:00.000Z,2024-05-14T20:30:00.000Z,2024-05-15,2021-10-01,Banco Central de Venezuela',
      'eur_reference,2024-05-14,39.4,,,2024-05-14T04:00:00.000Z,2024-05-13T20:30:00.000Z,2024-05-14,2021-10-01,Banco Central de Venezuela',
      'parallel,2024-05-14,38.25,,,2024-05-14T23:59:59.999Z,2024-05-14T23:59:59.999Z,,2021-10-01,',
      'parallel,2024-05-15,123456789012345,,,2024-05-15T01:00:00.000Z,2024-05-15T01:00:00.000Z,,2021-10-01,',
      'cash,2024-05-15,40,,,2024-05-15T01:00:00.000Z,2024-05-15T01:00:00.000Z,,2021-10-01,',
      '',
    ]);
  });

  test('contract §1 figures of before 2021 are as they are stored, and say in which bolívar', async () => {
    const data = join(folder, 'old');
    const [records, file] = [join(folder, 'old.ndjson'), join(folder, 'old.csv')];
    const readAt = { captured_at: '2020-03-30T04:00:00Z' };
    const old = official('2020-03-30', { USD: 77_893.4605 }, { ...readAt, unit: 'day' });
    writeFileSync(records, JSON.stringify(old));
    const run = (...args: readonly string[]) => runHere([...args, '--data', data], ownVariables());
    expect(await run('import', records)).toMatchObject({ code: 0 });
    const { out } = await run('export', file, '--json');
    expect(JSON.parse(out).notice).toContain('unit_since');
    expect(linesOf(file)[1]).toBe(
      'reference,2020-03-30,0.0778934605,,,2020-03-30T04:00:00.000Z,2020-03-30T04:00:00.000Z,2020-03-30,2021-10-01,Banco Central de Venezuela',
    );
    const evidence = await run('evidence', 'reference', '--at', '2020-03-30', '--json');
    expect(JSON.parse(evidence.out)).toMatchObject({ mid: 77_893.4605, stored_mid: 0.0778934605 });
    const converted = await run('convert', '1500000', 'VES', 'USD', '--date', '2020-03-30');
    expect(converted.out).toContain('= 19.26 USD');
    expect(converted.err).toContain('since 2021-10-01 one new bolívar is 1000000 old ones');
  });

  test('pandas reads the CSV: figures to the last digit, times and missing sides', async ({
    skip,
  }) => {
    if (await lacksPandas()) skip('there is no pandas on this machine');
    const { file } = await exportTo('pandas.csv', '--captures', '--market', 'parallel');
    const program = `${PANDAS}
frame = pandas.read_csv(sys.argv[1], parse_dates=["updated_at", "captured_at"], float_precision="round_trip")
day = frame[frame.date == "2024-05-14"].groupby("date").last()
print(json.dumps([frame.rate.tolist(), frame.ask.isna().tolist(), str(frame.captured_at.max()), day.rate.tolist()]))`;
    expect(JSON.parse(await ran(PYTHON, ['-c', program, file]))).toEqual([
      [38.1, 38.25, 1e-7, 123456789012345],
      [false, true, true, true],
      '2024-05-15 01:00:00+00:00',
      [38.25],
    ]);
  });

  test('sqlite3 reads the database: rates, banks and the notice', async ({ skip }) => {
    if (!existsSync(SQLITE)) skip('there is no sqlite3 on this machine');
    const { file } = await exportTo('all.sqlite', '--captures');
    const ask = async (query: string) => JSON.parse(await ran(SQLITE, ['-json', file, query]));
    expect(await ask('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(await ask("select rate, ask, date from rate where market = 'parallel'")).toEqual([
      { rate: 38.1, ask: 38.2, date: '2024-05-14' },
      { rate: 38.25, ask: null, date: '2024-05-14' },
      { rate: 1e-7, ask: null, date: '2024-05-15' },
      { rate: 123456789012345, ask: null, date: '2024-05-15' },
    ]);
    expect(await ask('select bank, buy, sell, date from bank_rate')).toEqual([
      { bank: 'Banco, "Uno"', buy: 36.4, sell: 36.7, date: '2024-05-14' },
    ]);
    const [about] = await ask('select * from about');
    expect(about.value).toContain('Banco Central de Venezuela');
  });

  test('hyparquet reads the Parquet file: figures, timestamps, dates and the notice', async () => {
    const { file } = await exportTo('all.parquet', '--captures');
    const buffer = await asyncBufferFromFile(file);
    const { key_value_metadata: facts, schema } = await parquetMetadataAsync(buffer);
    expect(facts).toMatchObject([{ key: 'notice', value: expect.stringContaining('non-profit') }]);
    expect(schema.find(({ name }) => name === 'captured_at')).toMatchObject({
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    });
    const rows = await parquetReadObjects({ file: buffer });
    expect(rows).toHaveLength(8);
    expect(rows[0]).toEqual({
      ...{ market: 'reference', date: '2024-05-14', rate: 36.5, ask: null, bid: null },
      updated_at: new Date('2024-05-14T04:00:00Z'),
      captured_at: new Date('2024-05-13T20:30:00Z'),
      value_date: '2024-05-14',
      unit_since: '2021-10-01',
    });
    const parallel = rows.filter(({ market }) => market === 'parallel');
    expect(parallel.map(({ rate }) => rate)).toEqual([38.1, 38.25, 1e-7, 123456789012345]);
    expect(parallel[0]).toMatchObject({ ask: 38.2, bid: 38, value_date: null });
  });

  test('a currency that no market has is in the file, and is not told to be left out', async () => {
    const others = join(folder, 'others');
    const records = join(folder, 'others.ndjson');
    writeFileSync(records, JSON.stringify(official('2024-05-14', { USD: 36.5, JPY: 0.23 })));
    const variables = ownVariables();
    await runHere(['import', records, '--trust', '--data', others], variables);
    const file = join(folder, 'others.csv');
    const { out } = await runHere(['export', file, '--json', '--data', others], variables);
    expect(JSON.parse(out)).toMatchObject({ rows: 2, left_out: [] });
    expect(linesOf(file).map((line) => line.split(',')[0])).toEqual(['market', 'reference', 'JPY']);
  });

  test('an empty export is a file of its format', async () => {
    const empty = ['--from', '2023-01-01', '--to', '2023-01-02'];
    expect(linesOf((await exportTo('empty.csv', ...empty)).file)).toHaveLength(1);
    expect(await exportTo('empty.ndjson', ...empty)).toMatchObject({ rows: 0, bytes: 0 });
    const { file } = await exportTo('empty.parquet', ...empty);
    expect(await parquetReadObjects({ file: await asyncBufferFromFile(file) })).toEqual([]);
    expect(await exportTo('empty.sqlite', ...empty)).toMatchObject({ rows: 0 });
  });
});

describe('the selection', () => {
  const marketsIn = async (...flags: readonly string[]) => {
    const { file } = await exportTo('selected.csv', ...flags);
    return [
      ...new Set(
        linesOf(file)
          .slice(1)
          .map((line) => line.split(',')[0]),
      ),
    ];
  };
  const kindsIn = async (...flags: readonly string[]) => {
    const { file } = await exportTo('selected.ndjson', ...flags);
    const lines = linesOf(file).map((line) => JSON.parse(line));
    return [...new Set(lines.map(({ kind }) => kind))].toSorted();
  };

  test('--market alone brings no publications, --official alone no quotes, both bring both', async () => {
    expect(await marketsIn()).toEqual(['reference', 'eur_reference', 'parallel', 'cash']);
    expect(await marketsIn('--market', 'parallel')).toEqual(['parallel']);
    expect(await marketsIn('--official')).toEqual(['reference', 'eur_reference']);
    const both = ['--official', '--market', 'cash', '--market', 'parallel'];
    expect(await marketsIn(...both)).toEqual(['reference', 'eur_reference', 'parallel', 'cash']);
    expect(await marketsIn('--market', 'reference', '--market', 'cash')).toEqual([
      'reference',
      'cash',
    ]);
    expect(await kindsIn()).toEqual(['bank_table', 'official', 'quote']);
    expect(await kindsIn('--market', 'parallel')).toEqual(['quote']);
    expect(await kindsIn('--market', 'reference')).toEqual(['quote']);
    expect(await kindsIn('--official')).toEqual(['bank_table', 'official']);
  });

  test('--from and --to are UTC days of quotes and value dates of official rates, both included', async () => {
    const day = ['--from', '2024-05-14', '--to', '2024-05-14'];
    const { file } = await exportTo('day.csv', '--captures', ...day);
    expect(
      linesOf(file)
        .slice(1)
        .map((line) => line.split(',').slice(0, 3).join(' ')),
    ).toEqual([
      'reference 2024-05-14 36.5',
      'eur_reference 2024-05-14 39.4',
      'parallel 2024-05-14 38.1',
      'parallel 2024-05-14 38.25',
    ]);
    expect(await exportTo('day.ndjson', '--captures', ...day)).toMatchObject({ rows: 4 });
  });

  test.each([
    [['export'], 'file'],
    [['export', 'rates.xlsx'], 'must end in one of .csv, .ndjson, .sqlite, .parquet'],
    [['export', 'rates'], 'must end in one of'],
    [['export', 'rates.csv', '--from', '2024-02-30'], '--from must be a date that exists'],
    [['export', 'rates.csv', '--from', '2024-05-02', '--to', '2024-05-01'], 'must not be after'],
    [['export', join('missing', 'rates.csv')], 'There is no folder'],
  ])('wrong usage of %j is refused before a database is looked for', async (args, message) => {
    const { code, err } = await runHere([...args, '--data', join(folder, 'none')], ownVariables());
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  test('an unknown market is wrong usage, with a hint', async () => {
    const of = (market: string) => vesfx('export', join(folder, 'x.csv'), '--market', market);
    expect(await of('Paralelo')).toMatchObject({
      code: 2,
      err: expect.stringContaining('parallel'),
    });
    expect(await of('CNY')).toMatchObject({ code: 2, err: expect.stringContaining('--official') });
    expect(existsSync(join(folder, 'x.csv'))).toBe(false);
  });

  test('without a database it fails, and leaves no file', async () => {
    const file = join(folder, 'y.csv');
    const args = ['export', file, '--data', join(folder, 'none')];
    expect(await runHere(args, ownVariables())).toMatchObject({ code: 1 });
    expect(existsSync(file)).toBe(false);
  });
});

describe('the file', () => {
  const leftovers = (name: string) =>
    readdirSync(folder).filter((file) => file.startsWith(`${name}.`));

  test('an existing file is replaced only with --force, and nothing else than a file ever', async () => {
    const file = join(folder, 'kept.csv');
    writeFileSync(file, 'mine');
    const refused = await vesfx('export', file);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--force') });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    mkdirSync(join(folder, 'folder.csv'));
    const ofFolder = await vesfx('export', join(folder, 'folder.csv'), '--force');
    expect(ofFolder).toMatchObject({ code: 2, err: expect.stringContaining('is not a file') });
    symlinkSync(file, join(folder, 'link.csv'));
    await exportTo('link.csv');
    expect(linesOf(file)[0]).toMatch(/^market,date/);
    expect(linesOf(join(folder, 'link.csv'))[0]).toMatch(/^market,date/);
  });

  test('on a full disk one sentence says so, and nothing is left', async ({
    skip,
    onTestFinished,
  }) => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const mount = ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk];
    const isMounted = await ran('mount', mount).then(
      () => true,
      () => false,
    );
    if (!isMounted) skip('only root may mount a file system');
    onTestFinished(async () => void (await ran('umount', [disk])));
    expect(() => writeFileSync(join(disk, 'full'), Buffer.alloc(128 * 1024))).toThrow('ENOSPC');
    for (const format of ['csv', 'ndjson', 'sqlite', 'parquet']) {
      const { code, err } = await vesfx('export', join(disk, `x.${format}`));
      expect([code, err]).toEqual([1, 'error: The disk is full.\n']);
    }
    expect(readdirSync(disk)).toEqual(['full']);
  });

  /** Starts an export that waits in the middle, and returns once it has begun to write. */
  async function begun(name: string): Promise<VesfxProcess> {
    const wait = `
      import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) {
        const loaded = next(url, context);
        if (!url.endsWith('/capabilities/export/export-file.ts')) return loaded;
        const source = String(loaded.source).replace('await writer.finish();',
          'console.error("WAITING"); await new Promise((done) => setTimeout(done, 1e6));');
        return { ...loaded, source };
      } });`;
    const preload = `data:text/javascript,${encodeURIComponent(wait)}`;
    const args = ['--import', preload, LAUNCHER, 'export', join(folder, name), '--force'];
    const running = new VesfxProcess(args, { env: { ...ownVariables(), VESFX_DATA: data } });
    while (!running.err.includes('WAITING')) {
      if (!running.isRunning) throw new Error(`It ended: ${running.err}`);
      await once(running.child.stderr ?? process, 'data');
    }
    return running;
  }

  test.each(['csv', 'sqlite'])(
    'kill -9 while a .%s is written leaves the old file whole',
    async (format) => {
      const name = `whole.${format}`;
      const { file, sha256 } = await exportTo(name);
      const running = await begun(name);
      expect(leftovers(name)).toHaveLength(1);
      await running.kill();
      expect(hash('sha256', readFileSync(file))).toBe(sha256);
      // The next one succeeds beside what is left.
      expect((await exportTo(name)).sha256).toBe(sha256);
    },
  );

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s removes what was written, and the old file stays',
    async (signal) => {
      const name = `stopped-${signal}.parquet`;
      const { file, sha256 } = await exportTo(name);
      const running = await begun(name);
      running.signal(signal);
      expect(await running.ended).toMatchObject({ code: null, signal });
      expect(leftovers(name)).toEqual([]);
      expect(hash('sha256', readFileSync(file))).toBe(sha256);
    },
  );
});
