import { createContext } from 'preact';
import { type Inputs, useContext, useEffect, useState } from 'preact/hooks';
import type { Account } from '../../../../client/types.ts';
import type { ConsoleData } from '../console-data.ts';
import { failureIn } from '../failures.ts';
import type { Session } from './console-session.ts';

/** A key, or the secret of a webhook, at the only moment when it can be seen. */
export interface UnsavedKey {
  readonly id: string;
  readonly key: string;
  /** Whether the console goes on with it. */
  readonly isCurrent: boolean;
  /** Whether it is the secret of a webhook. */
  readonly isSecret?: boolean;
}

/** What every part of the console needs of an open account. */
export interface OpenConsole
  extends ConsoleData,
    Pick<Session, 'key' | 'keepKey' | 'call' | 'leave'> {
  readonly account: Account;
  /** Reads everything again; ends with the new account. */
  readonly refresh: () => Promise<void>;
  /** Rises when everything is to be read again. */
  readonly version: number;
  /** What is wrong with the account. */
  readonly trouble: string | undefined;
  readonly showNewKey: (key: UnsavedKey) => void;
}

export const ConsoleContext = createContext<OpenConsole | undefined>(undefined);

export function useConsole(): OpenConsole {
  const open = useContext(ConsoleContext);
  if (open === undefined) throw new Error('no account is open');
  return open;
}

interface Loaded<Value> {
  readonly value?: Value;
  readonly trouble?: string | undefined;
}

/** The newest answer of `load`, which runs again when `inputs` change. A failure keeps the answer before. */
export function useLoaded<Value>(load: () => Promise<Value>, inputs: Inputs): Loaded<Value> {
  const open = useConsole();
  const [state, setState] = useState<Loaded<Value>>({});
  useEffect(() => {
    let isNewest = true;
    load().then(
      (value) => isNewest && setState({ value }),
      (error: unknown) => {
        const trouble = failureIn(error, open);
        if (isNewest) setState((before) => ({ ...before, trouble }));
      },
    );
    return () => {
      isNewest = false;
    };
  }, inputs);
  // What is said about the account is said once.
  return state.trouble === open.trouble ? { ...state, trouble: undefined } : state;
}
