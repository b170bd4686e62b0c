import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sentence, sentence } from '../../core/domain/errors/sentence.ts';
import { zipOf } from '../../core/http/encoding/zip.ts';

/** What is handed out, and where it comes from. */
export interface File {
  /** Its name below `/client/`. */
  readonly name: string;
  readonly contentType: string;
  /** Whether no coding makes it shorter. */
  readonly isPacked: boolean;
  readonly about: Sentence;
  /** The line that installs it, or takes it where nothing is installed. */
  readonly install: (address: string) => string;
  /** The file itself, or the folder whose content is packed. */
  readonly source: string;
  readonly read: (source: string) => Promise<Buffer>;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const EXAMPLES = here('../../../examples/');

const TEXT = { contentType: 'text/plain; charset=utf-8', isPacked: false, read: readFile } as const;
const ZIP = { contentType: 'application/zip', isPacked: true, read: zippedFolder } as const;

const FILES: readonly File[] = [
  {
    name: 'vesfx-client.tgz',
    about: sentence(
      'The package `@vesfx/client` for JavaScript and TypeScript',
      'El paquete `@vesfx/client` para JavaScript y TypeScript',
    ),
    contentType: 'application/gzip',
    isPacked: true,
    install: (address) => `npm install ${address}`,
    // Made by `npm ci` and by the build: the sources are TypeScript.
    source: here('./bundle/vesfx-client.tgz'),
    read: readFile,
  },
  {
    ...TEXT,
    name: 'vesfx.py',
    about: sentence('The client for Python, one file', 'El cliente para Python, un solo archivo'),
    install: (address) => `curl -fO ${address}`,
    source: join(EXAMPLES, 'vesfx.py'),
  },
  {
    ...TEXT,
    name: 'vesfx.php',
    about: sentence('The client for PHP, one file', 'El cliente para PHP, un solo archivo'),
    install: (address) => `curl -fO ${address}`,
    source: join(EXAMPLES, 'vesfx.php'),
  },
  {
    ...ZIP,
    name: 'vesfx-odoo.zip',
    about: sentence(
      'The add-on for Odoo; unpack it in a folder of `addons_path`',
      'El módulo para Odoo; descomprímalo en una carpeta de `addons_path`',
    ),
    install: (address) => `curl -fO ${address} && python3 -m zipfile -e vesfx-odoo.zip .`,
    source: join(EXAMPLES, 'odoo'),
  },
  {
    ...ZIP,
    name: 'vesfx-woocommerce.zip',
    about: sentence(
      'The plugin for WordPress and WooCommerce; also by *Plugins → Add New → Upload*',
      'El plugin para WordPress y WooCommerce; también por *Plugins → Añadir nuevo → Subir*',
    ),
    install: (address) => `wp plugin install ${address} --activate`,
    source: join(EXAMPLES, 'woocommerce'),
  },
];

/** What is there: an installation without development packages could not make the package for npm. */
export const filesThere = () => FILES.filter(({ source }) => existsSync(source));

/** What a Python that has run the add-on leaves behind, and what starts with a dot. */
const LEFT_OUT = /(?:^|\/)(?:__pycache__\/|\.)/;

/** The content of a folder as a ZIP, in the same order on every machine. */
async function zippedFolder(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
  const contents = await Promise.all(paths.map((path) => readFile(join(folder, path))));
  return zipOf(paths.map((path, at) => [path, contents.slice(at, at + 1)]));
}
