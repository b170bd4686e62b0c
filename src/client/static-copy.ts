import { convertedAmount, MAX_COPY_AMOUNT, writtenAmount } from './amounts.ts';
import type { ApiCall, Send } from './calls.ts';
import {
  aged,
  asCopied,
  type CopiedRate,
  inForceAt,
  type Latest,
  OFFICIAL,
} from './copy-latest.ts';
import type { OfficialOnDay, OfficialRule } from './copy-types.ts';
import { VesfxError } from './errors.ts';
import { asObject, type HttpClient, objectIn } from './http-client.ts';
import { notPublished, requiredRule } from './official-day.ts';
import type { AsOf } from './types.ts';

/** Answers calls from a static copy of a service (contract §22), by the clock of the caller. */

const SECOND_MS = 1_000;
const CARACAS_OFFSET_MS = -4 * 3_600 * SECOND_MS;
const DAY_MS = 86_400 * SECOND_MS;
/** Most days without banks in a row, in which the next banking day is looked for. */
// limit: Days to the next banking day in a static copy | 15 | `rate_not_published`
const MAX_CLOSED_DAYS = 15;

interface DayFile {
  readonly date: string;
  readonly business_day: boolean;
  readonly carried_days?: number;
  readonly missing?: true;
  readonly unit_changes?: AsOf['unit_changes'];
  /** Absent in copies of an earlier version, null while its rates are not published. */
  readonly next_banking_day?: string | null;
  readonly rates: Readonly<Record<string, DayRate>>;
}

interface DayRate {
  readonly rate: number;
  readonly value_date: string;
  /** In the bolívar of the file's day, as `rate` is. */
  readonly next_banking_day_rate?: number | null;
}

type Query = Readonly<Record<string, string | number | undefined>>;

const caracasDayOf = (instant: number) =>
  new Date(instant + CARACAS_OFFSET_MS).toISOString().slice(0, 10);
const effectOf = (valueDate: string) =>
  new Date(Date.parse(valueDate) - CARACAS_OFFSET_MS).toISOString();
const daysFrom = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    // Some engines read February 30 as a day of March.
    daysFrom(text, 0) === text
  );
}

/** An error as the service answers it, with the rule that the value broke. */
function invalid(field: string, rule: string, message: string): VesfxError {
  return new VesfxError('invalid_format', { message, field, details: { rule } });
}

function notFound(field: string, reason: string, message: string): VesfxError {
  return new VesfxError('resource_not_found', { message, field, details: { reason } });
}

function notInCopy(what: string): VesfxError {
  const message = `A static copy has no answer to ${what}: ask a service, with baseUrl.`;
  return new VesfxError('not_in_static_copy', { message });
}

export class CopyReader {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Answers as the service does, or rejects as it does. */
  async answer({ path, query = {}, method = 'GET', signal }: ApiCall): Promise<unknown> {
    const asked: Query = Object.fromEntries(
      Object.entries(query).filter(([, value]) => value !== undefined),
    );
    const only = (...names: readonly string[]) => {
      const other = Object.keys(asked).find((name) => !names.includes(name));
      if (other !== undefined) throw notInCopy(`${path} with ${other}`);
    };
    const market = /^\/v1\/fx\/rates\/([^/]+)$/.exec(path)?.[1];
    if (method !== 'GET') throw notInCopy(`${method} ${path}`);
    if (market !== undefined) {
      only('date', 'rule');
      return this.#rate(decodeURIComponent(market), 'market', asked, signal);
    }
    switch (path) {
      case '/v1/fx/rates': {
        only();
        const { rates, index, fetched_at } = await this.#latest(signal);
        const head = { country: 'VE', currency: 'VES', base: 'USD' };
        return { ...head, rates: rates.map(aged), ...(index && { index }), fetched_at };
      }
      case '/v1/fx/official': {
        only();
        const { official } = await this.#latest(signal);
        if (official !== undefined) return official;
        const message = 'No official rate is in the copy yet.';
        throw new VesfxError('bcv_snapshot_unavailable', {
          message,
          details: { reason: 'no_data' },
        });
      }
      case '/v1/fx/index': {
        only();
        const { index } = await this.#latest(signal);
        if (index !== undefined) return index;
        throw new VesfxError('service_unavailable', { message: 'The copy has no index now.' });
      }
      case '/v1/fx/convert':
        only('from', 'to', 'amount', 'via', 'market', 'date', 'rule');
        return this.#convert(asked, signal);
      default:
        throw notInCopy(path);
    }
  }

