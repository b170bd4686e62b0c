import { createReadStream, statSync } from 'node:fs';
import { constants } from 'node:os';
import type { BadLine, IngestCounts } from '../../app/ingest/batch.ts';
import { lowerPriority } from '../../app/lower-priority.ts';
import type { Capability, FileReader, FileRecords } from '../../capability.ts';
import type { Toolbox } from '../../compose.ts';
import type { HeldDoubt } from '../../domain/judgement/quote-memory.ts';
import { PUSHED } from '../../domain/source-health.ts';
import { type AddCommand, databaseCommand, type Result } from '../command.ts';
import type { ImportedFile } from '../import-input.ts';
import { DONE, FAILED, NOTHING_PUBLISHED, remark, UsageError, visible } from '../output.ts';
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

/** What is told beside the counts. */
interface Told {
  readonly errors: readonly BadLine[];
  readonly isDry: boolean;
  /** Of a file that is not NDJSON. */
  readonly file: FileRecords | undefined;
  readonly notes: readonly string[];
  readonly why: readonly HeldReason[];
}

// limit: Reasons that `vesfx import` names | 3 | the others: `vesfx held list`
const MAX_REASONS = 3;

/** A code, as `vesfx held list` has it, and the sentence of the first record of it. */
interface HeldReason {
  readonly reason: string;
  readonly example: string;
}

/** Why records are held, by the gravest doubt of each. */
class HeldReasons {
  readonly #found = new Map<string, { count: number; readonly example: string }>();

  add([gravest]: readonly HeldDoubt[]): void {
    if (gravest === undefined) return;
    const { reason, message: example } = gravest;
    const found = this.#found.get(reason) ?? { count: 0, example };
    this.#found.set(reason, { ...found, count: found.count + 1 });
  }

