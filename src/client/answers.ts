import { VesfxError } from './errors.ts';
import { asObject, type Call, type HttpClient } from './http-client.ts';

export interface CallOptions {
  /** Aborts the call, including its pauses, with an error of the code `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer to a call, parsed from JSON. */
export async function json<Answer>(http: HttpClient, call: Call): Promise<Answer> {
  const text = await http.text(call);
  try {
    const answer: unknown = JSON.parse(text);
    if (asObject(answer) !== undefined) return asAskedFor(answer);
  } catch (cause) {
    throw notOurs(cause);
  }
  throw notOurs();
}

function notOurs(cause?: unknown): VesfxError {
  const message = 'The answer is no JSON object, so it is not of a vesfx service: check baseUrl.';
  return new VesfxError('unexpected_answer', { message, cause });
}

/** The service's tests check answers against these types; a check here doubles the client. */
export function asAskedFor<Answer>(answer: unknown): Answer {
  return answer as Answer;
}
