import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { official } from '../../../../test/harness/make.ts';
import { manualClock, temporaryDir } from '../../../../test/harness/service.ts';
import { type Day, dollarWorkbook, quarterWorkbook } from '../../../../test/harness/workbooks.ts';
import { SourceFailure } from '../../../core/app/failures.ts';
import { recordsIn } from '../../../core/app/ingest/ndjson.ts';
import type { Archive, Fetch } from '../../../core/app/ports/sources.ts';
import { report } from '../../../core/cli/output.ts';
import { openToolbox, type Toolbox } from '../../../core/compose.ts';
import { readConfig } from '../../../core/config.ts';
import { parseCaracasDay } from '../../../core/domain/time.ts';
import { backfillCommand } from '../command.ts';
import { MAX_WORKBOOK_BYTES } from '../limits.ts';
import { backfill, type FileOutcome } from '../load.ts';
import { bcvWorkbooks } from '../workbooks/bcv-archive.ts';

/* The command on files and on a site that answers from memory, with a store of its own. */

const old: Day = {
  operations: '31/03/2020',
  value: '01/04/2020',
  asks: { EUR: 89_146.33584909, USD: 80_945.7245 },
};
const friday: Day = {
  operations: '24/01/2025',
  value: '27/01/2025',
  asks: { EUR: 53.76600123, USD: 52.2 },
};
const monday: Day = {
  operations: '27/01/2025',
  value: '28/01/2025',
  asks: { EUR: 54.1, USD: 52.4 },
};
const dollars = dollarWorkbook({
  '2025': [
    ['FECHA', 'COMPRA', 'VENTA'],
    ['27/01/2025', 52.06, 52.2],
    ['24/01/2025', 51.87, 52],
  ],
});

const LIST = 'https://www.bank.example/rates';
const DOLLAR_URL = 'https://www.bank.example/files/2_1_1_tdc.xlsx';

/** A site with those files, the quarters of which it lists; what it lacks cannot be reached. */
function siteWith(files: Readonly<Record<string, Uint8Array | undefined>>) {
  const links = Object.keys(files).map((name) => `<a href="/files/${name}">${name}</a>`);
  const list = new TextEncoder().encode(`<html><body>${links.join('')}</body></html>`);
  const asked: string[] = [];
  const fetch: Fetch = async ({ url }) => {
    const name = url.slice(url.lastIndexOf('/') + 1);
    asked.push(name);
    const bytes = url === LIST ? list : files[name];
    if (bytes === undefined)
      throw new SourceFailure('unreachable', 'www.bank.example is not there');
    return { url, bytes };
  };
  return { asked, archive: bcvWorkbooks(fetch, LIST, { dollar_url: DOLLAR_URL }) };
}

let folder: string;
let data: string;

beforeEach(async () => {
  folder = await temporaryDir();
  data = join(folder, 'data');
});

