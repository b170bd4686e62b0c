import type { Instant } from '../../domain/time.ts';
import { CachedAnswer, type CacheRules, cachedAnswers } from '../encoding/cached-answer.ts';
import { encode, encodeInSlices, isLong } from '../encoding/formats.ts';
import { type Asker, LongAnswers } from '../encoding/long-answers.ts';
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
  readonly #longAnswers = new LongAnswers();

  constructor(services: Services, origin: (headers: RequestHeaders) => string) {
    this.#services = services;
    this.#origin = origin;
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
    const cached = id === undefined ? undefined : cache.get(id);
    if (cached !== undefined) return cached;
    const call = this.#call(context, question, { snapshot, origin });
    const make = () =>
      whenReady(endpoint.handle(call), (answer) => encoded(context, question, call, answer));
    return whenReady(
      endpoint.long === true ? this.#longAnswers.make(askerOf(context), make) : make(),
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
    const call = this.#call(context, question, { snapshot, origin: this.#origin(headers) });
    const written = await endpoint.handle(call);
    return writtenAnswer(asWritten(written), { requestId, request: headers });
  }

  /** The call for the handler. The cast is safe: without a key or a market it reads none. */
  #call(
    { caller, now, isGone }: RequestContext,
    { input, body, market, marketField }: Question,
    { snapshot, origin }: Pick<Call, 'snapshot' | 'origin'>,
  ) {
    const services = this.#services;
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
      isGone,
    } as Call<unknown, unknown>;
  }
}

function encoded(
  { endpoint, request, now }: RequestContext,
  { format, locale, input }: Question,
  call: Call<unknown, unknown>,
  answer: unknown,
): CachedAnswer | Promise<CachedAnswer> {
  const headers = endpoint.headers?.(answer, call) ?? [];
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

/** The account that waits for a long answer; calls without a key count as one account. */
function askerOf({ caller, isGone }: RequestContext): Asker {
  return { accountId: caller?.account.id ?? '', isGone };
}

/** The cast is safe: an endpoint with `written` declares a handler that returns this. */
function asWritten(answer: unknown): WrittenAnswer {
  return answer as WrittenAnswer;
}

/** The cast is safe: every answer schema but the empty one is of an object. */
function answerObject(answer: unknown): object {
  return answer as object;
}
