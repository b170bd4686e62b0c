import { createContext } from 'preact';
import { type Inputs, useContext, useEffect, useState } from 'preact/hooks';
import { VesfxError } from '../../../client/errors.ts';
import type { Account } from '../../../client/types.ts';
import type { ConsoleData } from '../console-data.ts';
import type { ConsoleReader } from '../console-reader.ts';
import { failureText } from '../failures.ts';
import type { Session } from './console-session.ts';

/** A key at the only moment when it can be seen. */
export interface UnsavedKey {
  readonly key: string;
  /** Whether the console goes on with it. */
  readonly isCurrent: boolean;
}

/** What every part of the console needs of an open account. */
export interface OpenConsole {
  readonly data: ConsoleData;
  readonly session: Session;
  readonly account: Account;
  /** Reads the account again. */
  readonly reload: () => Promise<void>;
  /** Rises when everything is to be read again. */
  readonly version: number;
  readonly refresh: () => void;
  readonly showNewKey: (key: UnsavedKey) => void;
}

export const ConsoleContext = createContext<OpenConsole | undefined>(undefined);

export function useConsole(): OpenConsole {
  const open = useContext(ConsoleContext);
  if (open === undefined) throw new Error('no account is open');
  return open;
}

/** What went wrong, for people. @throws the error itself if it does not come from the API. */
export function failureIn(error: unknown, reader: ConsoleReader): string {
  if (!(error instanceof VesfxError)) throw error;
  return failureText(error, reader);
}

/** The newest answer of `load`, which runs again when `inputs` change. A failure keeps the answer before. */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  inputs: Inputs,
): { readonly value?: Value; readonly trouble?: string } {
  const { data } = useConsole();
  const [state, setState] = useState<{ readonly value?: Value; readonly trouble?: string }>({});
  useEffect(() => {
    let isNewest = true;
    load().then(
      (value) => isNewest && setState({ value }),
      (error: unknown) => {
        const trouble = failureIn(error, data);
        if (isNewest) setState((before) => ({ ...before, trouble }));
      },
    );
    return () => {
      isNewest = false;
    };
  }, inputs);
  return state;
}
