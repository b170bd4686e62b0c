import { type Sentence, sentence } from './errors/sentence.ts';

/** Features that a plan includes or not, named as in `details.feature` of a 402. */
export const FEATURES = ['markets', 'spread', 'bulk_convert', 'route', 'markup'] as const;
export type Feature = (typeof FEATURES)[number];

export const FEATURE_LABELS: Readonly<Record<Feature, Sentence>> = {
  markets: sentence('Market catalogue', 'Catálogo de mercados'),
  spread: sentence('Premium', 'Brecha'),
  bulk_convert: sentence('Bulk conversion', 'Conversión por lote'),
  route: sentence('Market comparison', 'Comparación de mercados'),
  markup: sentence('Markups', 'Márgenes'),
};

export const FORMATS = ['json', 'csv', 'xml'] as const;
export type Format = (typeof FORMATS)[number];

/** The format of the plan that an answer needs: every plan with CSV has workbooks (contract §27). */
export const planFormatOf = (format: Format | 'xlsx'): Format =>
  format === 'xlsx' ? 'csv' : format;

/** What a plan says in one cell. */
interface CellSpec<Name extends string = string> {
  /** In `catalog/plans.json` and in answers. */
  readonly name: Name;
  /** In tables for people. */
  readonly label: Sentence;
  /** In the reference. */
  readonly said: Sentence;
  /** The plan of the reference's example has this. */
  readonly example: unknown;
}

/** A limit: a whole number, or null for none. */
interface LimitSpec<Name extends string = string> extends CellSpec<Name> {
  readonly example: number | null;
  /** A file that is older than the limit lacks it: then this one, or this value, counts. */
  readonly olderFilesSay?: 'history_days' | 'keys_max' | 0;
  /** Without this feature the limit means nothing. */
  readonly feature?: Feature;
}

const limit = <Name extends string>(spec: LimitSpec<Name>) => spec;
const list = <Name extends string>(spec: CellSpec<Name>) => spec;

/**
 * The cells of a plan, in the order of answers and tables. The catalogue reads them, `/v1/account`
 * answers with them, the reference and the console show them.
 */
export const PLAN_CELLS = {
  unitsPerMonth: limit({
    name: 'units_per_month',
    label: sentence('Units per UTC month', 'Unidades por mes UTC'),
    said: sentence(
      'Units that the account may use in a UTC month.',
      'Unidades que la cuenta puede gastar en un mes UTC.',
    ),
    example: 300_000,
  }),
  requestsPerMinute: limit({
    name: 'requests_per_minute',
    label: sentence('Requests per minute', 'Consultas por minuto'),
    said: sentence(
      'Requests that the account may make in a minute.',
      'Consultas que la cuenta puede hacer por minuto.',
    ),
    example: 1_200,
  }),
  bulkCallsPerHour: limit({
    name: 'bulk_calls_per_hour',
    label: sentence('Batches per hour', 'Lotes por hora'),
    said: sentence(
      'Batches that the account may convert in an hour.',
      'Lotes que la cuenta puede convertir por hora.',
    ),
    example: 300,
    feature: 'bulk_convert',
  }),
  historyDays: limit({
    name: 'history_days',
    label: sentence('Days of history', 'Días de historial'),
    said: sentence(
      'How many days back the history reaches.',
      'Cuántos días hacia atrás llega el historial.',
    ),
    example: 180,
  }),
  /** For a past date too (contract §9). */
  officialDays: limit({
    name: 'official_days',
    label: sentence('Days of history of official rates', 'Días de historial de tasas oficiales'),
    said: sentence(
      'How many days back a past date of an official rate reaches.',
      'Cuántos días hacia atrás llega una fecha pasada de una tasa oficial.',
    ),
    example: null,
    olderFilesSay: 'history_days',
  }),
  formats: list({
    name: 'formats',
    label: sentence('Formats', 'Formatos'),
    said: sentence('Formats that an answer may have.', 'Formatos que puede tener una respuesta.'),
    example: ['json', 'csv', 'xml'],
  }),
  keysMax: limit({
    name: 'keys_max',
    label: sentence('Maximum keys', 'Máximo de claves'),
    said: sentence(
      'Maximum of live keys, without counting publishable ones.',
      'Máximo de claves activas, sin contar las publicables.',
    ),
    example: 10,
  }),
  /** Counted apart from other keys (contract §11). */
  publicKeysMax: limit({
    name: 'public_keys_max',
    label: sentence('Maximum publishable keys', 'Máximo de claves publicables'),
    said: sentence('Maximum of live publishable keys.', 'Máximo de claves publicables activas.'),
    example: 10,
    olderFilesSay: 'keys_max',
  }),
  markupsMax: limit({
    name: 'markups_max',
    label: sentence('Maximum markups', 'Máximo de márgenes'),
    said: sentence('Maximum of markup rules.', 'Máximo de márgenes.'),
    example: 20,
  }),
  /** Counted over all processes (contract §23). */
  streamsMax: limit({
    name: 'streams_max',
    label: sentence('Maximum open streams', 'Máximo de flujos abiertos'),
    said: sentence(
      'Maximum of streams that the account may have open at once.',
      'Máximo de flujos que la cuenta puede tener abiertos a la vez.',
    ),
    example: 10,
    olderFilesSay: 0,
  }),
  webhooksMax: limit({
    name: 'webhooks_max',
    label: sentence('Maximum webhooks', 'Máximo de webhooks'),
    said: sentence('Maximum of webhook endpoints.', 'Máximo de webhooks.'),
    example: 10,
    olderFilesSay: 0,
  }),
  features: list({
    name: 'features',
    label: sentence('Features of the plan', 'Funciones del plan'),
    said: sentence('What else the plan includes.', 'Qué más incluye el plan.'),
    example: ['markets', 'spread', 'markup'],
  }),
} as const;

