import { registerHooks } from 'node:module';

/**
 * Loaded before the program: it runs with one line of one of its files changed, so that a scenario
 * can show that it sees this very mistake. Told by the environment:
 *
 *   CHANGE_FILE  end of the file's address, such as `sources/parser/parser-pool.ts`
 *   CHANGE_FROM  text that the file has once
 *   CHANGE_TO    what stands there instead
 */

const file = process.env['CHANGE_FILE'] ?? '';
const from = process.env['CHANGE_FROM'] ?? '';
const to = process.env['CHANGE_TO'] ?? '';

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (file === '' || !url.endsWith(file)) return loaded;
    const parts = sourceText(loaded.source).split(from);
    if (parts.length !== 2) throw new Error(`${file} has not exactly one "${from}".`);
    return { ...loaded, source: parts.join(to) };
  },
});

function sourceText(source: unknown): string {
  if (typeof source === 'string') return source;
  if (source instanceof Uint8Array) return new TextDecoder().decode(source);
  throw new Error(`${file} cannot be read.`);
}