function file(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `vesfx backfill` in this process. */
async function run(args: readonly string[], archive = siteWith({}).archive): Promise<Outcome> {
  const written = { out: '', err: '' };
  const keep = (stream: 'out' | 'err') => (text: string | Uint8Array) => {
    written[stream] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('err')),
  ];
  const program = new Command('vesfx').option('--data <dir>').option('--json');
  backfillCommand(async () => archive)(program);
  let code: number;
  try {
    await program.parseAsync(['backfill', '--data', data, ...args], { from: 'user' });
    code = Number(process.exitCode ?? 0);
  } catch (error) {
    code = report(error, { json: args.includes('--json') });
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
  return { code, ...written };
}

async function json(args: readonly string[], archive?: Archive) {
  const { code, out } = await run([...args, '--json'], archive);
  return { code, ...JSON.parse(out) };
}

/** Runs work on the command's store while no command runs. */
async function withStore<T>(work: (toolbox: Toolbox) => Promise<T>, clock = manualClock()) {
  const toolbox = await openToolbox(readConfig({ data }, {}), { clock });
  try {
    return await work(toolbox);
  } finally {
    await toolbox.store.close();
  }
}

/** The rate of a value date, undefined when it has none of its own. */
function storedRate(market: string, date: string): Promise<number | undefined> {
  return withStore(async ({ store }) => {
    const day = parseCaracasDay(date);
    const rate = day && (await store.officialRateUpTo(market, day));
    return rate?.effectiveDate === date ? rate.mid : undefined;
  });
}

describe('vesfx backfill FILE…', () => {
  test('loads workbooks, and reports what was in older bolívares', async () => {
    const paths = [
      file('2_1_2a20_smc.xls', quarterWorkbook([old])),
      file('2_1_2a25_smc.xls', quarterWorkbook([monday, friday])),
      file('2_1_1_tdc.xlsx', dollars),
    ];
    const { code, out, err } = await run([...paths, '--trust']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(
      out
        .replaceAll(`${folder}/`, '')
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      'file first last accepted held duplicate outside converted faults'.split(' '),
      '2_1_2a20_smc.xls 2020-04-01 2020-04-01 1 0 0 0 1 0'.split(' '),
      '2_1_2a25_smc.xls 2025-01-27 2025-01-28 2 0 0 0 0 0'.split(' '),
      '2_1_1_tdc.xlsx 2025-01-24 2025-01-27 1 0 1 0 0 0'.split(' '),
      ['accepted 4, held 0, refused 0, duplicate 1'],
      [expect.stringMatching(/^1 of them published in older bolívares: .* by 1,000,000, .*\.$/)],
      [''],
    ]);
    expect(await storedRate('reference', '2020-04-01')).toBe(0.0809457245);
    expect(await storedRate('eur_reference', '2025-01-27')).toBe(53.76600123);
    expect(await storedRate('reference', '2025-01-27')).toBe(52.2);
    expect(await storedRate('reference', '2025-01-24')).toBe(52);
  });

  test('--json prints the same as one document', async () => {
    const path = file('q.xls', quarterWorkbook([friday]));
    const counts = { accepted: 1, held: 0, refused: 0, duplicate: 0, outside: 0, converted: 0 };
    expect(await json([path])).toEqual({
      code: 0,
      files: [{ file: path, first: '2025-01-27', last: '2025-01-27', ...counts, faults: [] }],
      ...counts,
      faults: 0,
    });
  });

  test('leaves a row of what it stored in the audit log, and none of a dry run (contract §28)', async () => {
    const path = file('q.xls', quarterWorkbook([friday]));
    const log = () =>
      withStore(({ store }) => store.auditPage({ since: 0, after: undefined, limit: 10 }));
    await run([path, '--trust']);
    const { changes } = await log();
    expect(changes).toMatchObject([{ what: 'records', kind: 'command', via: 'vesfx backfill' }]);
    await run([file('r.xls', quarterWorkbook([monday])), '--trust', '--dry-run']);
    expect((await log()).changes).toEqual(changes);
  });

  test('loads nothing twice when run again, and continues with new records', async () => {
    await run([file('q.xls', quarterWorkbook([friday]))]);
    const path = file('q.xls', quarterWorkbook([monday, friday]));
    expect(await json([path])).toMatchObject({ accepted: 1, duplicate: 1 });
    expect(await json([path])).toMatchObject({ accepted: 0, duplicate: 2 });
  });

  test('contract §8: a rate that contradicts the stored one is reported with both figures', async () => {
    await withStore(({ ingest }) =>
      ingest.ingest(recordsIn([JSON.stringify(official('2025-01-27', { USD: 52.21 }))]), {
        source: 'live',
      }),
    );
    const path = file('q.xls', quarterWorkbook([monday, friday]));
    const { code, files } = await json([path]);
    const problem = 'reference is 52.2 here and 52.21 in the store, which stays';
    expect([code, files[0].faults]).toEqual([1, [{ place: '2025-01-27', problem }]]);
    expect(await storedRate('reference', '2025-01-27')).toBe(52.21);
    expect(await storedRate('reference', '2025-01-28')).toBe(52.4);
    const corrected = await json([path, '--accept-corrections']);
    expect(corrected).toMatchObject({ code: 0, accepted: 1, duplicate: 1 });
    expect(await storedRate('reference', '2025-01-27')).toBe(52.2);
    expect(await json([path])).toMatchObject({ code: 0, accepted: 0, duplicate: 2 });
  });

  test('--from and --to are the first and last value date; without --from it is 2020-01-01', async () => {
    const quarter = file('q.xls', quarterWorkbook([monday, friday]));
    const loaded = async (...args: string[]) => {
      const { files } = await json([...args, '--dry-run']);
      return files.map(({ first, last, outside }: FileOutcome) => [first, last, outside]);
    };
    const both = ['2025-01-27', '2025-01-28', 0];
    expect(await loaded(quarter, '--from', '2025-01-27', '--to', '2025-01-28')).toEqual([both]);
    expect(await loaded(quarter, '--from', '2025-01-28')).toEqual([
      ['2025-01-28', '2025-01-28', 1],
    ]);
    expect(await loaded(quarter, '--to', '2025-01-27')).toEqual([['2025-01-27', '2025-01-27', 1]]);
    expect(await loaded(quarter, '--to', '2025-01-26')).toEqual([[undefined, undefined, 2]]);
    const year = (date: string) => ({
      [date.slice(-4)]: [
        ['FECHA', 'COMPRA', 'VENTA'],
        [date, 60_000, 60_000],
      ],
    });
    const around = dollarWorkbook({ ...year('31/12/2019'), ...year('01/01/2020') });
    expect(await loaded(file('d.xlsx', around))).toEqual([['2020-01-01', '2020-01-01', 1]]);
  });

  test('--dry-run stores nothing', async () => {
    const path = file('q.xls', quarterWorkbook([friday]));
    const { code, out } = await run([path, '--dry-run']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('nothing was stored') });
    expect(await json([path, '--dry-run'])).toMatchObject({ accepted: 1, dry_run: true });
    expect(await storedRate('reference', '2025-01-27')).toBeUndefined();
  });

  test('holds a jump, naming its file, unless --trust is given', async () => {
    const jump: Day = { ...monday, asks: { USD: 62.64001 } };
    const path = file('q.xls', quarterWorkbook([jump, { ...friday, asks: { USD: 52.2 } }]));
    const { code, err } = await run([path, '--dry-run']);
    expect({ code, err }).toEqual({
      code: 0,
      err: 'Held records are not published: see "vesfx held list", or run it again with --trust.\n',
    });
    expect(await json([path])).toMatchObject({ code: 0, accepted: 1, held: 1 });
    const [held] = await withStore(({ store }) => store.listHeld('held', 1));
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
    expect(held?.provenance).toEqual({
      parserVersion: 1,
      bodies: [{ url: pathToFileURL(path).href, digest }],
    });
    expect(await json([path, '--trust'])).toMatchObject({ accepted: 1, held: 0, duplicate: 1 });
  });

  /** Sheets of a week of January 2025, newest first as in a real workbook. */
  const weekOf = (...asks: readonly number[]): Uint8Array =>
    quarterWorkbook(
      asks
        .map((USD, place): Day => {
          const date = (shift: number) => `${String(13 + place + shift).padStart(2, '0')}/01/2025`;
          return { operations: date(0), value: date(1), asks: { USD } };
        })
        .toReversed(),
    );
  const heldDates = () =>
    withStore(async ({ store }) =>
      (await store.listHeld('held', 10)).map(({ record }) => record['value_date']).sort(),
    );

  test.each<[string, readonly number[], readonly string[]]>([
    ['a level that lasts three value dates', [52, 63, 64, 65], []],
    ['a level that ends before', [52, 63, 64, 52.5], ['2025-01-15', '2025-01-16']],
    ['a single wrong figure', [52, 520, 52.1, 52.2], ['2025-01-15']],
  ])('%s: holds what the next value dates do not repeat', async (_, asks, held) => {
    const path = file('q.xls', weekOf(...asks));
    const accepted = asks.length - held.length;
    expect(await json([path])).toMatchObject({ accepted, held: held.length });
    expect(await heldDates()).toEqual(held);
    expect(await storedRate('reference', '2025-01-17')).toBe(asks[3]);
  });

  test('a value date on which banks are closed neither passes nor confirms others', async () => {
    const sheet = (operations: string, value: string, USD: number): Day => ({
      ...{ operations: `${operations}/2025`, value: `${value}/2025`, asks: { USD } },
    });
    const sheets = [
      sheet('26/02', '27/02', 52),
      sheet('27/02', '28/02', 63),
      sheet('28/02', '03/03', 64),
      sheet('05/03', '06/03', 65),
    ];
    const path = file('q.xls', quarterWorkbook(sheets.toReversed()));
    expect(await json([path])).toMatchObject({ accepted: 1, held: 3 });
    expect(await heldDates()).toEqual(['2025-02-28', '2025-03-03', '2025-03-06']);
  });

  test('a value date still to come is not confirmed by those before it', async () => {
    const levels = [52, 63, 64, 65];
    const lines = levels.map((USD, place) =>
      JSON.stringify(
        official(
          `2025-01-${14 + place}`,
          { USD },
          { captured_at: `2025-01-${13 + place}T19:30:00Z` },
        ),
      ),
    );
    const countsOn = (now: string) =>
      withStore(
        ({ ingest }) =>
          ingest.ingest(recordsIn(lines), {
            source: 'bcv-archive',
            onlyNewValueDates: true,
            dryRun: true,
          }),
        manualClock(Date.parse(now)),
      );
    expect(await countsOn('2025-01-17T03:59:59Z')).toMatchObject({ accepted: 1, held: 3 });
    expect(await countsOn('2025-01-17T04:00:00Z')).toMatchObject({ accepted: 4, held: 0 });
  });

  test('reports a contradictory sheet, loads the others, and exits with 1', async () => {
    const wrong: Day = { ...friday, value: '24/01/2025' };
    const path = file('q.xls', quarterWorkbook([monday, wrong]));
    const { code, out, err } = await run([path]);
    expect(code).toBe(1);
    expect(out).toContain('accepted 1, held 0');
    expect(err).toContain(`${path}: sheet 24012025: its Fecha Valor 2025-01-24 is not`);
    expect(await json([path])).toMatchObject({
      code: 1,
      faults: 1,
      files: [{ faults: [{ place: 'sheet 24012025' }] }],
    });
    expect(await storedRate('reference', '2025-01-27')).toBeUndefined();
    expect(await storedRate('reference', '2025-01-28')).toBe(52.4);
  });

  test('ends at a file that is not a workbook, names it, and keeps the earlier ones loaded', async () => {
    const good = file('good.xls', quarterWorkbook([friday]));
    const bad = file('bad.xls', new TextEncoder().encode('<html>'));
    const more = file('more.xls', quarterWorkbook([monday]));
    expect(await run([good, bad, more])).toEqual({
      code: 1,
      out: '',
      err:
        'Before that 1 of 3 workbooks were loaded and stay loaded. Run the command again to continue.\n' +
        `error: ${bad}: expected an .xls or .xlsx workbook, there was another sort of file\n`,
    });
    expect(await storedRate('reference', '2025-01-27')).toBe(52.2);
    expect(await storedRate('reference', '2025-01-28')).toBeUndefined();
    expect(await json([good, more])).toMatchObject({ accepted: 1, duplicate: 1 });
    const { err } = await run([bad, '--json']);
    expect(JSON.parse(err)).toMatchObject({ error: { message: expect.stringContaining(bad) } });
  });

  test('reports wrong names and sizes before it creates a database', async () => {
    const largest = file('largest.xls', new Uint8Array(MAX_WORKBOOK_BYTES));
    const larger = file('larger.xls', new Uint8Array(MAX_WORKBOOK_BYTES + 1));
    const missing = join(folder, 'missing.xls');
    for (const [path, told] of [
      [missing, `error: There is no file ${missing}.\n`],
      [folder, `error: ${folder} is not a file.\n`],
      [larger, `error: ${larger} has more than ${MAX_WORKBOOK_BYTES} bytes: no workbook has.\n`],
    ] as const) {
      expect(await run([path])).toEqual({ code: 1, out: '', err: told });
    }
    expect(existsSync(data)).toBe(false);
    expect((await run([largest])).err).toContain('another sort of file');
  });

  test.each([
    [['--from', '2025-02-30'], '--from must be a date that exists, YYYY-MM-DD.'],
    [['--to', 'today'], '--to must be a date that exists, YYYY-MM-DD.'],
    [['--from', '2025-01-02', '--to', '2025-01-01'], '--from must not be after --to.'],
  ])('%j is wrong usage', async (args, told) => {
    expect(await run(args)).toEqual({ code: 2, out: '', err: `error: ${told}\n` });
    expect(existsSync(data)).toBe(false);
  });
});

