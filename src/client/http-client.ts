import { AnswerCache } from './answer-cache.ts';
import type { ApiCall } from './calls.ts';
import { type LimitScope, VesfxError } from './errors.ts';
import type { readOptions } from './options.ts';
import { mayBeRetried, pauseBeforeRetry, retryAfterSecOf } from './retry.ts';
import { ERROR_CODES, type ErrorCode } from './types.ts';

/** Largest answer, in bytes. The longest raw series has less than a megabyte. */
// limit: Answer read | 32 MB | `unexpected_answer`
export const MAX_READ_BYTES = 32 * 1024 * 1024;

/** The remaining quota of the account, from the headers of an answer. */
export interface Limits {
  /** Units of the month; undefined until a plan with a limit has answered. */
  readonly month?: {
    readonly limit: number;
    readonly remaining: number;
    readonly resetSec: number;
  };
  /** Bulk conversions of the hour; undefined until one was answered. */
  readonly bulk?: { readonly limit: number; readonly remaining: number };
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends HTTP requests, with deadlines, retries, cached answers and errors. */
export class HttpClient {
  readonly #settings: ReturnType<typeof readOptions>;
  readonly #cache: AnswerCache;
  #limits: Limits = {};

  constructor(settings: ReturnType<typeof readOptions>) {
    this.#settings = settings;
    this.#cache = new AnswerCache(settings.keptAnswers);
  }

  get limits(): Limits {
    return this.#limits;
  }

  /** The body of the answer; a cached one when the service answers 304. */
  async text(call: ApiCall): Promise<string> {
    const { method = 'GET', signal } = call;
    const address = this.#settings.baseUrl + call.path + queryOf(call.query);
    const cachedAnswer = method === 'GET' ? this.#cache.get(address) : undefined;
    const init = this.#init(call, cachedAnswer?.etag);
    let waitedMs = 0;
    for (let tried = 0; ; tried += 1) {
      const received = await this.#receive(address, init, signal);
      this.#limits = limitsAfter(this.#limits, received.headers);
      if (received.status === 304 && cachedAnswer !== undefined) return cachedAnswer.text;
      if (received.status >= 200 && received.status < 300) {
        const etag = received.headers.get('ETag');
        if (method === 'GET' && etag !== null) {
          this.#cache.set(address, { etag, text: received.text });
        }
        return received.text;
      }
      const error = errorIn(received);
      const pause = this.#pause(call, error, { tried, waitedMs });
      if (pause === undefined) throw error;
      await sleep(pause, signal);
      waitedMs += pause;
    }
  }

  #init({ method = 'GET', body, open = false }: ApiCall, etag: string | undefined): RequestInit {
    const { key, language } = this.#settings;
    return {
      method,
      // Never follow a redirect: the key would be sent to its target.
      redirect: 'manual',
      headers: {
        'Accept-Language': language,
        ...(key !== undefined && !open && { 'X-API-Key': key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(etag !== undefined && { 'If-None-Match': etag }),
      },
      body: body && JSON.stringify(body),
    };
  }

  #pause(
    call: ApiCall,
    { status = 0, retryAfterSec }: VesfxError,
    { tried, waitedMs }: { readonly tried: number; readonly waitedMs: number },
  ): number | undefined {
    if (!mayBeRetried(status) || (call.once === true && status === 503)) return undefined;
    const { retries, maxRetryWaitMs: maxWaitMs } = this.#settings;
    const chance = Math.random();
    return pauseBeforeRetry({ tried, retries, retryAfterSec, waitedMs, maxWaitMs, chance });
  }

  /** One try, with its own deadline, which includes the body. */
  async #receive(
    address: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
  ): Promise<Received> {
    const { response, read: text } = await this.#respond(address, init, signal, textOf);
    return { status: response.status, headers: response.headers, text };
  }

  /**
   * Opens a stream, whose deadline is that of its headers.
   * @throws VesfxError for an answer that is no stream.
   */
  async open(call: ApiCall, lastEventId: string | undefined): Promise<Response> {
    const address = this.#settings.baseUrl + call.path + queryOf(call.query);
    const init = this.#init(call, undefined);
    const headers = {
      ...init.headers,
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    };
    const isStream = ({ status, headers: got }: Response) =>
      status === 204 || got.get('Content-Type')?.startsWith('text/event-stream') === true;
    const refusal = async (one: Response) => (isStream(one) ? undefined : textOf(one));
    const asked = { ...init, headers };
    const { response, read: text } = await this.#respond(address, asked, call.signal, refusal);
    this.#limits = limitsAfter(this.#limits, response.headers);
    if (text === undefined) return response;
    throw errorIn({ status: response.status, headers: response.headers, text });
  }

