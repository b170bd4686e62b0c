import { VesfxError } from '../../../client/errors.ts';
import type { ApiDocument } from '../../docs/api-document.ts';
import type { Language } from '../../frame/language.ts';
import type { SampledRequest } from '../../text/samples.ts';

/** An answer as it arrived. */
export interface TriedAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly durationMs: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Sends the request. Undefined without an answer. */
export async function exchange(
  { method, url, body, contentType }: Omit<SampledRequest, 'key'>,
  key: string,
): Promise<TriedAnswer | undefined> {
  const started = performance.now();
  const headers = {
    'X-API-Key': key,
    ...(contentType !== undefined && { 'Content-Type': contentType }),
  };
  try {
    const response = await fetch(url, {
      ...{ method, headers, cache: 'no-store', credentials: 'omit' },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const { status, statusText } = response;
    const durationMs = performance.now() - started;
    return { status, statusText, durationMs, headers: [...response.headers], body: text };
  } catch {
    return undefined;
  }
}

/** The sign-in page of a network also has status 200. */
export function isFromApi({ status, headers }: TriedAnswer): boolean {
  const type = headers.find(([name]) => name === 'content-type')?.[1];
  return status >= 200 && status < 300 && type?.startsWith('text/html') !== true;
}

/** @throws VesfxError */
export async function apiDocument(language: Language): Promise<ApiDocument> {
  const message = 'The reference cannot be read.';
  const response = await fetch(`/openapi.json?lang=${language}`, { credentials: 'omit' }).catch(
    (cause) => {
      throw new VesfxError('network_error', { message, cause });
    },
  );
  try {
    if (!response.ok) throw new Error(`status ${response.status}`);
    // The cast is safe: the service wrote it as that type.
    return (await response.json()) as ApiDocument;
  } catch (cause) {
    throw new VesfxError('unexpected_answer', { message, cause });
  }
}
