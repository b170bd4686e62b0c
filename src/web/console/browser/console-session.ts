import { VesfxError } from '../../../client/errors.ts';
import { Vesfx } from '../../../client/vesfx.ts';

/** The key is kept in the storage of this tab, which ends with the tab. */
const STORED_KEY = 'vesfx-key';

/** Keys are of these characters alone; others could not even be sent. */
const SENDABLE = /^[\x21-\x7e]{1,200}$/;

/** Errors after which the key opens nothing more. */
const SESSION_ENDS = ['invalid_api_key', 'account_suspended'] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

/** The key of the tab, and the calls that are made with it. */
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
    // Storage may be switched off; then the key lasts as long as the page.
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

/** Each call is made once, without cached answers. @throws VesfxError for an invalid key. */
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
