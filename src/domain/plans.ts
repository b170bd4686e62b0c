/** Features that a plan includes or not, named as in `details.feature` of a 402. */
export const FEATURES = ['markets', 'spread', 'bulk_convert', 'route', 'markup'] as const;
export type Feature = (typeof FEATURES)[number];

export const FORMATS = ['json', 'csv', 'xml'] as const;
export type Format = (typeof FORMATS)[number];

/** A row of `catalog/plans.json`. Null means no limit. */
export interface Plan {
  readonly name: string;
  readonly unitsPerMonth: number | null;
  readonly requestsPerMinute: number | null;
  readonly bulkCallsPerHour: number | null;
  readonly historyDays: number | null;
  /** Days of history of official rates for a past date (decisions §9). */
  readonly officialDays: number | null;
  readonly formats: readonly Format[];
  readonly keysMax: number | null;
  /** Most active publishable keys, counted apart from other keys (decisions §11). */
  readonly publicKeysMax: number | null;
  readonly markupsMax: number | null;
  readonly features: readonly Feature[];
}

export interface Plans {
  /** From the cheapest to the dearest. */
  readonly list: readonly Plan[];
  /** Finds a plan by name, in any letter case. */
  find(name: string): Plan | undefined;
  /** Position in `list` of the plan of exactly that name; undefined when there is none. */
  rank(name: string): number | undefined;
}

export function plans(list: readonly Plan[]): Plans {
  const byName = new Map(list.map((plan) => [plan.name.toLowerCase(), plan]));
  const ranks = new Map(list.map(({ name }, rank) => [name, rank]));
  return Object.freeze({
    list: Object.freeze([...list]),
    find: (name: string) => byName.get(name.toLowerCase()),
    rank: (name: string) => ranks.get(name),
  });
}

/** The cheapest plan for which `includes` is true, as `required_plan` reports it. */
export function cheapestPlan(all: Plans, includes: (plan: Plan) => boolean): Plan | undefined {
  return all.list.find(includes);
}

/** Whether `plan` is the required plan or a dearer one; true when none is required. */
export function planReaches(all: Plans, plan: Plan, required: string | undefined): boolean {
  if (required === undefined) return true;
  const has = all.rank(plan.name);
  const needs = all.rank(required);
  return has !== undefined && needs !== undefined && has >= needs;
}
