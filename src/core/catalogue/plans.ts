import { z } from 'zod';
import { isJsonObject } from '../domain/exact-json.ts';
import {
  byName,
  FEATURES,
  type Feature,
  FORMATS,
  type Format,
  type Plan,
  type Plans,
  planOf,
  plans,
} from '../domain/plans.ts';
import { checked, faultsOf } from './faults.ts';
import { CatalogueError, type CatalogueFile, type Fault } from './file.ts';

const WHOLE_OR_NULL = 'must be a whole number or null';
const limit = z.int(WHOLE_OR_NULL).min(0, 'must be 0 or more, or null').nullable();

function chosenFrom<const T extends readonly string[]>(choices: T, noun: string) {
  return z
    .array(z.enum(choices, `must be one of ${choices.join(', ')}`), `must be a list of ${noun}s`)
    .refine((list) => new Set(list).size === list.length, `must not have the same ${noun} twice`);
}

const planRow = z.strictObject(
  byName<z.ZodType<number | null | undefined>, z.ZodType<Format[]>, z.ZodType<Feature[]>>(
    ({ olderFilesSay }) => (olderFilesSay === undefined ? limit : limit.optional()),
    {
      formats: chosenFrom(FORMATS, 'format').refine(
        (formats) => formats.includes('json'),
        'must include json',
      ),
      features: chosenFrom(FEATURES, 'feature'),
    },
  ),
  'must be an object of limits',
);

/** A letter, then letters, digits, spaces, `_` and `-`: the name appears in headers and answers. */
const PLAN_NAME = /^[A-Za-z][A-Za-z0-9 _-]{0,31}$/;

/**
 * The plans of `plans.json`, from the cheapest to the dearest.
 * @throws CatalogueError naming file, line and fault.
 */
export function readPlans(file: CatalogueFile): Plans {
  // Not a Zod record, which would skip a key named `__proto__`.
  const whole = z.custom<object>(isJsonObject, 'must be an object of plans');
  const rows: [string, unknown][] = Object.entries(checked(file, whole));
  const faults: Fault[] = [];
  const read: Plan[] = [];
  for (const [name, row] of rows) {
    const fault = (problem: string) => faults.push({ line: file.lineOf([name]), problem });
    if (!PLAN_NAME.test(name)) {
      fault(`the plan name "${name}" must be 1 to 32 of A-Z, a-z, 0-9, space, _ and -`);
    }
    if (read.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
      fault(`the plan ${name} is there twice but for the case of its letters`);
    }
    const result = planRow.safeParse(row);
    if (!result.success) {
      faults.push(...faultsOf(file, result.error, { path: [name], label: name, value: row }));
      continue;
    }
    read.push(planOf(name, completed(result.data)));
  }
  if (rows.length === 0) faults.push({ line: 1, problem: 'must have at least one plan' });
  if (faults.length > 0) throw new CatalogueError(file.shownAs, faults);
  return plans(read);
}

/** An older file lacks the limits that are younger: then the nearest ones count. */
function completed(row: z.output<typeof planRow>) {
  return byName(
    ({ name, olderFilesSay = name }) => {
      const otherwise = olderFilesSay === 0 ? 0 : row[olderFilesSay];
      const limit = row[name] === undefined ? otherwise : row[name];
      if (limit === undefined) throw new Error(`the limit ${olderFilesSay} is missing`);
      return limit;
    },
    { formats: Object.freeze(row.formats), features: Object.freeze(row.features) },
  );
}
