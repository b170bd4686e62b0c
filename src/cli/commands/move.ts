import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Moved } from '../../storage/move/move.ts';
import type { PostgresAddress } from '../../storage/postgres/address.ts';
import { PostgresUrlError, readPostgresUrl } from '../../storage/postgres/url.ts';
import { flagsOf, print, table, UsageError } from '../output.ts';
import { type Progress, progressBar } from '../progress.ts';

const FORMAT = '{bar} {percentage}% of {total} rows copied and compared, {eta_formatted} left';

export function addMoveCommand(program: Command): void {
  program
    .command('move')
    .description('copy the database of a folder into an empty PostgreSQL database')
    .requiredOption('--to <url>', 'postgres://USER:PASSWORD@HOST:PORT/DATABASE')
    .addHelpText('after', HELP)
    .action(async (_options, command: Command) => {
      const flags = flagsOf<{ readonly to: string }>(command);
      const to = addressOf(flags.to);
      // The folder is the source, even when the environment already names the new database.
      const { dataDir } = readConfig(flags);
      const { MoveRefused, moveToPostgres } = await import('../../storage/move/move.ts');
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
        bar?.stop();
        print(flags, { from: dataDir, to: to.shown, ...moved }, movedText(moved, dataDir, to));
      } catch (error) {
        if (!(error instanceof MoveRefused)) throw error;
        throw new ApiError('invalid_format', { message: error.message });
      } finally {
        bar?.stop();
      }
    });
}

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
  const rows = moved.tables
    .filter((one) => one.rows > 0)
    .map((one) => [one.table, String(one.rows), one.digest]);
  return [
    table(['table', 'rows', 'checksum'], rows),
    `Moved ${dataDir} to ${to.shown}${moved.resumed ? ', continuing an earlier move' : ''}. ` +
      'Both hold the same.',
    'Next: set VESFX_DATABASE_URL to that address and start the service. Keep the folder until you',
    'are sure: nothing in it was changed.',
  ].join('\n');
}
