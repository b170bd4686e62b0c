import { describe, expect, test } from 'vitest';
import { read } from '../../../../test/harness/repository.ts';
import { RATE_COLUMNS } from '../format.ts';

const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

describe('the documents of an export', () => {
  test('the contract has every column (contract §22)', () => {
    const sentence = /A table of rates has the columns ([^:]+):/;
    const [, columns = ''] = sentence.exec(read('docs/contract.md')) ?? [];
    expect(namesIn(columns)).toEqual([...RATE_COLUMNS]);
  });
});
