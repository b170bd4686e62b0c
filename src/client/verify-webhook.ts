import { VesfxError } from './errors.ts';
import { asObject } from './http-client.ts';

/** What a webhook tells. Which `data` comes with which `type`, the reference of the service says. */
export interface WebhookMessage {
  /** The same in every attempt to send this message: what was processed once is known by it. */
  readonly id: string;
  /** Such as `official.published`. Ignore types that you do not know. */
  readonly type: string;
  /** When it happened. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** As `fetch`, a framework or `node:http` gives them. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How far the time of a message may be from now, in either direction. */
// limit: Age of a webhook's message | 300 s | `webhook_not_verified`
export const WEBHOOK_TOLERANCE_SEC = 300;
const MS_PER_SEC = 1_000;
const SECRET = /^(?:whsec_)?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/**
 * The message of a request to your webhook, when the service has signed it within the last five
 * minutes (Standard Webhooks 1.0.0).
 *
 * ```ts
 * const { id, type, data } = await verifyWebhook(request.headers, await request.text(), secret);
 * ```
 *
 * @param body As it came: parsed and written again it may differ.
 * @param secret The secret, `whsec_…`; several while you change it.
 * @throws VesfxError with the code `webhook_not_verified` and, as `field`, the header that is at fault.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  secret: string | readonly string[],
  { now = new Date() }: { readonly now?: Date } = {},
): Promise<WebhookMessage> {
  const keys = (typeof secret === 'string' ? [secret] : secret).map(keyBytes);
  if (keys.length === 0) throw new TypeError('secret must be the secret of the webhook.');
  const bytes = bytesOf(body);
  const given = namedHeaders(headers);
  const id = required(given, 'webhook-id');
  const timestamp = required(given, 'webhook-timestamp');
  const signatures = required(given, 'webhook-signature').split(' ');

  const age = Math.floor(now.getTime() / MS_PER_SEC) - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > WEBHOOK_TOLERANCE_SEC) {
    throw notVerified('The message is not of the last five minutes.', 'webhook-timestamp');
  }
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(start.length + bytes.length);
  signed.set(start);
  signed.set(bytes, start.length);
  const expected = await Promise.all(keys.map((key) => signatureOf(key, signed)));
  const isOurs = expected.some((one) => signatures.some((other) => areEqual(one, other)));
  if (!isOurs) {
    throw notVerified('The message was not signed with this secret.', 'webhook-signature');
  }
  return { ...messageIn(bytes), id };
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const [, base64 = ''] = SECRET.exec(String(secret)) ?? [];
  if (base64 === '') throw new TypeError('secret must be the secret of a webhook, whsec_….');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('body must be the body of the request as it came, not parsed.');
}

/** Names in small letters. */
function namedHeaders(headers: WebhookHeaders): ReadonlyMap<string, string> {
  const pairs = isIterable(headers) ? [...headers] : Object.entries(headers);
  return new Map(pairs.map(([name, value]) => [name.toLowerCase(), String(value ?? '')]));
}

function isIterable(
  headers: WebhookHeaders,
): headers is Iterable<readonly [name: string, value: string]> {
  return Symbol.iterator in headers;
}

function required(headers: ReadonlyMap<string, string>, name: string): string {
  const value = headers.get(name);
  if (value) return value;
  throw notVerified(`The request has no header ${name}.`, name);
}

async function signatureOf(
  key: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const hmac = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', hmac, signed));
  return `v1,${btoa(String.fromCharCode(...bytes))}`;
}

/** In a time that does not tell where they differ. */
function areEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1)
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function messageIn(bytes: Uint8Array): Omit<WebhookMessage, 'id'> {
  try {
    const message: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (asObject(message) !== undefined) return asSigned(message);
  } catch (cause) {
    throw noMessage(cause);
  }
  throw noMessage();
}

/** Whoever has signed it is the service, so it has the fields of a message. */
function asSigned(message: unknown): Omit<WebhookMessage, 'id'> {
  return message as Omit<WebhookMessage, 'id'>;
}

function noMessage(cause?: unknown): VesfxError {
  return notVerified('The body is no JSON object.', undefined, cause);
}

function notVerified(message: string, field: string | undefined, cause?: unknown): VesfxError {
  return new VesfxError('webhook_not_verified', { message, field, cause });
}
