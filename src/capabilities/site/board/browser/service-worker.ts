/**
 * Keeps the last board for use without a connection. It asks the network first. Without an answer it
 * sends the kept board, marked so that the page can say from when it is. The page puts its files into
 * the cache (`offline.ts`). This is a plain script and must not import anything.
 */
{
  const CACHE = 'vesfx-board';
  /** Marks cached figures, so that the page can distinguish them from current ones. */
  const KEPT_HEADER = 'X-Vesfx-Kept';

  /** The fetch event of a service worker, which the types for pages lack. */
  interface FetchEvent extends Event {
    readonly request: Request;
    respondWith(answer: Promise<Response>): void;
  }

  /** What a service worker controls, which the types for pages lack too. */
  interface WorkerScope {
    readonly clients: { claim(): Promise<void> };
  }

  async function networkFirst(request: Request, key: string, keeps = true): Promise<Response> {
    const cache = await caches.open(CACHE);
    try {
      const answer = await fetch(request);
      if (keeps && answer.status === 200) await cache.put(key, answer.clone());
      return answer;
    } catch (error) {
      const kept = await cache.match(key);
      if (kept === undefined) throw error;
      const headers = new Headers(kept.headers);
      headers.set(KEPT_HEADER, '1');
      return new Response(kept.body, { status: kept.status, headers });
    }
  }

  /** The address of an asset contains its hash, so a cached one is always current. */
  async function cacheFirst(request: Request): Promise<Response> {
    const cache = await caches.open(CACHE);
    return (await cache.match(request)) ?? fetch(request);
  }

  // Without this the page that installs the worker would not cache its figures.
  addEventListener('activate', () => (globalThis as unknown as WorkerScope).clients.claim());

  addEventListener('fetch', (event) => {
    // The browser sends events of this name with these fields.
    const { request } = event as FetchEvent;
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.origin !== location.origin) return;
    const answer = (promise: Promise<Response>) => (event as FetchEvent).respondWith(promise);
    if (request.mode === 'navigate' && url.pathname === '/') {
      const language = url.searchParams.get('lang');
      const isPlain = [...url.searchParams.keys()].every((name) => name === 'lang');
      // Pages of conversions are not cached. Without a connection the board is better than no page.
      const key = language === 'es' || language === 'en' ? `/?lang=${language}` : '/';
      answer(networkFirst(request, key, isPlain));
    } else if (url.pathname === '/board.json') answer(networkFirst(request, '/board.json'));
    else if (url.pathname.startsWith('/assets/')) answer(cacheFirst(request));
  });
}
