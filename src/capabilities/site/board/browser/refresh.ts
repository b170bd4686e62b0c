import type { Received } from '../board-data.ts';
import type { BoardFigures } from '../board-figures.ts';
import { ChangeNews } from './news.ts';
import { isKept } from './offline.ts';
import type { PageClock } from './page-clock.ts';

/** Interval between requests for figures while the page is visible. */
const POLL_MS = 30_000;
/** The same while the service tells of changes: only what changes without a rate is left. */
const POLL_BESIDE_NEWS_MS = 120_000;
/** First pause after a failure; doubled after each further one. */
const FIRST_RETRY_MS = 4_000;
// limit: Board: between attempts | 2 minutes
const SLOWEST_RETRY_MS = 120_000;
// limit: Wait of the board for figures | 10 s | shown as no connection
const POLL_TIMEOUT_MS = 10_000;

/**
 * Requests the figures when the service tells of a change, else every half minute, and less often
 * after failures. It waits while the page is hidden, and asks at once when the page is shown again or
 * the network goes or is back.
 * @param page When the service wrote the page, and the address of its stream, if it has one.
 */
export function keepRefreshed(
  clock: PageClock,
  { pageIsOf, stream }: { readonly pageIsOf: number; readonly stream: string | undefined },
  onChange: (change: Partial<Received>) => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let answers = 0;
  let lastAnswerAt = pageIsOf;
  let isAsking = false;
  /** Whether the network came back while a request waited: its answer may be of before. */
  let mustAskAgain = false;
  const askNow = () => void poll();
  const news = new ChangeNews(stream, { onNews: askNow, onEnd: askNow });

  async function poll(): Promise<void> {
    clearTimeout(timer);
    if (isAsking) {
      mustAskAgain = true;
      return;
    }
    isAsking = true;
    try {
      await ask();
      failures = 0;
      if (!document.hidden) news.open();
    } catch {
      // After any error the page shows the time of its last answer, and tries again.
      failures += 1;
      onChange({ cutOffSince: lastAnswerAt });
    } finally {
      isAsking = false;
    }
    if (document.hidden) return;
    if (mustAskAgain) {
      mustAskAgain = false;
      return poll();
    }
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), SLOWEST_RETRY_MS);
    const pollMs = news.isOpen ? POLL_BESIDE_NEWS_MS : POLL_MS;
    timer = setTimeout(poll, failures === 0 ? pollMs : retryMs);
  }

  async function ask(): Promise<void> {
    // The browser sends its ETag, and the service does not send an unchanged answer again.
    const response = await fetch('/board.json', {
      cache: 'no-cache',
      signal: AbortSignal.timeout(POLL_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`the service answered ${response.status}`);
    // The service writes its page from a value of this type.
    const figures = (await response.json()) as BoardFigures;
    if (isKept(response)) {
      const keptOf = Date.parse(figures.as_of);
      // Cached figures may be newer than a cached page. They are older than any answer of this visit.
      if (answers === 0 && keptOf >= pageIsOf) {
        onChange({ figures });
        lastAnswerAt = keptOf;
      }
      throw new Error('the service does not answer');
    }
    const said = Date.parse(response.headers.get('Date') ?? '');
    clock.aheadMs = Number.isNaN(said) ? 0 : Date.now() - said;
    lastAnswerAt = clock.now();
    answers += 1;
    onChange({ figures, answers, cutOffSince: undefined });
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      clearTimeout(timer);
      news.close();
    } else void poll();
  });
  // Without a network the request fails at once, and the page says so.
  for (const change of ['online', 'offline']) addEventListener(change, () => void poll());
  void poll();
}
