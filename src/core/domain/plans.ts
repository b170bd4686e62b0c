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
  /** Days of history of official rates for a past date (contract §9). */
  readonly officialDays: number | null;
  readonly formats: readonly Format[];
  readonly keysMax: number | null;
  /** Most active publishable keys, counted apart from other keys (contract §11). */
  readonly publicKeysMax: number | null;
  readonly markupsMax: number | null;
  readonly features: readonly Feature[];
}

/** A plan that a service ran with, which its accounts keep after a catalogue lacks it. */
export interface KeptPlan {
  readonly plan: Plan;
  /** Names of the plans that were cheaper, whose markets it includes. */
  readonly cheaper: readonly string[];
}

export type Plans = ReturnType<typeof plans>;

/** @param list At least one. */
export function plans(list: readonly Plan[], stored: readonly KeptPlan[] = []) {
  const [cheapest] = list;
  if (cheapest === undefined) throw new Error('there is no plan');
  const names = list.map(({ name }) => name);
  const kept = list.map((plan, rank) => ({ plan, cheaper: names.slice(0, rank) }));
  const current = new Map(list.map((plan) => [plan.name.toLowerCase(), plan]));
  // A plan that an older version kept lacks the limits that are new: they are the cheapest plan's.
  const former = new Map(
    stored.map(({ plan }) => [plan.name.toLowerCase(), Object.freeze({ ...cheapest, ...plan })]),
  );
  const cheaper = new Map([...stored, ...kept].map((one) => [one.plan.name, one.cheaper]));
  const known = (name: string) => current.get(name.toLowerCase()) ?? former.get(name.toLowerCase());
  return Object.freeze({
    /** From the cheapest to the dearest, without plans that are only kept. */
    list: Object.freeze([...list]),
    /** Finds a plan of `list` by name, in any letter case. */
    find: (name: string) => current.get(name.toLowerCase()),
    /**
     * The plan that an account has. When the catalogue lacks it, it is the plan as it was kept,
     * else the account's former plan, else the cheapest.
     */
    of: ({ plan, formerPlan = plan }: { plan: string; formerPlan?: string }) =>
      known(plan) ?? known(formerPlan) ?? cheapest,
    /** Whether a plan includes what needs `required`, being that plan or a dearer one. */
    reaches: (name: string, required: string) =>
      name === required || cheaper.get(name)?.includes(required) === true,
    /** What to keep of `list`. */
    kept,
  });
}

/** The cheapest plan for which `includes` is true, as `required_plan` reports it. */
export function cheapestPlan(all: Plans, includes: (plan: Plan) => boolean): Plan | undefined {
  return all.list.find(includes);
}

/** Whether `plan` is the required plan or a dearer one; true when none is required. */
export function planReaches(all: Plans, plan: Plan, required: string | undefined): boolean {
  return required === undefined || all.reaches(plan.name, required);
}