describe('vesfx backfill', () => {
  const files = {
    '2_1_2a25_smc.xls': quarterWorkbook([friday]),
    '2_1_2a20_smc.xls': quarterWorkbook([old]),
    '2_1_2b25_smc.xls': quarterWorkbook([
      { ...monday, operations: '01/04/2025', value: '02/04/2025' },
    ]),
  };

  test('loads the workbooks of the site, oldest first, the dollar last', async () => {
    const { asked, archive } = siteWith({ ...files, '2_1_1_tdc.xlsx': dollars });
    const told = await json(['--trust'], archive);
    expect(told).toMatchObject({ code: 0, accepted: 4, duplicate: 1, converted: 1 });
    expect(asked).toEqual([
      'rates',
      '2_1_2a20_smc.xls',
      '2_1_2a25_smc.xls',
      '2_1_2b25_smc.xls',
      '2_1_1_tdc.xlsx',
    ]);
  });

  test('requests only workbooks that may have the days', async () => {
    const { asked, archive } = siteWith({ ...files, '2_1_1_tdc.xlsx': dollars });
    await run(['--from', '2025-04-12', '--to', '2025-06-30'], archive);
    // The last value dates of a quarter may be some days after its end.
    expect(asked).toEqual(['rates', '2_1_2a25_smc.xls', '2_1_2b25_smc.xls', '2_1_1_tdc.xlsx']);
    asked.length = 0;
    await run(['--from', '2025-04-15', '--to', '2025-06-30'], archive);
    expect(asked).toEqual(['rates', '2_1_2b25_smc.xls', '2_1_1_tdc.xlsx']);
  });

  test('reports a missing network and creates no database', async () => {
    const archive = bcvWorkbooks(
      async () => {
        throw new SourceFailure('unreachable', 'www.bank.example is not there');
      },
      LIST,
      {},
    );
    const err = 'error: www.bank.example is not there\n';
    expect(await run([], archive)).toEqual({ code: 1, out: '', err });
    expect(existsSync(data)).toBe(false);
  });

  test('keeps loaded workbooks after an interruption, and continues from there', async () => {
    const broken = siteWith({ ...files, '2_1_2a25_smc.xls': undefined });
    const { code, err } = await run([], broken.archive);
    expect(code).toBe(1);
    expect(err).toContain('Before that 1 of 4 workbooks were loaded and stay loaded.');
    expect(err).toContain('error: 2_1_2a25_smc.xls: www.bank.example is not there\n');
    const whole = siteWith({ ...files, '2_1_1_tdc.xlsx': dollars });
    expect(await json(['--trust'], whole.archive)).toMatchObject({ accepted: 3, duplicate: 2 });
  });
});