  /** The most frequent first. */
  list(): readonly HeldReason[] {
    return [...this.#found]
      .sort(([, a], [, b]) => b.count - a.count)
      .slice(0, MAX_REASONS)
      .map(([reason, { example }]) => ({ reason, example }));
  }
}

function heldHints(isDry: boolean, none: string, why: readonly HeldReason[]): readonly string[] {
  const where = 'Held records are not published: see "vesfx held list".';
  const reasons = why.map(({ reason, example }) => `${reason}, such as: ${example}`).join('; ');
  return [...(isDry ? [] : [`${none}${where}`]), visible(`Why they are held: ${reasons}.`)];
}

function resultOf(counts: IngestCounts, { errors, isDry, file, notes: own, why }: Told): Result {
  const { accepted, held, refused, duplicate } = counts;
  const isEmpty = held + accepted + refused + duplicate === 0;
  const notes = refused > 0 ? [] : [...(file?.notes ?? []), ...own];
  const hints: string[] = [
    ...(file?.readAs === undefined ? [] : [visible(file.readAs.text)]),
    ...notes,
  ];
  if (isEmpty) hints.push('There are no records in it: nothing was imported.');
  if (held > 0) {
    const none = isAllHeld(counts) ? 'Nothing was published. ' : '';
    hints.push(...heldHints(isDry, none, why));
  }
  if (!isDry && refused > 0) {
    hints.push('Nothing was stored. Correct the lines above and import the file again.');
  }
  const ofRecords = isEmpty || isAllHeld(counts) ? NOTHING_PUBLISHED : DONE;
  return {
    json: {
      ...counts,
      errors: refused > 0 ? errors : undefined,
      held_reasons: held > 0 ? why : undefined,
      read_as: file?.readAs?.json,
      notes: notes.length > 0 ? notes : undefined,
      dry_run: isDry || undefined,
    },
    text: `${countsText(counts)}${isDry ? ' (dry run: nothing was stored)' : ''}`,
    hints,
    exitCode: refused > 0 ? FAILED : ofRecords,
  };
}

/** What an import reads: records, or a file that one of the readers knows. */
async function contentOf(
  file: ImportedFile,
  readers: readonly FileReader[],
  {
    as,
    ...parts
  }: Pick<Toolbox, 'markets' | 'calendar' | 'redenominations'> & {
    readonly as: string | undefined;
  },
) {
  const reader = readers.find((one) => one.recognizes(file.beginning));
  if (reader !== undefined) {
    const read = await reader.read(file.all, { ...parts, as, now: Date.now() });
    const lines: number[] = [];
    const records = (function* () {
      for (const { line, record } of read.records) {
        lines.push(line);
        yield record;
      }
    })();
    return { read, records, lineOf: (place: number) => lines[place - 1] ?? place };
  }
  if (as !== undefined) {
    throw new UsageError('--as is for a table of figures: each of these records says what it is.');
  }
  const { recordLinesOf } = await import('../import-input.ts');
  const { recordsIn } = await import('../../app/ingest/ndjson.ts');
  const lineOf = (place: number) => place;
  return { read: undefined, records: recordsIn(recordLinesOf(file)), lineOf };
}

const FLAGS = {
  '--dry-run': 'check and count, store nothing',
  '--trust': 'accept records that would be held, because you have checked them',
} as const;

/** Only for files that may not say it. */
const AS_FLAG = {
  '--as <what>': 'official or a market: whose figures they are, when a table does not say',
} as const;

/** `vesfx import`: records pushed by the operator (contract §7), and files that readers know. */
export function importCommand(capabilities: readonly Capability[]): AddCommand {
  const readers = capabilities.flatMap((capability) => capability.readers ?? []);
  const others = readers.map(({ about }) => `; or ${about}`).join('');
  return databaseCommand({
    name: 'import',
    about: 'load records: all of a file, or nothing when a line is bad',
    arguments: {
      '<file>': `NDJSON, one JSON object per line${others}; also as gzip; - reads standard input`,
    },
    flags: { ...FLAGS, ...(readers.length > 0 ? AS_FLAG : {}) },
    help: [
      '\nExit code 3: nothing was published, because every new record is held or there is none.',
      ...readers.map(({ help }) => help),
    ].join('\n'),
    withoutDatabase: 'create',
    read(input) {
      // Check first, so that a wrong name is reported before a database is created.
      const stats = input.file === '-' ? undefined : statSync(input.file);
      // A service on the same machine has priority.
      lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
      return { ...input, size: stats?.isFile() ? stats.size : 0 };
    },
    async work({ ingest, ...parts }, { file, size, dryRun, trust, as }) {
      const { openedFile } = await import('../import-input.ts');
      const { roundedFigures } = await import('../rounded-figures.ts');
      const { MAX_LISTED_ERRORS } = await import('../../app/ingest/ingest.ts');
      const megabytes = (size / 1e6).toFixed(1);
      const format = `{bar} {percentage}% of ${megabytes} MB, {eta_formatted} left`;
      const bar = await progressBar(size, format);
      const input =
        file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
      const errors: BadLine[] = [];
      const held = new HeldReasons();
      try {
        const opened = await openedFile(counted(input, bar));
        const { records, read, lineOf } = await contentOf(opened, readers, { ...parts, as });
        const rounded = roundedFigures(parts.markets);
        const counts = await ingest.ingest(rounded.watched(records), {
          source: PUSHED,
          dryRun,
          trust,
          tell({ bad, passedOver, held: doubts = [] }) {
            held.add(doubts);
            const told = bad ?? passedOver;
            if (told === undefined) return;
            const [line, reason] = [lineOf(told.line), visible(told.reason)];
            bar?.clear();
            remark(bad ? `line ${line}: ${reason}` : `line ${line} is skipped: ${reason}`);
            if (bad === undefined || errors.length === MAX_LISTED_ERRORS) return;
            errors.push({ line, reason: bad.reason });
          },
        });
        return resultOf(counts, {
          ...{ errors, isDry: dryRun, file: read },
          ...{ notes: rounded.notes, why: held.list() },
        });
      } finally {
        bar?.stop();
      }
    },
  });
}
