import { useRef, useState } from 'preact/hooks';
import { VesfxError } from '../../../../client/errors.ts';
import type { Account } from '../../../../client/types.ts';
import { Vesfx } from '../../../../client/vesfx.ts';
import type { Language } from '../../../../core/domain/words/language.ts';
import type { ConsoleReader } from '../console-data.ts';
import { failureIn } from '../failures.ts';
import type { SignInSaid } from '../sign-in.ts';

/** The browser keeps the key until the tab is closed, and what the reader tries with it. */
const STORED_KEY = 'vesfx-key';
const STORED_TRIAL = 'vesfx-trial';

/** A key of this kind never has the permission to read the account. */
const PUBLISHABLE = 'vfx_pub_';

/** A header cannot carry other characters. */
const SENDABLE = /^[\x21-\x7e]{1,200}$/;

/** If storage is switched off, what the browser would keep lasts as long as the page. */
export function withStorage<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The fields of the playground, which outlast a reload and a change of language. */
export function keptTrial(): Readonly<Record<string, string>> {
  const kept = withStorage(() => sessionStorage.getItem(STORED_TRIAL)) ?? '';
  return Object.fromEntries(new URLSearchParams(kept));
}

export function keepTrial(fields: Readonly<Record<string, string>>): void {
  const text = String(new URLSearchParams(fields));
  withStorage(() => sessionStorage.setItem(STORED_TRIAL, text));
}

/**
 * The account of the tab's key, and the calls with that key. The key stays in the session of the tab:
 * it survives a reload, ends with the tab, and needs no cookie with a protection of its own.
 */
export function useSession(reader: ConsoleReader) {
  const { texts } = reader;
  const key = useRef(withStorage(() => sessionStorage.getItem(STORED_KEY)) ?? undefined);
  const [account, setAccount] = useState<Account>();
  const [said, setSaid] = useState<SignInSaid>({});
  const [busy, setBusy] = useState<'entering' | 'resuming'>();

  const keepKey = (next: string) => {
    key.current = next;
    withStorage(() => sessionStorage.setItem(STORED_KEY, next));
  };
  const leave = (next: SignInSaid) => {
    key.current = undefined;
    for (const stored of [STORED_KEY, STORED_TRIAL]) {
      withStorage(() => sessionStorage.removeItem(stored));
    }
    setAccount(undefined);
    setSaid(next);
  };
  /** Calls the API with the key of the tab, and leaves if it has ended. @throws VesfxError */
  const call = async <Answer>(work: (vesfx: Vesfx) => Promise<Answer>): Promise<Answer> => {
    const used = key.current ?? '';
    try {
      return await work(clientWith(used, reader.language));
    } catch (error) {
      const code = error instanceof VesfxError && used === key.current && error.code;
      if (code === 'invalid_api_key') leave({ trouble: texts.keyEnded });
      if (code === 'account_suspended') leave({ trouble: texts.failures.account_suspended });
      throw error;
    }
  };
  /** Reads the account again. */
  const reload = async () => setAccount(await call((vesfx) => vesfx.account()));
  const open = async (how: typeof busy, work: () => Promise<void>) => {
    if (busy) return;
    setBusy(how);
    setSaid({});
    try {
      await work();
    } catch (error) {
      const trouble = failureIn(error, reader);
      // What a key that has ended says stays.
      setSaid((before) => (before.trouble === undefined ? { trouble } : before));
    } finally {
      setBusy(undefined);
    }
  };
  const enter = (next: string) => {
    if (next.startsWith(PUBLISHABLE)) return setSaid({ trouble: texts.publishableHere });
    return open('entering', async () => {
      setAccount(await clientWith(next, reader.language).account());
      keepKey(next);
    });
  };
  /** Signs in with the tab's key after a reload or a change of language. */
  const resume = async () => {
    if (key.current !== undefined) await open('resuming', reload);
  };
  return { key, account, said, busy, keepKey, leave, call, reload, enter, resume };
}

export type Session = ReturnType<typeof useSession>;

/**
 * A client that never tries again and caches nothing, and gets messages in that language.
 * @throws VesfxError for an invalid key.
 */
function clientWith(key: string, language: Language): Vesfx {
  if (!SENDABLE.test(key)) {
    throw new VesfxError('invalid_api_key', { message: 'A key has no such characters.' });
  }
  return new Vesfx({
    ...{ baseUrl: location.origin, key, retries: 0, keptAnswers: 0 },
    fetch(address, init) {
      const headers = { ...init?.headers, 'Accept-Language': language };
      return fetch(address, { ...init, headers, cache: 'no-store', credentials: 'omit' });
    },
  });
}
