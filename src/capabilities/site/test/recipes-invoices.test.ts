import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { official } from '../../../../test/harness/make.ts';
import { startTestService } from '../../../../test/harness/service.ts';
import { LANGUAGES, type Language } from '../../../core/domain/words/language.ts';
import { guideFile } from '../guides/guides.ts';

/** Prices invoices with the program of the guide and real pandas: none may be lost. */

/** Of Debian's package `python3-pandas`. */
const PYTHON = '/usr/bin/python3';
const hasPandas = spawnSync(PYTHON, ['-c', 'import pandas']).status === 0;
if (!hasPandas) process.stderr.write('NOT RUN, for there is no pandas: the rates of invoices\n');

const read = (captured_at: string) => ({ captured_at });

/** Thursday 19 is missing, Monday 23 is a bank holiday; today is Saturday 28. */
const RATES = [
  official('2026-11-13', { USD: 756.7083, EUR: 871.89443742 }, read('2026-11-12T21:10:00Z')),
  official('2026-11-16', { USD: 757.5406, EUR: 875.2169568 }, read('2026-11-13T21:10:00Z')),
  official('2026-11-17', { USD: 761.2167 }, read('2026-11-16T21:10:00Z')),
  official('2026-11-18', { USD: 764.3486 }, read('2026-11-17T21:10:00Z')),
  official('2026-11-20', { USD: 771.0714 }, read('2026-11-19T21:10:00Z')),
  official('2026-11-24', { USD: 772.5441 }, read('2026-11-20T21:10:00Z')),
  official('2026-11-25', { USD: 890 }, read('2026-11-24T21:10:00Z')),
  official('2026-11-26', { USD: 891 }, read('2026-11-25T21:10:00Z')),
  official('2026-11-27', { USD: 892 }, read('2026-11-26T21:10:00Z')),
];

/** A day as Python writes it, and an amount. */
type Invoice = readonly [day: string, usd: number | 'None'];

async function pricer(plan = 'Inicio') {
  const service = await startTestService({ start: Date.parse('2026-11-28T15:00:00Z') });
  await service.push(...RATES);
  const VESFX_KEY = await service.keyFor(plan);
  return async (invoices: readonly Invoice[], rule = 'value_date', language: Language = 'en') => {
    const blocks = [...guideFile('pandas', language).matchAll(/```python\n([\s\S]*?)```/g)];
    const program = blocks.map(([, text = '']) => text).find((text) => text.includes('RULE ='));
    const columns = `"day": [${invoices.map(([day]) => day)}], "usd": [${invoices.map(([, usd]) => usd)}]`;
    const own = program
      ?.replaceAll('{{url}}', service.url)
      .replace(/"day": \[[^\]]*\],\s*"usd": \[[^\]]*\]/, columns)
      .replace('RULE = "value_date"', `RULE = "${rule}"`);
    const env = { ...process.env, VESFX_KEY };
    return promisify(execFile)(PYTHON, ['-c', own ?? ''], { env }).then(
      // The day, the rate, its value date, the amount in bolívares.
      ({ stdout }) =>
        stdout
          .trim()
          .split('\n')
          .slice(1)
          .map((line) => line.trim().split(/\s+/))
          .map(([day, , ...priced]) => [day, ...priced].join(' ')),
      (error: { code: unknown; stderr: string }) => {
        expect(error.code).toBe(1);
        return error.stderr;
      },
    );
  };
}

const on = (day: string): Invoice => [`"2026-11-${day}"`, 100];

describe.skipIf(!hasPandas)('the invoices of the pandas guide', () => {
  test.each(LANGUAGES)(
    'are priced in any order, on the first Sunday of the range, twice a day and on holidays, by both rules (%s)',
    async (language) => {
      const price = await pricer();
      const invoices = [on('24'), on('15'), on('23'), on('15'), on('20')];
      expect(await price(invoices, 'value_date', language)).toEqual([
        '2026-11-24 772.5441 2026-11-24 77254.41',
        '2026-11-15 756.7083 2026-11-13 75670.83',
        '2026-11-23 771.0714 2026-11-20 77107.14',
        '2026-11-15 756.7083 2026-11-13 75670.83',
        '2026-11-20 771.0714 2026-11-20 77107.14',
      ]);
      expect(await price(invoices, 'next_banking_day', language)).toEqual([
        '2026-11-24 772.5441 2026-11-24 77254.41',
        '2026-11-15 757.5406 2026-11-16 75754.06',
        '2026-11-23 772.5441 2026-11-24 77254.41',
        '2026-11-15 757.5406 2026-11-16 75754.06',
        '2026-11-20 771.0714 2026-11-20 77107.14',
      ]);
    },
  );

  test('one invoice on a Sunday alone is priced', async () => {
    const price = await pricer();
    expect(await price([on('15')])).toEqual(['2026-11-15 756.7083 2026-11-13 75670.83']);
  });

  test.each([
    ['an empty day', ['""', 100], 'without a day or an amount'],
    ['no day', ['None', 100], 'without a day or an amount'],
    ['no amount', ['"2026-11-18"', 'None'], 'without a day or an amount'],
    ['a day in another form', ['"05/11/2026"', 100], 'ValueError'],
    ['a day whose rate is not stored', ['"2026-11-19"', 100], 'No rate is published'],
    ['a day before the first rate', ['"2026-11-12"', 100], 'No rate is published'],
    ['a day before the history of the plan', ['"2025-11-27"', 100], 'history_out_of_retention'],
  ] as const)(
    '%s ends the program, also among others: it is never left out',
    async (_, invoice, said) => {
      const price = await pricer();
      expect(await price([on('18'), invoice, on('20')])).toContain(said);
      expect(await price([invoice])).toContain(said);
    },
  );

  test('by the rule of the next banking day, a day whose rate is not published yet ends the program', async () => {
    const price = await pricer();
    expect(await price([on('27'), on('28')])).toHaveLength(2);
    expect(await price([on('27'), on('28')], 'next_banking_day')).toContain('No rate is published');
    expect(await price([on('27')], 'next_banking_day')).toHaveLength(1);
    expect(await price([on('27')], 'next')).toContain("KeyError: 'next'");
  });
});
