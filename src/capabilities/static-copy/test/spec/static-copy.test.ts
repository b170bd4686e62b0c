import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { judging } from '../../../../../test/harness/judging.ts';
import { capture, fullMarket, official, P2P, quote } from '../../../../../test/harness/make.ts';
import { reformCatalogue } from '../../../../../test/harness/reform.ts';
import {
  startTestService,
  type TestService,
  temporaryDir,
} from '../../../../../test/harness/service.ts';
import type { CopyReport } from '../../copy.ts';
import { StaticCopy } from '../../copy.ts';
import { EndpointFiles } from '../../copy-content.ts';
import { ForeignFolder } from '../../copy-failures.ts';
import { DiskFolder } from '../../copy-folder.ts';

const READ = '2026-11-17T20:10:00.000Z';

const CHEAPEST = ['reference', 'eur_reference', 'parallel', ...P2P];

/** From Wednesday on; Thursday is missing, Monday 23 is a bank holiday, Tuesday is the next one. */
const DAYS = [
  official('2026-11-18', { USD: 800.1234, EUR: 930.12345678 }, { captured_at: READ }),
  official('2026-11-20', { USD: 804, EUR: 931, CNY: 110.5 }, { captured_at: READ }),
  official('2026-11-24', { USD: 801, EUR: 930 }, { captured_at: '2026-11-20T20:10:00.000Z' }),
];

const HEAD =
  'date,currency,rate,value_date,business_day,carried_days,next_banking_day,next_banking_day_rate,unit_since';

const STOPPED = new Error('stopped');

/** Stops an export where it asks for the time of that number whether it may go on. @returns whether it asked so often. */
async function stopsAt(
  turns: number,
  update: (mayGoOn: () => void) => Promise<CopyReport>,
  meanwhile: () => void,
): Promise<boolean> {
  let asked = 0;
  const mayGoOn = () => {
    asked += 1;
    if (asked <= turns) return;
    meanwhile();
    throw STOPPED;
  };
  const error = await update(mayGoOn).catch((reason: unknown) => reason);
  return error === STOPPED;
}

interface Site {
  readonly service: TestService;
  readonly dir: string;
  /** A process that begins. @returns what writes the copy of now. */
  begin(markets?: readonly string[]): (mayGoOn?: () => void) => Promise<CopyReport>;
  /** Writes the copy of now, as a process that begins does. */
  write(markets?: readonly string[]): Promise<CopyReport>;
  read(path: string): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: files of every shape.
  json(path: string): Promise<any>;
  paths(): Promise<readonly string[]>;
}

async function siteWith(
  records: readonly object[],
  options: Parameters<typeof startTestService>[0] = {},
  given?: TestService,
): Promise<Site> {
  const service = given ?? (await startTestService(options));
  if (records.length > 0) await service.push(...records);
  const dir = join(await temporaryDir(), 'copy');
  const read = (path: string) => readFile(join(dir, path), 'utf8');
  const begin: Site['begin'] = (markets = CHEAPEST) => {
    const parts = service.service;
    const chosen = parts.markets.list.filter(({ id }) => markets.includes(id));
    const { publicUrl } = options.config ?? {};
    const content = new EndpointFiles({ ...parts, ...rulesOf(parts), chosen, publicUrl });
    const copy = new StaticCopy(new DiskFolder(dir, service.clock));
    return (mayGoOn) => copy.update(content, service.clock.now(), mayGoOn);
  };
  return {
    service,
    dir,
    begin,
    write: (markets) => begin(markets)(),
    read,
    json: async (path) => JSON.parse(await read(path)),
    async paths() {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return files.map((one) => join(one.parentPath, one.name).slice(dir.length + 1)).sort();
    },
  };
}

const rulesOf = ({ thresholds }: TestService['service']) => ({ thresholds });

