import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read, utils, write } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { official } from '../../../../test/harness/make.ts';
import { onPath } from '../../../../test/harness/on-path.ts';
import { startTestService, temporaryDir } from '../../../../test/harness/service.ts';
import { add, decimal, multiply, round, subtract, toNumber } from '../../../core/domain/decimal.ts';
import { guideFile } from '../guides/guides.ts';

/** The sheet of the guide of the month-end close, over the month's own files, as a spreadsheet computes it. */

const SOFFICE = onPath('libreoffice');

/** A workbook has the names of functions in English, whatever the language of who reads it. */
const STORED = {
  SI: 'IF',
  BUSCARV: 'VLOOKUP',
  REDONDEAR: 'ROUND',
  FALSO: 'FALSE',
  NOD: 'NA',
  ';': ',',
};

const stored = (formula: string) =>
  Object.entries(STORED).reduce(
    (text, [spanish, english]) =>
      text.replaceAll(spanish === ';' ? ';' : new RegExp(`\\b${spanish}\\b`, 'g'), english),
    formula,
  );

const CLOSE = { USD: 737.8816, EUR: 841.84173862 };
/** Account, currency, amount, and balance in the books. */
const LEDGER = [
  ['Caja', 'USD', 1250.75, 910_000],
  ['Banco', 'EUR', 10_432.17, 9_000_123.45],
  ['Clientes', 'USD', 333.33, 240_000.01],
  ['Proveedores', 'EUR', -2_500.05, -2_150_000.99],
] as const;
/** Rows without a balance: their currency is blank, or none of the sheets', or their amount is blank. */
const WITHOUT_BALANCE = [
  ['Sin moneda', '', 100, 73_788.16],
  ['Otra moneda', 'CNY', 100, 10_000],
  ['Sin monto', 'USD', '', 10_000],
] as const;

describe('the guide of the month-end close', () => {
  test.skipIf(SOFFICE === undefined).each(['es', 'en'] as const)(
    'a ledger of two currencies is revalued by LibreOffice as by decimal arithmetic (%s)',
    async (language) => {
      const service = await startTestService({ start: Date.parse('2026-12-01T12:00:00Z') });
      // The last day of October 2026 is a Saturday: the rate of Friday is in force.
      const readAt = { captured_at: '2026-10-29T20:10:00.000Z' };
      await service.push(
        official('2026-10-29', { USD: 760.5, EUR: 880.25 }, readAt),
        official('2026-10-30', CLOSE, readAt),
      );
      const sheetOf = async (currency: string) => {
        const path = `/board/month.xlsx?month=2026-10&currency=${currency}&locale=${language}`;
        const bytes = await (await fetch(service.url + path)).arrayBuffer();
        const { Sheets, SheetNames } = read(new Uint8Array(bytes));
        const sheet = Sheets[SheetNames[0] ?? ''];
        if (sheet === undefined) throw new Error('the workbook has no sheet');
        return sheet;
      };
      const [, block = ''] = /```text\n([\s\S]*?)```/.exec(guideFile('month-end', language)) ?? [];
      const formulas = block.trim().split('\n');
      expect(formulas).toHaveLength(3);
      const day = (Date.UTC(2026, 9, 31) - Date.UTC(1899, 11, 30)) / 86_400_000;
      const header = ['account', 'currency', 'amount', 'books', 'day', 'rate', 'new', 'difference'];
      const items = [...LEDGER, ...WITHOUT_BALANCE];
      const ledger = utils.aoa_to_sheet([header, ...items.map((row) => [...row, day])]);
      items.forEach((_, at) => {
        formulas.forEach((formula, column) => {
          const row = at + 2;
          const f = stored(formula.slice(1)).replaceAll(/(?<=[B-G])2\b/g, String(row));
          ledger['FGH'.charAt(column) + row] = { t: 'n', f };
        });
      });
      ledger['!ref'] = `A1:H${items.length + 1}`;
      const book = utils.book_new();
      utils.book_append_sheet(book, ledger, 'Cierre');
      utils.book_append_sheet(book, await sheetOf('USD'), 'USD');
      utils.book_append_sheet(book, await sheetOf('EUR'), 'EUR');
      const folder = await temporaryDir();
      const file = join(folder, 'cierre.xlsx');
      writeFileSync(file, write(book, { type: 'buffer', bookType: 'xlsx' }));
      execFileSync(
        SOFFICE ?? '',
        [
          ...[`-env:UserInstallation=file://${join(folder, 'profile')}`, '--headless'],
          // The text of the cells as they are, not as they are shown.
          ...['--convert-to', 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false'],
          ...['--outdir', folder, file],
        ],
        { stdio: 'ignore', timeout: 120_000 },
      );
      const lines = readFileSync(join(folder, 'cierre.csv'), 'utf8').trim().split('\n').slice(1);
      const cells = lines.map((line) => line.split(',').slice(5));
      const computed = cells.slice(0, LEDGER.length).map((line) => line.map(Number));
      const expected = LEDGER.map(([, currency, amount, books]) => {
        const balance = round(multiply(amount, CLOSE[currency]), 2);
        return [CLOSE[currency], toNumber(balance), toNumber(subtract(balance, books))];
      });
      expect(computed).toEqual(expected);
      const refused = WITHOUT_BALANCE.map(([, , amount]) => [
        ...[amount === '' ? `${CLOSE.USD}` : '#N/A', '#N/A', '#N/A'],
      ]);
      expect(cells.slice(LEDGER.length)).toEqual(refused);
      const total = expected.reduce((sum, [, , one = 0]) => add(sum, one), decimal(0));
      const shown = computed.reduce((sum, [, , one = 0]) => add(sum, one), decimal(0));
      expect(toNumber(shown)).toBe(toNumber(total));
    },
    180_000,
  );

  test.each(['es', 'en'] as const)('its example is computed rightly (%s)', (language) => {
    const text = guideFile('month-end', language).replaceAll(/\s+/g, ' ');
    const balance = round(multiply('1250.75', '737.8816'), 2);
    const shown = (value: typeof balance) =>
      new Intl.NumberFormat(language === 'es' ? 'es-VE' : 'en-US', {
        minimumFractionDigits: 2,
      }).format(toNumber(value));
    expect(text).toContain(`Bs. ${shown(balance)}:`);
    expect(text).toContain(`Bs. ${shown(subtract(balance, 910_000))}.`);
  });
});
