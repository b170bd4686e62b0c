/** Features that a plan switches on whole; named as in `details.feature` of a 402. */
export const FEATURES = ['markets', 'spread', 'bulk_convert', 'route', 'markup'] as const;
export type Feature = (typeof FEATURES)[number];

export const FORMATS = ['json', 'csv', 'xml'] as const;
export type Format = (typeof FORMATS)[number];

/** A row of `catalog/plans.json`. A limit of null is none. */
export interface Plan {
  readonly name: string;
  readonly unitsPerMonth: number | null;
  readonly requestsPerMinute: number | null;
  readonly bulkCallsPerHour: number | null;
  readonly historyDays: number | null;
  /** Days that official rates reach back for a past date (decisions §9). */
  readonly officialDays: number | null;
  readonly formats: readonly Format[];
  readonly keysMax: number | null;
  /** Live publishable keys, which count apart from the others (decisions §11). */
  readonly publicKeysMax: number | null;
  readonly markupsMax: number | null;
  readonly features: readonly Feature[];
}

export interface Plans {
  /** From the cheapest to the dearest. */
  readonly list: readonly Plan[];
  /** By name in any letter case, as commands and files write it. */
  find(name: string): Plan | undefined;
}

export function plans(list: readonly Plan[]): Plans {
  const byName = new Map(list.map((plan) => [plan.name.toLowerCase(), plan]));
  return Object.freeze({
    list: Object.freeze([...list]),
    find: (name: string) => byName.get(name.toLowerCase()),
  });
}

/** The cheapest plan for which `includes` holds, for `required_plan`. */
export function cheapestPlan(all: Plans, includes: (plan: Plan) => boolean): Plan | undefined {
  return all.list.find(includes);
}

/** Whether `plan` is the plan of that name or a dearer one; no name means every plan. */
export function planReaches(all: Plans, plan: Plan, required: string | undefined): boolean {
  if (required === undefined) return true;
  const needed = all.list.findIndex((one) => one.name === required);
  return needed >= 0 && all.list.findIndex((one) => one.name === plan.name) >= needed;
}
