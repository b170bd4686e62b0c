import { statSync } from 'node:fs';
import { z } from 'zod';
import {
  BASES,
  type Base,
  FREE_MARKET,
  MARKET_TYPES,
  type Market,
  type Markets,
  type MarketType,
  markets,
  OFFICIAL_EUR,
  OFFICIAL_USD,
} from '../domain/markets.ts';
import { FEATURES, FORMATS, type Plan, type Plans, plans } from '../domain/plans.ts';
import { checked, faultsOf } from './faults.ts';
import {
  CatalogueError,
  type CatalogueFile,
  type Fault,
  readCatalogueFile,
  shown,
} from './file.ts';

export { CatalogueError } from './file.ts';

/** Markets and plans as the operator set them, checked. */
export interface Catalogue {
  readonly markets: Markets;
  readonly plans: Plans;
}

/**
 * Reads `markets.json` and `plans.json` of a folder; a file it lacks is taken from the package.
 * @throws CatalogueError naming file, line and what is wrong.
 */
export function loadCatalogue(folder: string): Catalogue {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CatalogueError(shown(folder), [{ problem: 'there is no such folder' }]);
  }
  const allPlans = readPlans(readCatalogueFile(folder, 'plans.json'));
  return {
    plans: allPlans,
    markets: readMarkets(readCatalogueFile(folder, 'markets.json'), allPlans),
  };
}

/** Longest display name of a market. */
const MAX_NAME_LENGTH = 100;

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
    // A file from before this cell keeps the depth that it has.
    official_days: limit.optional(),
    formats: chosenFrom(FORMATS, 'format').refine(
      (formats) => formats.includes('json'),
      'must include json',
    ),
    keys_max: limit,
    markups_max: limit,
    features: chosenFrom(FEATURES, 'feature'),
  },
  'must be an object of limits',
);

/** A letter, then letters, digits, spaces, `_` and `-`: a name goes into headers and answers. */
const PLAN_NAME = /^[A-Za-z][A-Za-z0-9 _-]{0,31}$/;

function readPlans(file: CatalogueFile): Plans {
  // Not a Zod record, which passes over a key named __proto__.
  const isObject = (value: unknown): value is object => z.looseObject({}).safeParse(value).success;
  const whole = z.custom<object>(isObject, 'must be an object of plans');
  const rows: [string, unknown][] = Object.entries(checked(file, whole));
  const faults: Fault[] = [];
  const found: Plan[] = [];
  for (const [name, row] of rows) {
    const fault = (problem: string) => faults.push({ line: file.lineOf([name]), problem });
    if (!PLAN_NAME.test(name)) {
      fault(`the plan name "${name}" must be 1 to 32 of A-Z, a-z, 0-9, space, _ and -`);
    }
    if (found.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
      fault(`the plan ${name} is there twice but for the case of its letters`);
    }
    const result = planRow.safeParse(row);
    if (!result.success) {
      faults.push(...faultsOf(file, result.error, { path: [name], label: name, value: row }));
      continue;
    }
    found.push(planOf(name, result.data));
  }
  if (rows.length === 0) faults.push({ line: 1, problem: 'must have at least one plan' });
  if (faults.length > 0) throw new CatalogueError(file.shownAs, faults);
  return plans(found);
}

function planOf(name: string, row: z.output<typeof planRow>): Plan {
  return Object.freeze({
    name,
    unitsPerMonth: row.units_per_month,
    requestsPerMinute: row.requests_per_minute,
    bulkCallsPerHour: row.bulk_calls_per_hour,
    historyDays: row.history_days,
    officialDays: row.official_days === undefined ? row.history_days : row.official_days,
    formats: Object.freeze(row.formats),
    keysMax: row.keys_max,
    markupsMax: row.markups_max,
    features: Object.freeze(row.features),
  });
}

const MARKET_NAME = /^[a-z0-9_-]{1,64}$/;
const marketName = z
  .string('must be text')
  .regex(MARKET_NAME, 'must be 1 to 64 of a-z, 0-9, _ and -');

const marketRow = z.strictObject(
  {
    id: marketName,
    name: z
      .string('must be text')
      .trim()
      .min(1, 'must not be empty')
      .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
      .regex(/^\P{Cc}*$/u, 'must not have control characters'),
    type: z.enum(MARKET_TYPES, `must be one of ${MARKET_TYPES.join(', ')}`),
    base: z.enum(BASES, `must be one of ${BASES.join(', ')}`),
    aliases: z.array(marketName, 'must be a list of names'),
    stale_after_sec: z.int('must be a whole number of seconds').positive('must be more than 0'),
    required_plan: z.string('must be the name of a plan, or null').nullable(),
  },
  'must be an object',
);

