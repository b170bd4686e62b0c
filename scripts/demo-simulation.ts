import { divide, multiply, round, toNumber } from '../src/core/domain/decimal.ts';
import {
  addCaracasDays,
  DAY_MS,
  HOUR_MS,
  type Instant,
  isoInstant,
  parseCaracasDay,
} from '../src/core/domain/time.ts';

/*
 * The figures that the demonstration simulates, made of the real ones: those of markets without a
 * real series, and those after the last real figure. The rule is seeded: the same market and instant
 * always give the same figure. demo/PROVENANCE.md documents it.
 */

/** A record of demo/figures.ndjson.gz. */
export interface RealRecord {
  readonly kind: string;
  readonly market?: string;
  readonly mid?: number;
  readonly captured_at: string;
  readonly value_date?: string;
  readonly rates?: Readonly<Record<string, number>>;
}

interface Capture {
  readonly at: Instant;
  readonly mid: number;
}

interface Rule {
  readonly market: string;
  /** The real series that it follows. */
  readonly follows: 'binance' | 'parallel';
  /** Its usual ratio to that series. */
  readonly factor: number;
  /** Share between its two sides; 0 for a market that publishes one figure. */
  readonly spread: number;
}

/** Every market of the packaged catalogue except the official ones. */
const RULES: readonly Rule[] = [
  { market: 'binance', follows: 'binance', factor: 1, spread: 0.002 },
  { market: 'bingx', follows: 'binance', factor: 1.0042, spread: 0.006 },
  { market: 'bitget', follows: 'binance', factor: 0.9981, spread: 0.004 },
  { market: 'bybit', follows: 'binance', factor: 1.0013, spread: 0.003 },
  { market: 'mexc', follows: 'binance', factor: 0.9958, spread: 0.008 },
  { market: 'okx', follows: 'binance', factor: 1.0027, spread: 0.005 },
  { market: 'saldo', follows: 'binance', factor: 0.9874, spread: 0.018 },
  { market: 'parallel', follows: 'parallel', factor: 1, spread: 0 },
  { market: 'remittance_market_1', follows: 'binance', factor: 0.984, spread: 0 },
  { market: 'remittance_market_2', follows: 'binance', factor: 0.9775, spread: 0 },
  { market: 'extended_market_1', follows: 'parallel', factor: 1.0061, spread: 0.02 },
  { market: 'extended_market_2', follows: 'parallel', factor: 0.9952, spread: 0.016 },
  { market: 'extended_market_3', follows: 'parallel', factor: 1.0105, spread: 0.024 },
  { market: 'extended_market_4', follows: 'binance', factor: 0.9712, spread: 0 },
  { market: 'cash', follows: 'parallel', factor: 1.0124, spread: 0.03 },
  { market: 'cucuta', follows: 'parallel', factor: 1.0233, spread: 0.028 },
];

/** Largest slow noise, over hours, as a share. */
const HOURLY_NOISE = 0.003;
/** Largest fast noise, between observations, as a share. */
const TICK_NOISE = 0.0006;
/** Observations within this time have the same fast noise. */
const TICK_MS = 5_000;
/** Growth a day after the last real capture. */
const DAILY_DRIFT = 0.0025;
const SEED = 20_260_810;

const WEEK_MS = 7 * DAY_MS;
/** How long the figures go on after the last real ones. */
const WEEKS_AFTER = 52;
/** Daily factor of simulated publications: a third of a percent each business day. */
const PUBLICATION_STEP = 1.0033;
/** How many business days are simulated: about a year. */
const PUBLICATIONS_AFTER = 250;

