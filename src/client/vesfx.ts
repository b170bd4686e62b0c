import type { ApiCall, AsText, CallOptions, Send } from './calls.ts';
import type { OfficialOnDay, OfficialOnOptions, StaticVesfx } from './copy-types.ts';
import { VesfxError } from './errors.ts';
import { requireDays, requireGiven, requireOptions } from './given-days.ts';
import { everyPoint, type HistoryRange } from './history.ts';
import { asObject, HttpClient, type Limits } from './http-client.ts';
import { byRule, notPublished, requiredRule, saidOfDay } from './official-day.ts';
import { readOptions, type StaticOptions, type VesfxOptions } from './options.ts';
import { CopyReader, sendTo } from './static-copy.ts';
import { type StreamedRates, type StreamOptions, streamedRates } from './stream.ts';
import {
  AccountKeys,
  AccountWebhooks,
  ApiMethods,
  type CapturedRate,
  type HistoryCollection,
  type HistoryPoint,
  MarkupRules,
  type OfficialHistory,
  READS,
  type Reads,
} from './types.ts';

export type { AsText, CallOptions, Current, OnDate } from './calls.ts';
export type * from './copy-types.ts';
export {
  type ClientErrorCode,
  type LimitScope,
  VesfxError,
  type VesfxErrorCode,
} from './errors.ts';
export type { HistoryRange } from './history.ts';
export type { Limits } from './http-client.ts';
export type { StaticOptions, VesfxOptions } from './options.ts';
export type { StreamedRates, StreamOptions } from './stream.ts';
export * from './types.ts';
export { verifyWebhook, type WebhookHeaders, type WebhookMessage } from './verify-webhook.ts';

export type HistoryOptions = HistoryRange & CallOptions;

class Client extends ApiMethods {
  readonly #http: HttpClient;
  readonly #send: Send;
  readonly #copy: CopyReader | undefined;
  /** The keys of the account. These calls cost nothing. */
  readonly keys: AccountKeys;
  /** The markup rules of the account. These calls cost nothing. */
  readonly markups: MarkupRules;
  /** The webhooks of the account. These calls cost nothing. */
  readonly webhooks: AccountWebhooks;

  /** @throws TypeError for an invalid option. */
  constructor(options: VesfxOptions | StaticOptions) {
    const settings = readOptions(options);
    const http = new HttpClient(settings);
    const copy = settings.static ? new CopyReader(http) : undefined;
    const answered: Send = copy ? sendTo(copy) : (call) => answerTo(http, call);
    const send: Send = async (call) => {
      requireDays(call);
      return answered(call);
    };
    super(send);
    this.#http = http;
    this.#copy = copy;
    this.#send = send;
    this.keys = new AccountKeys(send);
    this.markups = new MarkupRules(send);
    this.webhooks = new AccountWebhooks(send);
  }

  /** The remaining quota of the account, from the last answer. */
  get limits(): Limits {
    return this.#http.limits;
  }

  /**
   * Every point of a range, oldest first, each once, however many there are. A long raw series is
   * read in windows, each of which costs a unit. `from` and `to` default to the history of the plan.
   * Each is in the bolívar of its day, or with `adjusted: 'true'` in that of today.
   *
   * ```ts
   * for await (const point of vesfx.history('parallel', { granularity: 'raw' })) …
   * ```
   */
  history(market: string, options: HistoryOptions = {}): AsyncGenerator<CapturedRate, void> {
    const { signal, ...range } = options;
    return everyPoint((part) => this.historyCollection(market, { ...part, signal }), range);
  }

  /** The series as one answer; a raw one is cut to its newest 5,000 points and then `truncated`. */
  historyCollection(market: string, options: HistoryOptions & AsText): Promise<string>;
  historyCollection(market: string, options?: HistoryOptions): Promise<HistoryCollection>;
  historyCollection(market: string, options: HistoryOptions = {}): Promise<unknown> {
    return this.#send(readCall('getHistory', { market, ...options }));
  }

  /** The last point captured before the end of a UTC day, `YYYY-MM-DD`. */
  historyPoint(market: string, date: string, options: CallOptions & AsText): Promise<string>;
  historyPoint(market: string, date: string, options?: CallOptions): Promise<HistoryPoint>;
  async historyPoint(market: string, date: string, options: CallOptions = {}): Promise<unknown> {
    requireGiven('date', date);
    return this.#send(readCall('getHistory', { market, date, ...options }));
  }

