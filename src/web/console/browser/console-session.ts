import { VesfxError } from '../../../client/errors.ts';
import { Vesfx } from '../../../client/vesfx.ts';

/** The browser keeps the key until the tab is closed. */
const STORED_KEY = 'vesfx-key';

/** A header cannot carry other characters. */
const SENDABLE = /^[\x21-\x7e]{1,200}$/;

/** Errors that end the session. */
const SESSION_ENDS = ['invalid_api_key', 'account_suspended'] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

/** The tab's key and the calls with it. */
export class Session {
  #key: string | undefined;
  readonly #onEnded: (reason: SessionEnd) => void;

  /** `onEnded` is called when the service no longer accepts the key. */
  constructor(onEnded: (reason: SessionEnd) => void) {
    this.#key = storedKey();
    this.#onEnded = onEnded;
  }

  get key(): string | undefined {
    return this.#key;
  }

  keep(key: string): void {
    this.#key = key;
    // If storage is switched off, the key lasts as long as the page.
    try {
      sessionStorage.setItem(STORED_KEY, key);
    } catch {}
  }

  forget(): void {
    this.#key = undefined;
    try {
      sessionStorage.removeItem(STORED_KEY);
    } catch {}
  }

  /** Calls the API with the key of the tab. @throws VesfxError */
  async call<Answer>(work: (vesfx: Vesfx) => Promise<Answer>): Promise<Answer> {
    const key = this.#key ?? '';
    try {
      return await work(clientWith(key));
    } catch (error) {
      const code = error instanceof VesfxError ? error.code : undefined;
      const reason = SESSION_ENDS.find((one) => one === code);
      if (reason !== undefined && key === this.#key) this.#onEnded(reason);
      throw error;
    }
  }
}

/** A client that never tries again and caches nothing. @throws VesfxError for an invalid key. */
export function clientWith(key: string): Vesfx {
  if (!SENDABLE.test(key)) {
    throw new VesfxError('invalid_api_key', { message: 'A key has no such characters.' });
  }
  return new Vesfx({
    baseUrl: location.origin,
    key,
    retries: 0,
    keptAnswers: 0,
    fetch: (address, init) => fetch(address, { ...init, cache: 'no-store', credentials: 'omit' }),
  });
}

function storedKey(): string | undefined {
  try {
    return sessionStorage.getItem(STORED_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
