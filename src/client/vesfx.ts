import { AccountKeys, keyPath, MarkupRules } from './account-calls.ts';
import { asAskedFor, type CallOptions, json } from './answers.ts';
import { everyPoint, type HistoryRange } from './history.ts';
import { type Call, HttpClient, type Limits } from './http-client.ts';
import { readOptions, type VesfxOptions } from './options.ts';
import { type ReadOptions, readCall } from './reads.ts';
import type * as api from './types.ts';

export type { AccountKeys, MarkupRules } from './account-calls.ts';
export type { CallOptions } from './answers.ts';
export {
  type ClientErrorCode,
  type LimitScope,
  VesfxError,
  type VesfxErrorCode,
} from './errors.ts';
export type { HistoryRange } from './history.ts';
export type { Limits } from './http-client.ts';
export type { VesfxOptions } from './options.ts';
export * from './types.ts';

/** Requests the answer as text in another format, if the plan includes it. */
export interface AsText {
  readonly format: 'csv' | 'xml';
  /** Language of a CSV. `es` has `;`, decimal commas and Spanish headers. */
  readonly locale?: 'en' | 'es' | undefined;
}

/** An amount. Text is sent unchanged, so money that a double would round stays exact. */
export interface Amount {
  readonly amount: number | string;
}

/** A past day in Caracas, `YYYY-MM-DD`. */
export interface OnDate {
  readonly date: string;
}

/** No past day: the current rate. */
export interface Current {
  readonly date?: undefined;
}

interface WithMarkup {
  readonly markup: string;
}

export type ConvertOptions = Omit<api.ConvertQuery, 'amount'> & Amount & CallOptions;
export type RouteOptions = Omit<api.CompareMarketsQuery, 'amount' | 'max_staleness'> &
  Amount &
  CallOptions & {
    /** Leaves out quotes older than this many seconds; 0 for no limit. */
    readonly max_staleness?: number | undefined;
  };
export type BulkConvertOptions = Omit<api.BulkConversionRequest, 'amounts'> &
  CallOptions & { readonly amounts: readonly number[] };
export type CalendarOptions = api.GetCalendarQuery & CallOptions;
export type CandlesOptions = api.GetCandlesQuery & CallOptions;
export type ChangesOptions = Omit<api.ListChangesQuery, 'markets'> &
  CallOptions & {
    /** Ids or aliases; all markets of the plan when absent. */
    readonly markets?: readonly string[] | undefined;
  };
export type HistoryOptions = HistoryRange & CallOptions;
export type RateOptions = api.GetRateQuery & CallOptions;
export type RatesOptions = api.ListRatesQuery & CallOptions;
export type SpreadOptions = api.GetSpreadQuery & CallOptions;
export type AccountOptions = api.GetAccountQuery & CallOptions;
export type UsageOptions = api.GetUsageQuery & CallOptions;

/** The options of any method: its query parameters, and the call options. */
type GetOptions = CallOptions & {
  readonly format?: string;
  readonly date?: string | undefined;
  readonly markets?: string | undefined;
};

/**
 * A client of one vesfx service. Every method returns the service's answer, or rejects with a
 * `VesfxError`.
 *
 * ```ts
 * const vesfx = new Vesfx({ baseUrl: 'http://127.0.0.1:8080', key });
 * const { to, stale } = await vesfx.convert({ from: 'USD', to: 'VES', amount: 100 });
 * ```
 */
export class Vesfx {
  readonly #http: HttpClient;
  /** The keys of the account. These calls cost nothing. */
  readonly keys: AccountKeys;
  /** The markup rules of the account. These calls cost nothing. */
  readonly markups: MarkupRules;

