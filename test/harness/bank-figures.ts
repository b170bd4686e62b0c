/**
 * Figures of the central bank, of 23 to 25 March 2026, for the value dates around Monday 23 November
 * 2026, a bank holiday.
 */
export const THURSDAY = {
  USD: 457.0757,
  EUR: 527.7944523,
  CNY: 66.35248091,
  TRY: 10.3170605,
  RUB: 5.45610887,
};
export const FRIDAY = {
  USD: 459.4525,
  EUR: 533.45651417,
  CNY: 66.78282798,
  TRY: 10.36781452,
  RUB: 5.58062745,
};
export const TUESDAY = {
  USD: 462.6687,
  EUR: 536.09422269,
  CNY: 67.10303267,
  TRY: 10.43329635,
  RUB: 5.72632455,
};

/** As the bank computes them from its dollar, cut off at the eighth decimal. */
export function bank(USD: number) {
  const cut = (rate: number) => Math.floor(rate * 1e8) / 1e8;
  return {
    USD,
    EUR: cut(USD * 1.1587),
    CNY: cut(USD / 6.8949),
    TRY: cut(USD / 44.3454),
    RUB: cut(USD / 80.7963),
  };
}