/** Markets that the rules of the service name: without them there is no rate to convert by. */
const SPECIAL_MARKETS: Readonly<Record<string, { type: MarketType; base: Base }>> = {
  [OFFICIAL_USD]: { type: 'reference', base: 'USD' },
  [OFFICIAL_EUR]: { type: 'reference', base: 'EUR' },
  [FREE_MARKET]: { type: 'parallel', base: 'USD' },
};

function readMarkets(file: CatalogueFile, allPlans: Plans): Markets {
  const rows = checked(file, z.array(z.unknown(), 'must be a list of markets'));
  const faults: Fault[] = [];
  const found: Market[] = [];
  const holders = new Map<string, string>();
  rows.forEach((value, position) => {
    const result = marketRow.safeParse(value);
    if (!result.success) {
      const label = labelOf(value) ?? `entry ${position + 1}`;
      faults.push(...faultsOf(file, result.error, { path: [position], label, value }));
      return;
    }
    const at: At = (...path) => file.lineOf([position, ...path]);
    const row = result.data;
    faults.push(...nameFaults(row, at, holders), ...roleFaults(row, at));
    const plan = row.required_plan === null ? undefined : allPlans.find(row.required_plan);
    if (row.required_plan !== null && plan === undefined) {
      const names = allPlans.list.map(({ name }) => name).join(', ');
      const problem = `${row.id}.required_plan must be null or one of ${names}`;
      faults.push({ line: at('required_plan'), problem });
    }
    // A market of the cheapest plan is in every plan, which is what null says.
    found.push(marketOf(row, plan === allPlans.list[0] ? undefined : plan?.name));
  });
  for (const id of Object.keys(SPECIAL_MARKETS)) {
    // A row with a fault of its own is there; saying that it is missing would mislead.
    if (rows.some((row) => labelOf(row) === id)) continue;
    faults.push({ line: 1, problem: `the market ${id} is missing` });
  }
  if (faults.length > 0) throw new CatalogueError(file.shownAs, faults);
  return markets(found);
}

type MarketRow = z.output<typeof marketRow>;

/** Line of a value within the market's entry. */
type At = (...path: readonly (string | number)[]) => number;

function marketOf(row: MarketRow, requiredPlan: string | undefined): Market {
  return Object.freeze({
    id: row.id,
    name: row.name,
    type: row.type,
    base: row.base,
    aliases: Object.freeze(row.aliases),
    staleAfterSec: row.stale_after_sec,
    requiredPlan,
  });
}

/** Ids and aliases share one space: each names one market. `holders` grows with every entry. */
function nameFaults({ id, aliases }: MarketRow, at: At, holders: Map<string, string>): Fault[] {
  return [id, ...aliases].flatMap((name, index) => {
    const holder = holders.get(name);
    holders.set(name, id);
    if (holder === undefined) return [];
    const line = index === 0 ? at('id') : at('aliases', index - 1);
    if (holder === id) return [{ line, problem: `${id} has the name ${name} twice` }];
    return [{ line, problem: `the name ${name} of ${id} belongs to ${holder} already` }];
  });
}

/** What the rules of the service expect of the markets they name, and of no other. */
function roleFaults({ id, type, base }: MarketRow, at: At): Fault[] {
  const role = SPECIAL_MARKETS[id];
  if (role === undefined) {
    if (type !== 'reference') return [];
    const official = `${OFFICIAL_USD} and ${OFFICIAL_EUR}`;
    return [
      { line: at('type'), problem: `${id}.type must not be reference: only ${official} are` },
    ];
  }
  const faults: Fault[] = [];
  if (role.type !== type) {
    faults.push({ line: at('type'), problem: `${id}.type must be ${role.type}` });
  }
  if (role.base !== base) {
    faults.push({ line: at('base'), problem: `${id}.base must be ${role.base}` });
  }
  return faults;
}

function labelOf(row: unknown): string | undefined {
  const isNamed = typeof row === 'object' && row !== null && 'id' in row;
  return isNamed && typeof row.id === 'string' && MARKET_NAME.test(row.id) ? row.id : undefined;
}