/** The simulated records: the quotes of all markets by time, then the publications. */
export function simulatedRecords(records: readonly RealRecord[]): readonly object[] {
  const real = Map.groupBy(
    records.filter(({ kind }) => kind === 'quote'),
    ({ market = '' }) => market,
  );
  const captures = (market: string) =>
    (real.get(market) ?? []).map(({ captured_at: time, mid = 0 }) => ({
      at: Date.parse(time),
      mid,
    }));
  const parallel = captures('parallel');
  const series = { parallel, binance: continuedBack(captures('binance'), parallel) };
  const quotes = RULES.flatMap((rule) => {
    const followed = series[rule.follows];
    const last = followed.at(-1)?.at ?? 0;
    const later = Array.from({ length: WEEKS_AFTER }, (_, week) => last + (week + 1) * WEEK_MS);
    return [...followed.map(({ at }) => at), ...later].map((at) => quoteAt(followed, rule, at));
  });
  const byTime = quotes.toSorted((a, b) => Date.parse(a.captured_at) - Date.parse(b.captured_at));
  return [...byTime, ...publicationsAfter(records.findLast(({ kind }) => kind === 'official'))];
}

/** A series with the earlier captures of another before it, in proportion to where they meet. */
function continuedBack(series: readonly Capture[], other: readonly Capture[]): readonly Capture[] {
  const [first] = series;
  const earlier = other.filter(({ at }) => at < (first?.at ?? 0));
  const last = earlier.at(-1);
  if (first === undefined || last === undefined) return series;
  const moved = ({ at, mid }: Capture) => ({
    at,
    mid: toNumber(round(multiply(mid, divide(first.mid, last.mid, 12)), 8)),
  });
  return [...earlier.map(moved), ...series];
}

/** The figure of a market at an instant of the series that it follows. */
function quoteAt(series: readonly Capture[], { market, factor, spread }: Rule, at: Instant) {
  const base = interpolated(series, at);
  const hourly = HOURLY_NOISE * smoothNoise(market, at / HOUR_MS);
  const tick = TICK_NOISE * noise(market, Math.floor(at / TICK_MS));
  const side = (share: number) =>
    toNumber(round(multiply(base, factor * (1 + hourly + tick + share)), 2));
  const sides = spread === 0 ? {} : { ask: side(spread / 2), bid: side(-spread / 2) };
  return { kind: 'quote', market, mid: side(0), ...sides, captured_at: isoInstant(at) };
}

/** Each on the next weekday. The demonstration gives it a business day of the current calendar. */
function publicationsAfter(last: RealRecord | undefined): readonly object[] {
  let rates = last?.rates ?? {};
  let day = parseCaracasDay(last?.value_date ?? '');
  return Array.from({ length: PUBLICATIONS_AFTER }, () => {
    if (day === undefined) throw new Error('there is no publication');
    do day = addCaracasDays(day, 1);
    while ([0, 6].includes(new Date(day).getUTCDay()));
    rates = Object.fromEntries(
      Object.entries(rates).map(([currency, rate]) => [
        currency,
        toNumber(round(multiply(rate, PUBLICATION_STEP), 8)),
      ]),
    );
    return { kind: 'official', value_date: day, rates, captured_at: last?.captured_at };
  });
}

/** Linear between the captures of a series. After the last one it grows by `DAILY_DRIFT`. */
function interpolated(series: readonly Capture[], at: Instant): number {
  const next = series.findIndex((capture) => capture.at > at);
  const [after, before] = [series[next], series[next - 1]];
  const last = series.at(-1);
  if (last === undefined) throw new Error('the demonstration lacks a series');
  if (next === -1) return last.mid * (1 + DAILY_DRIFT * ((at - last.at) / DAY_MS));
  if (after === undefined || before === undefined) return series[0]?.mid ?? last.mid;
  const share = (at - before.at) / (after.at - before.at);
  return before.mid + (after.mid - before.mid) * share;
}

/** From -1 to 1, without jumps between whole steps. */
function smoothNoise(name: string, step: number): number {
  const whole = Math.floor(step);
  const share = step - whole;
  return noise(name, whole) * (1 - share) + noise(name, whole + 1) * share;
}

/** From -1 to 1, by name and step: a 32-bit hash (FNV-1a with an extra mixing step). */
function noise(name: string, step: number): number {
  let hash = SEED;
  for (const character of `${name}:${step}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x7fffffff - 1;
}
