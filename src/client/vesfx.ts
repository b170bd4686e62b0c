import { AccountKeys, keyPath, MarkupRules } from './account-calls.ts';
import { asAskedFor, type CallOptions, json } from './answers.ts';
import { everyPoint, type HistoryRange } from './history.ts';
import { type Call, HttpClient, type Limits } from './http-client.ts';
import { readOptions, type VesfxOptions } from './options.ts';
import { type ReadOptions, readCall } from './reads.ts';
import type {
  Account,
  AnyConversion,
  AnyRate,
  AnyRates,
  BankTable,
  BcvCurrencies,
  BulkConversion,
  BulkConversionRequest,
  CalculateQuery,
  Calculation,
  Calendar,
  Candles,
  CapturedRate,
  Changes,
  CompareMarketsQuery,
  Conversion,
  ConvertQuery,
  GetAccountQuery,
  GetCalendarQuery,
  GetCandlesQuery,
  GetRateQuery,
  GetSpreadQuery,
  GetUsageQuery,
  HistoryCollection,
  HistoryPoint,
  Index,
  ListChangesQuery,
  ListRatesQuery,
  Markets,
  OfficialRates,
  PastConversion,
  PastRate,
  PastRates,
  PastRatesWithMarkup,
  Rate,
  Rates,
  RatesWithMarkup,
  Reads,
  RotatedKey,
  Rotation,
  Route,
  Spread,
  Status,
  Usage,
} from './types.ts';

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
  /**
   * Language of a CSV. `es` is for Spanish spreadsheets: `;`, decimal commas and Spanish headers.
   */
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

export type ConvertOptions = Omit<ConvertQuery, 'amount'> & Amount & CallOptions;
export type RouteOptions = Omit<CompareMarketsQuery, 'amount' | 'max_staleness'> &
  Amount &
  CallOptions & {
    /** Leaves out quotes older than this many seconds; 0 for no limit. */
    readonly max_staleness?: number | undefined;
  };
export type BulkConvertOptions = Omit<BulkConversionRequest, 'amounts'> &
  CallOptions & { readonly amounts: readonly number[] };
export type CalendarOptions = GetCalendarQuery & CallOptions;
export type CandlesOptions = GetCandlesQuery & CallOptions;
export type ChangesOptions = Omit<ListChangesQuery, 'markets'> &
  CallOptions & {
    /** Ids or aliases; all markets of the plan when absent. */
    readonly markets?: readonly string[] | undefined;
  };
export type HistoryOptions = HistoryRange & CallOptions;
export type RateOptions = GetRateQuery & CallOptions;
export type RatesOptions = ListRatesQuery & CallOptions;
export type SpreadOptions = GetSpreadQuery & CallOptions;
export type AccountOptions = GetAccountQuery & CallOptions;
export type UsageOptions = GetUsageQuery & CallOptions;

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
 * ```ts const vesfx = new Vesfx({ baseUrl: 'http://127.0.0.1:8080', key }); const { to, stale } =
 * await vesfx.convert({ from: 'USD', to: 'VES', amount: 100 }); ```
 */
export class Vesfx {
  readonly #http: HttpClient;
  /** The markup rules of the account. These calls cost nothing. */
  readonly keys: AccountKeys;
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

  /**
   * The quotes of every market in the plan; `markup` applies a saved rule; `date` reads a past day
   * in Caracas.
   */
  rates(options: RatesOptions & AsText): Promise<string>;
  rates(options: RatesOptions & OnDate & WithMarkup): Promise<PastRatesWithMarkup>;
  rates(options: RatesOptions & OnDate): Promise<PastRates>;
  rates(options: RatesOptions & Current & WithMarkup): Promise<RatesWithMarkup>;
  rates(options?: RatesOptions & Current): Promise<Rates>;
  rates(options: RatesOptions): Promise<AnyRates>;
  rates(options: RatesOptions | (RatesOptions & AsText) = {}): Promise<unknown> {
    return this.#get('/v1/fx/rates', options);
  }

  /** The quote of one market, by id or alias; `date` reads a past day in Caracas. */
  rate(market: string, options: RateOptions & AsText): Promise<string>;
  rate(market: string, options: RateOptions & OnDate): Promise<PastRate>;
  rate(market: string, options?: RateOptions & Current): Promise<Rate>;
  rate(market: string, options: RateOptions): Promise<AnyRate>;
  rate(market: string, options: RateOptions = {}): Promise<unknown> {
    return this.#get(`/v1/fx/rates/${encodeURIComponent(market)}`, options);
  }

  /**
   * Every point of a range, oldest first, each once, however many there are: `for await (const
   * point of vesfx.history('parallel', { granularity: 'raw' }))`. A long raw series is read in
   * windows, each of which costs a unit. `from` and `to` default to the history of the plan.
   */
  history(market: string, options: HistoryOptions = {}): AsyncGenerator<CapturedRate, void> {
    const { signal, ...range } = options;
    return everyPoint((part) => this.historyCollection(market, { ...part, signal }), range);
  }

  /** The series as one answer; a raw one is cut to its newest 5,000 points and then `truncated`. */
  historyCollection(market: string, options: HistoryOptions & AsText): Promise<string>;
  historyCollection(market: string, options?: HistoryOptions): Promise<HistoryCollection>;
  historyCollection(market: string, options: HistoryOptions = {}): Promise<unknown> {
    return this.#get(historyPath(market), options);
  }

