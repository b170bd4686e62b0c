// The official rate at a till: the one in force and the next, kept where the network is not needed.
// No dependencies; browsers, Node 20 or later, Deno and Bun. The guide is /docs/till of the service.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Caracas is four hours behind UTC all year. */
const CARACAS_MS = -4 * HOUR_MS;

/** Between two readings, and between two while the central bank is expected to publish. */
export const READ_EVERY_MS = HOUR_MS;
export const READ_OFTEN_MS = 15 * MINUTE_MS;
/** After a failure, and after a refusal that only a person mends. */
export const RETRY_MS = MINUTE_MS;
export const REFUSED_MS = HOUR_MS;
/** The longest wait for an answer, and the largest difference of the clocks that changes nothing. */
const TIMEOUT_MS = 10_000;
const CLOCK_MS = MINUTE_MS;
/** The calendar is kept for so many days ahead: longer than a shop is without a network. */
const CALENDAR_DAYS = 90;

/** When the official rate is stale, as long as the service has not said it: its own 132 hours. */
const STALE_AFTER_SEC = 475_200;
/** Of what is kept. Raise it when you change that: what an older till kept is then read anew. */
const FORMAT = 1;

const MARKETS = { USD: 'reference', EUR: 'eur_reference' };
const RULES = ['value_date', 'next_banking_day'];

/** What a till may do with a rate, by the gravest thing that is known of it. */
export const SELL = {
  none: 'no',
  stale: 'no',
  clock: 'ask',
  in_doubt: 'ask',
  unpublished: 'marked',
  current: 'yes',
};
const STATES = Object.keys(SELL);

const startOf = (day) => Date.parse(`${day}T00:00:00Z`) - CARACAS_MS;
const dayOf = (instant) => new Date(instant + CARACAS_MS).toISOString().slice(0, 10);
const daysAfter = (day, days) => dayOf(startOf(day) + days * DAY_MS);

/** The failure of a reading: a code of the service, or `network_error`, `timeout`, `bad_answer`. */
class ReadingFailed extends Error {
  constructor(code, waitMs = RETRY_MS) {
    super(code);
    this.code = code;
    this.waitMs = waitMs;
  }
}

const badAnswer = () => new ReadingFailed('bad_answer');

/** A rate as the service writes it. The digits of the number are those of the rate. */
function rateOf(row) {
  if (row === undefined) return undefined;
  const { rate, value_date, effective_at } = row;
  const isRate = typeof rate === 'number' && rate > 0 && /^\d+(\.\d+)?$/.test(String(rate));
  const begins = Date.parse(effective_at);
  if (!isRate || !/^\d{4}-\d\d-\d\d$/.test(value_date) || Number.isNaN(begins)) throw badAnswer();
  return { rate: String(rate), valueDate: value_date, begins };
}

/** The rates of the official bank, for one till. `storage` is `{ load(), save(text) }`. */
export class Rates {
  #settings;
  #kept;
  #failure;
  #reading;
  #isSaved = true;

  /** Rates with what is kept in the storage. What belongs to another service is not used. */
  static async open(settings) {
    const rates = new Rates(settings);
    await rates.#load();
    return rates;
  }

  constructor({ url, key, storage, currency = 'USD', rule = 'value_date', ...io }) {
    if (!Object.hasOwn(MARKETS, currency)) throw new RangeError(`no official ${currency} here`);
    if (!RULES.includes(rule)) throw new RangeError(`the rule is one of ${RULES.join(', ')}`);
    const { now = Date.now, fetch = (...args) => globalThis.fetch(...args) } = io;
    const base = url.replace(/\/+$/, '');
    this.#settings = { url: base, key, storage, currency, rule, now, fetch };
  }

