import { command } from '../../core/cli/command.ts';
import { CommandError, textTable, UsageError } from '../../core/cli/output.ts';
import { type Progress, progressBar } from '../../core/cli/progress.ts';
import { readConfig } from '../../core/config.ts';
import type { PostgresAddress } from '../../core/storage/postgres/url.ts';
import { PostgresUrlError, readPostgresUrl } from '../../core/storage/postgres/url.ts';
import type { Moved } from './move.ts';

const FORMAT = '{bar} {percentage}% of {total} rows copied and compared, {eta_formatted} left';

const HELP = `
Stop every vesfx that uses the folder first; it is only read. The PostgreSQL database must be empty.
If a move is interrupted, run the command again: it continues where it stopped. At the end both
databases are read and compared, table by table. --data names the folder, else VESFX_DATA.`;

function addressOf(text: string): PostgresAddress {
  try {
    return readPostgresUrl(text);
  } catch (error) {
    if (!(error instanceof PostgresUrlError)) throw error;
    throw new UsageError(`--to: ${error.message}.`);
  }
}

function movedText(moved: Moved, dataDir: string, to: PostgresAddress): string {
  const lines = moved.tables
    .filter(({ rows }) => rows > 0)
    .map(({ table: name, rows, digest }) => [name, String(rows), digest]);
  return [
    textTable(['table', 'rows', 'checksum'], lines),
    `Moved ${dataDir} to ${to.shown}${moved.resumed ? ', continuing an earlier move' : ''}. ` +
      'Both hold the same.',
    'Next: set VESFX_DATABASE_URL to that address and start the service. Keep the folder until you',
    'are sure: nothing in it was changed.',
  ].join('\n');
}

export const moveCommand = command({
  name: 'move',
  follows: 'routes',
  about: 'copy the database of a folder into an empty PostgreSQL database',
  flags: {
    '--to <url>': { about: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE', isRequired: true },
  },
  help: HELP,
  async run(input) {
    const to = addressOf(input.to);
    // The folder is the source, even when the environment already names the new database.
    const { dataDir } = readConfig(input);
    const { MoveRefused, moveToPostgres } = await import('./move.ts');
    let bar: Progress | undefined;
    try {
      const moved = await moveToPostgres({
        dataDir,
        to,
        onStart: async (rows) => {
          bar = await progressBar(rows, FORMAT);
        },
        onProgress: (rows) => bar?.advance(rows),
      });
      return {
        json: { from: dataDir, to: to.shown, ...moved },
        text: movedText(moved, dataDir, to),
      };
    } catch (error) {
      if (!(error instanceof MoveRefused)) throw error;
      throw new CommandError('invalid_format', error.message);
    } finally {
      bar?.stop();
    }
  },
});
