import { useEffect, useRef, useState } from 'preact/hooks';
import type { BoardHistory } from '../board-figures.ts';

// limit: Wait of the chart | 20 s | the chart says so
const READ_TIMEOUT_MS = 20_000;

interface Asked {
  /** Undefined without a market: then nothing is asked for. */
  readonly address: string | undefined;
  /** Version of the figures on the page: newer ones end in a newer last point. */
  readonly version: string;
  /** How often the service answered: then a history that could not be loaded is asked for again. */
  readonly answers: number;
  /** Whether the reader looks at some of the days, which newer figures leave as they are. */
  readonly isHeld: boolean;
}

interface Read {
  readonly address?: string | undefined;
  readonly history?: BoardHistory | undefined;
  readonly hasFailed?: boolean;
}

/** The history at an address. The drawn one stays until the next is there, or cannot be loaded. */
export function useHistory({ address, version, answers, isHeld }: Asked): Read {
  const [read, setRead] = useState<Read>({});
  const wanted = useRef({ version, answers });
  if (!isHeld) wanted.current.version = version;
  if (read.hasFailed === true) wanted.current.answers = answers;
  const { current } = wanted;
  useEffect(() => {
    if (address === undefined) return setRead({});
    const stop = new AbortController();
    historyAt(address, stop.signal).then(
      (history) => setRead({ address, history }),
      () => {
        if (stop.signal.aborted) return;
        // The chart of another choice would contradict the buttons.
        setRead((before) => (before.address === address ? before : { hasFailed: true }));
      },
    );
    return () => stop.abort();
  }, [address, current.version, current.answers]);
  return read;
}

async function historyAt(address: string, stop: AbortSignal): Promise<BoardHistory> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(READ_TIMEOUT_MS)]);
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  // The service answers its own page.
  return (await response.json()) as BoardHistory;
}
