import { isJsonObject } from '../../core/domain/exact-json.ts';
import type { Markets } from '../../core/domain/markets.ts';
import { OFFICIAL_RATES, OFFICIAL_USD } from '../../core/domain/markets.ts';
import {
  addCaracasDays,
  endOfUtcDay,
  type Instant,
  parseCaracasDay,
  parseUtcDay,
  SECOND_MS,
  startOfCaracasDay,
} from '../../core/domain/time.ts';

/** The age of every rate in an answer of a tool (contract §25). */

type Json = Readonly<Record<string, unknown>>;

/** What a rate is called in the answers of endpoints, and what says since when it is so. */
const FIGURES = ['mid', 'rate', 'value'];
const TIMES = ['updated_at', 'effective_at', 'value_date', 'as_of'] as const;

/** @param fields Those of an object of an answer, or of its schema. */
const isRate = (fields: Json) =>
  FIGURES.some((name) => name in fields) && TIMES.some((name) => name in fields);

const AGE_FIELDS = {
  age_sec: {
    type: 'integer',
    minimum: 0,
    description:
      'Seconds from the time of the rate until now or, for a rate of a day, until the end of that day.',
  },
  stale: {
    type: 'boolean',
    description: 'Whether that is longer than the maximum age of its market: say so to the user.',
  },
};

/** The schema of an answer whose rates have their age. */
export function agedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(agedSchema);
  if (!isJsonObject(schema)) return schema;
  const made = Object.fromEntries(
    Object.entries(schema).map(([name, one]) => [name, agedSchema(one)]),
  );
  const { properties, required } = made;
  if (!isJsonObject(properties) || !isRate(properties)) return made;
  const always = Array.isArray(required) ? required : [];
  // A field of only one form of the answer is not required, and then its age is not either.
  const ages = always.some((name) => FIGURES.includes(String(name))) ? Object.keys(AGE_FIELDS) : [];
  return {
    ...made,
    properties: { ...properties, ...AGE_FIELDS },
    required: [...new Set([...always, ...ages])],
  };
}

interface Around {
  readonly market: string | undefined;
  /** When the day ends for which the rates are. */
  readonly until: Instant;
}

/** The answer with `age_sec` and `stale` in every rate. */
export function withAges(
  answer: unknown,
  { markets, now }: { readonly markets: Markets; readonly now: Instant },
): unknown {
  const ofAny = Math.min(...markets.list.map(({ staleAfterSec }) => staleAfterSec));

  function limitOf(fields: Json, market: string | undefined): number {
    const { stale_after_sec: own } = fields;
    if (typeof own === 'number') return own;
    // What is of no market, such as the index, is as old as the service's last reading.
    if (market === undefined) return ofAny;
    const known = markets.find(market) ?? markets.find(OFFICIAL_USD);
    return known?.staleAfterSec ?? ofAny;
  }

  function aged(value: unknown, name: string, around: Around): unknown {
    if (Array.isArray(value)) return value.map((one) => aged(one, name, around));
    if (!isJsonObject(value)) return value;
    const market = marketOf(value, name) ?? around.market;
    const until = Math.min(endOfDay(value) ?? around.until, around.until);
    const here = { market, until };
    const parts = Object.entries(value).map(([key, part]) => [key, aged(part, key, here)]);
    const made: Json = Object.fromEntries(parts);
    const since = timeOf(value);
    if (!isRate(value) || since === undefined) return made;
    const age = Math.max(0, Math.floor((until - since) / SECOND_MS));
    return { ...made, age_sec: age, stale: age > limitOf(value, market) };
  }

  return aged(answer, '', { market: undefined, until: now });
}

/** The market that a part of an answer is of: by its id, or by the currency of an official rate. */
function marketOf({ market, currency }: Json, name: string): string | undefined {
  if (typeof market === 'string') return market;
  const official: Readonly<Record<string, string>> = OFFICIAL_RATES;
  return official[typeof currency === 'string' ? currency : name];
}

/**
 * The end of the day that a part of an answer is for. Days of markets in a series are of UTC, and of a
 * week or a month it is the first day, after which the rate was read.
 */
function endOfDay({
  date,
  as_of: asOf,
  value_date: valueDate,
  captured_at: read,
}: Json): Instant | undefined {
  const caracas = isJsonObject(asOf) ? asOf['date'] : valueDate === undefined ? undefined : date;
  if (typeof caracas === 'string') {
    const day = parseCaracasDay(caracas);
    return day && startOfCaracasDay(addCaracasDays(day, 1));
  }
  const day = typeof date === 'string' ? parseUtcDay(date) : undefined;
  return day && Math.max(endOfUtcDay(day), typeof read === 'string' ? Date.parse(read) : 0);
}

function timeOf(fields: Json): Instant | undefined {
  const text = TIMES.map((name) => fields[name]).find((one) => typeof one === 'string');
  if (typeof text !== 'string') return undefined;
  const day = parseCaracasDay(text);
  return day === undefined ? Date.parse(text) : startOfCaracasDay(day);
}
