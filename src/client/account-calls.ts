import { type CallOptions, json } from './answers.ts';
import type { Call, HttpClient } from './http-client.ts';
import type * as api from './types.ts';

const KEYS = '/v1/account/keys';
const MARKUPS = '/v1/account/markups';

export function keyPath(id: string): string {
  return `${KEYS}/${encodeURIComponent(id)}`;
}

function rulePath(tag: string): string {
  return `${MARKUPS}/${encodeURIComponent(tag)}`;
}

/** The keys of the account. A key cannot create or change a key with more rights than its own. */
export class AccountKeys {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Active keys first, without their secrets. */
  list({ signal, ...query }: api.ListKeysQuery & CallOptions = {}): Promise<api.Keys> {
    return json(this.#http, { path: KEYS, query, signal });
  }

  /** Only this answer contains the new key. */
  create(key: api.KeyRequest, { signal }: CallOptions = {}): Promise<api.CreatedKey> {
    const call: Call = { method: 'POST', path: KEYS, body: key, signal, once: true };
    return json(this.#http, call);
  }

  change(id: string, change: api.KeyChange, { signal }: CallOptions = {}): Promise<api.Key> {
    return json(this.#http, { method: 'PATCH', path: keyPath(id), body: change, signal });
  }

  async revoke(id: string, { signal }: CallOptions = {}): Promise<void> {
    const call: Call = { method: 'DELETE', path: keyPath(id), signal, once: true };
    await this.#http.text(call);
  }
}

/** The markup rules of the account. */
export class MarkupRules {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  list({ signal }: CallOptions = {}): Promise<api.Markups> {
    return json(this.#http, { path: MARKUPS, signal });
  }

  create(rule: api.NewMarkup, { signal }: CallOptions = {}): Promise<api.Markup> {
    const call: Call = { method: 'POST', path: MARKUPS, body: rule, signal, once: true };
    return json(this.#http, call);
  }

  replace(
    tag: string,
    rule: api.MarkupReplacement,
    { signal }: CallOptions = {},
  ): Promise<api.Markup> {
    return json(this.#http, { method: 'PUT', path: rulePath(tag), body: rule, signal });
  }

  async delete(tag: string, { signal }: CallOptions = {}): Promise<void> {
    const call: Call = { method: 'DELETE', path: rulePath(tag), signal, once: true };
    await this.#http.text(call);
  }
}
