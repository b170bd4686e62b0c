import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../../../../test/harness/commands.ts';
import { temporaryDir } from '../../../../../test/harness/service.ts';
import { quarterWorkbook } from '../../../../../test/harness/workbooks.ts';

test('contract §26 a backfill after an import of CSV keeps its figures and names each that differs', async () => {
  const folder = await temporaryDir();
  const vesfx = (...args: readonly string[]) =>
    runHere([...args, '--data', join(folder, 'data')], process.env);
  const [table, workbook] = [join(folder, 'rates.csv'), join(folder, '2_1_2a25_smc.xls')];
  // Rounded, as such files are.
  writeFileSync(table, 'fecha;usd;eur\n24/01/2025;52,00;53,60\n27/01/2025;52,20;53,77\n');
  const asks = (EUR: number, USD: number) => ({ EUR, USD });
  writeFileSync(
    workbook,
    quarterWorkbook([
      { operations: '23/01/2025', value: '24/01/2025', asks: asks(53.6, 52) },
      { operations: '24/01/2025', value: '27/01/2025', asks: asks(53.76600123, 52.2043) },
      { operations: '27/01/2025', value: '28/01/2025', asks: asks(54.1, 52.4) },
    ]),
  );
  expect((await vesfx('import', table, '--trust')).code).toBe(0);

  const { code, out } = await vesfx('backfill', workbook, '--trust', '--json');
  const { accepted, faults, files } = JSON.parse(out);
  const problem = (name: string, theirs: number, ours: number) =>
    `${name} is ${theirs} here and ${ours} in the store, which stays`;
  expect({ code, accepted, faults }).toEqual({ code: 1, accepted: 1, faults: 2 });
  expect(files[0].faults).toEqual([
    { place: '2025-01-27', problem: problem('reference', 52.2043, 52.2) },
    { place: '2025-01-27', problem: problem('eur_reference', 53.76600123, 53.77) },
  ]);
});