  /** The rate of a day by a rule. */
  async officialOn(
    date: string,
    { currency, rule }: { readonly currency: string; readonly rule: OfficialRule },
    signal: AbortSignal | undefined,
  ): Promise<OfficialOnDay> {
    const code = currency.toUpperCase();
    if (!/^[A-Z]{3}$/.test(code))
      throw invalid('currency', 'malformed', 'currency must be three letters.');
    const asked = await this.#day(date, signal);
    const { business_day } = asked;
    const isOwn = business_day || rule === 'value_date';
    const day = isOwn ? asked : await this.#nextBankingDay(asked, code, signal);
    const found = day.rates[code];
    if (day.missing) throw notInCopyYet(date, code);
    if (found === undefined) {
      throw notFound('currency', 'no_data', `The copy has no rate of ${code} on ${day.date}.`);
    }
    const { rate, value_date } = found;
    // Of this currency: the day tells them from the newest of all. Both are days at 00:00 UTC.
    const carried_days = Math.max(0, (Date.parse(date) - Date.parse(value_date)) / DAY_MS);
    const answer = { currency: code, date, rate, value_date, business_day, carried_days };
    return { ...answer, ...(day.unit_changes && { unit_changes: day.unit_changes }) };
  }

  async #latest(signal: AbortSignal | undefined): Promise<Latest> {
    const latest = await this.#file<Latest>('/v1/latest.json', signal);
    if (!Array.isArray(latest?.rates) || !latest.rates.every(asObject)) throw noCopy();
    return inForceAt(latest, Date.now());
  }

  async #day(date: string, signal: AbortSignal | undefined): Promise<DayFile> {
    if (!isDay(date)) {
      throw invalid('date', 'not_a_day', 'date must be a day, YYYY-MM-DD.');
    }
    const day = await this.#file<DayFile>(`/v1/official/${date}.json`, signal);
    if (day === undefined) throw await this.#unknownDay(date, signal);
    if (day.date !== date || asObject(day.rates) === undefined) throw noCopy();
    return day;
  }

  /** The copy ends with the next value date: later days are not known yet. */
  async #unknownDay(date: string, signal: AbortSignal | undefined): Promise<VesfxError> {
    const today = caracasDayOf(Date.now());
    if (date <= today) return notFound('date', 'no_data', `The copy has no day ${date}.`);
    const { official } = await this.#latest(signal);
    const { next, in_force: inForce } = official?.rates.USD ?? {};
    const last_value_date = (next ?? inForce)?.value_date ?? null;
    return new VesfxError('invalid_format', {
      message: `The rate of ${date} is not published yet.`,
      field: 'date',
      details: { rule: 'future_day', today, last_value_date },
    });
  }

  /** Undefined for a file that is not there. An object store may refuse it instead, with 403. */
  async #file<Body>(path: string, signal: AbortSignal | undefined): Promise<Body | undefined> {
    let text: string;
    try {
      text = await this.#http.text({ path, signal, open: true });
    } catch (error) {
      const { status = 0 } = error instanceof VesfxError ? error : {};
      if (status === 403 || status === 404) return undefined;
      throw error;
    }
    const body = objectIn(text);
    if (body === undefined) throw noCopy();
    return asCopied(body);
  }

  async #rate(name: string, field: string, asked: Query, signal: AbortSignal | undefined) {
    const { date, rule } = asked;
    if (rule !== undefined && date === undefined)
      throw invalid('rule', 'not_applicable', 'rule requires date.');
    const { rates } = await this.#latest(signal);
    const found = rates.find(({ market }) => market === name);
    if (found === undefined) {
      const ids = rates.map(({ market }) => market).join(', ');
      const message = `There is no market ${name} in the copy; these are: ${ids}.`;
      throw notFound(field, 'unknown_market', message);
    }
    if (date === undefined) return aged(found);
    if (OFFICIAL[found.base] !== name) throw notInCopy(`a past day of ${name}`);
    return this.#pastRate(found, { date: String(date), rule: requiredRule(rule) }, signal);
  }

  async #pastRate(
    { market, type, base, stale_after_sec }: CopiedRate,
    { date, rule }: { readonly date: string; readonly rule: OfficialRule },
    signal: AbortSignal | undefined,
  ) {
    const choice = { currency: base, rule };
    const { currency: _, rate, ...day } = await this.officialOn(date, choice, signal);
    return {
      ...{ market, type, base, mid: rate, updated_at: effectOf(day.value_date) },
      ...{ effective_date: day.value_date, stale_after_sec },
      as_of: { ...day, rule },
    };
  }

  /** The copy ends with the next value date, so a later day is not published yet. */
  async #nextBankingDay(
    asked: DayFile,
    currency: string,
    signal: AbortSignal | undefined,
  ): Promise<DayFile> {
    const { date, rates, next_banking_day: value_date } = asked;
    const { next_banking_day_rate: rate } = rates[currency] ?? {};
    // It prices an amount of the day that was asked for, in the bolívar of that day.
    if (value_date && rate) return { ...asked, rates: { [currency]: { rate, value_date } } };
    for (let after = 1; after <= MAX_CLOSED_DAYS; after += 1) {
      const file = await this.#file<DayFile>(`/v1/official/${daysFrom(date, after)}.json`, signal);
      if (file === undefined) break;
      if (file.business_day) return file;
    }
    throw notInCopyYet(date, currency);
  }

  async #convert(asked: Query, signal: AbortSignal | undefined) {
    const [from, to] = [asked['from'], asked['to']].map((code) => String(code).toUpperCase());
    const toVes = to === 'VES';
    const base = toVes ? from : to;
    const faulty = toVes ? 'from' : 'to';
    if (from !== 'VES' && !toVes) throw invalid('to', 'wrong_pair', 'One side must be VES.');
    if (base !== 'USD' && base !== 'EUR')
      throw invalid(faulty, 'unknown_value', `${faulty} must be USD or EUR.`);
    const amount = writtenAmount(asked['amount']);
    if (amount === undefined) {
      throw invalid(
        'amount',
        'out_of_range',
        `amount must be a number above 0, at most ${MAX_COPY_AMOUNT}.`,
      );
    }
    const field = asked['via'] === undefined ? 'market' : 'via';
    const name = String(asked['via'] ?? asked['market'] ?? OFFICIAL[base]);
    const {
      mid: rate,
      stale_after_sec: _,
      ...found
    } = await this.#rate(name, field, asked, signal);
    if (found.base !== base)
      throw invalid(field, 'wrong_market', `${name} quotes ${found.base}, not ${base}.`);
    const { market, type, updated_at, effective_date } = found;
    if (!toVes && type === 'remittance')
      throw invalid(field, 'wrong_market', `${name} only converts to VES.`);
    return {
      from: { currency: from, amount: Number(amount) },
      to: { currency: to, amount: convertedAmount(amount, rate, toVes) },
      ...{ rate, market, type, updated_at, ...(effective_date && { effective_date }) },
      ...('as_of' in found
        ? { as_of: found.as_of }
        : { staleness_sec: found.staleness_sec, stale: found.stale }),
    };
  }
}

/** The calls of the client, answered from a copy. */
export function sendTo(copy: CopyReader): Send {
  return async (call) => asCopied(await copy.answer(call));
}

function notInCopyYet(date: string, currency: string): VesfxError {
  return notPublished(`No rate of ${currency} is in the copy for ${date}.`, currency, date);
}

function noCopy(): VesfxError {
  const message = 'There is no static copy of a vesfx service: check static.';
  return new VesfxError('unexpected_answer', { message });
}