/** Size and digest of every listed file, and that nothing else is there. */
async function mustBeWhole({ json, dir, paths }: Site): Promise<void> {
  const { files } = await json('index.json');
  const found = [];
  for (const { path } of files) {
    const bytes = await readFile(join(dir, path));
    found.push({ path, bytes: bytes.length, sha256: hash('sha256', bytes) });
  }
  expect(found).toEqual(files);
  expect(['index.json', ...files.map(({ path }: { path: string }) => path)].sort()).toEqual(
    await paths(),
  );
}

async function times({ dir, paths }: Site) {
  const all = (await paths()).map(async (path) => {
    const { mtimeNs, ino } = await stat(join(dir, path), { bigint: true });
    return [path, `${ino} ${mtimeNs}`] as const;
  });
  return new Map(await Promise.all(all));
}

describe('contract §22 the static copy', () => {
  test('has exactly the files of the table, each with its size and SHA-256 in the index', async () => {
    const site = await siteWith([...DAYS, capture(900, '2026-11-21T11:00:00.000Z')]);
    await site.write();
    const days = [18, 19, 20, 21, 22, 23, 24].map((day) => `v1/official/2026-11-${day}.json`);
    expect(await site.paths()).toEqual(
      [
        ...['index.html', 'index.json', 'v1/latest.json', 'v1/official/latest.json'],
        ...['reference', 'eur_reference', 'parallel'].map((id) => `v1/markets/${id}/2026.csv`),
        ...['v1/official/2026.csv', ...days],
      ].sort(),
    );
    await mustBeWhole(site);
    const { files, notice, ...times } = await site.json('index.json');
    expect(times).toEqual({
      generated_at: '2026-11-21T12:00:00.000Z',
      fetched_at: '2026-11-21T12:00:00.000Z',
    });
    expect(notice).toContain('Banco Central de Venezuela');
    expect(files[0]).toEqual({
      path: 'index.html',
      bytes: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('its figures are those of the endpoints: rates with stale_at, index, official, history', async () => {
    const publicUrl = 'https://rates.example';
    const site = await siteWith([...DAYS, ...fullMarket()], { config: { publicUrl } });
    await site.write();
    const [cheap, key] = [await site.service.keyFor('Gratis'), await site.service.keyFor('Escala')];
    const rates = (await site.service.call('/v1/fx/rates', { key: cheap })).json;
    const current = await site.service.call('/v1/fx/official', { key });
    const latest = await site.json('v1/latest.json');
    expect(latest).toEqual({
      rates: rates.rates.map((row: { updated_at: string; stale_after_sec: number }) => ({
        ...row,
        stale_at: new Date(Date.parse(row.updated_at) + row.stale_after_sec * 1_000).toISOString(),
      })),
      index: (await site.service.call('/v1/fx/index', { key })).json,
      official: current.json,
      fetched_at: rates.fetched_at,
    });
    expect(latest.rates).toHaveLength(CHEAPEST.length);
    expect(latest.index.methodology_url).toBe(`${publicUrl}/methodology`);
    expect(await site.read('v1/official/latest.json')).toBe(current.text);
    for (const id of CHEAPEST) {
      const path = `/v1/fx/rates/${id}/history?from=2026-01-01&format=csv`;
      const { text } = await site.service.call(path, { key });
      const rows = text.split('\r\n').map((line) => line.split(','));
      const columns = ['date', 'rate', 'updated_at', 'captured_at'];
      const places = columns.map((name) => rows[0]?.indexOf(name) ?? -1);
      const unit = (place: number) => (place === 0 ? 'unit_since' : '2021-10-01');
      const wanted = rows.map((row, line) =>
        [...places.map((place) => row[place]), unit(line)].join(','),
      );
      expect((await site.read(`v1/markets/${id}/2026.csv`)).split('\r\n')).toEqual(
        wanted.map((line) => (line.startsWith(',,,') ? '' : line)),
      );
    }
  });

  test('says of a rate that nothing confirms that it is in doubt, as the details of the endpoint do', async () => {
    const { service, read } = await judging();
    const site = await siteWith(
      [...DAYS, quote('parallel', 900), quote('binance', 900)],
      {},
      service,
    );
    for (const minute of [1, 6, 11]) await read(1_900, minute);
    await site.write();
    const { rates } = await site.json('v1/latest.json');
    const named = rates.filter((rate: object) => 'in_doubt' in rate);
    expect(named).toMatchObject([{ market: 'parallel', mid: 1_900, in_doubt: true }]);
  });

  test('methodology_url is there only with a public address, and the index only when it is calculable', async () => {
    const site = await siteWith([quote('parallel', 900)]);
    await site.write();
    const { index, official: absent } = await site.json('v1/latest.json');
    expect([index.value, index.methodology_url, absent]).toEqual([900, undefined, undefined]);
    expect(await site.paths()).not.toContain('v1/official/latest.json');
    const empty = await siteWith([]);
    await empty.write();
    expect(Object.keys(await empty.json('v1/latest.json'))).toEqual(['rates', 'fetched_at']);
    await mustBeWhole(empty);
  });

  test('every Caracas day from the first to the next value date, carried and missing ones told', async () => {
    const site = await siteWith(DAYS);
    await site.write();
    const day = (date: string) => site.json(`v1/official/2026-11-${date}.json`);
    expect(await day('18')).toEqual({
      date: '2026-11-18',
      business_day: true,
      carried_days: 0,
      next_banking_day: '2026-11-18',
      rates: {
        USD: { rate: 800.1234, value_date: '2026-11-18', next_banking_day_rate: 800.1234 },
        EUR: { rate: 930.12345678, value_date: '2026-11-18', next_banking_day_rate: 930.12345678 },
      },
    });
    expect(await day('19')).toEqual({
      date: '2026-11-19',
      business_day: true,
      missing: true,
      rates: {},
    });
    expect(await day('23')).toEqual({
      date: '2026-11-23',
      business_day: false,
      carried_days: 3,
      // By the other rule of contract §9; the yuan of Tuesday is not published.
      next_banking_day: '2026-11-24',
      rates: {
        USD: { rate: 804, value_date: '2026-11-20', next_banking_day_rate: 801 },
        EUR: { rate: 931, value_date: '2026-11-20', next_banking_day_rate: 930 },
        CNY: { rate: 110.5, value_date: '2026-11-20', next_banking_day_rate: null },
      },
    });
    expect(Object.keys((await day('24')).rates)).toEqual(['USD', 'EUR']);
    const csv = (await site.read('v1/official/2026.csv')).split('\r\n');
    expect(csv.slice(0, 4)).toEqual([
      HEAD,
      '2026-11-18,USD,800.1234,2026-11-18,true,0,2026-11-18,800.1234,2021-10-01',
      '2026-11-18,EUR,930.12345678,2026-11-18,true,0,2026-11-18,930.12345678,2021-10-01',
      '2026-11-20,USD,804,2026-11-20,true,0,2026-11-20,804,2021-10-01',
    ]);
    expect(csv).toContain('2026-11-23,USD,804,2026-11-20,false,3,2026-11-24,801,2021-10-01');
    expect(csv).toContain('2026-11-23,CNY,110.5,2026-11-20,false,3,,,2021-10-01');
    expect(csv).toHaveLength(1 + 2 + 4 * 3 + 2 + 1);
  });

  test('the days are those of /v1/fx/official/history, over years and a year without any', async () => {
    const site = await siteWith([
      official('2024-12-27', { USD: 50 }, { captured_at: READ }),
      official('2026-01-05', { USD: 300 }, { captured_at: READ }),
      ...DAYS,
    ]);
    await site.write();
    const key = await site.service.keyFor('Escala');
    const path = '/v1/fx/official/history?days=all&from=2024-12-01';
    const { json } = await site.service.call(path, { key });
    const days = (await site.paths()).flatMap(
      (one) => /official\/(\d{4}-\d\d-\d\d)\.json/.exec(one)?.[1] ?? [],
    );
    expect(days[0]).toBe('2024-12-27');
    expect(days).toHaveLength(698);
    const rows = [];
    for (const date of days.filter((one) => one <= json.to)) {
      const found = await site.json(`v1/official/${date}.json`);
      expect(found.missing === true).toBe(found.rates.USD === undefined);
      const { carried_days: days, next_banking_day } = found;
      if (found.missing !== true) rows.push({ ...found.rates.USD, date, days, next_banking_day });
    }
    expect(rows).toEqual(
      json.rows.map(
        ({ carried_days: days, business_day: _, captured_at: __, ...row }: typeof json) => ({
          ...{ ...row, days },
        }),
      ),
    );
    expect(await site.read('v1/official/2025.csv')).toBe(`${HEAD}\r\n`);
  });

  test('contract §1 each day is in its own bolívar, and says so', async () => {
    const read = (day: string) => ({ captured_at: `${day}T04:00:00.000Z` });
    const capture = {
      updated_at: '2020-03-30T16:00:00.000Z',
      captured_at: '2020-03-30T16:00:00.000Z',
    };
    const site = await siteWith([
      official('2018-08-17', { USD: 2.48487e-6 }, read('2018-08-17')),
      official('2020-03-30', { USD: 0.0778934605 }, read('2020-03-30')),
      official('2021-09-30', { USD: 4.181781835 }, read('2021-09-30')),
      quote('parallel', 0.0821, capture),
    ]);
    await site.write();
    const [soberano, digital] = [
      { on: '2018-08-20', factor: 100_000 },
      { on: '2021-10-01', factor: 1_000_000 },
    ];
    const dayOf = async (day: string) => {
      const { rates, unit_changes: changes } = await site.json(`v1/official/${day}.json`);
      return [rates.USD.rate, changes];
    };
    expect(await dayOf('2018-08-17')).toEqual([248_487, [soberano, digital]]);
    expect(await dayOf('2020-03-30')).toEqual([77_893.4605, [digital]]);
    expect(await dayOf('2021-09-30')).toEqual([4_181_781.835, [digital]]);
    expect(await dayOf('2021-10-01')).toEqual([4.181781835, undefined]);
    const lineOf = async (path: string, day: string) =>
      (await site.read(path)).split('\r\n').find((line) => line.startsWith(day));
    expect(await lineOf('v1/official/2018.csv', '2018-08-17')).toMatch(/,248487,.*,$/);
    expect(await lineOf('v1/official/2020.csv', '2020-03-30')).toMatch(
      /,77893.4605,.*,2018-08-20$/,
    );
    expect(await lineOf('v1/official/2021.csv', '2021-10-01')).toMatch(
      /,4.181781835,.*,2021-10-01$/,
    );
    expect(await lineOf('v1/markets/parallel/2020.csv', '2020-03-30')).toMatch(
      /,82100,.*,2018-08-20$/,
    );
    expect((await site.json('index.json')).notice).toContain('unit_since');
  });

  test('contract §9 the last days of a year have the rate of the next banking day once it is published, in the running copy too', async () => {
    // Saturday 31 December 2022; Monday 2 January is a banking day.
    const site = await siteWith(
      [official('2022-12-30', { USD: 17 }, { captured_at: '2022-12-29T20:10:00.000Z' })],
      {
        start: Date.parse('2022-12-31T12:00:00Z'),
      },
    );
    const write = site.begin();
    await write();
    const saturday = async () => {
      const { next_banking_day, rates } = await site.json('v1/official/2022-12-31.json');
      return [next_banking_day, rates.USD.next_banking_day_rate];
    };
    expect(await saturday()).toEqual([null, null]);
    site.service.clock.set(Date.parse('2023-01-03T12:00:00Z'));
    await write();
    expect(await saturday()).toEqual([null, null]);
    await site.service.push(
      official('2023-01-02', { USD: 17.5 }, { captured_at: '2022-12-29T20:10:00.000Z' }),
    );
    await write();
    expect(await saturday()).toEqual(['2023-01-02', 17.5]);
    expect(await site.read('v1/official/2022.csv')).toContain(
      '2022-12-31,USD,17,2022-12-30,false,1,2023-01-02,17.5,2021-10-01\r\n',
    );
    await mustBeWhole(site);
  });

  test('a folder that an earlier version wrote, without the fields of today, is brought up to date', async () => {
    const site = await siteWith(DAYS);
    await site.write();
    const [day, year] = ['v1/official/2026-11-21.json', 'v1/official/2026.csv'];
    const now = await Promise.all([day, year].map(site.read));
    const { next_banking_day: _, ...before } = await site.json(day);
    await writeFile(join(site.dir, day), JSON.stringify(before));
    const rows = now[1]?.split('\r\n').map((line) => line.split(',').slice(0, 6).join(','));
    await writeFile(join(site.dir, year), rows?.join('\r\n') ?? '');
    expect(await site.write()).toMatchObject({ written: 2, removed: 0 });
    expect(await Promise.all([day, year].map(site.read))).toEqual(now);
    await mustBeWhole(site);
  });

  test('figures of before a redenomination keep the unit of their day', async () => {
    const catalogueDir = await reformCatalogue('2026-11-23');
    const site = await siteWith([...DAYS, capture(900, '2026-11-20T11:00:00.000Z')], {
      start: Date.parse('2026-11-23T12:00:00Z'),
      config: { catalogueDir },
    });
    await site.write();
    const rateOf = async (day: string) => {
      const { rates } = await site.json(`v1/official/2026-11-${day}.json`);
      return rates.USD.rate;
    };
    expect([await rateOf('22'), await rateOf('23'), await rateOf('24')]).toEqual([804, 0.804, 801]);
    expect(await site.read('v1/markets/parallel/2026.csv')).toContain('2026-11-20,900,');
  });

  test('a second run without news changes no time, and news change only the files that have them', async () => {
    const site = await siteWith([...DAYS, capture(900, '2026-11-21T11:00:00.000Z')]);
    const first = await site.write();
    expect([first.written, first.files]).toEqual([15, 15]);
    const before = await times(site);
    site.service.clock.advance(60_000);
    expect(await site.write()).toMatchObject({ written: 0, removed: 0 });
    expect(await times(site)).toEqual(before);
    await site.service.push(capture(905, '2026-11-21T11:30:00.000Z'));
    await site.write();
    const after = await times(site);
    expect(
      [...after].filter(([path, time]) => before.get(path) !== time).map(([path]) => path),
    ).toEqual([
      'index.json',
      'v1/latest.json',
      'v1/markets/parallel/2026.csv',
      'v1/official/latest.json',
    ]);
    await mustBeWhole(site);
  });

  test('files of an earlier export that no longer belong are removed, with their folders', async () => {
    const site = await siteWith([...DAYS, capture(900, '2026-11-21T11:00:00.000Z')]);
    await site.write();
    expect(await site.write(['reference'])).toMatchObject({ removed: 2 });
    await mustBeWhole(site);
    expect(await readdir(join(site.dir, 'v1/markets'))).toEqual(['reference']);
    expect((await site.json('v1/latest.json')).rates).toHaveLength(1);
  });

  test('damaged and lost files of a copy come back', async () => {
    const site = await siteWith(DAYS);
    await site.write();
    await writeFile(join(site.dir, 'v1/latest.json'), 'cut');
    await rm(join(site.dir, 'v1/official/2026-11-20.json'));
    expect(await site.write()).toMatchObject({ written: 2 });
    await mustBeWhole(site);
  });

  test('any web server may read it, also when the service keeps its own files to itself', async () => {
    const site = await siteWith(DAYS);
    // As `UMask=0077` of deploy/vesfx.service.
    const own = process.umask(0o077);
    onTestFinished(() => {
      process.umask(own);
    });
    await site.write();
    const entries = await readdir(site.dir, { recursive: true, withFileTypes: true });
    const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
    for (const path of [site.dir, ...paths]) {
      const found = await stat(path);
      const mode = (found.mode & 0o777).toString(8);
      expect([path, mode]).toEqual([path, found.isDirectory() ? '755' : '644']);
    }
  });

  test('the page names the source in both languages and links every table', async () => {
    const site = await siteWith([...DAYS, capture(900, '2026-11-21T11:00:00.000Z')]);
    await site.write();
    const page = await site.read('index.html');
    for (const text of [
      ...['<section lang="es">', '<section lang="en">', 'sin fines de lucro', 'non-profit'],
      ...['href="v1/official/2026.csv"', 'href="v1/markets/parallel/2026.csv"'],
    ]) {
      expect(page).toContain(text);
    }
    expect(page).not.toMatch(/<script|https?:\/\//);
  });

  test('contract §22 a first export that is stopped anywhere is taken up by the next one', async () => {
    const site = await siteWith(DAYS);
    for (let turns = 0; ; turns += 1) {
      const isStopped = await stopsAt(turns, site.begin(), () => undefined);
      await site.write();
      // The index that was not placed stays beside its place for some minutes.
      for (const path of await site.paths()) {
        if (path.startsWith('.index.json.')) await rm(join(site.dir, path));
      }
      await mustBeWhole(site);
      await rm(site.dir, { recursive: true });
      if (!isStopped) break;
    }
  });

  test('contract §22 a folder that is removed at any moment is written whole again', async () => {
    const site = await siteWith(DAYS);
    for (let turns = 0; ; turns += 1) {
      const update = site.begin();
      const remove = () => rmSync(site.dir, { recursive: true });
      if (!(await stopsAt(turns, update, remove))) break;
      await update();
      await mustBeWhole(site);
      remove();
    }
  });
});

describe('contract §22 a folder with other things is refused and stays as it is', () => {
  const cases: readonly (readonly [string, (dir: string) => Promise<unknown>])[] = [
    ['a file', (dir) => writeFile(join(dir, 'notes.txt'), '')],
    ['a page of another site', (dir) => writeFile(join(dir, 'index.html'), '')],
    ['an index of other software', (dir) => writeFile(join(dir, 'index.json'), '{"files":[]}')],
    ['an index that is no JSON', (dir) => writeFile(join(dir, 'index.json'), 'x')],
    ['an empty folder of another name', (dir) => mkdir(join(dir, '.git'))],
    ['a link', (dir) => symlink('/etc', join(dir, 'v1'))],
  ];

  test.each(cases)('%s', async (_name, make) => {
    const site = await siteWith(DAYS);
    await mkdir(site.dir);
    await make(site.dir);
    const before = await readdir(site.dir, { recursive: false });
    await expect(site.write()).rejects.toThrow(ForeignFolder);
    expect(await readdir(site.dir)).toEqual(before);
  });

  test('a file beside an export', async () => {
    const site = await siteWith(DAYS);
    await site.write();
    await writeFile(join(site.dir, 'v1/official/readme.txt'), '');
    await expect(site.write()).rejects.toThrow('v1/official/readme.txt');
  });

  test('what a killed export left is not: the next one goes on, also without an index', async () => {
    const site = await siteWith(DAYS);
    await site.write();
    await rm(join(site.dir, 'index.json'));
    const left = join(site.dir, '.index.json.0123456789ab.new');
    await writeFile(left, 'cut');
    site.service.clock.set(Math.floor((await stat(left)).mtimeMs));
    await site.write();
    expect(await readdir(site.dir)).toContain('.index.json.0123456789ab.new');
    // Another process may still write it. Later it belongs to nobody.
    site.service.clock.advance(6 * 60_000);
    await site.service.push(capture(900, '2026-11-21T11:00:00.000Z'));
    await site.write();
    await mustBeWhole(site);
  });
});
