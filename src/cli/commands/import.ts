import { createReadStream, statSync } from 'node:fs';
import { constants } from 'node:os';
import type { Command } from 'commander';
import type { BadLine } from '../../app/ingest/batch.ts';
import type { IngestCounts } from '../../app/ingest/ingest.ts';
import { lowerPriority } from '../../app/lower-priority.ts';
import type { Toolbox } from '../../compose.ts';
import { PUSHED } from '../../domain/source-health.ts';
import { FAILED, flagsOf, NOTHING_PUBLISHED, print, remark, visible } from '../output.ts';
import { type Progress, progressBar } from '../progress.ts';
import { withToolbox } from '../toolbox.ts';

const CHUNK_BYTES = 256 * 1024;

interface ImportFlags {
  readonly dryRun?: boolean;
  readonly trust?: boolean;
}

async function* counted(chunks: AsyncIterable<Buffer>, bar: Progress): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    bar.advance(chunk.length);
    yield chunk;
  }
}

export function countsText({ accepted, held, refused, duplicate }: IngestCounts): string {
  return `accepted ${accepted}, held ${held}, refused ${refused}, duplicate ${duplicate}`;
}

/** Whether there are new records, and all of them are held. */
export function isAllHeld({ accepted, held }: IngestCounts): boolean {
  return accepted === 0 && held > 0;
}

/** `vesfx import`: records pushed by the operator (decisions §7). */
export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description('load NDJSON records: all of a file, or nothing when a line is bad')
    .argument(
      '<file>',
      'file of records, one JSON object per line, also as gzip; - reads standard input',
    )
    .option('--dry-run', 'check and count, store nothing')
    .option('--trust', 'accept records that would be held, because you have checked them')
    .addHelpText(
      'after',
      '\nExit code 3: nothing was published, because every new record is held or there is none.',
    )
    .action(async (file: string, _options, command: Command) => {
      const flags = flagsOf<ImportFlags>(command);
      const [{ recordLinesOf }, { MAX_LISTED_ERRORS }] = await Promise.all([
        import('../import-input.ts'),
        import('../../app/ingest/ingest.ts'),
      ]);
      // Check first, so that a wrong name is reported before a database is created.
      const stats = file === '-' ? undefined : statSync(file);
      const size = stats?.isFile() ? stats.size : 0;
      // A service on the same machine has priority.
      lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
      const withoutDatabase = flags.dryRun === true ? 'try' : 'create';
      const load = async ({ ingest }: Toolbox) => {
        const megabytes = `${(size / 1e6).toFixed(1)} MB`;
        const format = `{bar} {percentage}% of ${megabytes}, {eta_formatted} left`;
        const bar = await progressBar(size, format);
        const input =
          file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
        const errors: BadLine[] = [];
        try {
          const counts = await ingest.ingest(recordLinesOf(counted(input, bar)), {
            source: PUSHED,
            dryRun: flags.dryRun === true,
            trust: flags.trust === true,
            onBadLine(bad) {
              if (errors.length < MAX_LISTED_ERRORS) errors.push(bad);
              bar.clear();
              remark(`line ${bad.line}: ${visible(bad.reason)}`);
            },
            onPassedOver({ line, reason }) {
              bar.clear();
              remark(`line ${line} is skipped: ${visible(reason)}`);
            },
          });
          bar.stop();
          finish(flags, counts, errors);
        } finally {
          bar.stop();
        }
      };
      await withToolbox(flags, load, { withoutDatabase });
    });
}

function finish(
  flags: ImportFlags & { readonly json?: boolean },
  counts: IngestCounts,
  errors: readonly BadLine[],
): void {
  const isDry = flags.dryRun === true;
  const result = {
    ...counts,
    ...(counts.refused > 0 && { errors }),
    ...(isDry && { dry_run: true }),
  };
  print(flags, result, `${countsText(counts)}${isDry ? ' (dry run: nothing was stored)' : ''}`);
  const isEmpty = counts.held + counts.accepted + counts.refused + counts.duplicate === 0;
  if (counts.refused > 0) process.exitCode = FAILED;
  else if (isEmpty || isAllHeld(counts)) process.exitCode = NOTHING_PUBLISHED;
  if (flags.json === true) return;
  if (isEmpty) remark('There are no records in it: nothing was imported.');
  if (isDry) return;
  if (counts.held > 0) {
    const none = isAllHeld(counts) ? 'Nothing was published. ' : '';
    remark(`${none}Held records are not published: see "vesfx held list".`);
  }
  if (counts.refused > 0) {
    remark('Nothing was stored. Correct the lines above and import the file again.');
  }
}
