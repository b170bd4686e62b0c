import { readFile, rename, writeFile } from 'node:fs/promises';

/** Keeps in a file, for a till that runs in Node, Electron, Deno or Bun. */
export const fileStorage = (path) => ({
  load: () => readFile(path, 'utf8').catch(() => null),
  // Whole or not at all: a till loses its power while it writes.
  async save(text) {
    await writeFile(`${path}.new`, text, { flush: true });
    await rename(`${path}.new`, path);
  },
});
