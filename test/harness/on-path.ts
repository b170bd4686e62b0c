import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A command of this name on the path, other than what this project installs. */
export function onPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
