import { multiply, round, toNumber } from '../../domain/decimal.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../domain/time.ts';
import type { Capture, DemoFigures } from './demo-figures.ts';

/*
 * How a market without a real series follows one that has it. The rule is seeded: the same market
 * and instant always give the same figure. demo/PROVENANCE.md documents it.
 */

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
export const RULES: readonly Rule[] = [
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

/** The simulated figure of a market at a real instant of its series. */
export function simulatedAt(
  { series }: DemoFigures,
  { market, follows, factor, spread }: Rule,
  at: Instant,
): Capture {
  const base = interpolated(series.get(follows) ?? [], at);
  const hourly = HOURLY_NOISE * smoothNoise(market, at / HOUR_MS);
  const tick = TICK_NOISE * noise(market, Math.floor(at / TICK_MS));
  const side = (share: number) =>
    toNumber(round(multiply(base, factor * (1 + hourly + tick + share)), 2));
  const mid = side(0);
  return spread === 0 ? { at, mid } : { at, mid, ask: side(spread / 2), bid: side(-spread / 2) };
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
