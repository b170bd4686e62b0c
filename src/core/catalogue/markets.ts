import { z } from 'zod';
import {
  BASES,
  type Base,
  MARKET_TYPES,
  type Market,
  type Markets,
  type MarketType,
  markets,
  OFFICIAL_EUR,
  OFFICIAL_USD,
  PARALLEL_MARKET,
} from '../domain/markets.ts';
import type { Plans } from '../domain/plans.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../domain/time.ts';
import { checked, faultsOf } from './faults.ts';
import { CatalogueError, type CatalogueFile, type Fault } from './file.ts';

const MAX_NAME_LENGTH = 100;

// limit: Market: names of other services, its name | 50, 100 characters | not started | MAX_NAME_LENGTH
const MAX_ALSO_KNOWN_AS = 50;

/** Default ages at which a quote leaves the snapshot, in seconds. */
// limit: Age of a quote: P2P, others (official ones none) | 48 hours, 7 days | leaves the snapshot | OTHER_DROP_SEC
const P2P_DROP_SEC = (48 * HOUR_MS) / SECOND_MS;
const OTHER_DROP_SEC = (7 * DAY_MS) / SECOND_MS;

const MARKET_NAME = /^[a-z0-9_-]{1,64}$/;
const marketName = z
  .string('must be text')
  .regex(MARKET_NAME, 'must be 1 to 64 of a-z, 0-9, _ and -');

const displayName = z
  .string('must be text')
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .regex(/^\P{Cc}*$/u, 'must not have control characters');

const wholeSeconds = z.int('must be a whole number of seconds').positive('must be more than 0');

const marketRow = z.strictObject(
  {
    id: marketName,
    name: displayName,
    name_en: displayName.optional(),
    type: z.enum(MARKET_TYPES, `must be one of ${MARKET_TYPES.join(', ')}`),
    base: z.enum(BASES, `must be one of ${BASES.join(', ')}`),
    aliases: z.array(marketName, 'must be a list of names'),
    also_known_as: z
      .array(displayName, 'must be a list of names')
      .max(MAX_ALSO_KNOWN_AS, `must have at most ${MAX_ALSO_KNOWN_AS} names`)
      .default([]),
    criptoya: marketName.optional(),
    stale_after_sec: wholeSeconds,
    drop_after_sec: wholeSeconds.optional(),
    required_plan: z.string('must be the name of a plan, or null').nullable(),
  },
  'must be an object',
);

/** Markets that the code refers to. Without them there is no default rate for conversions. */
const SPECIAL_MARKETS: Readonly<Record<string, { type: MarketType; base: Base }>> = {
  [OFFICIAL_USD]: { type: 'reference', base: 'USD' },
  [OFFICIAL_EUR]: { type: 'reference', base: 'EUR' },
  [PARALLEL_MARKET]: { type: 'parallel', base: 'USD' },
};

/**
 * The markets of `markets.json`.
 * @throws CatalogueError naming file, line and fault.
 */
export function readMarkets(file: CatalogueFile, allPlans: Plans): Markets {
  const rows = checked(file, z.array(z.unknown(), 'must be a list of markets'));
  const faults: Fault[] = [];
  const read: Market[] = [];
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
    // Every plan includes a market of the cheapest plan, so its required plan is undefined.
    read.push(marketOf(row, plan === allPlans.list[0] ? undefined : plan?.name));
  });
  for (const id of Object.keys(SPECIAL_MARKETS)) {
    // A row with a fault exists, so reporting it as missing would mislead.
    if (rows.some((row) => labelOf(row) === id)) continue;
    faults.push({ line: 1, problem: `the market ${id} is missing` });
  }
  if (faults.length > 0) throw new CatalogueError(file.shownAs, faults);
  return markets(read);
}

type MarketRow = z.output<typeof marketRow>;

type At = (...path: readonly (string | number)[]) => number;

function marketOf(row: MarketRow, requiredPlan: string | undefined): Market {
  return Object.freeze({
    id: row.id,
    name: row.name,
    nameEn: row.name_en ?? row.name,
    type: row.type,
    base: row.base,
    aliases: Object.freeze(row.aliases),
    alsoKnownAs: Object.freeze(row.also_known_as),
    criptoyaName: row.criptoya,
    staleAfterSec: row.stale_after_sec,
    dropAfterSec: dropAfterSec(row),
    requiredPlan,
  });
}

/** @returns undefined for official markets, which never drop. */
function dropAfterSec({ type, drop_after_sec: ownSec }: MarketRow): number | undefined {
  if (type === 'reference') return undefined;
  return ownSec ?? (type === 'p2p' ? P2P_DROP_SEC : OTHER_DROP_SEC);
}

/** Each id or alias names one market. Adds the market's names to `holders`. */
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

function roleFaults({ id, type, base, drop_after_sec: drop }: MarketRow, at: At): Fault[] {
  const role = SPECIAL_MARKETS[id];
  if (role === undefined) {
    if (type !== 'reference') return [];
    const official = `${OFFICIAL_USD} and ${OFFICIAL_EUR}`;
    return [
      { line: at('type'), problem: `${id}.type must not be reference: only ${official} are` },
    ];
  }
  const faults: Fault[] = [];
  if (role.type === 'reference' && drop !== undefined) {
    const problem = `${id}.drop_after_sec must not be there: official quotes never drop`;
    faults.push({ line: at('drop_after_sec'), problem });
  }
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
