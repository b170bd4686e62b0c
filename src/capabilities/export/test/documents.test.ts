import { describe, expect, test } from 'vitest';
import { read } from '../../../../test/harness/repository.ts';
import { RATE_COLUMNS } from '../format.ts';

const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

describe('the documents of an export', () => {
  test.each(['docs/operating.md', 'docs/operating.es.md'])(
    '%s has every column of an export (contract §22)',
    (page) => {
      const [, table = ''] =
        /^\| Column(?:a)? \| \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(read(page)) ?? [];
      const cells = table
        .trimEnd()
        .split('\n')
        .map((row) => row.split('|')[1] ?? '');
      // Only a CSV has the last one.
      expect(cells.flatMap(namesIn)).toEqual([...RATE_COLUMNS, 'source']);
    },
  );

  test.each([
    ['docs/recipes.md', /Its columns are ([^.]+)\./],
    ['docs/recipes.es.md', /Sus columnas son ([^.]+)\./],
    ['docs/contract.md', /A table of rates has the columns ([^:]+):/],
  ])('%s has every column of a Parquet file', (page, sentence) => {
    const [, columns = ''] = sentence.exec(read(page)) ?? [];
    expect(namesIn(columns)).toEqual([...RATE_COLUMNS]);
  });
});