  /** The last point captured before the end of a UTC day, `YYYY-MM-DD`. */
  historyPoint(market: string, date: string, options: CallOptions & AsText): Promise<string>;
  historyPoint(market: string, date: string, options?: CallOptions): Promise<HistoryPoint>;
  historyPoint(market: string, date: string, options: CallOptions = {}): Promise<unknown> {
    return this.#get(historyPath(market), { ...options, date });
  }

  /** First, highest, lowest and last rate of each UTC day, week or month. */
  candles(market: string, options: CandlesOptions & AsText): Promise<string>;
  candles(market: string, options?: CandlesOptions): Promise<Candles>;
  candles(market: string, options: CandlesOptions = {}): Promise<unknown> {
    return this.#get(`/v1/fx/rates/${encodeURIComponent(market)}/candles`, options);
  }

  /** The change of each current rate over a day or a longer period. */
  changes(options: ChangesOptions & AsText): Promise<string>;
  changes(options?: ChangesOptions): Promise<Changes>;
  changes({ markets, ...options }: ChangesOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/changes', { ...options, markets: markets?.join(',') });
  }

  /** The catalogue of markets, without prices. */
  markets(options: CallOptions = {}): Promise<Markets> {
    return this.#get('/v1/fx/markets', options);
  }

  /**
   * Converts an amount at the official rate. `via` chooses the rate of another market, and `date` that
   * of a past day in Caracas.
   */
  convert(options: ConvertOptions & AsText): Promise<string>;
  convert(options: ConvertOptions & OnDate): Promise<PastConversion>;
  convert(options: ConvertOptions & Current): Promise<Conversion>;
  convert(options: ConvertOptions): Promise<AnyConversion>;
  convert(options: ConvertOptions): Promise<unknown> {
    return this.#get('/v1/fx/convert', options);
  }

  /** Converts 1 to 50 amounts at one rate, for one unit. */
  bulkConvert({ signal, ...body }: BulkConvertOptions): Promise<BulkConversion> {
    const call: Call = { method: 'POST', path: '/v1/fx/bulk/convert', body, signal };
    return json(this.#http, call);
  }

  /** The executable markets, ranked by the amount that each would yield. */
  route(options: RouteOptions & AsText): Promise<string>;
  route(options: RouteOptions): Promise<Route>;
  route(options: RouteOptions): Promise<unknown> {
    return this.#get('/v1/fx/route', options);
  }

  /** The weighted index of the official rate, the free market and P2P. */
  index(options: CallOptions & AsText): Promise<string>;
  index(options?: CallOptions): Promise<Index>;
  index(options: CallOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/index', options);
  }

  /** The premium of a market over the official dollar; by default of `parallel`. */
  spread(options: SpreadOptions & AsText): Promise<string>;
  spread(options?: SpreadOptions): Promise<Spread>;
  spread(options: SpreadOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/spread', options);
  }

  /** The central bank's table of bank rates. */
  bcvBanks(options: CallOptions & AsText): Promise<string>;
  bcvBanks(options?: CallOptions): Promise<BankTable>;
  bcvBanks(options: CallOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/bcv/banks', options);
  }

  /** The central bank's other currencies. */
  bcvCurrencies(options: CallOptions & AsText): Promise<string>;
  bcvCurrencies(options?: CallOptions): Promise<BcvCurrencies>;
  bcvCurrencies(options: CallOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/bcv/currencies', options);
  }

  /** Official rates: in force, the previous one, and the next one once published. */
  official(options: CallOptions & AsText): Promise<string>;
  official(options?: CallOptions): Promise<OfficialRates>;
  official(options: CallOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/official', options);
  }

  /** The business days of banks, and the value date of a publication on each day. */
  calendar(options: CalendarOptions & AsText): Promise<string>;
  calendar(options?: CalendarOptions): Promise<Calendar>;
  calendar(options: CalendarOptions = {}): Promise<unknown> {
    return this.#get('/v1/fx/calendar', options);
  }

  /** Your plan, limits, usage and keys (at most 100). Free. */
  account(options: AccountOptions = {}): Promise<Account> {
    return this.#get('/v1/account', options);
  }

  /** The calls of the account in the last 90 days, by UTC day and endpoint. Free. */
  usage(options: UsageOptions & AsText): Promise<string>;
  usage(options?: UsageOptions): Promise<Usage>;
  usage(options: UsageOptions = {}): Promise<unknown> {
    return this.#get('/v1/account/usage', options);
  }

  /** Rotates one of your keys. Only this answer contains the new key. Free. */
  rotateKey(id: string, { signal, ...body }: Rotation & CallOptions = {}): Promise<RotatedKey> {
    const path = `${keyPath(id)}/rotate`;
    return json(this.#http, { method: 'POST', path, body, signal, once: true });
  }

  /** Converts an amount at every open market. Free, without a key. */
  calculate({ signal, ...query }: CalculateQuery & CallOptions): Promise<Calculation> {
    return json(this.#http, { path: '/v1/fx/public/calculator', query, signal, open: true });
  }

  /** The state of the service and its sources. Free, without a key. */
  status({ signal }: CallOptions = {}): Promise<Status> {
    return json(this.#http, { path: '/v1/status', signal, open: true });
  }

  /**
   * Any read endpoint by its operation id, such as `read('getIndex')`, for endpoints without their
   * own method. Returns JSON.
   */
  read<Id extends keyof Reads>(
    id: Id,
    ...[options]: ReadOptions<Id>
  ): Promise<Reads[Id]['answer']> {
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

export type { AccountKeys, MarkupRules } from './account-calls.ts';

function historyPath(market: string): string {
  return `/v1/fx/rates/${encodeURIComponent(market)}/history`;
}
