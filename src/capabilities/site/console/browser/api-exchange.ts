import { VesfxError } from '../../../../client/errors.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import type { SampledRequest } from '../../text/samples.ts';
import { OPERATIONS_PATH, type TriedOperation } from '../playground.ts';

/** An answer as it arrived, and its body. */
export interface TriedAnswer {
  readonly response: Response;
  readonly body: string;
  readonly durationMs: number;
}

/** Sends the request, and asks for messages in that language. Undefined without an answer. */
export async function exchange(
  { method, url, body, contentType }: Omit<SampledRequest, 'key'>,
  { key = '', language }: { readonly key?: string | undefined; readonly language: Language },
): Promise<TriedAnswer | undefined> {
  const started = performance.now();
  const headers = {
    'X-API-Key': key,
    'Accept-Language': language,
    ...(contentType !== undefined && { 'Content-Type': contentType }),
  };
  try {
    const response = await fetch(url, {
      ...{ method, headers, cache: 'no-store', credentials: 'omit' },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return { response, body: text, durationMs: performance.now() - started };
  } catch {
    return undefined;
  }
}

/** The sign-in page of a network also has status 200. */
export function isFromApi({ ok, headers }: Response): boolean {
  return ok && headers.get('content-type')?.startsWith('text/html') !== true;
}

/** @throws VesfxError */
export async function operationsToTry(language: Language): Promise<readonly TriedOperation[]> {
  const message = 'The operations cannot be read.';
  const address = `${OPERATIONS_PATH}?lang=${language}`;
  const response = await fetch(address, { credentials: 'omit' }).catch(() => undefined);
  if (response === undefined) throw new VesfxError('network_error', { message });
  const written: unknown = isFromApi(response) && (await response.json().catch(() => false));
  if (written === false) throw new VesfxError('unexpected_answer', { message });
  // The cast is safe: the service wrote it as that type.
  return written as readonly TriedOperation[];
}
