import { z } from 'zod';
import { isJsonObject } from '../domain/exact-json.ts';
import { FEATURES, FORMATS, type Plan, type Plans, plans } from '../domain/plans.ts';
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
  {
    units_per_month: limit,
    requests_per_minute: limit,
    bulk_calls_per_hour: limit,
    history_days: limit,
    official_days: limit.optional(),
    formats: chosenFrom(FORMATS, 'format').refine(
      (formats) => formats.includes('json'),
      'must include json',
    ),
    keys_max: limit,
    public_keys_max: limit.optional(),
    markups_max: limit,
    features: chosenFrom(FEATURES, 'feature'),
  },
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
    read.push(planOf(name, result.data));
  }
  if (rows.length === 0) faults.push({ line: 1, problem: 'must have at least one plan' });
  if (faults.length > 0) throw new CatalogueError(file.shownAs, faults);
  return plans(read);
}

/** An older file lacks `official_days` and `public_keys_max`: the nearest limits count. */
function planOf(name: string, row: z.output<typeof planRow>): Plan {
  const { official_days: officialDays = row.history_days } = row;
  const { public_keys_max: publicKeysMax = row.keys_max } = row;
  return Object.freeze({
    name,
    unitsPerMonth: row.units_per_month,
    requestsPerMinute: row.requests_per_minute,
    bulkCallsPerHour: row.bulk_calls_per_hour,
    historyDays: row.history_days,
    officialDays,
    formats: Object.freeze(row.formats),
    keysMax: row.keys_max,
    publicKeysMax,
    markupsMax: row.markups_max,
    features: Object.freeze(row.features),
  });
}
