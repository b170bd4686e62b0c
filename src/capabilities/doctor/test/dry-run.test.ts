import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runHere } from '../../../../test/harness/commands.ts';
import { official, quote } from '../../../../test/harness/make.ts';
import { START, temporaryDir } from '../../../../test/harness/service.ts';

/** The dry run of a redenomination, as an operator runs it (contract §1). */

const PACKAGED = new URL('../../../../catalog/sources.json', import.meta.url);

const REFORM = { on: '2027-01-04', factor: 1_000, name: 'bolívar de prueba' };
const DRY_RUN = ['doctor', '--on', '2027-01-04'];

const RECORDS = [
  official('2026-11-20', { USD: 801.2345, EUR: 921.42, CNY: 110.1 }),
  quote('parallel', 950.55, { ask: 951.25, bid: 949.85 }),
  quote('binance', 940),
];

/** Commands at `START` on a folder with records and a catalogue with the reform. */
async function installation(reforms: readonly object[] = [REFORM], between = [200, 3_000]) {
  const folder = await temporaryDir();
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const data = join(folder, 'data');
  const env = { ...process.env, VESFX_DATA: data, VESFX_CATALOG: folder };
  await writeFile(join(folder, 'redenominations.json'), JSON.stringify(reforms));
  const criptoya = (JSON.parse(readFileSync(PACKAGED, 'utf8')) as { name: string }[])
    .filter(({ name }) => name === 'criptoya')
    .map((source) => ({ ...source, between }));
  await writeFile(join(folder, 'sources.json'), JSON.stringify(criptoya));
  const vesfx = (...args: readonly string[]) => runHere(args, env);
  const take = async (...records: readonly object[]) => {
    const file = join(folder, 'records.ndjson');
    await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
    expect((await vesfx('import', file, '--trust')).code).toBe(0);
  };
  const dryRun = async () => {
    const { code, out } = await vesfx(...DRY_RUN, '--json');
    const answer = JSON.parse(out);
    const levels = answer.findings.map(({ level, subject }: Record<string, string>) => [
      ...[level, subject],
    ]);
    return { ...answer, code, levels };
  };
  return { data, vesfx, take, dryRun };
}

