import { provenanceOf } from '../../core/app/collecting/read-source.ts';
import { recordOf } from '../../core/app/collecting/workbooks.ts';
import { SourceFailure } from '../../core/app/failures.ts';
import type { IngestCounts } from '../../core/app/ingest/batch.ts';
import type { Ingest } from '../../core/app/ingest/ingest.ts';
import type { Contradiction } from '../../core/app/ingest/publications/archive-rates.ts';
import type { Clock } from '../../core/app/ports/clock.ts';
import type { Archive, ArchiveFile, DaySpan, WorkbookFault } from '../../core/app/ports/sources.ts';
import type { Publication } from '../../core/domain/bcv.ts';
import type { CaracasDay, Instant } from '../../core/domain/time.ts';

export interface FileOutcome extends IngestCounts {
  readonly file: string;
  /** First and last value date that was loaded or already stored. */
  readonly first?: CaracasDay;
  readonly last?: CaracasDay;
  /** Publications outside the requested days. */
  readonly outside: number;
  /** Publications inside the requested days that were in an older bolívar. */
  readonly converted: number;
  readonly faults: readonly WorkbookFault[];
}

export interface BackfillOptions {
  readonly ingest: Ingest;
  readonly clock: Clock;
  readonly archive: Archive;
  readonly days: DaySpan;
  /** Whether to read, check and count without storing. */
  readonly dryRun: boolean;
  /** Whether to accept what judgement would hold, because the operator has checked it. */
  readonly trust: boolean;
  /** Whether the archive's figure replaces a stored one that it contradicts. */
  readonly acceptCorrections: boolean;
}

/** The name under which an archive's batches are stored. */
const SOURCE = 'bcv-archive';

/**
 * Loads files in order, one batch each, and yields the result of each once it is stored. A value
 * date that already has an official rate keeps it: live captures are never replaced, and a second
 * run continues after the first.
 * @throws SourceFailure naming the first file that cannot be loaded. The files before it are
 *   stored.
 */
export async function* backfill(
  files: readonly ArchiveFile[],
  options: BackfillOptions,
): AsyncGenerator<FileOutcome> {
  for (const file of files) yield await load(file, options);
}

async function load(file: ArchiveFile, options: BackfillOptions): Promise<FileOutcome> {
  const { ingest, clock, archive, days, dryRun, trust, acceptCorrections } = options;
  try {
    const body = await file.body();
    const { publications, faults } = await archive.read(body);
    const inside = publications.filter(({ valueDate }) =>
      overlap(days, { from: valueDate, to: valueDate }),
    );
    const now = clock.now();
    const refusals: string[] = [];
    const contradictions: WorkbookFault[] = [];
    const counts = await ingest.ingest(
      inside.map((publication) => recordOf(cappedAt(now, publication))),
      {
        source: SOURCE,
        provenance: provenanceOf(archive, [body]),
        onlyNewValueDates: true,
        dryRun,
        trust,
        acceptCorrections,
        tell({ bad, contradiction }) {
          if (bad !== undefined) refusals.push(bad.reason);
          if (contradiction !== undefined) contradictions.push(faultOf(contradiction));
        },
      },
    );
    if (counts.refused > 0) {
      throw new SourceFailure(
        'refused',
        `${counts.refused} of its records are refused: ${refusals[0]}`,
      );
    }
    return {
      file: file.name,
      ...counts,
      first: inside[0]?.valueDate,
      last: inside.at(-1)?.valueDate,
      outside: publications.length - inside.length,
      converted: inside.filter(({ isConverted }) => isConverted).length,
      faults: [...faults, ...contradictions],
    };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    throw new SourceFailure(error.reason, `${file.name}: ${error.message}`, { cause: error });
  }
}

function faultOf({ valueDate, market, stored, given }: Contradiction): WorkbookFault {
  const problem = `${market} is ${given} here and ${stored} in the store, which stays`;
  return { place: valueDate, problem };
}

/** An archive dates a publication at the start of its value date, which may still lie ahead. */
function cappedAt(now: Instant, publication: Publication): Publication {
  return { ...publication, capturedAt: Math.min(publication.capturedAt, now) };
}

/** Whether the two have a day in common. */
export function overlap(a: DaySpan, b: DaySpan): boolean {
  const startsBeforeEnd = ({ from }: DaySpan, { to }: DaySpan) =>
    from === undefined || to === undefined || from <= to;
  return startsBeforeEnd(a, b) && startsBeforeEnd(b, a);
}