  /**
   * The official rate of a day in Caracas, `YYYY-MM-DD`, in the bolívar of that day: the one in force.
   * On a day without banks, `rule: 'next_banking_day'` gives the rate of the next banking day.
   */
  async officialOn(date: string, options: OfficialOnOptions = {}): Promise<OfficialOnDay> {
    requireOptions(options);
    const { currency = 'USD', signal } = options;
    requireGiven('date', date);
    const rule = requiredRule(options.rule);
    if (this.#copy !== undefined) return this.#copy.officialOn(date, { currency, rule }, signal);
    const query = { currency, days: 'all', from: date, to: date };
    const call = { path: '/v1/fx/official/history', query, signal };
    const answer = await this.#send<OfficialHistory>(call).catch((error: unknown) => {
      throw saidOfDay(error, date);
    });
    const { rows, currency: code, unit_changes } = answer;
    const found = rows[0] && byRule(rows[0], rule);
    if (found !== undefined)
      return { currency: code, ...found, ...(unit_changes && { unit_changes }) };
    throw notPublished(`No rate of ${code} is stored for ${date}.`, code, date);
  }

  /**
   * The rates as they change: first all of them, then what changed. It goes on where it broke off,
   * and ends with a `VesfxError` that no pause mends, such as that of a key that was revoked.
   *
   * ```ts
   * for await (const { rates, removed } of vesfx.stream({ markets: ['parallel'] })) …
   * ```
   */
  async *stream(options: StreamOptions = {}): AsyncGenerator<StreamedRates, void> {
    const { markets, signal } = options;
    // A copy has no stream, and says so.
    if (this.#copy !== undefined) await this.#send({ path: '/v1/fx/stream', signal });
    yield* streamedRates(this.#http, { markets, signal });
  }

  /** Any read endpoint by its operation id, such as `read('getIndex')`. Returns JSON. */
  async read<Id extends keyof Reads>(
    id: Id,
    ...[options]: ReadOptions<Id>
  ): Promise<Reads[Id]['answer']> {
    return this.#send(readCall(id, options));
  }
}

/** A client of one service, or of a static copy of one. */
export interface VesfxConstructor {
  new (options: VesfxOptions): Vesfx;
  new (options: StaticOptions): StaticVesfx;
}

/**
 * A client of one vesfx service. Every method returns the service's answer, or rejects with a
 * `VesfxError`.
 *
 * ```ts
 * const vesfx = new Vesfx({ baseUrl: 'http://127.0.0.1:8080', key });
 * const { to, stale } = await vesfx.convert({ from: 'USD', to: 'VES', amount: 100 });
 * ```
 *
 * With `static`, the address of a static copy, it needs no key. What a copy cannot answer rejects
 * with `not_in_static_copy`.
 */
export const Vesfx = asConstructor(Client);
export type Vesfx = Client;

type ReadOptions<Id extends keyof Reads> = object extends Reads[Id]['parameters']
  ? [options?: Reads[Id]['parameters'] & CallOptions]
  : [options: Reads[Id]['parameters'] & CallOptions];

/**
 * The request of a read. Path parameters go into the path, the others into the query.
 *
 * @throws TypeError for an unknown id, which JavaScript callers can pass.
 */
function readCall(id: keyof Reads, options: object = {}): ApiCall {
  if (!Object.hasOwn(READS, id)) throw new TypeError(`${id} is not the id of a GET operation.`);
  const { path: template, open } = READS[id];
  const { signal, ...parameters }: CallOptions = options;
  const query = new Map(Object.entries(parameters));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = query.get(name);
    query.delete(name);
    return encodeURIComponent(String(value));
  });
  return { path, query: Object.fromEntries(query), signal, open };
}

async function answerTo<Answer>(http: HttpClient, call: ApiCall): Promise<Answer> {
  const text = await http.text(call);
  if (call.method === 'DELETE') return asAskedFor(undefined);
  if (isText(call.query)) return asAskedFor(text);
  try {
    const answer: unknown = JSON.parse(text);
    if (asObject(answer) !== undefined) return asAskedFor(answer);
  } catch (cause) {
    throw notOurs(cause);
  }
  throw notOurs();
}

function isText(query: object = {}): boolean {
  return 'format' in query && (query.format === 'csv' || query.format === 'xml');
}

function notOurs(cause?: unknown): VesfxError {
  const message = 'The answer is no JSON object, so it is not of a vesfx service: check baseUrl.';
  return new VesfxError('unexpected_answer', { message, cause });
}

/** The service's tests check answers against these types; a check here doubles the client. */
function asAskedFor<Answer>(answer: unknown): Answer {
  return answer as Answer;
}

/** What a copy answers has its age, and not all that the service says. */
function asConstructor(client: unknown): VesfxConstructor {
  return client as VesfxConstructor;
}
