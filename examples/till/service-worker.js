// Keeps the files of the till, so that it opens without a network. The rates are not here: rates.js
// keeps those, with their dates.

/** Raise it when you change a file: tills then take all files anew, together. */
const VERSION = 'till-1';
const FILES = ['./', 'page.js', 'rates.js', 'sale.js', 'storage.js', 'words.js'];

const keepFiles = async () => {
  const cache = await caches.open(VERSION);
  // Past the browser's own cache, which may still have the files of before.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })));
};

const dropOthers = async () => {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith('till-') && name !== VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
};

const answer = async (request) => {
  const cache = await caches.open(VERSION);
  const found = await cache.match(request, { ignoreSearch: request.mode === 'navigate' });
  return found ?? fetch(request);
};

addEventListener('install', (event) => event.waitUntil(keepFiles()));
addEventListener('activate', (event) => event.waitUntil(dropOthers()));
addEventListener('fetch', (event) => {
  const isOwn = event.request.url.startsWith(registration.scope);
  if (event.request.method === 'GET' && isOwn) event.respondWith(answer(event.request));
});
