import type { z } from 'zod';
import { CatalogueError, type CatalogueFile, type Fault } from './file.ts';

/**
 * Checks the outermost shape of the file.
 * @throws CatalogueError when it is wrong.
 */
export function checked<T>(file: CatalogueFile, whole: z.ZodType<T>): T {
  const result = whole.safeParse(file.value);
  if (result.success) return result.data;
  const problem = result.error.issues[0]?.message ?? 'has the wrong shape';
  throw new CatalogueError(file.shownAs, [{ line: 1, problem }]);
}

/** One entry of a file: its path, its name in messages, and its value. */
interface Subject {
  readonly path: readonly (string | number)[];
  readonly label: string;
  readonly value: unknown;
}

/** The faults that a schema found in an entry, each with its line. */
export function faultsOf(
  file: CatalogueFile,
  error: z.ZodError,
  subject: Subject,
): readonly Fault[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    const line = file.lineOf([...subject.path, ...path]);
    const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    const name = [subject.label, ...steps].join('');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        line: file.lineOf([...subject.path, ...path, key]),
        problem: `${name}.${key} is not a known field`,
      }));
    }
    const isMissing = issue.code !== 'custom' && path.length === 1 && !has(subject.value, path[0]);
    return [{ line, problem: isMissing ? `${name} is missing` : `${name} ${issue.message}` }];
  });
}

function has(value: unknown, key: string | number | undefined): boolean {
  return typeof value === 'object' && value !== null && key !== undefined && key in value;
}
