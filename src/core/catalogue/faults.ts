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

type Path = readonly (string | number)[];

interface Subject {
  readonly path: Path;
  readonly label: string;
  readonly value: unknown;
}

/** The faults that a schema found in an entry, or in the whole file, each with its line. */
export function faultsOf(
  file: CatalogueFile,
  error: z.ZodError,
  { path: place, label, value }: Subject = { path: [], label: '', value: file.value },
): readonly Fault[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    const fault = (at: Path, problem: string) => ({
      line: file.lineOf([...place, ...at]),
      problem: `${at.reduce<string>(nameWith, label)} ${problem}`.trimStart(),
    });
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => fault([...path, key], 'is not a known field'));
    }
    const isAbsent = issue.code !== 'custom' && isMissing(value, path);
    return [fault(path, isAbsent ? 'is missing' : issue.message)];
  });
}

/** `name.field`, `name[0]`. */
function nameWith(name: string, step: string | number): string {
  if (typeof step === 'number') return `${name}[${step}]`;
  return name === '' ? step : `${name}.${step}`;
}

function isMissing(value: unknown, [key, ...rest]: Path): boolean {
  if (key === undefined) return false;
  if (typeof value !== 'object' || value === null) return true;
  const entry = Object.entries(value).find(([name]) => name === String(key));
  return entry === undefined || isMissing(entry[1], rest);
}