interface PlanLists {
  readonly formats: readonly Format[];
  readonly features: readonly Feature[];
}

export type LimitKey = Exclude<keyof typeof PLAN_CELLS, keyof PlanLists>;

/** A row of `catalog/plans.json`. Null means no limit. */
export type Plan = { readonly name: string } & PlanLists &
  Readonly<Record<LimitKey, number | null>>;

type LimitName = (typeof PLAN_CELLS)[LimitKey]['name'];

export interface PlanLimit extends LimitSpec<LimitName> {
  readonly key: LimitKey;
}

/** A value for each cell, by its name in files and answers. */
export type ByName<Limit, Formats, Features> = Readonly<
  Record<LimitName, Limit> & { formats: Formats; features: Features }
>;

/** The casts are safe: the keys and names are those of the table, and each value is its cell's. */
const CELLS = Object.entries(PLAN_CELLS) as [keyof typeof PLAN_CELLS, LimitSpec<LimitName>][];

const isList = (key: keyof typeof PLAN_CELLS): key is keyof PlanLists =>
  key === 'formats' || key === 'features';

export const PLAN_LIMITS: readonly PlanLimit[] = CELLS.flatMap(([key, spec]) =>
  isList(key) ? [] : [{ key, ...spec }],
);

/** Makes a value of each cell, by its name. */
export function byName<Limit, Formats, Features>(
  ofLimit: (limit: PlanLimit) => Limit,
  lists: { readonly formats: Formats; readonly features: Features },
): ByName<Limit, Formats, Features> {
  const entries = CELLS.map(([key, spec]) => [
    spec.name,
    isList(key) ? lists[key] : ofLimit({ key, ...spec }),
  ]);
  return Object.fromEntries(entries) as ByName<Limit, Formats, Features>;
}

/** The cast is safe: each cell has its key. */
export function planOf(
  name: string,
  cells: ByName<number | null, readonly Format[], readonly Feature[]>,
): Plan {
  const entries = CELLS.map(([key]) => [key, cells[PLAN_CELLS[key].name]]);
  return Object.freeze({ name, ...Object.fromEntries(entries) }) as Plan;
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

/** What an endpoint may need of a plan: a feature, or a number of streams or webhooks. */
export type PlanNeed = Feature | 'stream' | 'webhooks';

export function planHas({ features, streamsMax, webhooksMax }: Plan, need: PlanNeed): boolean {
  if (need === 'stream') return streamsMax !== 0;
  return need === 'webhooks' ? webhooksMax !== 0 : features.includes(need);
}

/** The cheapest plan for which `includes` is true, as `required_plan` reports it. */
export function cheapestPlan(all: Plans, includes: (plan: Plan) => boolean): Plan | undefined {
  return all.list.find(includes);
}

/** Whether `plan` is the required plan or a dearer one; true when none is required. */
export function planReaches(all: Plans, plan: Plan, required: string | undefined): boolean {
  return required === undefined || all.reaches(plan.name, required);
}
