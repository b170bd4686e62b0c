import type { BoardFigures } from '../board-figures.ts';

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
  /** The service does not answer, since it last did. */
  cutOff(since: number): void;
}

/**
 * Asks for the figures again and again: every half minute, more rarely while it fails, not at all
 * while the page is hidden, at once when it is shown again or the network is back.
 */
export function keepRefreshed(listener: Listener): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let lastAnswerAt = Date.now();
  let isAsking = false;

  async function poll(): Promise<void> {
    clearTimeout(timer);
    if (isAsking) return;
    isAsking = true;
    try {
      const { figures, clockAheadMs } = await ask();
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
async function ask(): Promise<{ readonly figures: BoardFigures; readonly clockAheadMs: number }> {
  const response = await fetch('/board.json', {
    cache: 'no-cache',
    signal: AbortSignal.timeout(POLL_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  // The body is what the service's own page was written from.
  const figures = (await response.json()) as BoardFigures;
  const said = Date.parse(response.headers.get('Date') ?? '');
  return { figures, clockAheadMs: Number.isNaN(said) ? 0 : Date.now() - said };
}
