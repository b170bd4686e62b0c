// A sale in dollars that is paid in dollars, in bolívares or in both. Amounts are whole cents, a rate
// is the text of its digits: nothing here is a fraction of a computer, so nothing is lost or invented.

/** The smallest dollar bill and the smallest bolívar bill of a drawer, in cents. Set your own. */
export const CASH = { usd: 100, bs: 500 };

const whole = (cents) => {
  if (!Number.isSafeInteger(cents)) throw new RangeError('an amount is a whole number of cents');
  return BigInt(cents);
};

/** A rate as a fraction of whole numbers. */
function fractionOf(rate) {
  const [, units, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(rate) ?? [];
  const above = units === undefined ? 0n : BigInt(units + decimals);
  if (above === 0n) throw new RangeError('a rate is the text of a number above zero');
  return { above, below: 10n ** BigInt(decimals.length) };
}

const floorDivide = (above, below) => above / below - (above % below < 0n ? 1n : 0n);
const ceilDivide = (above, below) => -floorDivide(-above, below);
const floorTo = (cents, unit) => Math.floor(cents / unit) * unit;
const ceilTo = (cents, unit) => Math.ceil(cents / unit) * unit;

/** Cents of bolívares for cents of dollars, rounded once: a half goes up. */
export function toBolivares(usdCents, rate) {
  const { above, below } = fractionOf(rate);
  const cents = Number(floorDivide(2n * whole(usdCents) * above + below, 2n * below));
  if (!Number.isSafeInteger(cents)) throw new RangeError('the bolívares have too many digits');
  return cents;
}

/** The bolívares of each line of an invoice, which add up to those of its total. */
export function lineBolivares(usdCents, rate) {
  let [sum, shared] = [0, 0];
  return usdCents.map((line) => {
    sum += line;
    const before = shared;
    shared = toBolivares(sum, rate);
    return shared - before;
  });
}

/** Cents of an amount as people type it (`12,50`, `12.5`); undefined if it could mean two amounts. */
export function typedCents(text) {
  const [, units, decimals = ''] = /^(\d{1,12})(?:(?:\.|,)(\d{1,2}))?$/.exec(text.trim()) ?? [];
  return units === undefined ? undefined : Number(units + decimals.padEnd(2, '0'));
}

/** A sale keeps the rate with which it began, also when it is paid after midnight. */
export class Sale {
  #movements = [];

  /** `total` is in cents of dollars, `quote` is that of `Rates`, with which the sale is paid. */
  constructor({ total, quote: { rate, valueDate }, cash = CASH }) {
    if (whole(total) < 0n) throw new RangeError('a total is not below zero');
    fractionOf(rate);
    this.total = total;
    this.rate = rate;
    this.valueDate = valueDate;
    this.cash = cash;
  }

  /** What the customer gave, less the change, of a currency (`usd`, `bs`). */
  #net(currency) {
    const own = this.#movements.filter((movement) => movement.currency === currency);
    return own.reduce((sum, movement) => sum + movement.cents, 0);
  }

  /** What the customer still owes, in cents of bolívares; below zero it is change. */
  get balance() {
    return toBolivares(this.total - this.#net('usd'), this.rate) - this.#net('bs');
  }

  /** What is missing, in each way of paying it. In cash nobody pays more than is owed in bolívares. */
  get due() {
    const bs = Math.max(0, this.balance);
    const { above, below } = fractionOf(this.rate);
    const usd =
      this.#net('bs') === 0
        ? Math.max(0, this.total - this.#net('usd'))
        : Number(ceilDivide(BigInt(bs) * below, above));
    const { cash } = this;
    return { bs, bsCash: floorTo(bs, cash.bs), usd, usdCash: ceilTo(usd, cash.usd) };
  }

  /** The customer pays: cents of `usd` or `bs`, in cash or not (transfer, *pago móvil*, card). */
  pay(currency, cents, { inCash = true } = {}) {
    this.#move(currency, cents, inCash);
  }

  #move(currency, cents, inCash) {
    if (currency !== 'usd' && currency !== 'bs') throw new RangeError('pay in usd or bs');
    if (whole(cents) === 0n) throw new RangeError('pay more than nothing');
    this.#movements.push({ currency, cents, inCash });
  }

  /**
   * The change: dollars that exist as bills, the rest in bolívares. Dollars only for dollars, and at
   * most `usdMax` of the drawer. In cash the bolívares go up to a bill that exists.
   */
  change({ usdMax = Number.MAX_SAFE_INTEGER, inCash = true } = {}) {
    const over = Math.max(0, -this.balance);
    const { above, below } = fractionOf(this.rate);
    const paid = this.#net('usd');
    const exact =
      this.#net('bs') === 0 ? paid - this.total : Number(floorDivide(BigInt(over) * below, above));
    const usd = floorTo(Math.max(0, Math.min(exact, usdMax, paid)), this.cash.usd);
    const left = toBolivares(this.total - paid + usd, this.rate) - this.#net('bs');
    const bs = Math.max(0, -left);
    return { usd, bs: inCash ? ceilTo(bs, this.cash.bs) : bs };
  }

  /** The shop gives change. */
  give({ usd = 0, bs = 0 }, { inCash = true } = {}) {
    if (usd !== 0) this.#move('usd', -usd, true);
    if (bs !== 0) this.#move('bs', -bs, inCash);
  }

  /**
   * The receipt: what to store with the sale. `rounding` are the cents of bolívares that the shop gave
   * up because no bill is so small; they are never the customer's.
   */
  receipt() {
    const rounding = this.balance;
    const isInCash = this.#movements.at(-1)?.inCash === true;
    const isRounding = rounding === 0 || (isInCash && rounding > 0 && rounding < this.cash.bs);
    if (!isRounding) throw new Error(rounding > 0 ? 'the customer still owes' : 'change is owed');
    const { total, rate, valueDate } = this;
    const bs = toBolivares(total, rate);
    return {
      total: { usd: total, bs },
      rate,
      valueDate,
      movements: [...this.#movements],
      rounding,
    };
  }
}