  /** @throws TypeError for an invalid option. */
  constructor(options: VesfxOptions) {
    this.#http = new HttpClient(readOptions(options));
    this.keys = new AccountKeys(this.#http);
    this.markups = new MarkupRules(this.#http);
  }

  /** The remaining quota of the account, from the last answer. */
  get limits(): Limits {
    return this.#http.limits;
  }

  /** The quotes of the plan's markets; `markup` applies a saved rule, `date` reads a past day. */
  rates(options: RatesOptions & AsText): Promise<string>;
  rates(options: RatesOptions & OnDate & WithMarkup): Promise<api.PastRatesWithMarkup>;
  rates(options: RatesOptions & OnDate): Promise<api.PastRates>;
  rates(options: RatesOptions & Current & WithMarkup): Promise<api.RatesWithMarkup>;
  rates(options?: RatesOptions & Current): Promise<api.Rates>;
  rates(options: RatesOptions): Promise<api.AnyRates>;
  rates(options: RatesOptions | (RatesOptions & AsText) = {}): Promise<unknown> {
    return this.#get('/v1/fx/rates', options);
  }

  /** The quote of one market, by id or alias; `date` reads a past day in Caracas. */
  rate(market: string, options: RateOptions & AsText): Promise<string>;
  rate(market: string, options: RateOptions & OnDate): Promise<api.PastRate>;
  rate(market: string, options?: RateOptions & Current): Promise<api.Rate>;
  rate(market: string, options: RateOptions): Promise<api.AnyRate>;
  rate(market: string, options: RateOptions = {}): Promise<unknown> {
    return this.#get(ratePath(market), options);
  }

  /**
   * Every point of a range, oldest first, each once, however many there are. A long raw series is
   * read in windows, each of which costs a unit. `from` and `to` default to the history of the plan.
   *
   * ```ts
   * for await (const point of vesfx.history('parallel', { granularity: 'raw' })) …
   * ```
   */
  history(market: string, options: HistoryOptions = {}): AsyncGenerator<api.CapturedRate, void> {
    const { signal, ...range } = options;
    return everyPoint((part) => this.historyCollection(market, { ...part, signal }), range);
  }

  /** The series as one answer; a raw one is cut to its newest 5,000 points and then `truncated`. */
  historyCollection(market: string, options: HistoryOptions & AsText): Promise<string>;
  historyCollection(market: string, options?: HistoryOptions): Promise<api.HistoryCollection>;
  historyCollection(market: string, options: HistoryOptions = {}): Promise<unknown> {
    return this.#get(`${ratePath(market)}/history`, options);
  }

  /** The last point captured before the end of a UTC day, `YYYY-MM-DD`. */
  historyPoint(market: string, date: string, options: CallOptions & AsText): Promise<string>;
  historyPoint(market: string, date: string, options?: CallOptions): Promise<api.HistoryPoint>;
  historyPoint(market: string, date: string, options: CallOptions = {}): Promise<unknown> {
    return this.#get(`${ratePath(market)}/history`, { ...options, date });
  }

  /** First, highest, lowest and last rate of each UTC day, week or month. */
  candles(market: string, options: CandlesOptions & AsText): Promise<string>;
  candles(market: string, options?: CandlesOptions): Promise<api.Candles>;
  candles(market: string, options: CandlesOptions = {}): Promise<unknown> {
    return this.#get(`${ratePath(market)}/candles`, options);
  }

  /** The change of each current rate over a day or a longer period. */
  changes(options: ChangesOptions & AsText): Promise<string>;
  changes(options?: ChangesOptions): Promise<api.Changes>;
  changes({ markets, ...options }: ChangesOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/changes', { ...options, markets: markets?.join(',') });
  }

  /** The catalogue of markets, without prices. */
  markets(options: CallOptions = {}): Promise<api.Markets> {
    return this.#get('/v1/fx/markets', options);
  }

  /** Converts at the official rate; `via` chooses another market, `date` a past day in Caracas. */
  convert(options: ConvertOptions & AsText): Promise<string>;
  convert(options: ConvertOptions & OnDate): Promise<api.PastConversion>;
  convert(options: ConvertOptions & Current): Promise<api.Conversion>;
  convert(options: ConvertOptions): Promise<api.AnyConversion>;
  convert(options: ConvertOptions): Promise<unknown> {
    return this.#get('/v1/fx/convert', options);
  }

  /** Converts 1 to 50 amounts at one rate, for one unit. */
  bulkConvert({ signal, ...body }: BulkConvertOptions): Promise<api.BulkConversion> {
    const call: Call = { method: 'POST', path: '/v1/fx/bulk/convert', body, signal };
    return json(this.#http, call);
  }

  /** The executable markets, ranked by the amount that each would yield. */
  route(options: RouteOptions & AsText): Promise<string>;
  route(options: RouteOptions): Promise<api.Route>;
  route(options: RouteOptions): Promise<unknown> {
    return this.#get('/v1/fx/route', options);
  }

  /** The weighted index of the official rate, the parallel market and P2P. */
  index(options: CallOptions & AsText): Promise<string>;
  index(options?: CallOptions): Promise<api.Index>;
  index(options: CallOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/index', options);
  }

  /** The premium of a market over the official dollar; by default of `parallel`. */
  spread(options: SpreadOptions & AsText): Promise<string>;
  spread(options?: SpreadOptions): Promise<api.Spread>;
  spread(options: SpreadOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/spread', options);
  }

  /** The central bank's table of bank rates. */
  bcvBanks(options: CallOptions & AsText): Promise<string>;
  bcvBanks(options?: CallOptions): Promise<api.BankTable>;
  bcvBanks(options: CallOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/bcv/banks', options);
  }

  /** The central bank's other currencies. */
  bcvCurrencies(options: CallOptions & AsText): Promise<string>;
  bcvCurrencies(options?: CallOptions): Promise<api.BcvCurrencies>;
  bcvCurrencies(options: CallOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/bcv/currencies', options);
  }

  /** Official rates: in force, the previous one, and the next one once published. */
  official(options: CallOptions & AsText): Promise<string>;
  official(options?: CallOptions): Promise<api.OfficialRates>;
  official(options: CallOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/official', options);
  }

  /** The business days of banks, and the value date of a publication on each day. */
  calendar(options: CalendarOptions & AsText): Promise<string>;
  calendar(options?: CalendarOptions): Promise<api.Calendar>;
  calendar(options: CalendarOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/calendar', options);
  }

  /** Your plan, limits, usage and keys (at most 100). Free. */
  account(options: AccountOptions = {}): Promise<api.Account> {
    return this.#get('/v1/account', options);
  }

  /** The calls of the account in the last 90 days, by UTC day and endpoint. Free. */
  usage(options: UsageOptions & AsText): Promise<string>;
  usage(options?: UsageOptions): Promise<api.Usage>;
  usage(options: UsageOptions = {}): Promise<unknown> {
    return this.#get('/v1/account/usage', options);
  }

  /** Rotates one of your keys. Only this answer contains the new key. Free. */
  rotateKey(
    id: string,
    { signal, ...body }: api.Rotation & CallOptions = {},
  ): Promise<api.RotatedKey> {
    const path = `${keyPath(id)}/rotate`;
    return json(this.#http, { method: 'POST', path, body, signal, once: true });
  }

  /** Converts an amount at every market of the cheapest plan. Free, without a key. */
  calculate({ signal, ...query }: api.CalculateQuery & CallOptions): Promise<api.Calculation> {
    return json(this.#http, { path: '/v1/fx/public/calculator', query, signal, open: true });
  }

  /** The state of the service and its sources. Free, without a key. */
  status({ signal }: CallOptions = {}): Promise<api.Status> {
    return json(this.#http, { path: '/v1/status', signal, open: true });
  }

  /** Any read endpoint by its operation id, such as `read('getIndex')`. Returns JSON. */
  async read<Id extends keyof api.Reads>(
    id: Id,
    ...[options]: ReadOptions<Id>
  ): Promise<api.Reads[Id]['answer']> {
    return json(this.#http, readCall(id, options));
  }

  /** Returns JSON as a value and other formats as text. */
  async #get<Answer>(path: string, { signal, ...query }: GetOptions): Promise<Answer> {
    const call: Call = { path, query, signal };
    if (query.format === 'csv' || query.format === 'xml') {
      return asAskedFor(await this.#http.text(call));
    }
    return json(this.#http, call);
  }
}

function ratePath(market: string): string {
  return `/v1/fx/rates/${encodeURIComponent(market)}`;
}
