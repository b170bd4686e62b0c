import type { ErrorAnswer } from '../answers.ts';
import { FAILURE_NAMES, type FailureName } from '../texts-shape.ts';

/** What went wrong with a call, in a word of ours; `detail` is the API's own sentence. */
export class Failure extends Error {
  readonly reason: FailureName;

  constructor(reason: FailureName, detail = '') {
    super(detail);
    this.reason = reason;
  }
}

/** Where the key lies: in the storage of this tab, which ends with it. */
const KEPT_KEY = 'vesfx-key';

/** Keys are of these characters alone; others could not even be sent. */
const SENDABLE = /^[\x21-\x7e]{1,200}$/;

/** The key of the tab, and the calls that are made with it. */
export class Session {
  #key: string | undefined;
  readonly #onEnded: () => void;

  /** `onEnded` is called when the service no longer takes the key. */
  constructor(onEnded: () => void) {
    this.#key = keptKey();
    this.#onEnded = onEnded;
  }

  get key(): string | undefined {
    return this.#key;
  }

  keep(key: string): void {
    this.#key = key;
    // Storage may be switched off; then the key lasts as long as the page.
    try {
      sessionStorage.setItem(KEPT_KEY, key);
    } catch {}
  }

  forget(): void {
    this.#key = undefined;
    try {
      sessionStorage.removeItem(KEPT_KEY);
    } catch {}
  }

  /**
   * The answer to a call of the API.
   * @throws Failure
   */
  async ask<Answer>(path: string, { method = 'GET', body }: Asked = {}): Promise<Answer> {
    const key = this.#key ?? '';
    const answer = await askWith<Answer>(key, path, { method, body });
    if (answer instanceof Failure) {
      if (answer.reason === 'invalid_api_key' && key === this.#key) this.#onEnded();
      throw answer;
    }
    return answer;
  }
}

interface Asked {
  readonly method?: string;
  readonly body?: object | undefined;
}

/** A call with a key that is not kept (yet). */
export async function askWith<Answer>(
  key: string,
  path: string,
  { method = 'GET', body }: Asked = {},
): Promise<Answer | Failure> {
  if (!SENDABLE.test(key)) return new Failure('invalid_api_key');
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method,
      headers: {
        'X-API-Key': key,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      cache: 'no-store',
      credentials: 'omit',
    });
    text = await response.text();
  } catch {
    return new Failure('network');
  }
  const value = parsed(text);
  if (response.ok) return ofOurOwn<Answer>(value);
  const { code, message } = value === undefined ? noAnswer : ofOurOwn<ErrorAnswer>(value);
  return new Failure(FAILURE_NAMES.find((name) => name === code) ?? 'other', message);
}

const noAnswer: ErrorAnswer = { code: '', message: '' };

/** The cast is safe: the service that sent this page, of the same version, wrote the answer. */
function ofOurOwn<Answer>(value: unknown): Answer {
  return value as Answer;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keptKey(): string | undefined {
  try {
    return sessionStorage.getItem(KEPT_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
