import { expect, test } from 'vitest';
import { UsageError } from '../output.ts';
import { readWorkers, workersFor } from './workers.ts';

test('--workers takes 1 to 64 processes, or auto', () => {
  expect([readWorkers('1'), readWorkers('64')]).toEqual([1, 64]);
  expect(readWorkers('auto')).toBeGreaterThanOrEqual(1);
  for (const refused of ['0', '65', '-1', '1.5', '1e1', 'many', '']) {
    expect(() => readWorkers(refused), refused).toThrow(UsageError);
  }
});

test('auto is a worker for each core, as far as memory goes: 400 MB for each', () => {
  const mb = 2 ** 20;
  expect(workersFor(8, 64_000 * mb)).toBe(8);
  expect(workersFor(32, 4_096 * mb)).toBe(10);
  expect(workersFor(4, 1_200 * mb)).toBe(3);
  expect(workersFor(4, 1_200 * mb - 1)).toBe(2);
  expect(workersFor(4, 100 * mb)).toBe(1);
  expect(workersFor(128, 1_000_000 * mb)).toBe(64);
});
