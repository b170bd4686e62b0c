import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { minifySync } from 'rolldown/utils';

/*
 * Writes src/web/embed/vesfx-rate.min.js, which pages load, from vesfx-rate.js:
 * node scripts/minify-embed.ts. A test compares the file with what this would write now.
 */

const FOLDER = new URL('../src/web/embed/', import.meta.url);
const SOURCE = 'vesfx-rate.js';
const HEAD = '/* <vesfx-rate>, MIT: https://github.com/vesfx/vesfx */\n';

export const EMBED_FILE = new URL('vesfx-rate.min.js', FOLDER);

/** The script of the element with short names and without comments. */
export function minifiedEmbed(): string {
  const source = readFileSync(new URL(SOURCE, FOLDER), 'utf8');
  const { code, errors } = minifySync(SOURCE, source);
  if (errors.length > 0) throw new Error(`${SOURCE}: ${errors[0]?.message}`);
  // Its styles are a template literal, which the tool leaves as it is.
  const [, styles = ''] = /`(:host [^`]*)`/.exec(code) ?? [];
  const smallStyles = styles.replaceAll(/\s*([{}:;,])\s*/g, '$1');
  return `${HEAD}${code.trim().replace(styles, smallStyles)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(EMBED_FILE, minifiedEmbed());
