import {
  type Caller,
  requireFeature,
  requireFormat,
  requireMarket,
} from '../../app/access/access.ts';
import type { Snapshot } from '../../app/snapshot.ts';
import type { ApiError } from '../../domain/errors.ts';
import type { Market } from '../../domain/markets.ts';
import { planFormatOf } from '../../domain/plans.ts';
import type { Quote } from '../../domain/quotes.ts';
import type { Instant } from '../../domain/time.ts';
import type { AnswerStream } from '../framework/encoding/answer-stream.ts';
import { type Answering, encode, encodeInSlices, isLong } from '../framework/encoding/formats.ts';
import type { WrittenAnswer } from '../framework/encoding/written-answer.ts';
import {
  CachedAnswer,
  type CacheRules,
  cachedAnswers,
  httpDate,
} from '../framework/routing/answer.ts';
import type { JsonBody } from '../framework/routing/json-body.ts';
import type { ParameterReader, Parameters } from '../framework/routing/parameters.ts';
import type { RequestHeaders } from '../framework/routing/request-context.ts';
import type { Call, Handling, Told } from './call.ts';
import { unknownMarket } from './field-rules.ts';
import type { InTurn } from './long-answers.ts';
import type { ServiceRequest } from './service-request.ts';
import type { Services } from './services.ts';

/** Calls `next` at once with a value, or later with that of a promise. Most never wait. */
export function whenReady<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What all endpoints have that a call reads, of whatever types. */
export interface CalledEndpoint extends Answering {
  readonly path: string;
  /** Whether anyone may read the answer. */
  readonly access: string;
  readonly status?: 201 | 202 | 204;
  readonly long?: true;
}

interface BodyReader<Body> {
  /** Absent for an endpoint without a JSON body. */
  readonly readBody?: (text: string, now: Instant) => JsonBody<Body>;
}

/** What the calls of a server share. */
export interface CallParts {
  readonly services: Services;
  /** The turns of a request's client. */
  readonly turnsOf: (request: ServiceRequest) => InTurn;
  /** `scheme://host` for links to the service itself. */
  readonly originOf: (headers: RequestHeaders) => string;
  readonly ask: (request: ServiceRequest, address: string) => Promise<Told>;
  readonly errorText: (error: ApiError, request: ServiceRequest) => string;
}

/** A call in the hands of the pipeline, which does not know its types. */
export type OpenCall = Pick<
  EndpointCall<unknown, unknown, unknown>,
  'takeBody' | 'check' | 'answer'
> & {
  readonly written?: () => Promise<WrittenAnswer>;
  readonly stream?: () => Promise<AnswerStream>;
};

// limit: Markets in a header | 20 | not named
const MAX_MARKETS_NAMED = 20;

/** The call of an endpoint by one request, with the types of its declaration. */
export class EndpointCall<Input, Body, Answer> implements Call<Input, Body> {
  readonly input: Input;
  readonly now: Instant;
  readonly services: Services;
  /** Taken after all checks, so that the handler sees the newest. */
  snapshot!: Snapshot;
  text = '';
  marketField: string | undefined = undefined;
  readonly #endpoint: CalledEndpoint;
  readonly #handling: Handling<Input, Body, Answer> & BodyReader<Body>;
  readonly #request: ServiceRequest;
  readonly #parts: CallParts;
  readonly #parameters: Parameters<Input>;
  #body: Body | undefined;
  #market: Market | undefined;
  #shown: Set<Quote> | undefined;

  constructor(
    endpoint: CalledEndpoint,
    handling: Handling<Input, Body, Answer> & BodyReader<Body>,
    readParameters: ParameterReader<Input>,
    request: ServiceRequest,
    parts: CallParts,
  ) {
    const parameters = readParameters(request.keylessQuery, request.pathParameters, request.now);
    this.input = parameters.input;
    this.now = request.now;
    this.services = parts.services;
    this.#endpoint = endpoint;
    this.#handling = handling;
    this.#parameters = parameters;
    this.#request = request;
    this.#parts = parts;
    request.ignored = parameters.ignored;
  }

