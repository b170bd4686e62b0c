import type { BoardFigures } from '../board-figures.ts';
import { isKept } from './offline.ts';

/** Interval between requests for figures while the page is visible. */
const POLL_MS = 30_000;
/** First pause after a failure; doubled after each further one. */
const FIRST_RETRY_MS = 4_000;
const SLOWEST_RETRY_MS = 120_000;
const POLL_TIMEOUT_MS = 10_000;

interface Listener {
  /** `clockAheadMs` is by how much this device's clock is ahead of the service's. */
  figures(figures: BoardFigures, clockAheadMs: number): void;
  /** Figures cached for use without a connection. */
  kept(figures: BoardFigures): void;
  /** The service does not answer. `since` is the time of its last answer. */
  cutOff(since: number): void;
}

/**
 * Requests the figures every half minute, and less often after failures. It waits while the page is
 * hidden, and asks at once when the page is shown again or the network is back.
 * @param pageIsOf When the service wrote the page.
 */
export function keepRefreshed(listener: Listener, pageIsOf: number): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let lastAnswerAt = pageIsOf;
  let hasAnswered = false;
  let isAsking = false;
  /** Whether the network came back while a request waited: its answer may be of before. */
  let mustAskAgain = false;

  async function poll(): Promise<void> {
    clearTimeout(timer);
    if (isAsking) {
      mustAskAgain = true;
      return;
    }
    isAsking = true;
    try {
      const { figures, clockAheadMs } = await ask();
      if (clockAheadMs === undefined) {
        const keptOf = Date.parse(figures.as_of);
        // Cached figures may be newer than a cached page. They are older than any answer of this
        // visit.
        if (!hasAnswered && keptOf >= pageIsOf) {
          listener.kept(figures);
          lastAnswerAt = keptOf;
        }
        throw new Error('the service does not answer');
      }
      failures = 0;
      lastAnswerAt = Date.now();
      hasAnswered = true;
      listener.figures(figures, clockAheadMs);
    } catch {
      // After any error the page shows the time of its last answer, and tries again.
      failures += 1;
      listener.cutOff(lastAnswerAt);
    } finally {
      isAsking = false;
    }
    if (document.hidden) return;
    if (mustAskAgain) {
      mustAskAgain = false;
      return poll();
    }
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

/**
 * With `no-cache` the browser sends its ETag, and the service does not send an unchanged answer
 * again.
 */
async function ask(): Promise<{
  readonly figures: BoardFigures;
  /** Absent for cached figures, which say nothing about the clock. */
  readonly clockAheadMs?: number;
}> {
  const response = await fetch('/board.json', {
    cache: 'no-cache',
    signal: AbortSignal.timeout(POLL_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  // The service writes its page from a value of this type.
  const figures = (await response.json()) as BoardFigures;
  if (isKept(response)) return { figures };
  const said = Date.parse(response.headers.get('Date') ?? '');
  return { figures, clockAheadMs: Number.isNaN(said) ? 0 : Date.now() - said };
}
