import { registerHooks } from 'node:module';

/**
 * Loaded before the program: changes lines of its files, so that a scenario can prove that it
 * detects this mistake. `CHANGED_LINES` in the environment is a JSON list of `{file, from, to}`:
 * `file` is the end of the file's address, such as `sources/parser/parser-pool.ts`; `from` is a
 * text that occurs once in it; `to` replaces it.
 */

interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const changes: readonly Change[] = JSON.parse(process.env['CHANGED_LINES'] ?? '[]');

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const here = changes.filter(({ file }) => url.endsWith(file));
    if (here.length === 0) return loaded;
    return { ...loaded, source: here.reduce(changed, sourceText(url, loaded.source)) };
  },
});

function changed(text: string, { file, from, to }: Change): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${file} has not exactly one "${from}".`);
  return parts.join(to);
}

function sourceText(url: string, source: unknown): string {
  if (typeof source === 'string') return source;
  if (source instanceof Uint8Array) return new TextDecoder().decode(source);
  throw new Error(`${url} cannot be read.`);
}