  get body(): Body {
    return required(this.#body, 'body');
  }

  get caller(): Caller {
    return required(this.#request.caller, 'caller');
  }

  get knownCaller(): Caller | undefined {
    return this.#request.caller;
  }

  get origin(): string {
    return this.#parts.originOf(this.#request.headers);
  }

  get restsOn(): (quotes: readonly Quote[]) => void {
    return (quotes) => {
      this.#shown ??= new Set();
      for (const quote of quotes) this.#shown.add(quote);
    };
  }

  get isGone(): () => boolean {
    return () => this.#request.isGone;
  }

  get header(): (name: string) => string | undefined {
    return (name) => [this.#request.message.headers[name] ?? []].flat().at(0);
  }

  get ask(): Call['ask'] {
    return (address) => this.#parts.ask(this.#request, address);
  }

  get inTurn(): InTurn {
    return this.#parts.turnsOf(this.#request);
  }

  get market(): Market {
    return required(this.#market, 'market');
  }

  /** @throws ApiError for a body that is not as the endpoint declares it. */
  takeBody(text: string): void {
    const read = this.#handling.readBody?.(text, this.now);
    this.text = text;
    if (read === undefined) return;
    this.#body = read.value;
    this.#request.ignored = [...read.ignored, ...this.#parameters.ignored];
  }

  /**
   * Runs the checks between parameters and limits, in the order of contract §4.
   * @throws ApiError of the first that fails.
   */
  check(): void {
    const handling = this.#handling;
    const { plans, markets } = this.services;
    const format = planFormatOf(this.#parameters.format);
    const { caller } = this.#request;
    const choice = handling.market?.(this.input, this);
    const market = choice && markets.find(choice.name);
    this.#market = market;
    this.marketField = choice?.field;
    handling.check?.(this, market);
    if (caller !== undefined) {
      // Spreadsheets use publishable keys and read only CSV: every plan allows it (contract §11).
      const isCsvForSpreadsheet = format === 'csv' && caller.key.grant.kind === 'publishable';
      if (!isCsvForSpreadsheet) requireFormat(plans, caller.plan, format);
      const feature = handling.featureOf?.(this.input);
      if (feature !== undefined) requireFeature(plans, caller.plan, feature);
    }
    const others = handling.markets?.(this.input);
    if (choice !== undefined && market === undefined) {
      throw unknownMarket(markets, choice.name, choice.field);
    }
    const otherMarkets = others?.map(({ name, field }) => {
      const other = markets.find(name);
      if (other === undefined) throw unknownMarket(markets, name, field);
      return other;
    });
    if (caller === undefined) return;
    if (market !== undefined) requireMarket(plans, caller.plan, market);
    for (const other of otherMarkets ?? []) requireMarket(plans, caller.plan, other);
  }

  /** The answer: from the cache, or made by the handler. */
  answer(): CachedAnswer | Promise<CachedAnswer> {
    const { format, locale } = this.#parameters;
    this.snapshot = this.services.snapshots.at(this.now);
    const memo = this.#handling.memo?.(this.input, this.#market, this);
    if (memo === undefined) {
      return this.#endpoint.long === true ? this.inTurn(() => this.#make()) : this.#make();
    }
    const plan = this.#request.caller?.plan.name ?? '';
    const cacheKey = `${this.#endpoint.path} ${memo} ${format} ${locale} ${plan} ${this.origin}`;
    const cache = cachedAnswers(this.snapshot);
    const cached = cache.get(cacheKey);
    if (cached !== undefined) return cached;
    const made =
      this.#endpoint.long === true
        ? // While it waited for its turn, another request may have made it.
          this.inTurn(() => cache.get(cacheKey) ?? this.#make())
        : this.#make();
    return whenReady(made, (answer) => {
      cache.set(cacheKey, answer);
      return answer;
    });
  }

  #make(): CachedAnswer | Promise<CachedAnswer> {
    return whenReady(this.handled(), (answer) => this.#encoded(answer));
  }

  protected handled(): Answer | Promise<Answer> {
    return this.#handling.handle(this);
  }

  #encoded(answer: Answer): CachedAnswer | Promise<CachedAnswer> {
    const endpoint = this.#endpoint;
    const handling = this.#handling;
    const headers = [...(handling.headers?.(answer, this) ?? []), ...this.#quoteHeaders()];
    if (endpoint.status === 204) {
      return new CachedAnswer({ contentType: '', body: '', rules: undefined, headers });
    }
    if (typeof answer !== 'object' || answer === null) throw new Error('an answer is no object');
    const { format, locale } = this.#parameters;
    const { notice } = this.services;
    const written =
      format === 'xlsx' || isLong(endpoint, answer)
        ? encodeInSlices({ ...endpoint, notice }, answer, format, this.isGone, locale)
        : encode(endpoint, answer, format, locale);
    const isCacheable = handling.maxAgeSec !== undefined && this.#request.method !== 'POST';
    const rules = isCacheable ? this.#cacheRules(answer) : undefined;
    return whenReady(written, (body) => new CachedAnswer({ ...body, rules, headers }));
  }

  /**
   * The stale quotes among those that the answer rests on (contract §1), and those in doubt or frozen
   * (§8). A snapshot ends when another quote becomes stale or frozen, so the headers are right as long as the answer is
   * cached.
   */
  #quoteHeaders(): readonly string[] {
    const shown = this.#shown;
    if (shown === undefined) return [];
    const { stale, inDoubt, frozen } = this.snapshot;
    const header = (name: string, quotes: readonly Quote[]) => {
      const named = quotes.filter((quote) => shown.has(quote)).slice(0, MAX_MARKETS_NAMED);
      return named.length === 0 ? [] : [name, named.map(({ market }) => market.id).join()];
    };
    return [
      ...header('X-Vesfx-Stale', stale),
      ...header('X-Vesfx-In-Doubt', inDoubt),
      ...header('X-Vesfx-Frozen', frozen),
    ];
  }

  #cacheRules(answer: Answer): CacheRules {
    const { maxAgeSec, lastModified } = this.#handling;
    const seconds = typeof maxAgeSec === 'function' ? maxAgeSec(this.input) : maxAgeSec;
    const changedAt = lastModified?.(answer, this) ?? this.snapshot.changedAt;
    const isPublic = this.#endpoint.access === 'open';
    return {
      // A time in the future would mean nothing to a cache (RFC 9110 §8.8.2.1).
      lastModified: httpDate(Math.min(changedAt, this.now)),
      cacheControl: `${isPublic ? 'public' : 'private'}, max-age=${seconds}`,
      vary: isPublic ? 'Accept-Encoding' : 'X-API-Key, Accept-Encoding',
    };
  }
}

/** Opens the calls of an endpoint with these functions. */
export const opens =
  <Input, Body, Answer>(
    handling: Handling<Input, Body, Answer> & BodyReader<Body>,
    read: ParameterReader<Input>,
  ) =>
  (endpoint: CalledEndpoint, request: ServiceRequest, parts: CallParts): OpenCall =>
    new EndpointCall(endpoint, handling, read, request, parts);

/** Only a mistake in a declaration lets a handler ask for what its requests do not have. */
function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`the call has no ${name}`);
  return value;
}
