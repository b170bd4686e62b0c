/** The same name as in `service-worker.ts`, which cannot import it. */
const CACHE = 'vesfx-board';
const WORKER = '/service-worker.js';

/** Whether the answer comes from the cache, because there is no connection. */
export function isKept(response: Response): boolean {
  return response.headers.has('X-Vesfx-Kept');
}

/** Caches page, files and figures for use without a connection, in secure contexts only. */
export async function keepForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return;
  try {
    await navigator.serviceWorker.register(WORKER);
    const language = new URLSearchParams(location.search).get('lang');
    const page = language === null ? '/' : `/?lang=${language}`;
    // Not the browser's list of requests, which may still lack those of scripts that run.
    const files = [...document.querySelectorAll('head > script, head > link')]
      .map((one) => one.getAttribute('src') ?? one.getAttribute('href') ?? '')
      .filter((address) => address.startsWith('/assets/'));
    const cache = await caches.open(CACHE);
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url);
      // A cache of an older version.
      if (pathname.startsWith('/assets/') && !files.includes(pathname)) await cache.delete(url);
    }
    await cache.addAll([page, '/board.json', ...files]);
  } catch {
    // The browser refuses to cache anything. The page works without a cache.
  }
}
