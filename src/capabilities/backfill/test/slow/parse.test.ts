import { describe, expect, test, vi } from 'vitest';
import { sourceBench } from '../../../../../test/harness/source-bench.ts';
import { quarterWorkbook } from '../../../../../test/harness/workbooks.ts';
import { backfillOfWorkbooks } from '../../backfill.ts';

describe('vesfx source parse', () => {
  test('contract §8 prints the good publications of a workbook with a bad day, then its fault', async () => {
    const { vesfx, file } = await sourceBench([backfillOfWorkbooks]);
    vi.stubEnv('VESFX_CATALOG', undefined);
    const asks = { EUR: 290.123456, USD: 250.654321 };
    const days = [
      { operations: '04/11/2026', value: '05/11/2026', asks },
      { operations: '05/11/2026', value: '06/11/2026', asks: { EUR: 291.1, USD: 251.2 } },
    ];
    const good = await file('good.xls', quarterWorkbook(days));
    const [bad, other] = [
      { operations: '06/11/2026', value: '31/02/2026', asks },
      { operations: '09/11/2026', value: '10/11/2026', asks: { EUR: 292.1, USD: 252.2 } },
    ];
    const mixed = await file('mixed.xls', quarterWorkbook([...days, bad, other]));
    const datesIn = (out: string) =>
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).value_date);
    const clean = await vesfx('source', 'parse', 'bcv-archive', good);
    expect([clean.code, clean.err]).toEqual([0, '']);
    expect(datesIn(clean.out)).toEqual(['2026-11-05', '2026-11-06']);
    const partly = await vesfx('source', 'parse', 'bcv-archive', mixed, good);
    expect(partly.code).toBe(1);
    expect(datesIn(partly.out)).toEqual(['2026-11-05', '2026-11-06', '2026-11-10']);
    expect(partly.err).toMatch(/^mixed\.xls, sheet 06112026: .+\nerror: 1 fault, named above.+\n$/);
    const none = await vesfx(
      'source',
      'parse',
      'bcv-archive',
      await file('none.xls', 'no workbook'),
    );
    expect([none.code, none.out]).toEqual([1, '']);
    expect(none.err).toMatch(/^error: expected an \.xls or \.xlsx workbook.+\n$/);
  });
});
