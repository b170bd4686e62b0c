import { constants } from 'node:os';
import { resolve } from 'node:path';
import { lowerPriority } from '../../core/app/lower-priority.ts';
import { databaseCommand } from '../../core/cli/command.ts';
import { marketsNamed } from '../../core/cli/markets.ts';
import { UsageError } from '../../core/cli/output.ts';
import { readConfig } from '../../core/config.ts';

const HELP = `
--static writes files that any web server can serve as they are. Only those that changed are written, and
the index comes last. The folder must be new, empty, or one that an export has written. Without --market
it has the markets of the cheapest plan.

  vesfx export --static /srv/rates
  vesfx serve --export /srv/rates     keeps them current`;

/** `vesfx export --static`: what any web server can serve (contract §22). */
export const exportStaticCommand = databaseCommand({
  name: 'export',
  about: 'write a static copy',
  chosenBy: '--static <dir>',
  flags: {
    '--static <dir>': 'folder for a copy that any web server can serve',
    '--market <id...>': { about: 'a market to export; again for more', isRepeated: true },
  },
  help: HELP,
  async read({ static: folder = '', ...input }) {
    if (folder === '') throw new UsageError('--static needs the name of a folder.');
    return { ...input, folder };
  },
  async work(toolbox, { folder, market: names, ...flags }) {
    const markets = names && marketsNamed(toolbox.markets, names);
    const { writeStaticCopy } = await import('./write-copy.ts');
    // A service on the same machine has priority.
    lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const dir = resolve(folder);
    const report = await writeStaticCopy(toolbox, readConfig(flags), { dir, markets });
    const { files, bytes, written, removed } = report;
    const changes =
      written + removed === 0 ? 'nothing changed' : `${written} written, ${removed} removed`;
    return {
      json: { folder: dir, ...report },
      text: `${dir}: ${files} files, ${bytes} bytes; ${changes}.`,
    };
  },
});
