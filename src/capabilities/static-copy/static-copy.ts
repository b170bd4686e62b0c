import type { Capability } from '../../core/capability.ts';
import { ConfigError } from '../../core/config.ts';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { exportStaticCommand } from './command.ts';

const ABOUT = 'folder of a static copy to keep current, for any web server';

/** The rates as files that any web server can serve (contract §22). */
export const staticCopy: Capability = {
  name: 'static-copy',
  settings: {
    '--export': {
      about: ABOUT,
      flag: { notation: '--export <dir>', about: ABOUT },
      shownDefault: sentence('none', 'ninguna'),
      meaning: sentence(
        'Folder of a [static copy](static-copy.md) that the process keeps current',
        'Carpeta de una [copia estática](static-copy.es.md) que el proceso mantiene al día',
      ),
      /** An empty name is mostly a variable that is not set; it must not mean the current folder. */
      check(dir) {
        if (dir === '') throw new ConfigError('--export needs the name of a folder.');
      },
    },
  },
  commands: () => [exportStaticCommand],
  async open(parts) {
    const dir = parts.config.added['--export'];
    if (dir === undefined) return {};
    // Import on demand: most processes write no copy.
    return (await import('./job.ts')).openExporter(dir, parts);
  },
};
