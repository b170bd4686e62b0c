import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { productFilesIn, readProductFile } from '../../product-files.ts';
import { command } from '../command.ts';
import { CommandError, UsageError } from '../output.ts';

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Writes all or none. @throws CommandError when one exists already. */
function writeNew(folder: string, files: ReadonlyMap<string, Buffer>): void {
  const taken = [...files.keys()].find((name) => isThere(join(folder, name)));
  if (taken !== undefined) {
    const file = join(folder, taken);
    throw new CommandError('already_exists', `${file} exists already: nothing was written.`);
  }
  if (!isThere(dirname(folder))) throw new UsageError(`There is no folder ${dirname(folder)}.`);
  const isNew = !isThere(folder);
  if (isNew) mkdirSync(folder);
  const written: string[] = [];
  try {
    for (const [name, bytes] of files) {
      const path = join(folder, name);
      writeFileSync(path, '', { flag: 'wx' });
      written.push(path);
      writeFileSync(path, bytes, { flush: true });
    }
  } catch (error) {
    for (const path of written) rmSync(path);
    if (isNew) rmSync(folder, { recursive: true });
    throw error;
  }
}

const HELP = `
It writes markets.json, plans.json, sources.json and the others as this version has them, and never
over a file. Of a file that you remove the packaged one counts, also after an upgrade.`;

/** `vesfx init`: the catalogue for who edits it. */
export const initCommand = command({
  name: 'init',
  about: 'write the files of the catalogue to a folder, to be edited there',
  arguments: { '<dir>': 'the folder, such as /etc/vesfx; it is made if necessary' },
  help: HELP,
  async run({ dir }) {
    const folder = resolve(dir);
    const files = new Map(
      productFilesIn('catalog').map((path) => [basename(path), readProductFile(path)]),
    );
    writeNew(folder, files);
    const names = [...files.keys()].sort();
    return {
      json: { folder, files: names },
      text: names.map((name) => join(folder, name)).join('\n'),
      hints: [`vesfx reads them when VESFX_CATALOG is ${folder}.`],
    };
  },
});
