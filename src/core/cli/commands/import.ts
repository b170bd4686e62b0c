import { createReadStream, statSync } from 'node:fs';
import { constants } from 'node:os';
import type { BadLine, IngestCounts } from '../../app/ingest/batch.ts';
import { lowerPriority } from '../../app/lower-priority.ts';
import { PUSHED } from '../../domain/source-health.ts';
import { databaseCommand, type Result } from '../command.ts';
import { DONE, FAILED, NOTHING_PUBLISHED, remark, visible } from '../output.ts';
import { type Progress, progressBar } from '../progress.ts';

const CHUNK_BYTES = 256 * 1024;

async function* counted(
  chunks: AsyncIterable<Buffer>,
  bar: Progress | undefined,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    bar?.advance(chunk.length);
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

function resultOf(counts: IngestCounts, errors: readonly BadLine[], isDry: boolean): Result {
  const { accepted, held, refused, duplicate } = counts;
  const isEmpty = held + accepted + refused + duplicate === 0;
  const hints: string[] = [];
  if (isEmpty) hints.push('There are no records in it: nothing was imported.');
  if (!isDry && held > 0) {
    const none = isAllHeld(counts) ? 'Nothing was published. ' : '';
    hints.push(`${none}Held records are not published: see "vesfx held list".`);
  }
  if (!isDry && refused > 0) {
    hints.push('Nothing was stored. Correct the lines above and import the file again.');
  }
  const ofRecords = isEmpty || isAllHeld(counts) ? NOTHING_PUBLISHED : DONE;
  return {
    json: {
      ...counts,
      errors: refused > 0 ? errors : undefined,
      dry_run: isDry || undefined,
    },
    text: `${countsText(counts)}${isDry ? ' (dry run: nothing was stored)' : ''}`,
    hints,
    exitCode: refused > 0 ? FAILED : ofRecords,
  };
}

/** `vesfx import`: records pushed by the operator (contract §7). */
export const importCommand = databaseCommand({
  name: 'import',
  about: 'load NDJSON records: all of a file, or nothing when a line is bad',
  arguments: {
    '<file>': 'file of records, one JSON object per line, also as gzip; - reads standard input',
  },
  flags: {
    '--dry-run': 'check and count, store nothing',
    '--trust': 'accept records that would be held, because you have checked them',
  },
  help: '\nExit code 3: nothing was published, because every new record is held or there is none.',
  withoutDatabase: 'create',
  read(input) {
    // Check first, so that a wrong name is reported before a database is created.
    const stats = input.file === '-' ? undefined : statSync(input.file);
    // A service on the same machine has priority.
    lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    return { ...input, size: stats?.isFile() ? stats.size : 0 };
  },
  async work({ ingest }, { file, size, dryRun, trust }) {
    const { recordLinesOf } = await import('../import-input.ts');
    const { recordsIn } = await import('../../app/ingest/ndjson.ts');
    const { MAX_LISTED_ERRORS } = await import('../../app/ingest/ingest.ts');
    const megabytes = (size / 1e6).toFixed(1);
    const format = `{bar} {percentage}% of ${megabytes} MB, {eta_formatted} left`;
    const bar = await progressBar(size, format);
    const input =
      file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
    const errors: BadLine[] = [];
    try {
      const counts = await ingest.ingest(recordsIn(recordLinesOf(counted(input, bar))), {
        source: PUSHED,
        dryRun,
        trust,
        onBadLine(bad) {
          if (errors.length < MAX_LISTED_ERRORS) errors.push(bad);
          bar?.clear();
          remark(`line ${bad.line}: ${visible(bad.reason)}`);
        },
        onPassedOver({ line, reason }) {
          bar?.clear();
          remark(`line ${line} is skipped: ${visible(reason)}`);
        },
      });
      return resultOf(counts, errors, dryRun);
    } finally {
      bar?.stop();
    }
  },
});