describe('vesfx doctor --on: the dry run of a redenomination (contract §1)', () => {
  test('shows each reform until that day, and what becomes of figures and bounds', async () => {
    const { take, dryRun } = await installation();
    await take(...RECORDS);
    const { code, healthy, on, redenominations, figures, bounds } = await dryRun();
    expect([code, healthy, on, redenominations]).toEqual([0, true, '2027-01-04', [REFORM]]);
    const dated = { value_date: '2026-11-20' };
    expect(figures).toEqual([
      { name: 'reference', ...dated, now: 801.2345, becomes: 0.8012345 },
      { name: 'eur_reference', ...dated, now: 921.42, becomes: 0.92142 },
      { name: 'CNY', ...dated, now: 110.1, becomes: 0.1101 },
      { name: 'parallel', now: 950.55, becomes: 0.95055 },
      { name: 'binance', now: 940, becomes: 0.94 },
    ]);
    expect(bounds).toContainEqual({
      ...{ source: 'criptoya', market: 'binance', now: [200, 3_000], becomes: [0.2, 3] },
    });
  });

  test('the day of the reform counts, the eve has none and says so; exit code 0', async () => {
    const { vesfx, take } = await installation();
    await take(...RECORDS);
    expect((await vesfx(...DRY_RUN)).out).toContain(
      'From 2027-01-04 on, 1 bolívar de prueba is 1000 bolívares of the day before.',
    );
    const { code, out } = await vesfx('doctor', '--on', '2027-01-03');
    expect([code, out]).toEqual([
      0,
      'warning  The catalogue has no redenomination after today, 2026-11-21, up to 2027-01-03. Its last one is of 2027-01-04.\n         -> Write it into redenominations.json: [{"on", "factor", "name"}].\n',
    ]);
  });

  test('names each fixed markup with its new value, and none in percent', async () => {
    const { vesfx, take, dryRun } = await installation();
    await take(...RECORDS);
    const created = await vesfx('account', 'create', '--name', 'Shop', '--plan', 'Escala');
    const account = /acc_\w+/.exec(created.out)?.[0] ?? '';
    await vesfx('markup', 'set', account, 'fee', '--fixed', '2.5');
    await vesfx('markup', 'set', account, 'margin', '--percent', '3');
    const { code, markups, levels } = await dryRun();
    expect(markups).toEqual([{ account, tag: 'fee', now: 2.5, becomes: 0.0025 }]);
    expect(levels).toContainEqual(['warning', 'markups']);
    expect(code).toBe(0);
    await vesfx('markup', 'remove', account, 'fee');
    expect((await dryRun()).levels).not.toContainEqual(['warning', 'markups']);
  });

  test('names the markets whose figures the operator gives', async () => {
    const { vesfx, take } = await installation();
    await take(...RECORDS);
    expect((await vesfx(...DRY_RUN)).out).toContain(
      'The operator gives the figures of parallel, binance.\n',
    );
  });

  test('names a rate of the new unit that is stored in the old one', async () => {
    const { vesfx, take, dryRun } = await installation();
    await take(...RECORDS, official('2027-01-04', { USD: 803 }));
    const { out } = await vesfx(...DRY_RUN);
    expect(out).toContain(
      'reference is 803 for 2027-01-04; in the unit of that day the rate before it is 0.8012345.',
    );
    await vesfx('rate', 'set', 'reference', '0.803', '--date', '2027-01-04', '--force');
    expect((await vesfx(...DRY_RUN)).out).not.toContain('in the unit of that day');
    const { figures } = await dryRun();
    expect(figures[1]).toEqual({
      ...{ name: 'reference', value_date: '2027-01-04', now: 0.803, becomes: 0.803 },
    });
  });

  test('names bounds of a source that somebody wrote in the new unit', async () => {
    const { vesfx, take } = await installation([REFORM], [0.2, 3]);
    await take(...RECORDS);
    expect((await vesfx(...DRY_RUN)).out).toContain(
      '"between" of criptoya is 0.2 to 3 for binance, whose figure is 940.\n',
    );
  });

  test('writes nothing', async () => {
    const { data, vesfx, take } = await installation();
    await take(...RECORDS);
    const bytes = () => readFileSync(join(data, 'vesfx.db'));
    const before = bytes();
    expect((await vesfx(...DRY_RUN)).code).toBe(0);
    expect(bytes().equals(before)).toBe(true);
  });

  test('several reforms multiply', async () => {
    const { take, dryRun } = await installation([{ ...REFORM, on: '2026-12-01' }, REFORM]);
    await take(...RECORDS);
    const { redenominations, figures } = await dryRun();
    expect(redenominations).toHaveLength(2);
    expect(figures.at(-1)).toEqual({ name: 'binance', now: 940, becomes: 0.00094 });
  });

  test.each([
    ['2026-11-21', '--on must be after today in Caracas, 2026-11-21'],
    ['2021-10-01', '--on must be after today in Caracas, 2026-11-21'],
    ['2027-02-30', '--on must be a date that exists, YYYY-MM-DD.'],
    ['soon', '--on must be a date that exists, YYYY-MM-DD.'],
  ])('refuses %s as wrong usage', async (day, message) => {
    const { vesfx } = await installation();
    const { code, err } = await vesfx('doctor', '--on', day);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test('a fault in the catalogue and a missing database are broken, exit code 1', async () => {
    const { data, vesfx } = await installation([{ ...REFORM, factor: 0.001 }]);
    const { code, out } = await vesfx(...DRY_RUN);
    expect([code, out]).toEqual([1, expect.stringMatching(/^BROKEN .*factor must be/m)]);
    expect(out).toMatch(/^BROKEN {3}There is no vesfx database in /m);
    expect(existsSync(data)).toBe(false);
  });
});
