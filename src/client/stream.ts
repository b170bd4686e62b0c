import type { CallOptions } from './calls.ts';
import { VesfxError } from './errors.ts';
import { errorIn, type HttpClient, MAX_READ_BYTES, objectIn, sleep } from './http-client.ts';
import type { Index, OfficialRates, Rate } from './types.ts';

/** A state of the rates: all of them, or what changed since the state before. */
export interface StreamedRates {
  readonly event: 'snapshot' | 'rates';
  /** With it the service tells a client that comes again whether it missed anything. */
  readonly id: string;
  /** Every row in a snapshot, else those that changed. */
  readonly rates: readonly Rate[];
  /** All markets of the stream whose rate is in doubt now, in every event: do not charge by them. */
  readonly in_doubt: readonly string[];
  /** The same of rates that are older than their `stale_after_sec`. */
  readonly stale: readonly string[];
  /** The same of rates that their source repeats for too long. */
  readonly frozen: readonly string[];
  /** Ids of markets that no longer have a row, and `index` when it can no longer be calculated. */
  readonly removed?: readonly string[];
  /** Absent when it did not change, like `official`. */
  readonly index?: Index;
  readonly official?: OfficialRates;
  readonly fetched_at: string;
}

export interface StreamOptions extends CallOptions {
  /** Ids or aliases; all markets of the plan by default. */
  readonly markets?: readonly string[] | undefined;
}

/** First pause before the stream is opened again. It doubles with each failure. */
const FIRST_PAUSE_MS = 1_000;
// limit: Stream: pause before it is opened again, silence | 30 s (unless the service asks for more), 45 s | opened again | MAX_SILENCE_MS
const LONGEST_PAUSE_MS = 30_000;
/** The service breaks its silence every 15 s. */
const MAX_SILENCE_MS = 45_000;

/** What no pause mends. Any other 4xx than 408 and 429 is not mended either. */
const FINAL_CODES: readonly string[] = ['quota_exceeded', 'unexpected_answer', 'aborted'];

/** The states, each once, across breaks of the connection and restarts of the service. */
export async function* streamedRates(
  http: HttpClient,
  { markets, signal }: StreamOptions,
): AsyncGenerator<StreamedRates, void> {
  let lastEventId: string | undefined;
  let failures = 0;
  for (;;) {
    let pauseMs = FIRST_PAUSE_MS;
    try {
      const call = { path: '/v1/fx/stream', query: { markets }, signal };
      const response = await http.open(call, lastEventId);
      if (response.status === 204) return;
      for await (const { event, id, data } of eventsOf(response, signal)) {
        if (event === 'error') throw errorIn({ status: 200, headers: new Headers(), text: data });
        if (event !== 'snapshot' && event !== 'rates') continue;
        lastEventId = id;
        failures = 0;
        yield { ...dataOf(data), event, id };
      }
    } catch (error) {
      if (!(error instanceof VesfxError) || isFinal(error)) throw error;
      pauseMs = Math.max((error.retryAfterSec ?? 0) * 1_000, pauseAfter(failures));
      failures += 1;
    }
    await sleep(pauseMs * (1 + 0.2 * Math.random()), signal);
  }
}

function isFinal({ code, status = 0 }: VesfxError): boolean {
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const hasEnded =
    status === 200 && code !== 'rate_limit_exceeded' && code !== 'service_unavailable';
  return isRefused || hasEnded || FINAL_CODES.includes(code);
}

function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
}

/** The service's tests check events against the type. */
function dataOf(text: string): StreamedRates {
  const data = objectIn(text);
  if (data === undefined)
    throw new VesfxError('unexpected_answer', { message: 'An event is no object.' });
  return data as unknown as StreamedRates;
}

interface ServerEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** The events of a response, until it ends. @throws VesfxError when it breaks off or is silent. */
async function* eventsOf(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let text = '';
  let isSilent = false;
  const end = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', end);
  try {
    for (;;) {
      const timer = setTimeout(() => {
        isSilent = true;
        end();
      }, MAX_SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (signal?.aborted) {
        const message = 'The call was aborted.';
        throw new VesfxError('aborted', { message, cause: signal.reason });
      }
      if (isSilent) throw new VesfxError('timeout', { message: 'The stream is silent.' });
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const events = text.split(/\r\n\r\n|\n\n|\r\r/);
      text = events.pop() ?? '';
      if (text.length > MAX_READ_BYTES) {
        const message = `An event has more than ${MAX_READ_BYTES} bytes.`;
        throw new VesfxError('unexpected_answer', { message });
      }
      yield* events.map(eventIn);
    }
  } catch (cause) {
    if (cause instanceof VesfxError) throw cause;
    throw new VesfxError('network_error', { message: 'The stream broke off.', cause });
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

/** The fields of an event; a comment has none of them. */
function eventIn(text: string): ServerEvent {
  const fields = { event: '', id: '', data: [] as string[] };
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === 'data') fields.data.push(value);
    else if (name === 'event' || name === 'id') fields[name] = value;
  }
  return { ...fields, data: fields.data.join('\n') };
}
