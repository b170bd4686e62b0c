/** Conversions of the service's rules (interface §2.4), which it computes with its own decimals. */

/** Largest amount that may be converted. */
// limit: Amount converted by a static copy | 10^12 | `invalid_format`
export const MAX_COPY_AMOUNT = 1e12;

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The exact value `whole / 10 ** decimals`. */
interface Exact {
  readonly whole: bigint;
  readonly decimals: number;
}

function exact(text: string): Exact {
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e');
  const [integer = '', fraction = ''] = digits.split('.');
  const decimals = fraction.length - Number(exponent);
  const whole = BigInt(integer + fraction) * 10n ** BigInt(Math.max(0, -decimals));
  return { whole, decimals: Math.max(0, decimals) };
}

/** The text of an amount that may be converted; undefined for any other. */
export function writtenAmount(amount: unknown): string | undefined {
  const text = String(amount);
  const nearest = Number(text);
  if (!JSON_NUMBER.test(text) || !(nearest > 0 && nearest <= MAX_COPY_AMOUNT)) return undefined;
  const { whole, decimals } = exact(text);
  return whole <= BigInt(MAX_COPY_AMOUNT) * 10n ** BigInt(decimals) ? text : undefined;
}

/** Multiplies by the rate to VES, divides by it from VES. Two decimals, half away from zero. */
export function convertedAmount(amount: string, rate: number, toVes: boolean): number {
  const [given, factor] = [exact(amount), exact(String(rate))];
  const [over, under] = toVes
    ? [given.whole * factor.whole, 10n ** BigInt(given.decimals + factor.decimals)]
    : [given.whole * 10n ** BigInt(factor.decimals), factor.whole * 10n ** BigInt(given.decimals)];
  // Half more, then without the rest: positive amounts are rounded half away from zero.
  return Number(`${(200n * over + under) / (2n * under)}e-2`);
}
