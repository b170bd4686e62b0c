import { expect, test } from 'vitest';
import { UsageError } from '../output.ts';
import { readWorkers } from './workers.ts';

test('--workers takes 1 to 64 processes, or auto', () => {
  expect([readWorkers('1'), readWorkers('64')]).toEqual([1, 64]);
  expect(readWorkers('auto')).toBeGreaterThanOrEqual(1);
  for (const refused of ['0', '65', '-1', '1.5', '1e1', 'many', '']) {
    expect(() => readWorkers(refused), refused).toThrow(UsageError);
  }
});