  async #load() {
    const { storage, url, currency } = this.#settings;
    try {
      const kept = JSON.parse(await storage.load());
      const isOurs = kept?.format === FORMAT && kept.url === url && kept.currency === currency;
      if (isOurs) this.#kept = kept;
    } catch {
      // Nothing that can be read is kept: the next reading brings it.
    }
  }

  /** When the next reading is due, in milliseconds; a time that has passed means now. */
  nextReadingAt() {
    const now = this.#settings.now();
    if (this.#failure !== undefined) return this.#failure.at + this.#failure.waitMs;
    if (this.#kept === undefined || this.#kept.readAt > now) return now;
    const { expected, next, readAt } = this.#kept;
    const isExpected = expected !== undefined && next === undefined;
    const isNow = isExpected && now >= expected.from && now <= expected.until;
    return readAt + (isNow ? READ_OFTEN_MS : READ_EVERY_MS);
  }

  /** The network is back: a reading that failed is due at once. */
  online() {
    if (this.#failure !== undefined && this.#failure.waitMs <= RETRY_MS) this.#failure.waitMs = 0;
  }

  /** Reads, if a reading is due. Never throws: `quote().trouble` has what failed. */
  async readIfDue() {
    if (this.nextReadingAt() <= this.#settings.now()) await this.read();
  }

  /** Reads once: one unit, and two more with the first reading of a day. Never throws. */
  read() {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOnce() {
    const { now } = this.#settings;
    const before = this.#kept;
    try {
      const official = this.#officialOf(await this.#get('official'));
      this.#kept = { ...before, ...official, ...(await this.#factsOfDay(before, official)) };
      this.#failure = undefined;
    } catch (error) {
      if (!(error instanceof ReadingFailed)) throw error;
      this.#failure = { code: error.code, at: now(), waitMs: error.waitMs };
      return;
    }
    try {
      await this.#settings.storage.save(JSON.stringify(this.#kept));
      this.#isSaved = true;
    } catch {
      // A full disk: the till goes on, and says that a restart would forget the rate.
      this.#isSaved = false;
    }
  }

  #officialOf({ rates, in_doubt: doubts = [], next_publication: publication, fetched_at }) {
    const { url, currency, now } = this.#settings;
    const { in_force, next } = rates?.[currency] ?? {};
    const [inForce, coming] = [rateOf(in_force), rateOf(next)];
    if ((inForce ?? coming) === undefined || !Array.isArray(doubts)) throw badAnswer();
    const readAt = now();
    // What the answer says of the time at which it was written, whatever the clock of the till says.
    const notBefore = Math.max(Date.parse(fetched_at) || 0, inForce?.begins ?? 0);
    const isBehind = readAt < notBefore - CLOCK_MS;
    const isAhead = coming !== undefined && readAt > coming.begins + CLOCK_MS;
    const inDoubt = doubts.filter((one) => one.currency === currency);
    return {
      ...{
        format: FORMAT,
        url,
        currency,
        readAt,
        isClockOff: isBehind || isAhead,
        inForce,
        next: coming,
      },
      inDoubt: inDoubt.map(({ value_date, rate, reasons }) => ({
        ...{ valueDate: value_date, rate: String(rate), reasons },
      })),
      expected: publication && {
        valueDate: publication.value_date,
        from: Date.parse(publication.expected_from),
        until: Date.parse(publication.expected_until),
      },
    };
  }

  /** The calendar, and when a rate is stale: once a day. Without an answer those of before hold. */
  async #factsOfDay(before, { inForce, next }) {
    const { currency, now } = this.#settings;
    const today = dayOf(now());
    if (before?.factsOf === today) return {};
    const from = [(inForce ?? next).valueDate, today].toSorted()[0];
    const to = daysAfter(today, CALENDAR_DAYS);
    try {
      const { days } = await this.#get(`calendar?from=${from}&to=${to}`);
      const { stale_after_sec } = await this.#get(`rates/${MARKETS[currency]}`);
      const closed = days.filter((day) => !day.business_day).map((day) => day.date);
      if (!(stale_after_sec > 0)) throw badAnswer();
      return { calendar: { from, to, closed }, staleAfterSec: stale_after_sec, factsOf: today };
    } catch {
      return {};
    }
  }

  async #get(path) {
    const { url, key, fetch } = this.#settings;
    let response;
    try {
      response = await fetch(`${url}/v1/fx/${path}`, {
        headers: { 'X-API-Key': key },
        cache: 'no-store',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      throw new ReadingFailed(error?.name === 'TimeoutError' ? 'timeout' : 'network_error');
    }
    const body = await response.json().catch(() => undefined);
    if (response.ok) {
      if (typeof body !== 'object' || body === null) throw badAnswer();
      return body;
    }
    const isRefused = [401, 402, 403].includes(response.status);
    const askedMs = Number(response.headers.get('retry-after')) * 1_000 || 0;
    const code = typeof body?.code === 'string' ? body.code : 'bad_answer';
    throw new ReadingFailed(code, isRefused ? REFUSED_MS : Math.max(RETRY_MS, askedMs));
  }

  /** Without a calendar for the day a working day is Monday to Friday: the till then marks too much. */
  #isBusinessDay(day) {
    const { calendar } = this.#kept;
    if (calendar !== undefined && day >= calendar.from && day <= calendar.to) {
      return !calendar.closed.includes(day);
    }
    return ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  }

  /** The business day nearest to this one, itself included. */
  #businessDay(day, step) {
    let near = day;
    while (!this.#isBusinessDay(near)) near = daysAfter(near, step);
    return near;
  }

  /** From when the till uses a rate: by the rule of the next business day from the first closed day. */
  #useFrom({ valueDate, begins }) {
    if (this.#settings.rule === 'value_date') return begins;
    return startOf(daysAfter(this.#businessDay(daysAfter(valueDate, -1), -1), 1));
  }

  /** The rate of this moment, what is known of it, and whether the till may sell with it. */
  quote(now = this.#settings.now()) {
    const trouble = this.#failure?.code ?? null;
    const kept = this.#kept;
    const rates = [kept?.inForce, kept?.next].filter((rate) => rate !== undefined);
    const used = rates.findLast((rate) => this.#useFrom(rate) <= now) ?? kept?.inForce;
    if (used === undefined) {
      const nothing = { rate: null, valueDate: null, next: null, held: null, expected: null };
      const readAt = kept?.readAt ?? null;
      return { ...seen(['none']), ...nothing, readAt, trouble, isSaved: this.#isSaved };
    }
    const next = rates.find((rate) => rate.valueDate > used.valueDate);
    const isInDoubt = ({ valueDate }) => kept.inDoubt.some((one) => one.valueDate === valueDate);
    const [today, step] = [dayOf(now), this.#settings.rule === 'value_date' ? -1 : 1];
    const expected = this.#businessDay(today, step);
    const known = {
      stale: now - used.begins > (kept.staleAfterSec ?? STALE_AFTER_SEC) * 1_000,
      clock:
        kept.isClockOff || now < kept.readAt - CLOCK_MS || now < this.#useFrom(used) - CLOCK_MS,
      in_doubt: isInDoubt(used),
      unpublished: used.valueDate < expected,
    };
    const held = kept.inDoubt.find((one) =>
      rates.every((rate) => rate.valueDate !== one.valueDate),
    );
    return {
      ...seen(STATES.filter((state) => known[state])),
      ...{ rate: used.rate, valueDate: used.valueDate },
      next:
        next === undefined
          ? null
          : {
              ...{ rate: next.rate, valueDate: next.valueDate },
              ...{ begins: this.#useFrom(next), isInDoubt: isInDoubt(next) },
            },
      held: held ?? null,
      expected: known.unpublished ? expected : null,
      ...{ readAt: kept.readAt, trouble, isSaved: this.#isSaved },
    };
  }
}

/** The gravest state first. */
function seen(reasons) {
  const [state = 'current'] = reasons;
  return { state, sell: SELL[state], reasons };
}
