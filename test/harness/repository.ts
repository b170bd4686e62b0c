import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, with its slash. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A file of the repository, by its path in it. */
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

export function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

/** The code of the product without its tests and, in capabilities, what helps them. */
export const sources = filesUnder('src', '.ts').filter(
  (file) => !/\.test\.ts$|^src\/capabilities\/[^/]+\/test\//.test(file),
);

/** The same engine as Chromium's, of the same version, without windows, which nobody sees here. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell';

/** The browser that the pages are tested in. */
export const CHROMIUM = existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : '/usr/bin/chromium';
/** Another engine, for what must work in both; Debian's package `firefox-esr`. */
export const FIREFOX = '/usr/bin/firefox-esr';
