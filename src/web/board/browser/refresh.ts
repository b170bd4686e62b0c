import type { BoardFigures } from '../board-figures.ts';
import { isKept } from './offline.ts';

/** How often figures are asked for, in a page that is looked at. */
const POLL_MS = 30_000;
/** After failures, doubled each time. */
const FIRST_RETRY_MS = 4_000;
const SLOWEST_RETRY_MS = 120_000;
const POLL_TIMEOUT_MS = 10_000;

/** What the page is told of the service. */
export interface Listener {
  /** `clockAheadMs` is by how much this device's clock is ahead of the service's. */
  figures(figures: BoardFigures, clockAheadMs: number): void;
  /** Figures that were kept for when there is no connection. */
  kept(figures: BoardFigures): void;
  /** The service does not answer, since it last did. */
  cutOff(since: number): void;
}

/**
 * Asks for the figures again and again: every half minute, more rarely while it fails, not at all
 * while the page is hidden, at once when it is shown again or the network is back. `pageIsOf` is when
 * the service wrote the page.
 */
export function keepRefreshed(listener: Listener, pageIsOf: number): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let lastAnswerAt = pageIsOf;
  let isAsking = false;

  async function poll(): Promise<void> {
    clearTimeout(timer);
    if (isAsking) return;
    isAsking = true;
    try {
      const { figures, clockAheadMs } = await ask();
      if (clockAheadMs === undefined) {
        listener.kept(figures);
        throw new Error('the service does not answer');
      }
      failures = 0;
      lastAnswerAt = Date.now();
      listener.figures(figures, clockAheadMs);
    } catch {
      // Whatever it was: without figures the page says since when, and tries again.
      failures += 1;
      listener.cutOff(lastAnswerAt);
    } finally {
      isAsking = false;
    }
    if (document.hidden) return;
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), SLOWEST_RETRY_MS);
    timer = setTimeout(poll, failures === 0 ? POLL_MS : retryMs);
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) clearTimeout(timer);
    else void poll();
  });
  addEventListener('online', () => void poll());
  void poll();
}

/** With `no-cache` the browser sends the ETag that it has, and an unchanged answer is not sent again. */
async function ask(): Promise<{
  readonly figures: BoardFigures;
  /** Absent for figures that were kept: they say nothing of the clock. */
  readonly clockAheadMs?: number;
}> {
  const response = await fetch('/board.json', {
    cache: 'no-cache',
    signal: AbortSignal.timeout(POLL_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  // The body is what the service's own page was written from.
  const figures = (await response.json()) as BoardFigures;
  if (isKept(response)) return { figures };
  const said = Date.parse(response.headers.get('Date') ?? '');
  return { figures, clockAheadMs: Number.isNaN(said) ? 0 : Date.now() - said };
}
