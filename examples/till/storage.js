// Where a till keeps the rates: a storage has `load()`, which gives a text or null, and `save(text)`,
// which keeps the whole text or the one before. Write one for what your till has.

/** Keeps in the browser, for this address of the page. */
export const browserStorage = (name = 'vesfx-till') => ({
  load: () => localStorage.getItem(name),
  save: (text) => localStorage.setItem(name, text),
});
