import type { Snapshot } from '../../app/snapshot.ts';
import type { Quote } from '../../domain/quotes.ts';
import type { Instant } from '../../domain/time.ts';
import { CachedAnswer, type CacheRules, cachedAnswers } from '../encoding/cached-answer.ts';
import { encode, encodeInSlices, isLong } from '../encoding/formats.ts';
import type { Asker, LongAnswers } from '../encoding/long-answers.ts';
import { httpDate } from '../encoding/validators.ts';
import type { WrittenAnswer } from '../encoding/written-answer.ts';
import { type Answer, writtenAnswer } from './answer.ts';
import type { NamedMarket } from './checks.ts';
import type { Call, Endpoint, Services } from './endpoint.ts';
import type { Parameters } from './parameters.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestHeaders } from './request-headers.ts';
import { whenReady } from './when-ready.ts';

/** The parts of a request that do not depend on the caller. */
export interface Question extends Parameters, NamedMarket {
  readonly body: unknown;
}

/** Makes the answer to a checked request: from the cache, or with the handler of the endpoint. */
export class AnswerMaker {
  readonly #services: Services;
  /** `scheme://host` for links to the service itself. */
  readonly #origin: (headers: RequestHeaders) => string;
  readonly #longAnswers: LongAnswers;

  constructor(parts: {
    readonly services: Services;
    readonly origin: (headers: RequestHeaders) => string;
    readonly longAnswers: LongAnswers;
  }) {
    this.#services = parts.services;
    this.#origin = parts.origin;
    this.#longAnswers = parts.longAnswers;
  }

  make(context: RequestContext, question: Question): CachedAnswer | Promise<CachedAnswer> {
    const { endpoint, caller, now } = context;
    const snapshot = this.#services.snapshots.at(now);
    const { input, format, locale, market } = question;
    const origin = this.#origin(context.headers);
    const memo = endpoint.memo?.(input, market, { snapshot, now });
    const id =
      memo === undefined
        ? undefined
        : `${endpoint.path} ${memo} ${format} ${locale} ${caller?.plan.name ?? ''} ${origin}`;
    const cache = cachedAnswers(snapshot);
    const known = () => (id === undefined ? undefined : cache.get(id));
    const cached = known();
    if (cached !== undefined) return cached;
    const used = new Set<Quote>();
    const call = this.#call(context, question, { snapshot, origin, used });
    const make = () =>
      whenReady(endpoint.handle(call), (answer) =>
        encoded(context, question, { call, answer, stale: staleHeader(snapshot, used) }),
      );
    return whenReady(
      // While it waited for its turn, another request may have made it.
      endpoint.long === true ? call.inTurn(() => known() ?? make()) : make(),
      (made) => {
        if (id !== undefined) cache.set(id, made);
        return made;
      },
    );
  }

  /** The answer of an endpoint that writes its bytes itself. */
  async write(context: RequestContext, question: Question): Promise<Answer> {
    const { endpoint, headers, requestId, now } = context;
    const snapshot = this.#services.snapshots.at(now);
    const origin = this.#origin(headers);
    const call = this.#call(context, question, { snapshot, origin, used: new Set() });
    const written = await endpoint.handle(call);
    return writtenAnswer(asWritten(written), { requestId, request: headers });
  }

  /** The call for the handler. The cast is safe: without a key or a market it reads none. */
  #call(
    context: RequestContext,
    { input, body, market, marketField }: Question,
    { snapshot, origin, used }: Pick<Call, 'snapshot' | 'origin'> & { readonly used: Set<Quote> },
  ) {
    const services = this.#services;
    const { caller, now, isGone } = context;
    return {
      input,
      body,
      caller,
      snapshot,
      now,
      services,
      origin,
      market,
      marketField,
      restsOn: (quotes) => {
        for (const quote of quotes) used.add(quote);
      },
      isGone,
      inTurn: (work: () => unknown) => this.#longAnswers.make(askerOf(context), work),
    } as Call<unknown, unknown>;
  }
}

/** Most markets that the header of stale quotes names. */
const MAX_STALE_NAMED = 20;

/**
 * The stale quotes among those that an answer rests on (decisions §1). A snapshot ends when another
 * quote becomes stale, so the header is right as long as the answer is cached.
 */
function staleHeader({ stale }: Snapshot, used: ReadonlySet<Quote>): readonly string[] {
  const named = stale.filter((quote) => used.has(quote)).slice(0, MAX_STALE_NAMED);
  return named.length === 0 ? [] : ['X-Vesfx-Stale', named.map(({ market }) => market.id).join()];
}

function encoded(
  { endpoint, request, now }: RequestContext,
  { format, locale, input }: Question,
  {
    call,
    answer,
    stale,
  }: {
    readonly call: Call<unknown, unknown>;
    readonly answer: unknown;
    readonly stale: readonly string[];
  },
): CachedAnswer | Promise<CachedAnswer> {
  const headers = [...(endpoint.headers?.(answer, call) ?? []), ...stale];
  if (endpoint.status === 204) {
    return new CachedAnswer({ contentType: '', body: '', rules: undefined, headers });
  }
  const object = answerObject(answer);
  const written = isLong(endpoint, object)
    ? encodeInSlices(endpoint, object, format, call.isGone, locale)
    : encode(endpoint, object, format, locale);
  const changedAt = endpoint.lastModified?.(answer, call) ?? call.snapshot.changedAt;
  const rules = request.method === 'POST' ? undefined : cacheRules(endpoint, input, changedAt, now);
  return whenReady(written, (one) => new CachedAnswer({ ...one, rules, headers }));
}

/** @returns undefined where no cache may keep the answer. */
function cacheRules(
  { access, maxAgeSec }: Endpoint,
  input: unknown,
  changedAt: Instant,
  now: Instant,
): CacheRules | undefined {
  if (maxAgeSec === undefined) return undefined;
  const seconds = typeof maxAgeSec === 'number' ? maxAgeSec : maxAgeSec(input);
  const isPublic = access === 'open';
  return {
    // A time in the future would mean nothing to a cache (RFC 9110 §8.8.2.1).
    lastModified: httpDate(Math.min(changedAt, now)),
    cacheControl: `${isPublic ? 'public' : 'private'}, max-age=${seconds}`,
    vary: isPublic ? 'Accept-Encoding' : 'X-API-Key, Accept-Encoding',
  };
}

/** Who waits for a long answer: the account, or without a key the address. */
function askerOf({ caller, address, isGone }: RequestContext): Asker {
  return caller === undefined
    ? { id: address(), isWithoutKey: true, isGone }
    : { id: caller.account.id, isGone };
}

/** The cast is safe: an endpoint with `written` declares a handler that returns this. */
function asWritten(answer: unknown): WrittenAnswer {
  return answer as WrittenAnswer;
}

/** The cast is safe: every answer schema but the empty one is of an object. */
function answerObject(answer: unknown): object {
  return answer as object;
}
