import { type Sentence, sentence } from '../../core/domain/errors/sentence.ts';
import { zipOf } from '../../core/http/framework/encoding/zip.ts';
import { isInProduct, productFilesIn, readProductFile } from '../../core/product-files.ts';

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
  readonly read: (source: string) => Buffer | Promise<Buffer>;
}

const TEXT = {
  contentType: 'text/plain; charset=utf-8',
  isPacked: false,
  read: readProductFile,
} as const;
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
    source: 'src/capabilities/handouts/bundle/vesfx-client.tgz',
    read: readProductFile,
  },
  {
    ...TEXT,
    name: 'vesfx.py',
    about: sentence('The client for Python, one file', 'El cliente para Python, un solo archivo'),
    install: (address) => `curl -fO ${address}`,
    source: 'examples/vesfx.py',
  },
  {
    ...TEXT,
    name: 'vesfx.php',
    about: sentence('The client for PHP, one file', 'El cliente para PHP, un solo archivo'),
    install: (address) => `curl -fO ${address}`,
    source: 'examples/vesfx.php',
  },
  {
    ...TEXT,
    name: 'vesfx-invoice.php',
    about: sentence(
      'Invoices in PHP that keep their rate, with `vesfx.php` beside it',
      'Facturas en PHP que guardan su tasa, con `vesfx.php` al lado',
    ),
    install: (address) => `curl -fO ${address}`,
    source: 'examples/vesfx-invoice.php',
  },
  {
    ...ZIP,
    name: 'vesfx-odoo.zip',
    about: sentence(
      'The add-on for Odoo; unpack it in a folder of `addons_path`',
      'El módulo para Odoo; descomprímalo en una carpeta de `addons_path`',
    ),
    install: (address) => `curl -fO ${address} && python3 -m zipfile -e vesfx-odoo.zip .`,
    source: 'examples/odoo',
  },
  {
    ...ZIP,
    name: 'vesfx-woocommerce.zip',
    about: sentence(
      'The plugin for WordPress and WooCommerce; also by *Plugins → Add New → Upload*',
      'El plugin para WordPress y WooCommerce; también por *Plugins → Añadir nuevo → Subir*',
    ),
    install: (address) => `wp plugin install ${address} --activate`,
    source: 'examples/woocommerce',
  },
  {
    ...ZIP,
    name: 'vesfx-till.zip',
    about: sentence(
      'The till for JavaScript, with a page that sells without a network',
      'La caja para JavaScript, con una página que cobra sin conexión',
    ),
    install: (address) => `curl -fO ${address} && python3 -m zipfile -e vesfx-till.zip till`,
    source: 'examples/till',
  },
];

/** What is there: an installation without development packages could not make the package for npm. */
export const filesThere = () => FILES.filter(({ source }) => isInProduct(source));

/** What a Python that has run the add-on leaves behind, and what starts with a dot. */
const LEFT_OUT = /(?:^|\/)(?:__pycache__\/|\.)/;

/** The content of a folder as a ZIP, in the same order on every machine. */
function zippedFolder(folder: string): Promise<Buffer> {
  const names = productFilesIn(folder)
    .map((path) => path.slice(folder.length + 1))
    .filter((name) => !LEFT_OUT.test(name))
    .sort();
  return zipOf(names.map((name) => [name, [readProductFile(`${folder}/${name}`)]]));
}