describe('backfill', () => {
  const body = async () => ({ url: 'file:///a.xls', bytes: new Uint8Array() });
  const files = [{ name: 'a.xls', body }];
  const clock = manualClock();
  const load = (rates: Readonly<Record<string, number>>, valueDate: string) =>
    withStore(async ({ ingest, store }) => {
      const date = parseCaracasDay(valueDate);
      if (date === undefined) throw new Error('no day');
      const capturedAt = Date.parse(`${valueDate}T04:00:00Z`);
      const publications = [{ valueDate: date, rates, capturedAt, isConverted: false }];
      const archive: Archive = {
        ...siteWith({}).archive,
        read: async () => ({ publications, faults: [] }),
      };
      const options = {
        ingest,
        clock,
        archive,
        days: {},
        dryRun: false,
        trust: false,
        acceptCorrections: false,
      };
      const outcomes = await Array.fromAsync(backfill(files, options));
      return { outcomes, stored: await store.officialRateUpTo('reference', date) };
    }, clock);

  test('a future value date counts as captured now', async () => {
    // It is Saturday, and Tuesday's rate is already published, because banks are closed on Monday.
    const { outcomes, stored } = await load({ USD: 800.5 }, '2026-11-24');
    expect(outcomes).toMatchObject([{ accepted: 1 }]);
    expect(stored).toMatchObject({ mid: 800.5, observedAt: clock.now() });
  });

  test('a batch that ingestion refuses is a failure that names its file', async () => {
    await expect(load({ USD: 1e16 }, '2026-11-20')).rejects.toThrow(
      /^a\.xls: 1 of its records are refused: rates\.USD: must be at most/,
    );
  });
});
