import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/*
 * Writes embed/vesfx-rate.min.js, which pages load, from vesfx-rate.js and what it imports:
 * node src/capabilities/site/test/minify-embed.ts. A test compares the file with what this would write now.
 */

const FOLDER = new URL('../embed/', import.meta.url);
const HEAD = '/* <vesfx-rate>, MIT: https://github.com/vesfx/vesfx */\n';

// limit: Script of `<vesfx-rate>`, uncompressed | 8 kB | a test fails
export const MAX_EMBED_BYTES = 8_192;

export const EMBED_FILE = new URL('vesfx-rate.min.js', FOLDER);

/** The script of the element in one file, with short names and without comments. */
export async function minifiedEmbed(): Promise<string> {
  const { output } = await build({
    input: fileURLToPath(new URL('vesfx-rate.js', FOLDER)),
    output: { format: 'iife', minify: true, comments: { annotation: false } },
    platform: 'browser',
    write: false,
  });
  const [{ code }] = output;
  // Its styles are a template literal, which the tool leaves as it is.
  const [, styles = ''] = /`(:host [^`]*)`/.exec(code) ?? [];
  const smallStyles = styles.replaceAll(/\s*([{}:;,])\s*/g, '$1');
  return `${HEAD}${code.trim().replace(styles, smallStyles)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(EMBED_FILE, await minifiedEmbed());
}