  /** An answer, and what is read of it before the deadline. */
  async #respond<Read>(
    address: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
    read: (response: Response) => Promise<Read>,
  ): Promise<{ readonly response: Response; readonly read: Read }> {
    const { timeoutMs, fetch: request, baseUrl } = this.#settings;
    if (signal?.aborted) throw aborted(signal);
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end);
    try {
      const response = await request(address, { ...init, signal: ending.signal });
      const { status, type } = response;
      if (type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
        await response.body?.cancel();
        throw new VesfxError('unexpected_answer', {
          message: `${baseUrl} answered with a redirect, which is not followed: correct the address.`,
          status,
        });
      }
      return { response, read: await read(response) };
    } catch (cause) {
      if (signal?.aborted) throw aborted(signal);
      if (ending.signal.aborted) {
        const message = `${baseUrl} did not answer within ${timeoutMs} ms.`;
        throw new VesfxError('timeout', { message, cause });
      }
      if (cause instanceof VesfxError) throw cause;
      const message = `${baseUrl} cannot be reached: ${reasonOf(cause)}.`;
      throw new VesfxError('network_error', { message, cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }
}

function queryOf(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

async function textOf(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_READ_BYTES) {
      await reader.cancel();
      const message = `The answer has more than ${MAX_READ_BYTES} bytes.`;
      throw new VesfxError('unexpected_answer', { message, status: response.status });
    }
    text += decoder.decode(value, { stream: true });
  }
}

function aborted(signal: AbortSignal): VesfxError {
  return new VesfxError('aborted', { message: 'The call was aborted.', cause: signal.reason });
}

/** The reason of a `fetch` failure. Node puts the useful message in the cause. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error ? (error.cause ?? error) : error;
  if (!(inner instanceof Error)) return String(inner);
  return inner.message === '' && 'code' in inner ? String(inner.code) : inner.message;
}

export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal));
    const stop = () => {
      clearTimeout(timer);
      if (signal !== undefined) reject(aborted(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** The JSON object in a text; undefined for a text that is none. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}

const SCOPES: readonly LimitScope[] = ['minute', 'hour', 'month', 'account'];

/** A proxy in front of the service may answer with these statuses and its own body. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  429: 'rate_limit_exceeded',
  503: 'service_unavailable',
};

export function errorIn({ status, headers, text }: Received): VesfxError {
  const body = objectIn(text) ?? {};
  const own = ERROR_CODES.find((code) => code === body['code']);
  const ownMessage = typeof body['message'] === 'string' ? body['message'] : undefined;
  const message = ownMessage ?? `The service answered with the status ${status}.`;
  const code = own ?? CODE_OF_STATUS[status] ?? 'unexpected_answer';
  const details = asObject(body['details']);
  // Keep a code that this version does not know.
  const isNew = own === undefined && body['code'] !== undefined;
  return new VesfxError(code, {
    message,
    status,
    field: typeof body['field'] === 'string' ? body['field'] : undefined,
    details: isNew ? { ...details, code: body['code'] } : details,
    retryAfterSec: retryAfterSecOf(headers.get('Retry-After'), Date.now()),
    scope: SCOPES.find((scope) => scope === headers.get('X-RateLimit-Scope')),
    requestId: headers.get('X-Request-Id') ?? undefined,
  });
}

function limitsAfter(previousLimits: Limits, headers: Headers): Limits {
  const read = (name: string) => {
    const text = headers.get(name);
    return text === null ? undefined : Number(text);
  };
  const limit = read('X-RateLimit-Limit');
  const remaining = read('X-RateLimit-Remaining');
  const resetSec = read('X-RateLimit-Reset');
  const bulkLimit = read('X-Bulk-RateLimit-Limit');
  const bulkRemaining = read('X-Bulk-RateLimit-Remaining');
  return {
    ...previousLimits,
    ...(limit !== undefined &&
      remaining !== undefined &&
      resetSec !== undefined && { month: { limit, remaining, resetSec } }),
    ...(bulkLimit !== undefined &&
      bulkRemaining !== undefined && { bulk: { limit: bulkLimit, remaining: bulkRemaining } }),
  };
}
