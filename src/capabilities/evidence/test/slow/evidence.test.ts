import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourceBench } from '../../../../../test/harness/source-bench.ts';
import { evidenceOfFigures } from '../../evidence.ts';

describe('vesfx evidence', () => {
  test('shows the batch, source, parser version and body of a figure', async () => {
    const { vesfx, feed } = await sourceBench([evidenceOfFigures]);
    await vesfx('source', 'run', 'feed');
    const { code, out } = await vesfx('evidence', 'paralelo', '--json');
    expect(code).toBe(0);
    const told = JSON.parse(out);
    const body = JSON.parse((await vesfx('source', 'body', 'feed', '--json')).out);
    expect(told).toEqual({
      id: expect.stringMatching(/^parallel\.[0-9a-z]+\.[0-9a-f]{8}$/),
      market: 'parallel',
      mid: 900.5,
      updated_at: body.read_at,
      captured_at: body.read_at,
      batch: 2,
      line: 1,
      source: 'feed',
      received_at: expect.any(String),
      parser_version: expect.any(Number),
      bodies: [{ url: feed.url, sha256: body.bodies[0].sha256, kept_at: body.read_at }],
    });
    const text = (await vesfx('evidence', 'parallel')).out;
    expect(text).toContain(`kept: vesfx source body feed --at ${body.read_at}`);
    // Its id finds it even after the market shows another figure.
    feed.says({ rate: 901 });
    await vesfx('source', 'run', 'feed');
    expect(JSON.parse((await vesfx('evidence', told.id, '--json')).out)).toEqual(told);
    expect(JSON.parse((await vesfx('evidence', 'parallel', '--json')).out).mid).toBe(901);
    const then = await vesfx('evidence', 'parallel', '--at', told.captured_at, '--json');
    expect(JSON.parse(then.out)).toEqual(told);
  });

  test('names the operator for a rate that was set by hand', async () => {
    const { vesfx } = await sourceBench([evidenceOfFigures]);
    await vesfx('rate', 'set', 'reference', '800.5754', '--date', '2026-08-20');
    const { out } = await vesfx('evidence', 'reference');
    expect(out).toMatch(/^value date {5}2026-08-20$/m);
    expect(out).toContain('The operator pushed it: there is no body.');
    const told = JSON.parse((await vesfx('evidence', 'bcv', '--json')).out);
    expect(told).toMatchObject({ effective_date: '2026-08-20', source: 'operator', bodies: [] });
  });

  test('contract §1: finds every currency of a publication, with a market or without', async () => {
    const { vesfx, folder } = await sourceBench([evidenceOfFigures]);
    const file = join(folder, 'publications.ndjson');
    const published = (date: string, read: string, rates: object) =>
      JSON.stringify({ kind: 'official', value_date: date, rates, captured_at: read });
    const before = { USD: 139.4016, EUR: 162.53250748, CNY: 19.42, TRY: 3.4, RUB: 1.73 };
    const after = { USD: 140.1, EUR: 163.4, CNY: 19.52, TRY: 3.42, RUB: 1.74 };
    await writeFile(
      file,
      [
        published('2026-08-20', '2026-08-19T21:00:00Z', before),
        published('2026-08-21', '2026-08-20T21:00:00Z', after),
      ].join('\n'),
    );
    expect((await vesfx('import', file, '--trust')).code).toBe(0);
    for (const currency of ['USD', 'EUR', 'CNY', 'TRY', 'RUB', 'cny'] as const) {
      const name = currency === 'cny' ? 'CNY' : currency;
      const then = await vesfx('evidence', currency, '--at', '2026-08-20', '--json');
      expect([currency, then.code]).toEqual([currency, 0]);
      const told = JSON.parse(then.out);
      expect(told).toMatchObject({ mid: before[name], effective_date: '2026-08-20' });
      expect(JSON.parse((await vesfx('evidence', told.id, '--json')).out)).toEqual(told);
      expect(JSON.parse((await vesfx('evidence', currency, '--json')).out).mid).toBe(after[name]);
    }
    const early = await vesfx('evidence', 'TRY', '--at', '2026-08-19');
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('TRY shows no figure at')]);
  });

  test('a missing figure or an unknown market is exit code 1 and one sentence', async () => {
    const { vesfx } = await sourceBench([evidenceOfFigures]);
    await vesfx('source', 'run', 'feed');
    const cases = [
      [['gold'], 1, 'There is no market and no evidence gold.'],
      [['Binance'], 1, 'There is no market and no evidence Binance. Did you mean binance?'],
      [['parallel.abc.01234567'], 1, 'There is no evidence parallel.abc.01234567:'],
      [['cash'], 1, 'cash shows no figure now; --at names another time.'],
      [['parallel', '--at', '2020-01-01'], 1, 'parallel shows no figure at'],
      [['parallel', '--at', 'then'], 2, '--at must be a day'],
      [['parallel.abc.01234567', '--at', '2026-01-01'], 2, 'an id contains its time'],
    ] as const;
    for (const [args, code, message] of cases) {
      const outcome = await vesfx('evidence', ...args);
      expect([args, outcome.code, outcome.err]).toEqual([
        args,
        code,
        expect.stringContaining(message),
      ]);
    }
  });
});
